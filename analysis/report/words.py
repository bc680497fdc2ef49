"""The words of a page, in English and Japanese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.errors import UnknownNameError

__all__ = ["LANGUAGES", "Words"]

LANGUAGES = ("en", "ja")

_WORDS: Mapping[str, tuple[str, str]] = {
    "report": ("Balance report", "バランス報告"),
    "at_a_glance": ("At a glance", "結論"),
    "question.seats": ("Are the seats balanced?", "席どうしは均衡しているか"),
    "question.policies": ("Are the policies balanced?", "戦略どうしは均衡しているか"),
    "question.clear": ("How often is the game cleared?", "どれだけクリアできるか"),
    "balanced": ("balanced", "均衡"),
    "unbalanced": ("unbalanced", "不均衡"),
    "undecided": ("undecided", "判定保留"),
    "too few games": ("too few games", "試合不足"),
    "untold": ("cannot be told", "判別できない"),
    "topic.seats": ("Seats", "席"),
    "topic.policies": ("Policies", "戦略"),
    "topic.clear": ("Clear rate", "クリア率"),
    "near": ("near parity", "均等に近い"),
    "over": ("above parity", "均等より上"),
    "under": ("below parity", "均等より下"),
    "seats": ("Win rate by seat", "席ごとの勝率"),
    "seats.check": ("Self-check: seats", "自己点検：席"),
    "policies": ("Win rate by policy", "戦略ごとの勝率"),
    "clear": ("Clear rate by policy", "戦略ごとのクリア率"),
    "policy_seat": ("Policy and seat together", "戦略と席の組み合わせ"),
    "length": ("Length of a game", "試合の長さ"),
    "ends": ("How games end", "終わり方"),
    "sources": ("Where points come from", "得点の内訳"),
    "basis": ("What this rests on", "この結果の前提"),
    "plan": ("What was played", "何を対戦させたか"),
    "replay": ("See for yourself", "試合を再現する"),
    "provenance": ("Provenance", "来歴"),
    "provenance.title": ("title", "作品"),
    "provenance.games": ("games", "試合数"),
    "provenance.seed": ("seed", "シード"),
    "provenance.ruleset": ("ruleset", "ルール"),
    "provenance.data": ("data", "データ"),
    "provenance.result_version": ("result version", "結果の版"),
    "provenance.stream_version": ("stream version", "乱数の版"),
    "provenance.policies": ("policies", "戦略"),
    "timing": ("This run", "実行の記録"),
    "timing.command": ("command", "コマンド"),
    "timing.finished": ("finished", "終了"),
    "timing.seconds": ("seconds", "秒数"),
    "timing.games_per_second": ("games per second", "毎秒の試合数"),
    "timing.jobs": ("jobs", "並列数"),
    "timing.backend": ("backend", "実行方式"),
    "timing.machine": ("machine", "計算機"),
    "timing.software": ("software", "ソフトウェア"),
    "players_n": ("{n} players", "{n} 人"),
    "players_1": ("1 player", "1 人"),
    "players": ("Players", "人数"),
    "seat": ("Seat", "席"),
    "seat_n": ("Seat {n}", "席 {n}"),
    "seat_n.inside": ("seat {n}", "席 {n}"),
    "policy": ("Policy", "戦略"),
    "policy_and_seat": ("Policy, seat", "戦略、席"),
    "rate": ("Win rate, %", "勝率 %"),
    "clear_rate": ("Clear rate, %", "クリア率 %"),
    "share": ("Share, %", "割合 %"),
    "interval": ("{level} % interval", "{level} % 区間"),
    "gap": ("vs parity, pp", "均等との差 pp"),
    "verdict": ("Verdict", "判定"),
    "lies": ("Lies", "位置"),
    "games": ("Games", "試合数"),
    "deals": ("Deals", "ディール数"),
    "rows": ("Seat rows", "席の行数"),
    "mean": ("Mean", "平均"),
    "spread": ("Distribution", "分布"),
    "reason": ("Reason", "理由"),
    "count": ("Count", "回数"),
    "points": ("Points a seat", "席あたり得点"),
    "origin": ("Origin", "出どころ"),
    "design": ("Design", "組み方"),
    "lineups": ("Line-ups", "組み合わせ"),
    "parity": ("parity", "均等"),
    "design.fixed": ("one line-up", "固定の組"),
    "design.mirror": ("mirrors", "同じ戦略どうし"),
    "design.rotation": ("full rotations", "全ローテーション"),
    "design.pool": ("drawn from the pool", "無作為抽出"),
    "about.mirror": ("the same policy in every seat", "全席が同じ戦略"),
    "about.rotation": (
        "every combination in all rotations, on the same deal",
        "同じディールで席を一巡",
    ),
    "about.pool": ("every seat drawn from the pool, anew for each game", "席ごとに毎試合抽選"),
    "about.fixed": ("the line-up as given", "指定どおり"),
    "and": (" and ", "と"),
    "comma": (", ", "、"),
    "space": (" ", ""),
    "colon": (": ", "："),
    "stop": (".", "。"),
    "semicolon": ("; ", "。"),
    "dot": (" · ", "、"),
    "read": ("How to read this", "読み方"),
    "read.rates": (
        "A shared win counts in equal parts, so every rate has its parity: one over the number of "
        "players; pp are percentage points. All intervals of one section, over all player counts, "
        "hold at once with {level} % confidence. Chance is counted by deals: the games of a "
        "line-up's rotations share one.",
        "勝ちを分け合うときは等分して数える。均等とは 1 ÷ 人数、pp はパーセントポイントのこと。"
        "区間は一つの節の全行（全人数）で同時に {level} % 成り立ち、"
        "独立な標本はディールごとに数える（席を一巡する試合は同じディールを使うため）。",
    ),
    "read.verdicts": (
        "Balanced: the interval lies inside the margin around parity. Unbalanced: it lies "
        "outside. Undecided: it reaches across the edge, and more games would settle it.",
        "区間が均等のまわりの許容幅に収まれば均衡、外に出れば不均衡、境をまたげば判定保留（試合を"
        "増やせば決まる）。",
    ),
    "caption.used": ("Games used: {designs}.", "使った試合：{designs}。"),
    "caption.margin": ("Margin: ±{margin} pp.", "許容幅：±{margin} pp。"),
    "caption.mirrors": (
        "Mirrors are left out: there a policy's share is parity by construction.",
        "同じ戦略どうしの試合は除く（必ず均等になるため）。",
    ),
    "caption.rotations": (
        "Full rotations only: every policy meets the same opponents in every seat. Tables with one "
        "policy in several seats would pull its rate towards parity.",
        "全ローテーションの試合だけを使う（どの戦略も各席で同じ相手と当たる）。"
        "同じ戦略が複数の席にいる試合を混ぜると、勝率は均等に近づいてしまう。",
    ),
    "caption.pool": (
        "Line-ups are drawn at random: a policy also meets itself, which pulls its rate towards "
        "parity.",
        "組は無作為抽出。同じ戦略どうしも当たるため、勝率は均等に近づく。",
    ),
    "caption.selected": (
        "Chosen during play, so these differences describe who wins; they do not show what the "
        "choice causes.",
        "対戦中に選ばれるものなので、差は因果ではなく傾向を示す。",
    ),
    "caption.symmetric": (
        "Seats of this title decide at the same time and should not differ; a difference here "
        "would be a fault of the simulation.",
        "この作品の席は同時に行動し、差は出ないはず。差があれば模擬の誤りを意味する。",
    ),
    "caption.agrees": (
        "All intervals contain parity.",
        "すべての区間が均等を含む。",
    ),
    "caption.differs": (
        "Not all intervals contain parity.",
        "均等を含まない区間がある。",
    ),
    "caption.who": (
        "The sign of a seat advantage depends on who plays: read it for these policies.",
        "席の有利不利は、誰がどの戦略で遊ぶかで変わる。ここに挙げた戦略での値として読むこと。",
    ),
    "caption.fixed": (
        "One fixed line-up: seat and policy cannot be told apart here.",
        "組が固定なので、席の差と戦略の差は区別できない。",
    ),
    "caption.mean": (
        "Means with {level} % intervals, clustered by deal; all of this section hold at once.",
        "平均と {level} % 区間（ディールでクラスタ化、この節の全行で同時）。",
    ),
    "caption.ends": (
        "Share of all games; all intervals of this section hold at once with {level} % confidence.",
        "全試合に占める割合。区間はこの節の全行で同時に {level} %。",
    ),
    "sentence.numbers": (
        "{sourced} values of the rules come from a source ({detail}); {assumed} are assumed.",
        "ルールの値のうち {sourced} 個は出典あり（{detail}）、{assumed} 個は仮定。",
    ),
    "sentence.assumed": (
        "Conclusions hold for these stand-ins; they are designs that make sense, not the printed "
        "cards.",
        "結論は仮の値についてのもので、印刷された実カードについてのものではない。",
    ),
    "sentence.override": (
        "What was changed for this run:",
        "この実行で変更したところ：",
    ),
    "modelled": ("What is modelled so far", "実装の範囲"),
    "caveat.assumed": (
        "{assumed} of the {total} values of the rules are stand-ins.",
        "ルールの値 {total} 個のうち {assumed} 個は仮の値。",
    ),
    "changed": ("changed: {list}", "変更：{list}"),
    "added": ("new: {list}", "追加：{list}"),
    "removed": ("removed: {list}", "削除：{list}"),
    "more": ("{n} more", "ほか {n} 件"),
    "zero": ("Always zero in these games: {list}.", "この試合ではつねに 0：{list}。"),
    "spread_of": ("Distribution of {name}", "{name}の分布"),
    "beyond": ("{games} games beyond, up to {last}", "右の外に {games} 試合（最大 {last}）"),
    "beyond_1": ("1 game beyond, at {last}", "右の外に 1 試合（{last}）"),
    "n_games": ("{games} games", "{games} 試合"),
    "source.rulebook": ("rulebook", "説明書"),
    "source.public": ("published", "公開情報"),
    "source.derived": ("derived", "導出"),
    "source.assumed": ("assumed", "仮定"),
    "source.tool": ("tool", "道具の都合"),
    "source.override": ("changed", "変更"),
    "say.seats.balanced": (
        "Every seat wins within ±{margin} pp of parity, for every player count; farthest: "
        "{players}, {name} with {rate} % of {games} games ({lo} – {hi}).",
        "どの人数でも、各席の勝率は均等 ±{margin} pp に収まる。最も離れているのは {players}、"
        "{name}の {rate} %（{lo} – {hi}、{games} 試合）。",
    ),
    "say.seats.unbalanced": (
        "{players}: {name} wins {rate} % of {games} games ({lo} – {hi}), {gap} pp {side} parity, "
        "{parity} %.",
        "{players}：{name}の勝率は {games} 試合で {rate} %（{lo} – {hi}）。"
        "均等の {parity} % を {gap} pp {side}。",
    ),
    "say.seats.undecided": (
        "Not settled within ±{margin} pp yet; farthest from parity: {players}, {name} with {rate} "
        "% of {games} games ({lo} – {hi}). More games would narrow it.",
        "±{margin} pp の判定にはまだ足りない。最も離れているのは {players}、{name}の {rate} %"
        "（{lo} – {hi}、{games} 試合）。",
    ),
    "say.policies.balanced": (
        "Every policy wins within ±{margin} pp of parity, for every player count.",
        "どの人数でも、各戦略の勝率は均等 ±{margin} pp に収まる。",
    ),
    "say.policies.unbalanced": (
        "Not every policy wins within ±{margin} pp of parity.",
        "均等 ±{margin} pp に収まらない戦略がある。",
    ),
    "say.policies.undecided": (
        "Not settled within ±{margin} pp yet; more games would narrow it.",
        "±{margin} pp の判定にはまだ試合が足りない。",
    ),
    "say.best": (
        "Best: {players}, {name} with {rate} % of {games} games ({lo} – {hi}; parity {parity} %).",
        "最も強いのは {players}、{name}の {rate} %"
        "（{lo} – {hi}、{games} 試合、均等は {parity} %）。",
    ),
    "say.worst": (
        "Worst: {players}, {name} with {rate} % of {games} games ({lo} – {hi}; parity {parity} %).",
        "最も弱いのは {players}、{name}の {rate} %"
        "（{lo} – {hi}、{games} 試合、均等は {parity} %）。",
    ),
    "say.untold": (
        "One line-up sat in fixed seats, so seat and policy are one; try --rotate.",
        "一つの組を固定の席で対戦させたので、席の差と戦略の差を分けられない。--rotate を試すこと。",
    ),
    "say.all_players": ("At every player count: {word}.", "どの人数でも{word}。"),
    "say.too few games": (
        "Too few games to say anything; run more.",
        "試合が少なすぎて何も言えない。増やして再実行を。",
    ),
    "say.clear": (
        "Best policy: {name} clears {rate} % of {games} games ({lo} – {hi}).",
        "最良の戦略は{name}で、クリア率 {rate} %（{lo} – {hi}、{games} 試合）。",
    ),
    "above": ("above", "上回る"),
    "below": ("below", "下回る"),
    "say.by_players": ("By player count: {list}.", "人数別：{list}。"),
    "replay.longest": ("longest game, {n} rounds", "最長の試合（{n} ラウンド）"),
    "replay.shortest": ("shortest game, {n} rounds", "最短の試合（{n} ラウンド）"),
    "replay.first": ("first game of its line-up", "その組の最初の試合"),
    "replay.folder": ("The run is kept in", "実行の保存先："),
    "replay.gone": (
        "Rules or engine have changed since this run was played: its games cannot be told again.",
        "この実行のあとにルールか計算部が変わったため、試合は再現できない。",
    ),
    "replay.intro": (
        "Every game behind these numbers can be told move by move.",
        "この数値のもとになった試合は、一手ずつ再現できる。",
    ),
    "summary": ("{games} games · seed {seed}", "{games} 試合、シード {seed}"),
    "selected": ("chosen during play", "対戦中に選択"),
    "by": ("Win rate by {name}", "{name}ごとの勝率"),
    "show": ("Show the table", "表を見る"),
    "none": ("none", "なし"),
}


class Words:
    """Words of one language.

    Parameters
    ----------
    language : str
        ``"en"`` or ``"ja"``.

    Raises
    ------
    UnknownNameError
        For any other language.

    Examples
    --------
    >>> Words("en")("players_n", n=3), Words("ja")("seat_n", n=1)
    ('3 players', '席 1')
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise UnknownNameError("language", language, LANGUAGES)
        self.language = language
        self._index = LANGUAGES.index(language)

    def __call__(self, key: str, **values: Any) -> str:
        """Return the words for a key, with values filled in."""
        # A unit stays on the line of its number; what is filled in is left as it is.
        text = _WORDS[key][self._index].replace(" %", "\u00a0%").replace(" pp", "\u00a0pp")
        return text.format(**values) if values else text

    def label(self, label: Mapping[str, str] | None, default: str = "") -> str:
        """Return a display name of the data in this language."""
        return (label or {}).get(self.language) or default

    def inside(self, label: Mapping[str, str] | None, default: str = "") -> str:
        """Return a display name as it is written within a sentence or heading.

        Examples
        --------
        >>> Words("en").inside({"en": "Chosen guild"}), Words("en").inside({"en": "AI level"})
        ('chosen guild', 'AI level')
        """
        name = self.label(label, default)
        capital = self.language == "en" and name[1:2].islower()
        return name[:1].lower() + name[1:] if capital else name

    def players(self, n: int) -> str:
        """Return a player count with its noun."""
        return self("players_1") if n == 1 else self("players_n", n=n)

    def all_players(self, counts: list[int]) -> str:
        """Return several player counts with one noun."""
        if len(counts) == 1:
            return self.players(counts[0])
        if self.language == "ja":
            return self("players_n", n="・".join(map(str, counts)))
        return self("players_n", n=self.listed([str(n) for n in counts]))

    def spaced(self, name: str) -> str:
        """Return a name that a Japanese particle follows: Latin letters and digits stand apart.

        Examples
        --------
        >>> Words("ja").spaced("席 3"), Words("ja").spaced("弓"), Words("en").spaced("seat 3")
        ('席 3 ', '弓', 'seat 3')
        """
        apart = self.language == "ja" and name[-1:].isascii() and name[-1:].isalnum()
        return f"{name} " if apart else name

    def listed(self, items: list[str]) -> str:
        """Return several things as one phrase."""
        if len(items) < 2:
            return "".join(items)
        return self("comma").join(items[:-1]) + self("and") + items[-1]
