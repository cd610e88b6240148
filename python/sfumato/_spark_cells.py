"""Whether a published cell can stand for an original one, told from the two texts alone.

This is written apart from the engine, so that a release of Spark is judged by somebody else than whoever
made it. What isn't understood doesn't cover.
"""

from __future__ import annotations

import csv
import datetime
import decimal
import json
import re
from collections.abc import Mapping
from typing import Any

from .errors import parameters

_RANGE = re.compile(r"^\[(?P<low>.+)\.\.(?P<high>.+)(?P<end>[\])])$")
_YEAR_PART = re.compile(r"^(?P<year>\d{4})(?:-(?:(?P<month>\d{2})|Q(?P<quarter>[1-4])|W(?P<week>\d{2})))?$")


class Cells:
    """Knows what the labels of one column cover."""

    def __init__(self, hierarchy: Any = None) -> None:
        self._above: dict[str, set[str]] = _ancestors(hierarchy)
        self._is_tree = bool(self._above)
        self._is_mask = _builder(hierarchy)[0] == "mask"

    def order(self) -> list[str] | None:
        """The values of a tree in their order; None if there is no tree."""
        return list(self._above) if self._is_tree else None

    def covers(self, published: str | None, original: Any) -> bool:
        """Whether a published cell can stand for an original one."""
        if published == "*":
            return True
        if published is None or original is None:
            return published is None and original is None
        text = _text(original)
        if published == text or published in self._above.get(text, ()):
            return True
        if self._is_tree:
            return False
        if self._is_mask:
            return _masks(published, text)
        return _in_range(published, original) or _in_part(published, original)


def _text(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep="T")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _number(text: Any) -> decimal.Decimal | None:
    try:
        found = decimal.Decimal(str(text))
    except decimal.InvalidOperation:
        return None
    return found if found.is_finite() else None


def _order(bound: str, original: Any) -> tuple[Any, Any] | None:
    """A bound and an original as two things that have an order."""
    if isinstance(original, (int, float, decimal.Decimal)) and not isinstance(original, bool):
        low, value = _number(bound), _number(original)
        return None if low is None or value is None else (low, value)
    if isinstance(original, datetime.date):
        try:
            parse = type(original).fromisoformat
            return parse(bound), original
        except ValueError:
            return None
    numbers = _number(bound), _number(original)
    if numbers[0] is not None and numbers[1] is not None:
        return numbers
    return bound.encode(), str(original).encode()


def _in_range(published: str, original: Any) -> bool:
    found = _RANGE.match(published)
    if found:
        low, high = _order(found["low"], original), _order(found["high"], original)
        if low is None or high is None or type(low[0]) is not type(high[0]):
            return False
        below = high[1] <= high[0] if found["end"] == "]" else high[1] < high[0]
        return low[0] <= low[1] and below
    for sign, holds in ((">=", lambda a, b: b >= a), ("<", lambda a, b: b < a)):
        if published.startswith(sign):
            pair = _order(published[len(sign) :], original)
            return pair is not None and holds(*pair)
    pair = _order(published, original)
    # The same number or date, written otherwise.
    return pair is not None and not isinstance(pair[0], bytes) and pair[0] == pair[1]


def _in_part(published: str, original: Any) -> bool:
    """Whether a date lies in a part of the calendar: 2024, 2024-02, 2024-Q1, 2024-W09, 2020s."""
    if not isinstance(original, datetime.date):
        return False
    if re.fullmatch(r"\d{3}0s", published):
        return original.year // 10 * 10 == int(published[:4])
    part = _YEAR_PART.match(published)
    if not part:
        return False
    if part["week"]:
        year, week, _ = original.isocalendar()
        return (year, week) == (int(part["year"]), int(part["week"]))
    if original.year != int(part["year"]):
        return False
    if part["month"]:
        return original.month == int(part["month"])
    return part["quarter"] is None or (original.month + 2) // 3 == int(part["quarter"])


def _masks(published: str, text: str) -> bool:
    """Whether characters of a text were replaced by `*`, at either end, and none else."""
    kept = published.strip("*")
    is_prefix = published.startswith(kept) and text.startswith(kept)
    is_suffix = published.endswith(kept) and text.endswith(kept)
    return bool(kept) and (is_prefix or is_suffix) and len(published) >= len(text)


def _builder(hierarchy: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(hierarchy, str):
        return hierarchy.partition("(")[0].strip(), {}
    if isinstance(hierarchy, Mapping) and len(hierarchy) == 1:
        ((name, told),) = hierarchy.items()
        return name, told if isinstance(told, Mapping) else {}
    return "", {}


def _ancestors(hierarchy: Any) -> dict[str, set[str]]:
    """For each value of a tree its labels, in the order of the tree; nothing without a tree."""
    name, told = _builder(hierarchy)
    if name == "tree" and "text" in told:
        return _of_groups(json.loads(told["text"]), ())
    if name in ("file", "tree"):
        if name == "tree" or "path" not in told or "default" in told:
            raise parameters(
                f"Spark can't check hierarchies that are written {name} with these parameters",
                "write Hierarchy.file(path), or Hierarchy.tree of a dictionary",
            )
        return _of_file(told["path"], told.get("separator"))
    return {}


def _of_groups(groups: Any, above: tuple[str, ...]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    if isinstance(groups, Mapping):
        for name, inner in groups.items():
            found.update(_of_groups(inner, (*above, name)) if inner else {name: {name, *above}})
    elif isinstance(groups, list):
        for inner in groups:
            found.update(_of_groups(inner, above))
    else:
        found[str(groups)] = {str(groups), *above}
    return found


def _of_file(path: str, separator: str | None) -> dict[str, set[str]]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = [line for line in file.read().splitlines() if line]
    for mark in [{"tab": "\t"}.get(separator, separator)] if separator else [";", "\t", "|", ","]:
        rows = list(csv.reader(lines, delimiter=mark))
        if len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            # As the tree has them: neighbours have the same labels above.
            rows.sort(key=lambda row: [label.encode() for label in reversed(row)])
            return {row[0]: set(row) for row in rows}
    raise parameters(f"{path} isn't a hierarchy: its lines have different numbers of levels")
