"""Sfumato on Spark: data that outgrows one machine, anonymized where it is.

Rows are dealt out into regions, each region is finished by the native engine inside a worker, and what
Spark wrote is verified by other Spark jobs before it gets its name: the models by GROUP BY over the written
files, and every cell against its original. Nothing but samples and summaries comes to the driver. It needs
PySpark 4, no RDDs, and the package on every worker.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Unpack

from . import _spark_judge as judging
from ._audit import Audit
from ._job import Job, Names, job_of
from ._keywords import JobKeywords
from ._spark_cells import Cells
from ._spark_files import Files
from ._spark_judge import Model, quoted
from ._spark_regions import ROUNDS, SAMPLED, Axis, Node, grow, number
from .errors import InfeasibleError, InputError, InternalError, SfumatoError, UnsupportedError, parameters

__all__ = ["SparkRelease", "anonymize", "audit", "check"]

#: The manifest of a release, in its folder; Spark reads no file that begins so.
MANIFEST = "_sfumato.json"
#: How many rows a worker finishes at once, about, if nothing is said.
REGION_ROWS = 500_000
#: A region has at least so many times the people of a class.
CLASSES_PER_REGION = 20

_REGION, _ORDER, _ROW, _BEFORE = "__region", "__order", "__row", "__before_"


class SparkRelease:
    """A release that Spark wrote and verified: ``path``, ``data`` and ``report``."""

    def __init__(self, spark: Any, path: str, report: dict[str, Any]) -> None:
        self._spark = spark
        self.path = path
        self.report = report

    @property
    def data(self) -> Any:
        """The records, as a frame of Spark."""
        return self._spark.read.parquet(self.path)

    @property
    def guarantees(self) -> list[dict[str, Any]]:
        """What was required and what is achieved, by the jobs that verified the files."""
        return self.report["guarantees"]

    def __repr__(self) -> str:
        held = ", ".join(f"{one['model']} {one['achieved']}" for one in self.guarantees)
        return f"<SparkRelease of {self.report['output']['rows']:,} records in {self.path}: {held}>"


def anonymize(
    frame: Any,
    job: Job | str | os.PathLike[str] | None = None,
    *,
    path: str,
    quasi: Names = None,
    sensitive: Names = None,
    k: int | None = None,
    models: Names = None,
    hierarchies: Mapping[str, Any] | None = None,
    region_rows: int = REGION_ROWS,
    **keywords: Unpack[JobKeywords],
) -> SparkRelease:
    """Anonymize a frame of Spark into a folder of Parquet files, verified before it has its name.

    The job, or what keywords say, is as for :func:`sfumato.anonymize`. Models must be such that Spark can
    judge them by itself: k-anonymity, l-diversity (distinct, entropy, recursive), alpha-k-anonymity and
    t-closeness (equal or ordered); others are refused by name. A limit of suppression must be a share.

    `region_rows` bounds what a worker holds: about ten times the bytes of so many rows as Arrow. Rows that
    are all alike can't be cut and stay together.
    """
    said = dict(
        keywords, quasi=quasi, sensitive=sensitive, k=k, models=models, hierarchies=hierarchies
    )
    plan = _Plan(job_of(job, said), frame, region_rows)
    spark = frame.sparkSession
    files = Files.of(spark)
    if files.exists(path):
        raise parameters(f"{path} is there already", "name another folder, or remove it")
    draft = f"{path.rstrip('/')}.sfumato-{uuid.uuid4().hex}"
    try:
        regions = plan.divide()
        with_originals, release = f"{draft}/private", f"{draft}/release"
        plan.finish(regions, with_originals)
        plan.publish(with_originals, release, max(1, len(regions.leaves())))
        report = plan.verify(release, with_originals, regions)
        manifest = _manifest(spark, release, plan, report)
        files.write_text(f"{release}/{MANIFEST}", json.dumps(manifest, indent=2) + "\n")
        files.rename(release, path)
    finally:
        files.delete(draft)
    return SparkRelease(spark, path, report)


class _Plan:
    """A job over a frame, checked before anything is read."""

    def __init__(self, job: Job, frame: Any, region_rows: int) -> None:
        self.job, self.frame, self.region_rows = job, frame, region_rows
        columns = dict(job.sections.get("columns", {}))
        others = columns.pop("*", None)
        for name in frame.columns:
            if name not in columns and others is not None:
                columns[name] = others
        without = [name for name in frame.columns if name not in columns]
        if without:
            raise parameters(
                f"columns have no role: {', '.join(without)}", "name them in quasi, sensitive, keep, drop, ..."
            )
        unknown = [name for name in columns if name not in frame.columns]
        if unknown:
            raise parameters(f"the data has no column {', '.join(unknown)}")
        if job.sections.get("baskets") or job._native.form() != ("table", "generalized"):
            raise _unsupported("Spark anonymizes tables with generalized cells, and nothing else yet")
        roles = {name: told["role"] for name, told in columns.items()}
        odd = sorted({role for role in roles.values()} & {"subject", "guard"})
        if odd:
            raise _unsupported(f"Spark can't heed columns of role {', '.join(odd)} yet")
        self.quasi = [name for name in frame.columns if roles[name] == "quasi"]
        self.sensitive = [name for name in frame.columns if roles[name] == "sensitive"]
        gone = ("identifier", "drop")
        self.published = [name for name in frame.columns if roles[name] not in gone]
        self.passed = [name for name in self.published if roles[name] != "quasi"]
        if not self.quasi:
            raise parameters("no quasi column was named", "say what an attacker may know with quasi=[...]")
        self.columns = {name: columns[name] for name in self.published}
        self.models = [Model.parse(text) for text in job.sections.get("privacy", {}).get("models", [])]
        if not self.models:
            raise parameters("nothing must hold", "say k=10, or models=[...]")
        for model in self.models:
            model.columns(self.sensitive)
        self.people = max(2, *(model.least for model in self.models))
        self.share = _share(job.sections.get("privacy", {}).get("max_suppression"))
        self.cells = {name: Cells(self.columns[name].get("hierarchy")) for name in self.quasi}
        seed = job.sections.get("run", {}).get("seed")
        # Regions are repeatable even if a worker is lost: what is random hangs on this alone.
        self.secret = os.urandom(32) if seed is None else f"seed {seed}".encode()
        self.input_rows = 0

    @property
    def texts(self) -> list[str]:
        """The models as they were said."""
        return [model.text for model in self.models]

    def divide(self) -> Node:
        """Cut all rows into regions."""
        self.input_rows = self.frame.count()
        if self.input_rows == 0:
            raise _error(InputError, "the frame has no rows", 2)
        least = self.people * CLASSES_PER_REGION
        axes = [Axis(name, self.cells[name].order()) for name in self.quasi]
        root = Node()
        root.rows = self.input_rows
        for _ in range(ROUNDS):
            large = [leaf for leaf in root.leaves() if leaf.rows > self.region_rows]
            if not large:
                break
            cut = [leaf for leaf in large if self._cut(root, leaf, axes, least)]
            number(root)
            self._count(root)
            self._join_small(root, least)
            if not cut:
                break
        number(root)
        self._join_failing(root)
        return root

    def _rows_of(self, root: Node, leaf: Node) -> Any:
        if root.halves is None:
            return self.frame
        number(root)
        return self.frame.where(root.expression() == leaf.number)

    def _cut(self, root: Node, leaf: Node, axes: list[Axis], least: int) -> bool:
        seed = int.from_bytes(hashlib.sha256(self.secret + b"sample").digest()[:4], "big")
        share = min(1.0, SAMPLED / max(leaf.rows, 1))
        held = self._rows_of(root, leaf).select(*[quoted(name) for name in self.quasi])
        sample = held.sample(fraction=share, seed=seed).toArrow()
        grow(leaf, axes, sample, leaf.rows, self.region_rows, least)
        return leaf.halves is not None

    def _count(self, root: Node) -> None:
        counted = self.frame.groupBy(root.expression().alias(_REGION)).count().collect()
        rows = {row[_REGION]: row["count"] for row in counted}
        for leaf in root.leaves():
            leaf.rows = rows.get(leaf.number, 0)

    def _join_small(self, root: Node, least: int) -> None:
        while True:
            small = [leaf for leaf in root.leaves() if leaf.rows < least]
            parent = root.parent_of(small[0]) if small else None
            if parent is None:
                return
            rows = sum(leaf.rows for leaf in parent.leaves())
            parent.collapse()
            parent.rows = rows

    def _join_failing(self, root: Node) -> None:
        """Join regions that couldn't keep a model by themselves with their neighbours."""
        while root.halves is not None:
            number(root)
            placed = self.frame.withColumn(_REGION, root.expression())
            failing = judging.failing_regions(placed, _REGION, self.sensitive, self.texts)
            if not failing:
                return
            for leaf in [leaf for leaf in root.leaves() if leaf.number in failing]:
                parent = root.parent_of(leaf)
                if parent is not None:
                    rows = sum(one.rows for one in parent.leaves())
                    parent.collapse()
                    parent.rows = rows
        number(root)

    def region_job(self) -> Job:
        """The job that the native engine runs on each region."""
        sections = self.job.sections
        told = Job()
        for name, column in self.columns.items():
            kind = _type_of(self.frame.schema[name].dataType)
            told = told.set("columns", name, {"type": kind, **column} if kind else column)
        told = told.set("columns", _ROW, {"role": "keep", "accept": True})
        told = told.set("privacy", "models", self.texts)
        if self.share is not None:
            told = told.set("privacy", "max_suppression", f"{self.share * 100:.10g}%")
        for section in ("recode", "workload", "input"):
            for key, value in sections.get(section, {}).items():
                if (section, key) != ("input", "path"):
                    told = told.set(section, key, value)
        if "algorithm" not in sections.get("recode", {}):
            told = told.set("recode", "algorithm", "mondrian")
        threads = sections.get("run", {}).get("threads", 1)
        return told.set("run", "threads", threads).set("output", "keep_order", True)

    def finish(self, root: Node, path: str) -> None:
        """Finish each region natively, and write the rows with what they were before."""
        from pyspark.sql import types as T

        kept = [T.StructField(name, self._type(name), True) for name in self.published]
        before = [T.StructField(_BEFORE + name, self.frame.schema[name].dataType, True) for name in self.quasi]
        schema = T.StructType([*kept, *before, T.StructField(_ORDER, T.LongType(), False)])
        placed = self.frame.select(*[quoted(name) for name in self.published], root.expression().alias(_REGION))
        own = judging.texts_by_region(placed, _REGION, self.sensitive, self.texts)
        finisher = _finisher(self.region_job().to_toml(), self.published, self.quasi, self.secret, own)
        try:
            placed.groupBy(_REGION).applyInArrow(finisher, schema).write.parquet(path)
        except Exception as error:  # Spark wraps what a worker raises in its own classes.
            raise _of_worker(error) from error

    def publish(self, with_originals: str, release: str, parts: int) -> None:
        """Write the published columns. The order of the rows is that of random numbers."""
        held = self.frame.sparkSession.read.parquet(with_originals)
        shuffled = held.repartitionByRange(parts, _ORDER).sortWithinPartitions(_ORDER)
        shuffled.select(*[quoted(name) for name in self.published]).write.parquet(release)

    def _type(self, name: str) -> Any:
        from pyspark.sql import types as T

        return T.StringType() if name in self.quasi else self.frame.schema[name].dataType

    def verify(self, release: str, with_originals: str, root: Node) -> dict[str, Any]:
        """Judge the written files: models by GROUP BY, and every cell against its original."""
        spark = self.frame.sparkSession
        written, held = spark.read.parquet(release), spark.read.parquet(with_originals)
        rows = written.count()
        suppressed = self.input_rows - rows
        published = [quoted(name) for name in self.published]
        if written.columns != self.published:
            raise _failed("its columns aren't those that the job publishes")
        if not 0 <= suppressed <= (self.share or 0) * self.input_rows:
            raise _failed(f"{suppressed} records are missing")
        guarantees = judging.judge(written, self.quasi, self.sensitive, self.texts)
        for one in guarantees:
            if not one["holds"]:
                raise _failed(f"{one['required']} doesn't hold: {one['violations']} classes fail")
        # What is published is what is checked against the originals, row by row and none twice: as
        # many rows, and none that the other hasn't as often.
        if held.count() != rows or written.exceptAll(held.select(*published)).limit(1).count():
            raise _failed("its rows aren't those that were made")
        pairs = [quoted(_BEFORE + name).alias(name) for name in self.quasi]
        before = held.select(*pairs, *[quoted(name) for name in self.passed])
        original = self.frame.select(*[quoted(name) for name in self.quasi + self.passed])
        if before.exceptAll(original).limit(1).count():
            raise _failed("it has rows that the data doesn't have")
        for name, wrong in zip(self.quasi, _wrong_cells(held, self.quasi, self.cells)):
            if wrong:
                raise _failed(f"{wrong} cells of column '{name}' don't cover their original")
        leaves = root.leaves()
        return {
            "engine": "spark",
            "input": {"rows": self.input_rows, "columns": len(self.frame.columns)},
            "job": self.job.sections,
            "guarantees": guarantees,
            "classes": {"count": guarantees[0]["classes"]},
            "suppressed": {"records": suppressed},
            "regions": {"count": len(leaves), "most_rows": max(leaf.rows for leaf in leaves)},
            "evidence": "judged by Spark in the written files; every cell compared with its original",
            "output": {"rows": rows},
        }


def _finisher(
    toml: str, published: list[str], quasi: list[str], secret: bytes, own_models: Mapping[int, list[str]]
) -> Callable[[Any, Any], Any]:
    """What a worker does with the rows of a region, which may have models of its own to keep."""

    def finish(key: Any, table: Any) -> Any:
        import numpy
        import pyarrow

        import sfumato

        region = key[0].as_py()
        table = table.select(published)
        # Whatever way rows came here, they are finished in the same order.
        table = table.sort_by([(name, "ascending") for name in published])
        rows = pyarrow.array(range(table.num_rows), pyarrow.int64())
        own = hashlib.sha256(secret + f" region {region}".encode())
        job = sfumato.Job.from_toml(toml).set("run", "seed", int.from_bytes(own.digest()[:7], "big"))
        if region in own_models:
            job = job.set("privacy", "models", own_models[region])
        release = sfumato.anonymize(table.append_column(_ROW, rows), job, recoding=False, progress=False)
        made = release.to_arrow()
        order = hashlib.shake_128(own.digest() + b"order").digest(8 * made.num_rows)
        at = made[_ROW].combine_chunks().cast(pyarrow.int64())
        before = table.select(quasi).take(at).rename_columns([_BEFORE + name for name in quasi])
        arrays = [
            made[name].cast(pyarrow.string()) if name in quasi else made[name].cast(table.schema.field(name).type)
            for name in published
        ]
        arrays += [before[name] for name in before.column_names]
        arrays.append(pyarrow.array(numpy.frombuffer(order, dtype="<i8")))
        return pyarrow.table(arrays, names=[*published, *before.column_names, _ORDER])

    return finish


def _wrong_cells(held: Any, names: list[str], cells: dict[str, Cells]) -> list[int]:
    """For each quasi column, how many published cells don't cover their original."""
    from pyspark.sql import functions as F

    pairs = [quoted(name) for name in names] + [quoted(_BEFORE + name) for name in names]

    def wrong(batches: Any) -> Any:
        import pyarrow

        known: list[dict[Any, bool]] = [{} for _ in names]
        for batch in batches:
            found = []
            for at, name in enumerate(names):
                columns = batch.column(at).to_pylist(), batch.column(at + len(names)).to_pylist()
                covers, fails = known[at], 0
                for pair in zip(*columns):
                    if pair not in covers:
                        covers[pair] = cells[name].covers(*pair)
                    fails += not covers[pair]
                found.append(pyarrow.array([fails], pyarrow.int64()))
            yield pyarrow.RecordBatch.from_arrays(found, [f"c{at}" for at in range(len(names))])

    schema = ", ".join(f"c{at} long" for at in range(len(names)))
    sums = [F.sum(f"c{at}") for at in range(len(names))]
    return [count or 0 for count in held.select(*pairs).mapInArrow(wrong, schema).agg(*sums).collect()[0]]


def _manifest(spark: Any, release: str, plan: _Plan, report: dict[str, Any]) -> dict[str, Any]:
    """What the release says of itself: nothing that its files don't."""
    return {
        "format": "sfumato-spark-release",
        "version": 1,
        "rows": report["output"]["rows"],
        "quasi": plan.quasi,
        "sensitive": plan.sensitive,
        "files": _hashes(spark, release),
    }


def _hashes(spark: Any, folder: str) -> list[dict[str, str]]:
    from pyspark.sql import functions as F

    files = spark.read.format("binaryFile").option("pathGlobFilter", "*.parquet").load(folder)
    rows = files.select("path", F.sha2("content", 256).alias("sha256")).collect()
    listed = [{"path": row["path"].rpartition("/")[2], "sha256": row["sha256"]} for row in rows]
    return sorted(listed, key=lambda one: one["path"])


def check(spark: Any, path: str) -> dict[str, Any]:
    """The manifest of a release; an :class:`sfumato.InputError` if its files aren't those it lists."""
    files = Files.of(spark)
    if not files.exists(f"{path}/{MANIFEST}"):
        raise _error(InputError, f"{path} has no {MANIFEST}: it is no release of sfumato.spark", 2)
    manifest = json.loads(files.read_text(f"{path}/{MANIFEST}"))
    if _hashes(spark, path) != manifest["files"]:
        raise _error(InputError, f"the files of {path} aren't those that were verified", 2)
    return manifest


def audit(frame: Any, quasi: Names, sensitive: Names = None, models: Names = None, *, k: int | None = None) -> Audit:
    """What a release in a frame of Spark promises: ``k``, ``l`` and ``t``, and whether models hold.

    Each figure is a GROUP BY; only the worst class of each comes to the driver.
    """
    from pyspark.sql import functions as F

    from ._job import names_of

    by, columns = names_of(quasi), names_of(sensitive)
    if not by:
        raise parameters("no quasi column was named", "say what an attacker may know with quasi=[...]")
    unknown = [name for name in by + columns if name not in frame.columns]
    if unknown:
        raise parameters(f"the data has no column {', '.join(unknown)}")
    wanted = ([f"k-anonymity(k={int(k)})"] if k is not None else []) + names_of(models)
    rows = frame.count()
    if rows == 0:
        raise _error(InputError, "the frame has no rows", 2)
    least = judging.classes(frame, by, None).agg(F.min("people")).collect()[0][0]
    achieved: list[dict[str, Any]] = [{"model": "k-anonymity", "measure": "k", "value": least}]
    for column in columns:
        grouped = judging.classes(frame, by, column)
        worst = grouped.agg(F.min("distinct"), F.min("entropy_l"), F.max("alpha")).collect()[0]
        names = ("l-diversity-distinct", "l-diversity-entropy", "alpha-k-anonymity")
        for name, measure, value in zip(names, ("l", "l", "alpha"), worst):
            achieved.append({"model": name, "column": column, "measure": measure, "value": value})
        ordered = judging.is_ordered(frame, column)
        model = f"t-closeness ({'ordered' if ordered else 'equal'})"
        t = judging.largest_distance(frame, by, column, ordered)
        achieved.append({"model": model, "column": column, "measure": "t", "value": t})
    guarantees = judging.judge(frame, by, columns, wanted)
    holds = all(one["holds"] for one in guarantees)
    told = {"rows": rows, "achieved": achieved, "guarantees": guarantees, "holds": holds, "engine": "spark"}
    lines = [f"{one['model']:28} {one.get('column') or '':16} {one['value']}" for one in achieved]
    lines += [f"{one['required']:45} {'holds' if one['holds'] else 'FAILS'}" for one in guarantees]
    return Audit(told, "\n".join(lines) + "\n")


def _type_of(data_type: Any) -> str | None:
    """What a column of Spark is to the engine; None leaves it to guess."""
    names = {
        "byte": "integer",
        "short": "integer",
        "integer": "integer",
        "long": "integer",
        "float": "float",
        "double": "float",
        "date": "date",
        "string": "text",
    }
    name = data_type.typeName()
    return "decimal" if name.startswith("decimal") else names.get(name)


def _share(limit: Any) -> float | None:
    if limit in (None, 0, "0", "0%"):
        return None
    text = str(limit)
    if not text.endswith("%"):
        raise _unsupported("on Spark a limit of suppression must be a share, such as 2%")
    return float(text[:-1]) / 100


def _error(kind: type[SfumatoError], message: str, code: int) -> SfumatoError:
    error = kind(message)
    error.message, error.code = message, code
    return error


def _unsupported(message: str) -> SfumatoError:
    return _error(UnsupportedError, message, 2)


def _failed(what: str) -> SfumatoError:
    return _error(InternalError, f"the release failed its verification and was not published: {what}", 70)


def _of_worker(error: Exception) -> Exception:
    """What a worker raised, as the exception that it was there."""
    text = str(error)
    for kind, code in ((InfeasibleError, 3), (UnsupportedError, 2), (InputError, 2)):
        mark = f"sfumato.errors.{kind.__name__}: "
        if mark in text:
            message = text.split(mark, 1)[1].split("\n", 1)[0].strip()
            return _error(kind, message, code)
    for name, code in (("ParametersError", 2), ("ResourcesError", 4)):
        mark = f"sfumato.errors.{name}: "
        if mark in text:
            from . import errors

            return _error(getattr(errors, name), text.split(mark, 1)[1].split("\n", 1)[0].strip(), code)
    return error
