"""The top of the tree over a Spark frame: which rows are finished together, by native code.

A sample of the quasi columns comes to the driver; regions are cut at medians, the widest column first, as
Mondrian does, until each holds about as many rows as one worker should. Then all rows are counted by
region, and what is too small, too large, or can't keep a model by itself is cut otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

#: How many rows of the sample come to the driver, about.
SAMPLED = 100_000
#: A half of fewer rows of the sample says too little about where the median is.
LEAST_SAMPLED = 50
#: How often regions that turn out too large are cut again.
ROUNDS = 4


class Node:
    """A region, or a cut of one into two."""

    def __init__(self) -> None:
        self.cut: tuple[str, Any] | None = None
        self.halves: tuple[Node, Node] | None = None
        self.number = -1
        self.rows = 0

    def leaves(self) -> list[Node]:
        """The regions below, from left to right."""
        if self.halves is None:
            return [self]
        return self.halves[0].leaves() + self.halves[1].leaves()

    def collapse(self) -> None:
        """Make one region of what is below."""
        self.cut, self.halves = None, None

    def parent_of(self, leaf: Node) -> Node | None:
        """The cut that a region came from."""
        if self.halves is None:
            return None
        if leaf in self.halves:
            return self
        return self.halves[0].parent_of(leaf) or self.halves[1].parent_of(leaf)

    def expression(self) -> Any:
        """A column with the number of each row's region."""
        from pyspark.sql import functions as F

        if self.halves is None:
            return F.lit(self.number)
        assert self.cut is not None
        name, cut = self.cut
        column = F.col(f"`{name.replace('`', '``')}`")
        is_left = column.isin(cut) if isinstance(cut, list) else column <= F.lit(cut)
        # Missing values go right.
        left, right = (half.expression() for half in self.halves)
        return F.when(F.coalesce(is_left, F.lit(False)), left).otherwise(right)


class Axis:
    """The order of a column's values: by value, or as the leaves of a tree lie in it."""

    def __init__(self, name: str, order: Sequence[str] | None = None) -> None:
        self.name = name
        self._place = None if order is None else {value: at for at, value in enumerate(order)}

    def ranks(self, cells: Sequence[Any]) -> tuple[Any, list[Any]]:
        """The rank of each cell, missing behind all, and the value of each rank."""
        import numpy

        place = self._place
        key: Callable[[Any], Any] = (
            (lambda value: value) if place is None else (lambda value: (place.get(value, len(place)), value))
        )
        values = sorted({cell for cell in cells if cell is not None}, key=key)
        rank = {value: at for at, value in enumerate(values)}
        return numpy.array([rank.get(cell, len(values)) for cell in cells], dtype=numpy.int64), values

    def cut_after(self, values: list[Any], rank: int) -> Any:
        """What a row of the left half has in this column: a bound, or one of a list."""
        return values[rank] if self._place is None else values[: rank + 1]


def grow(node: Node, axes: list[Axis], sample: Any, rows: float, region_rows: int, least: float) -> None:
    """Cut a node by a sample of its rows until regions have at most about `region_rows`.

    `rows` is how many rows the node has, `least` how many a region must have at least.
    """
    import numpy

    columns = {axis.name: axis.ranks(sample[axis.name].to_pylist()) for axis in axes}
    per_row = rows / max(sample.num_rows, 1)
    spans = {name: max(len(values), 1) for name, (_, values) in columns.items()}
    open_nodes = [(node, numpy.arange(sample.num_rows))]
    while open_nodes:
        here, members = open_nodes.pop()
        if len(members) * per_row <= region_rows or len(members) < 2 * LEAST_SAMPLED:
            continue
        cut = _best_cut(axes, columns, spans, members, max(LEAST_SAMPLED, least / per_row))
        if cut is None:
            continue
        axis, rank = cut
        ranks, values = columns[axis.name]
        here.cut, here.halves = (axis.name, axis.cut_after(values, rank)), (Node(), Node())
        is_left = ranks[members] <= rank
        open_nodes.append((here.halves[0], members[is_left]))
        open_nodes.append((here.halves[1], members[~is_left]))


def _best_cut(
    axes: list[Axis], columns: dict[str, Any], spans: dict[str, int], members: Any, least: float
) -> tuple[Axis, int] | None:
    """The widest column that can be cut near its median."""
    import numpy

    def width(axis: Axis) -> float:
        ranks = columns[axis.name][0][members]
        return float(ranks.max() - ranks.min()) / spans[axis.name]

    for axis in sorted(axes, key=width, reverse=True):
        ranks, values = columns[axis.name]
        found, counts = numpy.unique(ranks[members], return_counts=True)
        # Behind the last value there is nothing, and missing has no bound.
        ends = numpy.cumsum(counts)[:-1]
        usable = (found[:-1] < len(values)) & (ends >= least) & (len(members) - ends >= least)
        if usable.any():
            distance = numpy.where(usable, numpy.abs(ends - len(members) / 2), numpy.inf)
            return axis, int(found[int(distance.argmin())])
    return None


def number(root: Node) -> None:
    """Number the regions from left to right."""
    for at, leaf in enumerate(root.leaves()):
        leaf.number = at
