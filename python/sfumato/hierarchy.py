"""How the values of a column are generalized."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class Hierarchy:
    """How a column is generalized: a builder of the catalogue with its parameters.

    >>> import sfumato as sf
    >>> sf.Hierarchy.interval(width=5, levels=3)
    Hierarchy({'interval': {'width': 5, 'levels': 3}})
    >>> sf.Hierarchy.tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer"]})
    Hierarchy({'tree': {'text': '{"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer"]}'}})
    """

    def __init__(self, builder: str | Mapping[str, Any]) -> None:
        self._value: Any = builder if isinstance(builder, str) else dict(builder)

    @classmethod
    def file(cls, path: str | os.PathLike[str], separator: str | None = None) -> Hierarchy:
        """A file as ARX keeps it: a line for each value, then what it becomes level by level."""
        told: dict[str, Any] = {"path": os.path.abspath(path)}
        if separator is not None:
            told["separator"] = separator
        return cls({"file": told})

    @classmethod
    def interval(
        cls, width: float, levels: int = 1, *, factor: int | None = None, **others: Any
    ) -> Hierarchy:
        """Ranges of numbers, dates or times; each further level joins `factor` (two) of them."""
        told: dict[str, Any] = {"width": width, "levels": levels}
        if factor is not None:
            told["factor"] = factor
        # Whatever the catalogue knows besides: origin, bottom, top; written as the column's values.
        told.update({key: str(value) for key, value in others.items()})
        return cls({"interval": told})

    @classmethod
    def mask(cls, start: str = "right", **others: Any) -> Hierarchy:
        """One character after the other becomes `*`, from the right or the left."""
        return cls({"mask": {"from": start, **others}})

    @classmethod
    def date(cls, levels: Sequence[str] = ("day", "month", "year")) -> Hierarchy:
        """Parts of the calendar, from fine to coarse."""
        return cls({"date": {"levels": list(levels)}})

    @classmethod
    def tree(cls, groups: Mapping[str, Any], default: str | None = None) -> Hierarchy:
        """Nested dictionaries and lists: keys are groups, words in lists are values."""
        told: dict[str, Any] = {"text": json.dumps(_plain(groups), ensure_ascii=False)}
        if default is not None:
            told["default"] = default
        return cls({"tree": told})

    @classmethod
    def levels(cls, rows: Iterable[Sequence[Any]] | Mapping[Any, Sequence[Any]]) -> Hierarchy:
        """For each value what it becomes, level by level, as rows or as a dictionary.

        >>> import sfumato as sf
        >>> rows = [("Dancer", "Artist", "*"), ("Lawyer", "Professional", "*")]
        >>> same = {"Dancer": ["Artist", "*"], "Lawyer": ["Professional", "*"]}
        >>> sf.Hierarchy.levels(rows) == sf.Hierarchy.levels(same)
        True
        """
        if isinstance(rows, Mapping):
            rows = [(value, *above) for value, above in rows.items()]
        return cls.tree(_nested([[str(label) for label in row] for row in rows]))

    @classmethod
    def builder(cls, name: str, **parameters: Any) -> Hierarchy:
        """Any builder of the catalogue (`sfumato list hierarchies`), with its parameters."""
        return cls({name: parameters})

    @classmethod
    def of(cls, given: Any) -> Hierarchy:
        """A hierarchy from whatever stands for one.

        That is a Hierarchy, a path of an ARX file, a call such as ``"mask(from=right)"``, a dictionary
        of groups or of levels, or a list of rows.
        """
        if isinstance(given, Hierarchy):
            return given
        if isinstance(given, os.PathLike):
            return cls.file(given)
        if isinstance(given, str):
            is_file = os.path.exists(given) or given.lower().endswith((".csv", ".txt"))
            return cls.file(given) if is_file else cls(given)
        if isinstance(given, Mapping):
            return cls._of_mapping(given)
        return cls.levels(given)

    @classmethod
    def _of_mapping(cls, given: Mapping[Any, Any]) -> Hierarchy:
        if len(given) == 1:
            (name, inner), *_ = given.items()
            if name in _BUILDERS and isinstance(inner, Mapping):
                return cls(given)
        lists = [v for v in given.values() if isinstance(v, (list, tuple))]
        roots = {str(v[-1]) for v in lists if v}
        # All rows that end in one root are levels above a value; anything else are values below one.
        is_levels = len(lists) == len(given) and len(given) > 1 and len(roots) == 1
        return cls.levels(given) if is_levels else cls.tree(given)

    def to_value(self) -> Any:
        """What a job says for it."""
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hierarchy) and self._value == other._value

    def __hash__(self) -> int:
        return hash(repr(self._value))

    def __repr__(self) -> str:
        return f"Hierarchy({self._value!r})"


_BUILDERS = ("date", "file", "frequency", "interval", "mask", "order", "tree")


def _plain(groups: Any) -> Any:
    """Nested groups with texts for all that is no list or dictionary."""
    if isinstance(groups, Mapping):
        return {str(name): _plain(inner) for name, inner in groups.items()}
    if isinstance(groups, (list, tuple, set, frozenset)):
        items = sorted(groups, key=str) if isinstance(groups, (set, frozenset)) else groups
        return [_plain(item) for item in items]
    return str(groups)


def _nested(rows: list[list[str]]) -> dict[str, Any]:
    """Rows from values to the root, as groups from the root to values."""
    from .errors import parameters

    lengths = {len(row) for row in rows}
    if len(lengths) > 1 or lengths <= {0}:
        raise parameters(
            "each value needs equally many levels", "repeat a label where a branch has fewer"
        )
    tree: dict[str, Any] = {}
    if lengths == {1}:
        return {"*": [row[0] for row in rows]}
    for row in rows:
        node = tree
        for label in reversed(row[2:]):
            node = node.setdefault(label, {})
        node.setdefault(row[1], []).append(row[0])
    return tree
