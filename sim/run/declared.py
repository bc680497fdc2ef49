"""What a run says about itself: all that is needed to read its rows and sums without its rules.

Rules, policies and engines change, and a stored run must outlive that. Its manifest therefore
keeps what its title declared when it was played: the column table, the values of categories, the
names. What decides results or layout is a part of the identity (:meth:`Declared.layout`); what is
only shown (labels, and where numbers of the rules came from) stands beside it
(:meth:`Declared.shown`) and may change without making another run of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from sim.core.title import (
    Category,
    Column,
    DecisionPoint,
    Label,
    Streams,
    Supply,
    Title,
    TitleInfo,
)
from sim.run.frames import Names
from sim.run.sums import SumSpec

if TYPE_CHECKING:
    from sim.core.policy import PolicyTable
    from sim.core.ruleset import Ruleset
    from sim.run.plan import Plan

__all__ = ["Declared", "Rules", "kept_supply"]


def kept_supply(info: TitleInfo, collect: Collection[str], keep: str) -> Supply | None:
    """Return the supply that rows of games tell, or None where a run's rows do not.

    It is taken from the cards of each game, and told beside its other columns; so a run has it
    that collects cards and keeps rows, and only of such a run it is a part of the identity.

    Parameters
    ----------
    info : TitleInfo
    collect : collection of str
    keep : {"rows", "sums", "both"}
    """
    return info.supply if "cards" in collect and keep != "sums" else None


@dataclass(frozen=True, slots=True)
class Rules:
    """What is told of the rules that a run was played by.

    Attributes
    ----------
    hash, data_hash : str
        Of the ruleset.
    sources : mapping of str to int
        Number of values by source.
    changes : mapping of str to value
        Values that overlays and overrides set, by dotted key.
    """

    hash: str
    data_hash: str
    sources: Mapping[str, int]
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Declared:
    """What a title declared about a run.

    Attributes
    ----------
    info : TitleInfo
        The declaration of the title; ``categories`` holds every set as the rules had it.
    kinds : tuple of Category
        Card kinds.
    policies : mapping of str to Label
        Line-up entries of the plan with their display names.
    rules : Rules
    """

    info: TitleInfo
    kinds: tuple[Category, ...]
    policies: Mapping[str, Label]
    rules: Rules

    @classmethod
    def of(cls, title: Title, ruleset: Ruleset, policies: PolicyTable) -> Declared:
        """Return what a title declares under a ruleset."""
        columns = title.info.columns
        sets = dict.fromkeys(column.categories for column in columns if column.role == "category")
        found = {name: title.categories(ruleset, name) for name in sets}
        return cls(
            replace(title.info, categories={**title.info.categories, **found}),
            tuple(title.kinds(ruleset)),
            dict(zip(policies.names, policies.labels, strict=True)),
            Rules(ruleset.hash, ruleset.data_hash, ruleset.sources(), ruleset.overridden()),
        )

    def layout(self) -> dict[str, Any]:
        """Return what decides how rows and sums are laid out, as plain JSON values."""
        info = self.info
        return {
            "seats": info.seats,
            "groups": list(info.groups),
            "columns": [_column(column) for column in info.columns],
            "categories": {
                name: [category.id for category in values]
                for name, values in info.categories.items()
            },
            "kinds": [kind.id for kind in self.kinds],
            "card_fields": list(info.card_fields),
            "series": [_column(column) for column in info.series],
        }

    def shown(self) -> dict[str, Any]:
        """Return what is shown to people, as plain JSON values."""
        info = self.info
        shown: dict[str, Any] = {
            "label": list(info.label),
            "status": list(info.status),
            "score": list(info.score),
            "score_range": list(info.score_range),
            "players": list(info.players),
            "decisions": [[point.id, point.about] for point in info.decisions],
            "caps": dict(info.caps),
            "streams": {
                "single": dict(info.streams.single),
                "per_seat": dict(info.streams.per_seat),
            },
            "batch_games": {str(n): games for n, games in info.batch_games.items()},
            "statuses": {str(code): text for code, text in info.statuses.items()},
            "columns": [list(column.label) for column in info.columns],
            "series": [list(column.label) for column in info.series],
            "categories": {
                name: [list(category.label) for category in values]
                for name, values in info.categories.items()
            },
            "kinds": [list(kind.label) for kind in self.kinds],
            "policies": [list(label) for label in self.policies.values()],
            "rules": {
                "sources": dict(self.rules.sources),
                "changes": {key: _plain(value) for key, value in self.rules.changes.items()},
            },
        }
        if info.supply is not None:
            shown["supply"] = list(info.supply.label)
        return shown

    @classmethod
    def read(cls, identity: Mapping[str, Any], shown: Mapping[str, Any]) -> Declared:
        """Return what a manifest keeps.

        Raises
        ------
        KeyError, TypeError, ValueError
            When something is missing or does not fit together.
        """
        layout = identity["layout"]
        categories = {
            name: _categories(ids, shown["categories"][name])
            for name, ids in layout["categories"].items()
        }
        info = TitleInfo(
            id=identity["title"],
            label=Label(*shown["label"]),
            status=Label(*shown["status"]),
            result_version=identity["result_version"],
            players=tuple(shown["players"]),
            seats=layout["seats"],
            decisions=tuple(DecisionPoint(*point) for point in shown["decisions"]),
            categories=categories,
            caps=shown["caps"],
            streams=Streams(**shown["streams"]),
            columns=_columns(layout["columns"], shown["columns"]),
            batch_games={int(n): games for n, games in shown["batch_games"].items()},
            score=Label(*shown["score"]),
            score_range=(shown["score_range"][0], shown["score_range"][1]),
            groups=tuple(layout["groups"]),
            card_fields=tuple(layout["card_fields"]),
            series=_columns(layout["series"], shown["series"]),
            statuses={int(code): text for code, text in shown["statuses"].items()},
            # Not in the layout: most runs do not have it, and older ones none at all.
            supply=(
                Supply(identity["supply"], Label(*shown["supply"]))
                if "supply" in identity
                else None
            ),
        )
        names = [name for name, _ in identity["policies"]]
        labels = [Label(*label) for label in shown["policies"]]
        rules = shown["rules"]
        return cls(
            info,
            _categories(layout["kinds"], shown["kinds"]),
            dict(zip(names, labels, strict=True)),
            Rules(identity["ruleset"], identity["data"], rules["sources"], rules["changes"]),
        )

    def values(self, name: str) -> tuple[Category, ...]:
        """Return the values of a category column.

        Raises
        ------
        KeyError
            When there is no such column.
        """
        for column in self.info.columns:
            if column.name == name and column.role == "category":
                return self.info.categories[column.categories]
        raise KeyError(name)

    def _value_ids(self) -> dict[str, tuple[str, ...]]:
        return {
            column.name: tuple(category.id for category in self.values(column.name))
            for column in self.info.columns
            if column.role == "category"
        }

    def names(self, plan: Plan) -> Names:
        """Return the strings behind the numbers of the records."""
        kinds = tuple(kind.id for kind in self.kinds)
        return Names(self.info, plan.policies, self._value_ids(), kinds)

    def spec(self, plan: Plan, players: int, *, kinds: int = 0, rounds: int = 0) -> SumSpec:
        """Return what is added up for one player count."""
        sizes = {name: len(ids) for name, ids in self._value_ids().items()}
        spec = SumSpec(self.info, players, len(plan.policies), sizes, kinds, rounds)
        spec.check()
        return spec


def _column(column: Column) -> dict[str, Any]:
    return {key: value for key, value in asdict(column).items() if key != "label"}


def _columns(listed: list[Any], labels: list[Any]) -> tuple[Column, ...]:
    pairs = zip(listed, labels, strict=True)
    return tuple(Column(**column, label=Label(*label)) for column, label in pairs)


def _categories(ids: list[str], labels: list[Any]) -> tuple[Category, ...]:
    pairs = zip(ids, labels, strict=True)
    return tuple(Category(name, Label(*label)) for name, label in pairs)


def _plain(value: Any) -> Any:
    """Return a value of the rules as JSON knows it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
