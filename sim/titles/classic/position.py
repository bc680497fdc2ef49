"""Games that are driven step by step, from a stated position or from a fresh set-up.

This is the door through which the rules are tested one by one. It adds no rule: every step calls
the reference engine after checking that the step is legal.

``from_position(position, *, rules=None, overrides=(), choices=(), lineup=None, seed=1, deal=0)``
    The game stands as ``position`` says (below).
``new_game(players, *, rules=None, overrides=(), choices=(), lineup=None, seed=1, deal=0)``
    A whole set-up by CL-S; seat 1 is about to play its first turn.

``rules`` is a ``Ruleset`` (default: the printed rules), ``overrides`` are ``"key=value"`` strings
such as ``"limits.round_cap=5"``. Both give a :class:`StagedGame`. Kinds and options are ids as in
the data (``"copper"``, ``"forge"``, ``"stop"``); seats are counted from 1. An unknown name raises
``UnknownNameError``; anything else that is not legal raises ``InputError`` with the reason.

A position
----------
A mapping; everything but ``seats`` may be left out::

    {
        "seats": [                     # seat 1, seat 2, …: 1 to 4 of them
            {
                "hand": ["copper", "forge"],      # in the order drawn
                "deck": ["silver", "estate"],     # TOP FIRST; the order is fixed, nothing random
                "discard": [],                    # first discarded first
                "play": [],                       # laid or played this turn, in order
                "turns": 1,                       # own turns so far, the one under way included;
                                                  # default: `round`, for seats after `seat` one less
            },
            {},                                   # left out: no cards
        ],
        "seat": 1,                     # whose turn it is
        "round": 1,
        "phase": "action",             # "action", or "buy" (treasures of this turn are laid down)
        "actions": 1, "buys": 1, "coins": 0,
        "piles": {"province": 1, "forge": 10},    # cards left; others as before a first turn with
                                       # ALL action kinds in the supply. 0 for an action kind: its
                                       # pile is in the supply and empty
        "trash": [],
    }

Only cards that are shuffled again (a discard pile that becomes a deck) are in random order, by
``seed`` and ``deal``.

Decisions
---------
A decision point is asked only when there are two or more legal options. Asked, it takes the next
entry of ``choices``, whichever seat decides; an entry that is not legal raises ``InputError``. When
the queue is used up, the deciding seat's entry of ``lineup`` decides: a data policy by name
(``"naive"``), or an object with methods named as decision points, ``(view, options) -> option``.
With neither, ``stop`` is taken if legal, else the option that comes first in the data. Add entries
at any time: ``game.choices.append("stop")``.

========  ======================================================================================
decision  options
========  ======================================================================================
action    action kinds in hand: play one; ``stop`` goes on to the buy phase
buy       kinds on offer that can be paid for now; ``stop`` ends the turn
discard   kinds in hand: discard one. ``stop`` only for "any number". An attacked seat is asked too
trash     kinds in hand: trash one. ``stop`` only for "up to"
receive   kinds on offer that the effect allows: take one. Never ``stop``
========  ======================================================================================

Cards of one kind are one option; the copy used is the first of that kind in hand.

Steps
-----
``game.play_action(kind)``
    In phase ``action``: play an action card from hand (CL-T2), attacks and the decisions of the
    seats attacked included.
``game.enter_buy()``
    From phase ``action``: lay down the treasures (CL-T3); then the phase is ``buy``.
``game.buy(kind)``
    In phase ``buy``: buy a card (CL-T4).
``game.end_turn()``
    Clean-up, the test of the end, the next seat (CL-T5); from phase ``action`` the treasures are
    laid down first. Then the phase is ``action``, or ``over``.
``game.play_turn()``, ``game.play()``
    The rest of this turn, or of the game, by ``choices`` and ``lineup``.

What can be read
----------------
``game.phase``, ``game.round``, ``game.seat`` (on turn), ``game.turn`` (turns of all seats so far,
the one under way included), ``game.players``, ``game.actions``, ``game.buys``, ``game.coins``
``game.hand(seat)``, ``game.deck(seat)``, ``game.discard(seat)``, ``game.play_area(seat)``
    Lists of kinds; a deck is top first (what is not yet settled of it in no meaningful order).
``game.piles``, ``game.trash``
    Mapping kind → cards left, of the piles in the supply; list of kinds.
``game.points(seat)``, ``game.turns(seat)``
``game.observe(seat, name)``, ``game.observe(seat, name, argument)``
    An observable (``observe.py``) as that seat sees it: ``game.observe(2, "owned", "forge")``.
``game.options()``
    Legal options of the phase (``action`` or ``buy``), by name, in option order.
``game.counter(seat, name)``
    A seat column of the records: ``"shuffles"``, ``"receipts"``, ``"curses_given"``, …
``game.over``, ``game.end_reason``, ``game.win60``, ``game.ranks``
    After the end: reason ``"provinces"``, ``"piles"`` or ``"round_cap"``; the others by seat.
``game.events``
    The trace so far: a list of mappings (see ``story.py``).
"""
