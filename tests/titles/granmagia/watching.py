"""What is counted of the readable engine beside a game's own methods: its other functions."""

from __future__ import annotations

from importlib import import_module

from sim.errors import EngineError
from sim.titles.granmagia import (
    abilities,
    attacks,
    choosing,
    contracts,
    effects,
    endings,
    supply,
    uses,
    victories,
)
from sim.titles.granmagia.schema import TIMINGS, VICTORIES
from sim.titles.granmagia.tables import Flag
from tests.titles.granmagia.watching_effects import counted_primitives, receive_one

__all__ = ["watch"]

# The package has a function of the same name.
reference = import_module("sim.titles.granmagia.reference")


class _CountingStream(reference.Stream):
    """A stream that knows how often it was asked (draws of one from one are none)."""

    draws = 0

    def bounded(self, n):
        self.draws += 1
        return super().bounded(n)


def watch(monkeypatch, hits):
    """Watch what is no method of a game for as long as a monkeypatch lasts."""
    monkeypatch.setattr(reference, "Stream", _CountingStream)
    for watched in (
        _choices,
        _texts,
        _supply,
        _defences,
        _uses,
        _tokens,
        _victories,
        _ends,
    ):
        for module, name, function in watched(hits):
            monkeypatch.setattr(module, name, function)


def _choices(hits):
    """Watch what policies and texts ask, and slips."""
    observe, choose = effects.observe, choosing.chosen

    def asked(game, seat, number, argument):
        game.asked_by_text(number)
        return observe(game, seat, number, argument)

    def shown(game, seat, number, argument):
        value = observe(game, seat, number, argument)
        game.shown_to_policy(number, argument, value)
        return value

    def chosen(game, seat, decision, legal):
        return game.choice(seat, decision, legal, choose)

    yield effects, "observe", asked
    yield choosing, "observe", shown
    yield reference, "chosen", chosen


def _texts(hits):
    """Watch texts, their effects, and what they do."""
    play_text, from_hand = effects.play_text, effects._from_hand

    def played(game, seat, text):
        name = game.texts.get(id(text))
        hits[name] += 1
        before = hits["effects played"]
        try:
            play_text(game, seat, text)
        except victories.GameOver:
            left = hits["effects played"] - before < len(text)
            hits["effect: the rest of a text is not played, the game is over"] += left
            raise
        fired = hits["effects played"] - before
        hits["effect: condition fails"] += len(text) - fired
        hits["effect: condition holds"] += fired == len(text) and any(
            effect["conds"] for effect in text
        )

    def acquired(game, seat, text):
        """Play the effects of a seal; two on a pile play one after the other."""
        game.seals_played = getattr(game, "seals_played", 0) + 1
        hits["seal: without effects"] += not text
        played(game, seat, text)

    def acquire(game, kind):
        game.seals_played = 0
        try:
            return original(game, kind)
        finally:
            hits["seal: effects of two at one acquisition"] += game.seals_played > 1

    def chosen(game, seat, decision, free):
        hits["hand choice: empty hand"] += not seat.hand
        return from_hand(game, seat, decision, free)

    original = reference.Game.acquire
    yield reference, "play_text", acquired
    yield reference.Game, "acquire", acquire
    yield uses, "play_text", played
    yield abilities, "play_text", played
    yield effects, "_from_hand", chosen
    yield effects, "_receive_one", receive_one(hits, effects._receive_one)
    yield effects, "_PLAYED", counted_primitives(hits, effects._PLAYED)


def _supply(hits):
    draw_kinds, refill = supply.draw_kinds, supply.refill

    def drawn(tables, stream):
        before = stream.draws
        try:
            kinds = draw_kinds(tables, stream)
        except EngineError:
            hits["supply: no set found"] += 1
            raise
        burns = sum(bool(tables.flags[kind] & Flag.BURN) for kind in kinds)
        asked = stream.draws - before
        # Each kind is one draw, each third or further burn kind one more.
        least = len(kinds) + max(burns - 2, 0)
        hits["supply: third burn kind accepted"] += burns > 2
        hits["supply: third burn kind refused"] += asked == least + 2
        hits["supply: set thrown away"] += asked >= least + len(kinds)
        flags = [tables.flags[kind] for kind in kinds]
        hits["supply: drawn set holds attack and defence"] += any(
            bits & Flag.ATTACK for bits in flags
        ) and any(bits & Flag.DEFENCE for bits in flags)
        hits["set-up: start decks come out of the piles"] += tables.rule["start_taken"]
        return kinds

    def refilled(game):
        before = sum(map(len, game.field.values())), len(game.field)
        refill(game)
        after = sum(map(len, game.field.values())), len(game.field)
        hits["field: second card of a shown kind"] += after[0] - before[0] > after[1] - before[1]

    yield supply, "draw_kinds", drawn
    yield supply, "refill", refilled
    yield endings, "refill", refilled


def _defences(hits):
    """Watch the steps of a defence in their order (GM-A2)."""
    is_hit, barrier, doll = attacks._is_hit, attacks._barrier, attacks._doll
    from_hand = attacks._hand_defends

    def settled(game, seat, other):
        again = other.index in game.hit
        game.doll_refused = ""
        hit = is_hit(game, seat, other)
        if again:
            hits[
                "attack: later effect goes on for who was hit"
                if hit
                else "attack: later effect spares who defended"
            ] += 1
        else:
            hits["attack: hit"] += hit
            hits["defence: doll declined, then hit"] += hit and game.doll_refused == "declined"
        return hit

    def with_barrier(game, seat, other):
        stacked, casts, dolls = other.barriers > 1, game.casts, _dolls(game, other)
        done = barrier(game, seat, other)
        if done:
            hits["defence: barrier"] += 1
            hits["defence: barrier, one of many"] += stacked
            hits["defence: barrier takes a cast"] += game.casts < casts
            hits["defence: barrier finds no cast left"] += casts == 0
            hits["defence: barrier before a doll"] += bool(dolls)
        return done

    def with_doll(game, other):
        dolls = _dolls(game, other)
        used = [card for card in dolls if card in other.defended]
        fresh = [card for card in dolls if card not in used]
        gold, price = other.gold, game.tables.rule["doll_gold"]
        done = doll(game, other)
        if not dolls:
            return done
        if done:
            hits[f"defends: {game.tables.kind_names[(fresh or dolls)[0].kind]}"] += 1
        if fresh:
            hits["defence: second doll free" if used else "defence: doll free"] += 1
            hits["defence: free doll before paying for another"] += bool(used) and gold >= price
        elif done:
            hits["defence: doll paid" if price else "defence: doll paid with nothing"] += 1
        else:
            game.doll_refused = "declined" if gold >= price else "without gold"
            hits[f"defence: doll {game.doll_refused}"] += 1
        return done

    def with_card(game, other):
        flags = game.tables.flags
        kinds = {card.kind for card in other.hand if flags[card.kind] & Flag.DEFENDS_HAND}
        held = len(other.discard)
        done = from_hand(game, other)
        if done:
            several = len(kinds) > 1
            hits[f"defence: from hand, {'chosen' if several else 'the only kind'}"] += 1
            used = game.tables.kind_names[other.discard[held].kind]
            hits[f"defends: {used}"] += 1
            if game.doll_refused:
                hits[f"defence: doll {game.doll_refused}, then from hand"] += 1
        return done

    yield attacks, "_is_hit", settled
    yield attacks, "_barrier", with_barrier
    yield attacks, "_doll", with_doll
    yield attacks, "_hand_defends", with_card


def _dolls(game, seat):
    return [card for card in seat.own if game.tables.flags[card.kind] & Flag.DEFENDS_FIELD]


def _uses(hits):
    """Watch what follows from a use, and what lasting cards do."""
    use, reward, start_effects = uses.use, abilities.reward, abilities.start_effects

    def used(game, seat, card):
        tables, kind = game.tables, card.kind
        named = seat.witch >= 0
        hits["cast: by an apprentice"] += not named
        hits["cast: again by a contracted seat"] += named and seat.uses.get(kind, 0) > 0
        magic = tables.flags[kind] & Flag.MAGIC
        hits["cast: start card counts as no kind"] += named and not magic
        use(game, seat, card)
        given, every = tables.kind_gives[kind]
        if given < 0:
            return
        if not named:
            hits["gives: nothing to an apprentice"] += 1
        elif seat.uses[kind] % every:
            hits["gives: not yet"] += 1
        else:
            hits[f"gives: {tables.kind_names[kind]}"] += 1
            hits["gives: again"] += seat.uses[kind] > every

    def rewarded(game, seat, kind):
        name = game.tables.kind_names[kind]
        if game.power(seat, "rewards"):
            start = game.phase == "start"
            hits[f"reward: at a {'turn start' if start else 'use'}"] += 1
            hits[f"reward at a turn start: {name}"] += start
            hits["reward: without a text"] += not game.tables.kind_reward[kind]
        elif seat.witch >= 0:
            hits["reward: none without the power"] += 1
        else:
            hits["reward: none of an apprentice"] += 1
        reward(game, seat, kind)

    def started(game, seat):
        flags = [game.tables.flags[card.kind] for card in seat.own]
        duration = any(bits & Flag.DURATION for bits in flags)
        permanent = any(bits & Flag.PERMANENT for bits in flags)
        hits["lasting: two cards in the own field at a turn start"] += len(flags) > 1
        hits["reward: none at a turn start without effects"] += bool(
            game.power(seat, "rewards")
        ) and any(
            game.tables.flags[card.kind] & Flag.PERMANENT
            and game.tables.flags[card.kind] & Flag.FAMILIAR
            and not game.tables.kind_turn_start[card.kind]
            for card in seat.own
        )
        start_effects(game, seat)
        hits["lasting: duration card goes after its turn start"] += duration
        hits["lasting: permanent card stays"] += permanent
        hits["lasting: duration card at the start of an extra turn"] += duration and game.extra
        hits["lasting: permanent card at the start of an extra turn"] += permanent and game.extra

    yield reference, "use", used
    yield uses, "reward", rewarded
    yield abilities, "reward", rewarded
    yield reference, "start_effects", started


def _tokens(hits):
    tokens_for_truth = abilities._tokens_for_truth

    def traded(game, seat):
        tables = game.tables
        legal = {card.kind for card in seat.hand if tables.sort[card.kind] == "truth"}
        hits["tokens: no truth card in hand"] += not legal
        hits["tokens: two kinds to choose from"] += len(legal) > 1
        burned = len(game.burned)
        try:
            tokens_for_truth(game, seat)
        finally:
            if len(game.burned) > burned:
                hits["tokens: burned a truth card"] += 1
                hits["tokens: burned one worth nothing"] += (
                    tables.truth[game.burned[burned].kind] <= 0
                )
                drawn = "drawn" if game.power(seat, "token_draw") else "none drawn"
                hits[f"tokens: {drawn} for it"] += 1
            else:
                hits["tokens: declined"] += bool(legal)

    yield abilities, "_tokens_for_truth", traded


def _victories(hits):
    """Watch each judgement of a special victory (GM-W3, GM-W4)."""
    judge, judge_start, win = victories._judge, victories.judge_start, victories._win
    judge_contract, contract = contracts.judge_contract, reference.contract

    def without_truth(game, seat):
        """Whether the condition holds, whatever the truth."""
        kept = victories.truth_needed
        victories.truth_needed = lambda *_: -(10**9)
        try:
            return victories._holds(game, seat)
        finally:
            victories.truth_needed = kept

    def named(game, seat):
        kind = VICTORIES[victories.victory(game, seat)]
        return f"victory {kind}, {TIMINGS[game.tables.witch_fields[seat.witch]['timing']]}: "

    def judged(game, seat):
        if not victories.victory(game, seat):
            hits["victory: switched off"] += seat.witch >= 0
            return judge(game, seat)
        name, held = named(game, seat), without_truth(game, seat)
        if not held:
            hits[name + "not met"] += 1
            _why_not(hits, game, seat)
        elif not victories._holds(game, seat):
            hits[name + "short of truth"] += 1
        before = seat.announcements
        hits["victory: announced already"] += seat.announced and victories._holds(game, seat)
        judge(game, seat)
        hits[name + "announced"] += seat.announcements > before
        return None

    def at_start(game, seat):
        announced = seat.announced
        if announced:
            name, held = named(game, seat), without_truth(game, seat)
            if not victories._holds(game, seat):
                hits[name + "lapsed"] += 1
                hits[f"victory: lapses by {'truth' if held else 'its condition'}"] += 1
        judge_start(game, seat)

    def won(game, seat):
        hits[named(game, seat) + "won"] += 1
        hits[f"victory: won in phase {game.phase}"] += 1
        hits["victory: by a gift"] += game.contracting == "gifts"
        if game.contracting == "judged":
            hits[f"victory {VICTORIES[victories.victory(game, seat)]}: won by the contract"] += 1
        win(game, seat)

    def contracted(game, seat, witch):
        game.contracting = "gifts"
        try:
            contract(game, seat, witch)
        finally:
            game.contracting = ""

    def at_contract(game, seat):
        game.contracting, before = "judged", seat.announcements
        kind = victories.victory(game, seat)
        if kind in (victories.CURSES, victories.EXTRA_GOLD) and victories._holds(game, seat):
            one = kind == victories.EXTRA_GOLD
            name = "extra_gold holds" if one else "curses hold"
            hits[
                f"victory: {name} at a contract, which is no event for {'it' if one else 'them'}"
            ] += 1
        judge_contract(game, seat)
        hits["victory: announced by a contract"] += seat.announcements > before

    yield victories, "_judge", judged
    yield victories, "_win", won
    yield reference, "judge_start", at_start
    yield reference, "contract", contracted
    yield contracts, "judge_contract", at_contract


def _why_not(hits, game, seat):
    kind = VICTORIES[victories.victory(game, seat)]
    if kind == "curses":
        curse = victories.CURSE
        hits["victory: no curse in the game"] += victories.needed(game, seat) == 0
        hits["victory: a curse is left in the pile"] += game.piles[curse] > 0
        hits["victory: a curse is burned"] += any(card.kind == curse for card in game.burned)
        hits["victory: a curse is the own one"] += any(card.kind == curse for card in seat.cards())
    elif kind == "arcana_spread":
        enough = victories.progress(game, seat) >= victories.needed(game, seat)
        hits["victory: condition fails by what others have"] += enough


def _ends(hits):
    """Watch the ends of turns and of games."""
    wants_extra_turn, finish = endings._wants_extra_turn, endings.finish

    def won(game, seat):
        power, earned, gold = game.power(seat, "extra_turn_gold"), game.extra_earned, seat.gold
        found = wants_extra_turn(game, seat)
        if found:
            hits[f"extra turn: by {'a card' if earned else 'gold'}"] += 1
            hits["extra turn: by a card, gold not asked for"] += earned and 0 < power <= gold
            hits["extra turn: of an apprentice"] += seat.witch < 0
            last = game.on_turn == len(game.seats) - 1
            hits["extra turn: of a middle seat"] += not last
            hits["extra turn: after the last turn before the cap"] += (
                last and game.round == game.tables.rule["round_cap"]
            )
        elif power:
            hits[f"extra turn: {'declined' if gold >= power else 'too little gold'}"] += 1
        return found

    def ended(game, reason, winner=None):
        on_turn = game.on_turn
        finish(game, reason, winner)
        game.finished(reason, winner, on_turn)

    yield endings, "_wants_extra_turn", won
    yield endings, "finish", ended
    yield reference, "finish", ended
