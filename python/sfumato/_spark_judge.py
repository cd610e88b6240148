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

    def bound(self, sensitive: list[str]) -> list[str | None]:
        """The same, with None for a model that is about no column."""
        return [*self.columns(sensitive)] or [None]


_JUDGED = {
    "alpha-k-anonymity",
    "k-anonymity",
    "l-diversity-distinct",
    "l-diversity-entropy",
    "l-diversity-recursive",
}


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
            fails, measure, worst = _fails(model)
            grouped = classes(frame, by, column)
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
    """The regions that can't keep a model even as one class."""
    failing: set[int] = set()
    for model in map(Model.parse, models):
        for column in model.bound(sensitive):
            fails, _, _ = _fails(model)
            rows = classes(frame, [region], column).where(fails).select(region).collect()
            failing.update(row[0] for row in rows)
    return failing


def ordered_distance(frame: Any, by: list[str], sensitive: str) -> float | None:
    """The largest earth mover's distance between a class and all rows, for values with an order."""
    import numpy
    from pyspark.sql import functions as F

    held = frame.select(*[quoted(name) for name in by], quoted(sensitive).alias("__value"))
    whole = held.groupBy("__value").agg(F.count(F.lit(1)).alias("n"))
    whole = sorted(whole.collect(), key=lambda row: (row["__value"] is None, row["__value"]))
    if len(whole) < 2:
        return 0.0 if whole else None
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
    lists = counted.groupBy(*[quoted(name) for name in by]).agg(members).select("members")

    def distances(batches: Any) -> Any:
        import pyarrow

        for batch in batches:
            cells = batch.column(0).to_pylist()
            found = [_distance(cell, share, sums) for cell in cells]
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array(found, pyarrow.float64())], ["t"])

    return lists.mapInArrow(distances, "t double").agg(F.max("t")).collect()[0][0]


def _distance(members: list[dict[str, int]], share: Any, sums: Any) -> float:
    """The ordered distance of one class: it has so many of each rank."""
    import numpy

    n_values = len(share)
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


def equal_distance(frame: Any, by: list[str], sensitive: str) -> float | None:
    """The largest distance between a class and all rows, for values without an order."""
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
    return parts.groupBy(*keys).agg(distance.alias("t")).agg(F.max("t")).collect()[0][0]
