"""What a report declares over the columns of a title: are the columns there, and which are told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.report.words import check_words
from sim.core.title import Category, Column
from sim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from analysis.spec import Curve, Matrix, ReportSpec
    from sim.core.title import TitleInfo

__all__ = ["category_of", "check_views", "columns_of", "pairs", "told_by"]


def category_of(info: TitleInfo, name: str) -> Column:
    """Return a category column of seats.

    Parameters
    ----------
    info : TitleInfo
    name : str

    Raises
    ------
    UnknownNameError
        With the nearest one.
    """
    sorts = {column.name: column for column in info.level("seat") if column.role == "category"}
    if name not in sorts:
        raise UnknownNameError("category of seats", name, sorts)
    return sorts[name]


def columns_of(info: TitleInfo, curve: Curve) -> list[Column]:
    """Return the columns of a curve.

    Parameters
    ----------
    info : TitleInfo
    curve : Curve

    Raises
    ------
    UnknownNameError
        With the nearest column.
    """
    seat = {column.name: column for column in info.level("seat")}
    for name in curve.columns:
        if name not in seat:
            raise UnknownNameError("column of seats", name, seat)
    return [seat[name] for name in curve.columns]


def pairs(info: TitleInfo, matrix: Matrix) -> Iterator[tuple[Category, Category, Column]]:
    """Yield the pairs of a matrix, each with its column, row by row.

    Parameters
    ----------
    info : TitleInfo
    matrix : Matrix

    Raises
    ------
    UnknownNameError
        When a category of it is none of the title's.
    InputError
        When no column is called after any pair.
    """
    seat = {column.name: column for column in info.level("seat")}
    rows, columns = (
        info.categories[category_of(info, name).categories]
        for name in (matrix.rows, matrix.columns)
    )
    named = [
        (row, column, matrix.column_of(row.id, column.id)) for row in rows for column in columns
    ]
    if not any(name in seat for _, _, name in named):
        raise InputError(
            f"no column of {info.id} is called {matrix.column} after values of {matrix.rows} and "
            f"{matrix.columns}"
        )
    yield from ((row, column, seat[name]) for row, column, name in named if name in seat)


def told_by(info: TitleInfo, spec: ReportSpec) -> set[str]:
    """Return the names of the columns that matrices and curves tell.

    Parameters
    ----------
    info : TitleInfo
    spec : ReportSpec
    """
    told = {column.name for matrix in spec.matrices for _, _, column in pairs(info, matrix)}
    return told | {column.name for curve in spec.curves for column in columns_of(info, curve)}


def check_views(info: TitleInfo, spec: ReportSpec) -> None:
    """Raise when a title has not what is declared over its columns and cards.

    Parameters
    ----------
    info : TitleInfo
    spec : ReportSpec

    Raises
    ------
    UnknownNameError
        With the nearest name.
    InputError
        When no column is called after any pair of a matrix, what is chosen during play is said to
        be brought along, or words do not fit.
    """
    told_by(info, spec)
    for matchups in spec.matchups:
        if matchups.by != "policy":
            category_of(info, matchups.by)
    for told in (spec.mirrors, spec.pilots):
        if told is not None and told.brought is not None:
            _check_brought(info, told.brought)
    if spec.building is not None:
        compositions = {c.name: c for c in info.level("seat") if c.role == "composition"}
        for name in spec.building.parts:
            if name not in compositions:
                raise UnknownNameError("column of what decks are made of", name, compositions)
    for share in spec.shares:
        category_of(info, share.column)
    check_words({key: label.model_dump() for key, label in spec.words.items()})
    for field in _card_fields(spec):
        if field not in info.card_fields:
            raise UnknownNameError("field of cards", field, info.card_fields)


def _check_brought(info: TitleInfo, name: str) -> None:
    if category_of(info, name).selected:
        raise InputError(f"{name} is chosen during play, and nothing that seats bring along")


def _card_fields(spec: ReportSpec) -> Iterator[str]:
    if spec.cards is not None:
        yield from (one.field for one in (spec.cards.dealt, spec.cards.chosen) if one is not None)
    if spec.foes is not None:
        yield from (one.field for one in (spec.foes.met, spec.foes.lost, *spec.foes.costs))
