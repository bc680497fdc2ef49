"""Games that are driven step by step, from a stated position or from a fresh set-up.

This is the door through which the rules are tested one by one. It adds no rule: every step calls
the reference engine and checks that the step is legal.

Two ways in
-----------
``from_position(position, *, rules=None, overrides=(), choices=(), lineup=None, seed=1, deal=0)``
    The game stands as ``position`` says (below).
``new_game(players, *, rules=None, overrides=(), choices=(), lineup=None, seed=1, deal=0)``
    A whole set-up by GM-S and GM-F; seat 1 is about to start its first turn.

``rules`` is a ``Ruleset`` (default: the printed rules), ``overrides`` are ``"key=value"`` strings
such as ``"limits.round_cap=5"``. Both give a :class:`StagedGame`.

Names: kinds, witches and options are ids as in the data (``"fragment"``, ``"market"``,
``"celestina"``, ``"stop"``). Seats are counted from 1. An unknown name anywhere raises
``UnknownNameError``; anything else that is not legal raises ``InputError`` with the reason, and
leaves the game as it was.

A position
----------
A mapping; everything but ``seats`` may be left out::

    {
        "seats": [                     # seat 1, seat 2, …: 2 to 4 of them
            {
                "hand": ["fragment", "market"],   # in the order drawn
                "deck": ["stone", "charm"],       # TOP FIRST; the order is fixed, nothing random
                "discard": [],                    # first discarded first
                "play": [],                       # used this turn, in order
                "own": [],                        # own field (the witch is added by "witch")
                "witch": None,                    # contracted witch; None = apprentice
                "silver": 0, "gold": 0, "tokens": 0,
                "turns": 0,                       # own turns finished so far; default: round - 1
                "arcana_taken": 0,                # arcana obtained so far; default: arcana owned
            },
            {},                                   # left out: all empty
        ],
        "seat": 1,                     # whose turn it is
        "round": 1,
        "phase": "start",              # "start" (before GM-T1), "cast" or "acquire"
        "mana": 0, "casts": 1, "acquisitions": 1,   # only with phase "cast" or "acquire"
        "field": {"market": 5},        # magic kinds shown, cards of each. Default: the first eight
                                       # magic kinds of the data with five cards each
        "magic_deck": ["market"],      # TOP FIRST; default: empty
        "piles": {"stone": 0, "curse": 10},   # cards left, −1 endless; default: as the data say
        "witches": ["sophia"],         # witches in the field; default: all that nobody contracted
        "burned": [],                  # the burned zone
    }

No own card is there unless stated: there is no apprentice-witch card and there are no notes in a
position that lists none. Seats after ``seat`` have not had their turn of this round yet, seats
before it have: their default ``turns`` is ``round``.

Only cards that are shuffled again (a discard pile that becomes a deck) are in random order, by
``seed`` and ``deal``.

Decisions
---------
A decision point (``cast acquire discard burn receive upgrade look``) is asked only when there are
two or more legal options. Asked, it takes the next entry of ``choices``; an entry that is not among
the legal options raises ``InputError``. When the queue is used up, the seat's entry of ``lineup``
decides: a data policy by name (``"big_stones"``), or an object with methods named as decision
points, ``(view, options) -> option``. With neither, ``stop`` is taken if legal, else the option
that comes first in the data. Add entries at any time: ``game.choices.append("stop")``.

=========  =====================================================================================
decision   options
=========  =====================================================================================
cast       kinds in hand that can be cast; ``stop`` goes on to the acquisition phase
acquire    kinds and witches that can be paid for now; ``stop`` ends the turn
discard    kinds in hand: discard one. ``stop`` only for "up to"
burn       kinds in hand: burn one. ``stop`` only for "up to" and before a trade
receive    kinds on offer that the effect allows: take one. Never ``stop``
upgrade    stone kinds in hand that can become the next larger stone; ``stop``
look       the kind of the card that is looked at: discard it. ``stop``: leave it on the deck
=========  =====================================================================================

Cards of one kind are one option; the copy used is the first of that kind in hand.

Steps
-----
``game.start_turn()``
    From phase ``start``: the steps of GM-T1; then the phase is ``cast``.
``game.cast(kind)``
    In phase ``cast``: use the first card of that kind in hand (GM-T3).
``game.enter_acquisition()``
    From phase ``cast``: lay down the stones (GM-T4); then the phase is ``acquire``.
``game.acquire(kind)``
    In phase ``acquire``: pay for and take one card of the field (GM-T5, GM-T6).
``game.contract(witch)``
    In phase ``acquire``: make a contract (GM-C).
``game.end_turn()``
    From phase ``acquire``, or from ``cast`` (stones are laid down first): GM-T7, the end test, and
    the next seat; then the phase is ``start``, or ``over``.
``game.play_turn()``
    The rest of this turn, whatever the phase, by ``choices`` and ``lineup``.
``game.play()``
    The rest of the game.

What can be read
----------------
``game.phase``, ``game.round``, ``game.seat`` (on turn), ``game.players``
    ``turn`` counts the turns of all seats so far, the one under way included.
``game.hand(seat)``, ``game.deck(seat)``, ``game.discard(seat)``, ``game.play_area(seat)``,
``game.own(seat)``
    Lists of kinds; a deck is top first (as far as its order is fixed; an unsettled part follows in
    no meaningful order). ``own`` holds the contracted witch too.
``game.field``, ``game.piles``
    Mappings kind → cards. ``field`` holds the magic kinds shown, in the order they were laid.
``game.magic_deck``, ``game.burned``, ``game.removed``, ``game.witches``
    Lists; the magic deck top first; ``removed`` holds apprentice-witch cards after a contract.
``game.mana``, ``game.casts``, ``game.acquisitions``
    Of the turn under way.
``game.silver(seat)``, ``game.gold(seat)``, ``game.truth(seat)``, ``game.tokens(seat)``,
``game.turns(seat)``, ``game.witch(seat)``, ``game.arcana_taken(seat)``
    ``turns`` counts own turns, the one under way included.
``game.options()``
    Legal options of the phase (``cast`` or ``acquire``), by name, in option order.
``game.counter(seat, name)``
    A seat column of the records: ``"shuffles"``, ``"receipts"``, ``"reversals"``, …
``game.chosen``
    After ``new_game``: the magic kinds drawn for this game, in the order drawn; ``game.rares`` too.
``game.over``, ``game.end_reason``, ``game.win60``, ``game.ranks``
    After the end: reason ``"field"`` or ``"round_cap"``, win shares and ranks by seat.
``game.events``
    The trace so far: a list of mappings (see ``story.py``).
"""
