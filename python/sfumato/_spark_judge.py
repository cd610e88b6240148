"""Models judged by Spark itself: classes are GROUP BYs, and nothing but their worst comes to the driver."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .errors import parameters

_CALL = re.compile(r"^\s*([a-z0-9-]+)\s*(?:\((.*)\))?\s*$", re.DOTALL)
#: Entropies and distances are compared with this tolerance, as the engine compares them.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Model:
    """A model with its parameters, as far as Spark can judge it."""

    text: str
    name: str
    args: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Model:
        found = _CALL.match(text)
        if not found or found[1] not in _JUDGED:
            raise parameters(
                f"Spark can't judge {text}", f"models that it judges are {', '.join(sorted(_JUDGED))}"
            )
        args = {}
        for part in filter(None, (part.strip() for part in (found[2] or "").split(","))):
            key, equals, value = part.partition("=")
            if not equals:
                raise parameters(f"{text} isn't a model with its parameters", "write l-diversity-distinct(l=3)")
            args[key.strip()] = value.strip().strip('"')
        if found[1] == "t-closeness" and args.get("distance", "auto") not in ("auto", "equal", "ordered"):
            raise parameters(f"Spark can't judge {text}", "distances that it judges are equal and ordered")
        return cls(text, found[1], args)

    def number(self, name: str) -> float:
        try:
            return float(self.args[name])
        except (KeyError, ValueError):
            raise parameters(f"{self.text} doesn't say its {name}") from None

    def columns(self, sensitive: list[str]) -> list[str]:
        """The sensitive columns that it is about."""
        if self.name == "k-anonymity":
            return []
        on = self.args.get("on")
        if on is None and not sensitive:
            raise parameters(f"{self.text} needs a sensitive column")
        return sensitive if on is None else [on]

    @property
    def least(self) -> int:
        """How many people a class has at least, as far as the model says so."""
        return int(self.number("k" if "k" in self.args else "l")) if {"k", "l"} & set(self.args) else 1

    def is_ordered(self, frame: Any, column: str) -> bool:
        """Whether the distance of t-closeness takes values for points on a line."""
        distance = self.args.get("distance", "auto")
        return is_ordered(frame, column) if distance == "auto" else distance == "ordered"

    def with_t(self, t: float, column: str) -> str:
        """The same model with another `t`, about one column."""
        args = {**self.args, "t": repr(t), "on": column}
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in args.items())})"

    def bound(self, sensitive: list[str]) -> list[str | None]:
        """The same, with None for a model that is about no column."""
        return [*self.columns(sensitive)] or [None]


_JUDGED = {
    "alpha-k-anonymity",
    "k-anonymity",
    "l-diversity-distinct",
    "l-diversity-entropy",
    "l-diversity-recursive",
    "t-closeness",
}
#: The share of `t` by which a region may be away from all rows: the rest is left to its classes.
AWAY = 0.5


def is_ordered(frame: Any, column: str) -> bool:
    """Whether values of a column lie on a line: numbers and dates do, for the engine as well."""
    name = frame.schema[column].dataType.typeName()
    on_a_line = ("byte", "short", "integer", "long", "float", "double", "date")
    return name in on_a_line or name.startswith("decimal")


def quoted(name: str) -> Any:
    """A column by its name, whatever letters it has."""
    from pyspark.sql import functions as F

    return F.col(f"`{name.replace('`', '``')}`")


def classes(frame: Any, by: list[str], sensitive: str | None) -> Any:
    """A row for each class: the names in `by`, people, and of a sensitive column what models ask for."""
    from pyspark.sql import functions as F

    keys = [quoted(name) for name in by]
    if sensitive is None:
        return frame.groupBy(*keys).agg(F.count(F.lit(1)).alias("people"))
    held = frame.select(*keys, quoted(sensitive).alias("__value"))
    counted = held.groupBy(*keys, "__value").agg(F.count(F.lit(1)).alias("__n"))
    n = F.col("__n")
    grouped = counted.groupBy(*keys).agg(
        F.sum(n).alias("people"),
        F.count(F.lit(1)).alias("distinct"),
        F.max(n).alias("__most"),
        F.sum(n * F.log(n.cast("double"))).alias("__n_log_n"),
        F.sort_array(F.collect_list(n), asc=False).alias("__counts"),
    )
    people = F.col("people")
    entropy = F.log(people.cast("double")) - F.col("__n_log_n") / people
    return grouped.withColumn("entropy_l", F.exp(entropy)).withColumn("alpha", F.col("__most") / people)


def _judged(frame: Any, by: list[str], model: Model, column: str | None) -> tuple[Any, Any, str, Any]:
    """What :func:`_fails` says of a model, and the classes of a frame with what it is said of."""
    from pyspark.sql import functions as F

    if model.name != "t-closeness":
        return (*_fails(model), classes(frame, by, column))
    assert column is not None, "t-closeness is about a column"
    t = F.col("t")
    fails = t > model.number("t") + TOLERANCE
    return fails, t, "max", distances(frame, by, column, model.is_ordered(frame, column))


def _fails(model: Model) -> tuple[Any, Any, str]:
    """When a class fails a model, what is measured of it, and whether more or less is worse."""
    from pyspark.sql import functions as F

    people, distinct = F.col("people"), F.col("distinct")
    if model.name == "k-anonymity":
        return people < model.number("k"), people, "min"
    if model.name == "l-diversity-distinct":
        return distinct < model.number("l"), distinct, "min"
    if model.name == "l-diversity-entropy":
        value = F.col("entropy_l")
        return value < model.number("l") - TOLERANCE, value, "min"
    if model.name == "alpha-k-anonymity":
        alpha = F.col("alpha")
        fails = (alpha > model.number("alpha") + TOLERANCE) | (people < model.number("k"))
        return fails, alpha, "max"
    # Recursive: the most frequent value is less than c times those from the l-th on.
    tail = F.expr(f"aggregate(slice(__counts, {int(model.number('l'))}, 1000000), 0L, (a, n) -> a + n)")
    ratio = F.when(tail > 0, F.col("__most") / tail).otherwise(F.lit(float("inf")))
    return F.col("__most") >= model.number("c") * tail, ratio, "max"


def judge(frame: Any, by: list[str], sensitive: list[str], models: list[str]) -> list[dict[str, Any]]:
    """What each model requires and what the classes of a frame achieve; each is one GROUP BY."""
    from pyspark.sql import functions as F

    found = []
    for model in map(Model.parse, models):
        for column in model.bound(sensitive):
            fails, measure, worst, grouped = _judged(frame, by, model, column)
            of_all = grouped.agg(
                F.count(F.when(fails, True)).alias("violations"),
                (F.min(measure) if worst == "min" else F.max(measure)).alias("achieved"),
                F.count(F.lit(1)).alias("classes"),
            ).collect()[0]
            found.append(
                {
                    "model": model.name,
                    "required": model.text,
                    "column": column,
                    "achieved": of_all["achieved"],
                    "violations": of_all["violations"],
                    "classes": of_all["classes"],
                    # Nothing holds of no rows.
                    "holds": of_all["violations"] == 0 and of_all["classes"] > 0,
                }
            )
    return found


def failing_regions(frame: Any, region: str, sensitive: list[str], models: list[str]) -> set[int]:
    """The regions that can't keep a model even as one class, or are too far from all rows."""
    from pyspark.sql import functions as F

    failing: set[int] = set()
    for model in map(Model.parse, models):
        for column in model.bound(sensitive):
            fails, _, _, grouped = _judged(frame, [region], model, column)
            if model.name == "t-closeness":
                fails = F.col("t") > AWAY * model.number("t")
            rows = grouped.where(fails).select(region).collect()
            failing.update(row[0] for row in rows)
    return failing


def texts_by_region(
    frame: Any, region: str, sensitive: list[str], models: list[str]
) -> dict[int, list[str]]:
    """What each region must keep by itself, where it isn't what all rows must keep.

    Distances are metrics: a class is no farther from all rows than from its region, and its region from
    all rows, together. So the classes of a region that is `d` away have `t - d` left. On a line the region
    knows its own values alone; a step between two of them is at most `scale` steps of the whole line.
    """
    parsed = [Model.parse(text) for text in models]
    if all(model.name != "t-closeness" for model in parsed):
        return {}
    others = [model.text for model in parsed if model.name != "t-closeness"]
    told: dict[int, list[str]] = {}
    for model in parsed:
        if model.name != "t-closeness":
            continue
        for column in model.columns(sensitive):
            for row in distances(frame, [region], column, model.is_ordered(frame, column)).collect():
                left = max(0.0, model.number("t") - row["t"])
                # A region that has one value alone has classes that are all alike.
                own = min(1.0, left / row["scale"]) if row["scale"] else 1.0
                told.setdefault(row[region], list(others)).append(model.with_t(own, column))
    return told


def distances(frame: Any, by: list[str], sensitive: str, ordered: bool) -> Any:
    """For each class its distance `t` from all rows, and the `scale` of its own line."""
    return _on_a_line(frame, by, sensitive) if ordered else _between_equals(frame, by, sensitive)


def largest_distance(frame: Any, by: list[str], sensitive: str, ordered: bool) -> float | None:
    """The largest distance between a class and all rows."""
    from pyspark.sql import functions as F

    return distances(frame, by, sensitive, ordered).agg(F.max("t")).collect()[0][0]


def _on_a_line(frame: Any, by: list[str], sensitive: str) -> Any:
    """The earth mover's distance of values with an order."""
    import numpy
    from pyspark.sql import functions as F

    held = frame.select(*[quoted(name) for name in by], quoted(sensitive).alias("__value"))
    whole = held.groupBy("__value").agg(F.count(F.lit(1)).alias("n"))
    whole = sorted(whole.collect(), key=lambda row: (row["__value"] is None, row["__value"]))
    counts = numpy.array([row["n"] for row in whole], dtype=numpy.float64)
    share = numpy.cumsum(counts / counts.sum())
    sums = numpy.concatenate([[0.0], numpy.cumsum(share)])
    spark = frame.sparkSession
    ranks = spark.createDataFrame(
        [(row["__value"], at) for at, row in enumerate(whole)],
        schema=f"__value {held.schema['__value'].dataType.simpleString()}, rank int",
    )
    counted = held.join(F.broadcast(ranks), held["__value"].eqNullSafe(ranks["__value"]))
    counted = counted.groupBy(*[quoted(name) for name in by], "rank").agg(F.count(F.lit(1)).alias("n"))
    members = F.sort_array(F.collect_list(F.struct("rank", "n"))).alias("members")
    keys = [quoted(name) for name in by]
    lists = counted.groupBy(*keys).agg(members)

    def of_classes(batches: Any) -> Any:
        import pyarrow

        for batch in batches:
            cells = batch.column(batch.num_columns - 1).to_pylist()
            found = [_distance(cell, share, sums) for cell in cells]
            scales = [_scale(cell, len(share)) for cell in cells]
            arrays = [pyarrow.array(values, pyarrow.float64()) for values in (found, scales)]
            names = [*batch.schema.names[:-1], "t", "scale"]
            yield pyarrow.RecordBatch.from_arrays([*batch.columns[:-1], *arrays], names)

    from pyspark.sql import types as T

    fields = [lists.schema[name] for name in by]
    figures = [T.StructField(name, T.DoubleType()) for name in ("t", "scale")]
    return lists.mapInArrow(of_classes, T.StructType([*fields, *figures]))


def _scale(members: list[dict[str, int]], n_values: int) -> float:
    """How many times longer a distance may be on the whole line than on that of a class's own values."""
    if len(members) < 2:
        return 0.0
    gaps = [after["rank"] - before["rank"] for before, after in zip(members, members[1:])]
    return max(gaps) * (len(members) - 1) / (n_values - 1)


def _distance(members: list[dict[str, int]], share: Any, sums: Any) -> float:
    """The ordered distance of one class: it has so many of each rank."""
    import numpy

    n_values = len(share)
    if n_values < 2:
        return 0.0
    total = sum(member["n"] for member in members)
    edges = [0, *(member["rank"] for member in members), n_values - 1]
    held, distance = 0, 0.0
    for at, (start, end) in enumerate(zip(edges, edges[1:])):
        if at > 0:
            held += members[at - 1]["n"]
        end = min(end, n_values - 1)
        if start >= end:
            continue
        level = held / total
        # The whole's share grows: first it is below the class's, then above.
        middle = start + int(numpy.searchsorted(share[start:end], level))
        distance += level * (middle - start) - (sums[middle] - sums[start])
        distance += (sums[end] - sums[middle]) - level * (end - middle)
    return float(distance / (n_values - 1))


def _between_equals(frame: Any, by: list[str], sensitive: str) -> Any:
    """The distance of values without an order."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    keys = [quoted(name) for name in by]
    held = frame.select(*keys, quoted(sensitive).alias("__value"))
    total = held.count()
    of_all = held.groupBy("__value").agg((F.count(F.lit(1)) / F.lit(total)).alias("share"))
    whole = of_all.withColumnRenamed("__value", "__of_all")
    counted = held.groupBy(*keys, "__value").agg(F.count(F.lit(1)).alias("n"))
    of_class = Window.partitionBy(*keys)
    joined = counted.withColumn("people", F.sum("n").over(of_class))
    joined = joined.join(F.broadcast(whole), F.col("__value").eqNullSafe(F.col("__of_all")))
    own = F.col("n") / F.col("people")
    parts = joined.select(
        *keys, F.abs(own - F.col("share")).alias("differs"), F.col("share").alias("share")
    )
    # Of values that a class doesn't have, the whole's share is all of the difference.
    distance = (F.sum("differs") + F.lit(1.0) - F.sum("share")) / 2
    return parts.groupBy(*keys).agg(distance.alias("t"), F.lit(1.0).alias("scale"))
