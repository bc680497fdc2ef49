"""The verdicts at the head of a page: one sentence, and one answer for each question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages.names import check, figures, margin_of, mark
from analysis.report.words import Words

__all__ = ["answers", "verdict"]

#: Beyond so many times the games played, more of them are no advice.
_HOPELESS = 200

#: What counts against a game most comes first.
_ORDER = ("unbalanced", "undecided", "too few games", "balanced")


def verdict(content: Mapping[str, Any], w: Words) -> dict[str, str]:
    """Return the one sentence of a page, and how it is marked.

    It names what is most out of balance, measured by the margins; without such a thing it says
    what is undecided and about how many games would decide it; else that all is balanced. A fault
    of the simulation comes before all of that.
    """
    asked = [q for q in content["questions"] if q["id"] not in {"clear", "check"}]
    for question in content["questions"]:
        if question["verdict"] == "failed":  # no other verdict means anything then
            return {"mark": mark("failed"), "sentence": check("failed", question["row"], w)}
    judged = [q for q in asked if q["verdict"] in _ORDER]
    if not judged:
        told = [answer["sentence"] for answer in answers(content, w)]
        return {"mark": "plain", "sentence": told[0] if told else ""}
    worst = min(judged, key=lambda q: (_ORDER.index(q["verdict"]), -_excess(q)))
    others = [_short(question, w) for question in judged if question is not worst]
    said, row = worst["verdict"], worst["row"]
    if said == "balanced":
        listed = w.listed([_within(question, w) for question in judged])
        return {"mark": said, "sentence": w("one.balanced", list=listed)}
    if said == "too few games" or row is None:
        return {"mark": mark(said), "sentence": w("say.too few games")}
    first = w(f"one.{said}", **_told(worst, w))
    if said == "undecided":
        first += w("semicolon") + _more_games(worst, content, w)
    text = w("semicolon").join([first, *others]) + w("stop")
    return {"mark": said, "sentence": text}


def _told(question: Mapping[str, Any], w: Words) -> dict[str, str]:
    told = figures(question["row"], w)
    what = w(f"one.{question['id']}", name=told["name"])
    return {**told, "what": what, "margin": margin_of(question["margin"])}


def _excess(question: Mapping[str, Any]) -> float:
    """Return how far the row of a question is from parity, in margins."""
    row = question["row"]
    if row is None or row["parity"] is None:
        return 0.0
    return float(abs(row["rate"] - row["parity"]) / question["margin"])


def _within(question: Mapping[str, Any], w: Words) -> str:
    name = w(f"many.{question['id']}")
    return w("one.within", name=name, margin=margin_of(question["margin"]))


def _short(question: Mapping[str, Any], w: Words) -> str:
    """Return a clause on a question that is not the main one."""
    said = question["verdict"]
    if said == "balanced":
        return w("also.balanced", list=_within(question, w))
    if question["row"] is None:
        said = "too few games"
    values = _told(question, w) if question["row"] else {}
    return w(f"also.{said}", many=w(f"many.{question['id']}"), **values)


def _more_games(question: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> str:
    """Return about how many more games would bring the row's interval to one side of the edge.

    An interval shrinks with the square root of the games; the rate is taken to stay where it is.
    """
    row, margin = question["row"], question["margin"]
    room = abs(abs(row["rate"] - row["parity"]) - margin)
    half = (row["hi"] - row["lo"]) / 2
    times = math.inf if room == 0 else (half / room) ** 2
    if times > _HOPELESS:
        return w("one.on_edge")
    more = max(0.0, times - 1) * content["run"]["games"]
    return w("one.more", games=formats.count(_rounded_up(more)))


def _rounded_up(games: float) -> int:
    """Return one or two digits and zeros, not below the number.

    Examples
    --------
    >>> _rounded_up(123456.0), _rounded_up(8.0)
    (130000, 8)
    """
    if games < 1:
        return 1
    unit: int = 10 ** max(0, math.floor(math.log10(games)) - 1)
    return math.ceil(games / unit) * unit


def answers(content: Mapping[str, Any], w: Words) -> list[dict[str, str]]:
    """Return one verdict with its sentence for each question."""
    return [_answer(question, w) for question in content["questions"]]


def _answer(question: Mapping[str, Any], w: Words) -> dict[str, str]:
    kind, said = question["id"], question["verdict"]
    answer = {"question": w(f"question.{kind}"), "mark": mark(said), "word": "", "detail": ""}
    answer["topic"] = w(f"topic.{kind}")
    row = question["row"]
    if kind == "clear":
        answer["sentence"] = w("say.clear", **figures(row, w)) if row else w("say.too few games")
        return answer
    answer["word"] = w(said)
    if kind == "check":
        answer["sentence"] = check(said, row, w)
        return answer
    if said == "untold":
        answer["sentence"] = w("say.untold")
        return answer
    if said == "too few games" or row is None:
        answer["sentence"] = w("say.too few games")
    else:
        margin = margin_of(question["margin"])
        told = [w(f"say.{kind}.{said}", margin=margin, **figures(row, w))]
        told += [
            w(f"say.{end}", **figures(question[end], w))
            for end in ("best", "worst")
            if end in question
        ]
        answer["sentence"] = w("space").join(told)
    answer["detail"] = _by_players(question["by_players"], said, w)
    return answer


def _by_players(by: Sequence[Mapping[str, Any]], said: str, w: Words) -> str:
    if len(by) < 2:
        return ""
    if len({item["verdict"] for item in by}) == 1:
        return w("say.all_players", word=w(said))
    listed = (f"{w.players(item['players'])} {w(item['verdict'])}" for item in by)
    return w("say.by_players", list=w("comma").join(listed))
