"""Spark: regions, native code in workers, verification by other jobs; a tampered folder fails."""

from __future__ import annotations

import datetime
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pyspark = pytest.importorskip("pyspark", reason="skipped: pyspark isn't installed")

import sfumato as sf  # noqa: E402
from sfumato import spark as on_spark  # noqa: E402
from sfumato._spark_cells import Cells  # noqa: E402
from sfumato._spark_judge import _distance, _scale  # noqa: E402


def has_java() -> bool:
    java = shutil.which("java")
    return java is not None and subprocess.run([java, "-version"], capture_output=True).returncode == 0


@pytest.fixture(scope="session")
def spark():
    if not has_java():
        pytest.skip("skipped: there is no Java (on Debian: apt install openjdk-17-jre-headless)")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        # The library of snappy takes a machine that has musl beside glibc for one of musl alone.
        .config("spark.sql.parquet.compression.codec", "gzip")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.log.level", "OFF")
        # Compiling a query takes longer than running it on so few rows.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.driver.memory", "1g")
        .getOrCreate()
    )
    yield session
    session.stop()


def people(n: int = 3000) -> pa.Table:
    draw = random.Random(1)
    return pa.table(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": [draw.randint(18, 90) for _ in range(n)],
            "job": [draw.choice(["Dancer", "Writer", "Lawyer", None]) for _ in range(n)],
            "zip": [f"{draw.randint(0, 99999):05}" for _ in range(n)],
            "born": [datetime.date(1950, 1, 1) + datetime.timedelta(draw.randint(0, 20000)) for _ in range(n)],
            "ill": [draw.choice(["flu", "cough", "hiv", "none"]) for _ in range(n)],
            "cost": [draw.randint(1, 9) for _ in range(n)],
        }
    )


JOB = dict(
    quasi=["age", "job", "zip", "born"],
    sensitive="ill",
    keep="cost",
    drop="name",
    k=5,
    models=["l-diversity-distinct(l=2)"],
    hierarchies={
        "job": {"Artist": ["Dancer", "Writer"], "Professional": ["Lawyer"]},
        "zip": sf.Hierarchy.mask(),
    },
    seed=1,
)


@pytest.fixture(scope="session")
def released(spark, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("spark") / "release")
    frame = spark.createDataFrame(people()).cache()
    return frame, on_spark.anonymize(frame, path=path, region_rows=1600, **JOB)


def test_a_release_is_verified_by_spark(spark, released):
    frame, release = released
    assert release.report["output"]["rows"] == 3000
    assert release.report["regions"]["count"] >= 2
    assert release.report["regions"]["most_rows"] < 3000
    assert all(one["holds"] for one in release.guarantees)
    assert release.data.columns == ["age", "job", "zip", "born", "ill", "cost"]
    # What the engine on one machine says of the same files.
    found = sf.audit(pq.read_table(release.path), ["age", "job", "zip", "born"], "ill")
    assert found.k >= 5 and found.l >= 2
    assert found.k == release.guarantees[0]["achieved"]
    # Classes are no larger than they must be: regions aren't published as they are.
    assert release.report["classes"]["count"] > 150
    assert on_spark.check(spark, release.path)["rows"] == 3000
    left = [path.name for path in pathlib.Path(release.path).parent.iterdir()]
    assert left == ["release"], "nothing else is left, least of all originals"


def test_a_region_is_finished_alike_however_its_rows_come():
    from sfumato import spark as module

    table = people(300)
    plan = sf.Job(**{**JOB, "drop": None}).set("columns", "__row", {"role": "keep", "accept": True})
    published = table.column_names[1:]
    finish = module._finisher(plan.to_toml(), published, JOB["quasi"], b"secret", {})
    once = finish((pa.scalar(0),), table)
    again = finish((pa.scalar(0),), table.take(list(reversed(range(300)))))
    assert once == again and once.num_rows == 300
    other = module._finisher(plan.to_toml(), published, JOB["quasi"], b"another", {})((pa.scalar(0),), table)
    assert other["__order"] != once["__order"]


def files_of(folder: str) -> list[pathlib.Path]:
    return sorted(pathlib.Path(folder.removeprefix("file:")).glob("*.parquet"))


def rewrite(folder: str, change) -> None:
    # Of the partitions some are empty.
    path = max(files_of(folder), key=lambda path: path.stat().st_size)
    rows = pq.read_table(path).to_pylist()
    change(rows)
    schema = pq.read_schema(path)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    pathlib.Path(f"{path.parent}/.{path.name}.crc").unlink(missing_ok=True)


def lose_a_row(rows):
    rows.pop()


def double_a_row(rows):
    rows[0] = dict(rows[1])


def single_somebody_out(rows):
    rows[0]["age"] = "17"


def lie_about_a_value(rows):
    rows[0]["ill"] = "plague"


def swap_sensitive(rows):
    other = next(i for i, row in enumerate(rows) if row["ill"] != rows[0]["ill"] and row["age"] != rows[0]["age"])
    rows[0]["ill"], rows[other]["ill"] = rows[other]["ill"], rows[0]["ill"]


def blur_originals(rows):
    rows[0]["__before_age"] += 100


@pytest.fixture(scope="session")
def draft(released, tmp_path_factory):
    """What was written and isn't verified yet."""
    frame, _ = released
    folder = tmp_path_factory.mktemp("draft")
    plan = on_spark._Plan(sf.Job(**JOB), frame, 10_000)
    regions = plan.divide()
    plan.finish(regions, f"{folder}/private")
    plan.publish(f"{folder}/private", f"{folder}/release", 1)
    plan.verify(f"{folder}/release", f"{folder}/private", regions)
    return plan, regions, folder


@pytest.mark.parametrize(
    "change, which, words",
    [
        (lose_a_row, "release", "records are missing"),
        (double_a_row, "release", "doesn't hold|aren't those"),
        (single_somebody_out, "release", "doesn't hold"),
        (lie_about_a_value, "release", "aren't those"),
        (swap_sensitive, "release", "aren't those|doesn't hold"),
        (blur_originals, "private", "that the data doesn't have"),
    ],
)
def test_a_tampered_folder_fails(draft, tmp_path, change, which, words):
    plan, regions, folder = draft
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    rewrite(f"{tmp_path}/{which}", change)
    with pytest.raises(sf.InternalError, match="failed its verification") as caught:
        plan.verify(f"{tmp_path}/release", f"{tmp_path}/private", regions)
    assert caught.value.code == 70
    assert caught.match(words)


def test_cells_that_cover_nothing_of_theirs_fail(draft, tmp_path):
    plan, regions, folder = draft
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)

    def shift(rows):
        for row in rows:
            row["age"] = "[1..2]"

    # Both say the same, and the classes only grow: it is the cells that are no true ones.
    for which in ("release", "private"):
        rewrite(f"{tmp_path}/{which}", shift)
    with pytest.raises(sf.InternalError, match="don't cover their original"):
        plan.verify(f"{tmp_path}/release", f"{tmp_path}/private", regions)


def test_nothing_is_left_of_a_release_that_fails(released, tmp_path, monkeypatch):
    frame, _ = released
    verify = on_spark._Plan.verify

    def tampered(plan, release, *others):
        rewrite(release, single_somebody_out)
        return verify(plan, release, *others)

    monkeypatch.setattr(on_spark._Plan, "verify", tampered)
    with pytest.raises(sf.InternalError, match="was not published"):
        on_spark.anonymize(frame, path=str(tmp_path / "release"), region_rows=10_000, **JOB)
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_was_changed_afterwards_is_found(spark, released, tmp_path):
    _, release = released
    copy = tmp_path / "copy"
    shutil.copytree(release.path, copy)
    assert on_spark.check(spark, str(copy))["rows"] == 3000
    rewrite(str(copy), lie_about_a_value)
    with pytest.raises(sf.InputError, match="aren't those that were verified"):
        on_spark.check(spark, str(copy))
    with pytest.raises(sf.InputError, match="no release"):
        on_spark.check(spark, str(tmp_path))


def test_what_spark_cannot_do_is_refused_by_name(spark, released, tmp_path):
    frame, release = released
    for told, words in [
        (dict(models=["beta-likeness(beta=2)"]), "beta-likeness"),
        (dict(models=["t-closeness(t=0.2, distance=hierarchical)"]), "equal and ordered"),
        (dict(subject="name", drop=None), "subject"),
        (dict(drop=None), "name"),
        (dict(max_suppression="150"), "share"),
        (dict(k=None, models=None), "nothing must hold"),
        (dict(quasi=None, hierarchies=None, others="keep"), "quasi"),
        (dict(k=3001), "can't|at least|3001"),
    ]:
        with pytest.raises(sf.SfumatoError, match=words) as caught:
            on_spark.anonymize(frame, path=str(tmp_path / "no"), **{**JOB, **told})
        assert caught.value.code == (3 if "k" in told and told["k"] else 2)
    with pytest.raises(sf.ParametersError, match="is there already"):
        on_spark.anonymize(frame, path=release.path, **JOB)
    assert list(tmp_path.iterdir()) == []


def test_regions_keep_what_all_rows_must_keep(spark, tmp_path):
    draw = random.Random(3)
    # Illness and cost depend on age, so that regions are away from all rows, each its own way.
    ages = [draw.randint(18, 90) for _ in range(2000)]
    table = pa.table(
        {
            "age": ages,
            "zip": [draw.randint(0, 999) for _ in ages],
            "ill": [draw.choice(["flu", "cough"] if age < 40 else ["flu", "cough", "hiv"]) for age in ages],
            "cost": [draw.randint(1, 6) + age // 30 for age in ages],
        }
    )
    frame = spark.createDataFrame(table).cache()
    release = on_spark.anonymize(
        frame, path=str(tmp_path / "close"), region_rows=700, quasi=["age", "zip"],
        sensitive=["ill", "cost"], k=5, models=["t-closeness(t=0.4)"], seed=1,
    )
    assert release.report["regions"]["count"] >= 2
    assert all(one["holds"] for one in release.guarantees)
    # The engine on one machine says the same of the files.
    found = sf.audit(pq.read_table(release.path), ["age", "zip"], ["ill", "cost"], ["t-closeness(t=0.4)"])
    assert found.holds and found.k >= 5
    said = {one["column"]: one["achieved"] for one in release.guarantees if one["model"] == "t-closeness"}
    assert said["ill"] == pytest.approx(found.achieved("t-closeness (equal)")["ill"])
    assert said["cost"] == pytest.approx(found.achieved("t-closeness (ordered)")["cost"])
    assert release.report["classes"]["count"] > 4, "and regions aren't published as they are"


def test_audits_agree_with_the_engine(spark):
    table = people(400)
    ages = [f"[{age // 20 * 20}..{age // 20 * 20 + 19}]" for age in table["age"].to_pylist()]
    table = table.select(["job", "ill", "cost"]).append_column("age", pa.array(ages))
    frame = spark.createDataFrame(table).cache()
    sensitive = ["ill", "cost"]
    here = sf.audit(table, ["age", "job"], sensitive)
    asked = ["l-diversity-recursive(c=2, l=2, on=ill)", f"k-anonymity(k={here.k + 1})"]
    there = on_spark.audit(frame, ["age", "job"], sensitive, asked)
    assert (there.k, there.l) == (here.k, here.l)
    assert there.t == pytest.approx(here.t)
    for model in ("l-diversity-entropy", "alpha-k-anonymity"):
        assert there.achieved(model) == pytest.approx(here.achieved(model))
    equal = here.achieved("t-closeness (equal)")["ill"]
    assert there.achieved("t-closeness (equal)")["ill"] == pytest.approx(equal)
    judged = [one["holds"] for one in there.guarantees]
    native = {one["model"]: one["holds"] for one in sf.audit(table, ["age", "job"], sensitive, asked).guarantees}
    assert judged == [native["l-diversity-recursive"], native["k-anonymity"]]


def test_distances_are_those_of_the_definition():
    import numpy

    draw = random.Random(2)
    for _ in range(200):
        n = draw.randint(2, 12)
        whole = [draw.randint(1, 5) for _ in range(n)]
        own = [draw.randint(0, 3) for _ in range(n)]
        if not any(own):
            continue
        p = numpy.cumsum(numpy.array(own) / sum(own))
        q = numpy.cumsum(numpy.array(whole) / sum(whole))
        expected = float(numpy.abs(p - q)[:-1].sum() / (n - 1))
        members = [{"rank": rank, "n": count} for rank, count in enumerate(own) if count]
        sums = numpy.concatenate([[0.0], numpy.cumsum(q)])
        assert math.isclose(_distance(members, q, sums), expected, abs_tol=1e-12)


def test_what_a_region_keeps_bounds_what_all_rows_see():
    import numpy

    def line(counts):
        share = numpy.cumsum(numpy.array(counts) / sum(counts))
        return share, numpy.concatenate([[0.0], numpy.cumsum(share)])

    draw, reached = random.Random(5), 0.0
    for _ in range(500):
        n = draw.randint(2, 9)
        whole = [draw.randint(1, 5) for _ in range(n)]
        region = [draw.randint(0, count) for count in whole]
        own = [draw.randint(0, count) for count in region]
        if not any(own):
            continue
        share, sums = line(whole)
        of_class = [{"rank": rank, "n": count} for rank, count in enumerate(own) if count]
        of_region = [{"rank": rank, "n": count} for rank, count in enumerate(region) if count]
        # The engine sees the region's values alone, a step apart.
        place = {one["rank"]: at for at, one in enumerate(of_region)}
        inside = [{"rank": place[one["rank"]], "n": one["n"]} for one in of_class]
        within = _distance(inside, *line([one["n"] for one in of_region]))
        bound = _distance(of_region, share, sums) + _scale(of_region, n) * within
        seen = _distance(of_class, share, sums)
        assert seen <= bound + 1e-12
        reached = max(reached, seen / bound if bound else 0.0)
    assert reached > 0.99, "and the bound is no larger than it must be"


@pytest.mark.parametrize(
    "hierarchy, published, original, covers",
    [
        (None, "*", 5, True),
        (None, "[1..5]", 5, True),
        (None, "[1..5)", 5, False),
        (None, "[1..5]", 6, False),
        (None, "[-5..-1]", -3, True),
        (None, "5", 5, True),
        (None, "5.0", 5, True),
        (None, "4", 5, False),
        (None, "<5", 4, True),
        (None, ">=5", 4, False),
        (None, None, None, True),
        (None, None, 4, False),
        (None, "[1..5]", None, False),
        (None, "[a..c]", "b", True),
        (None, "[a..c]", "d", False),
        (None, "[2020-01-01..2020-02-01]", datetime.date(2020, 1, 15), True),
        (None, "[2020-01-01..2020-02-01]", datetime.date(2020, 2, 15), False),
        ({"date": {}}, "2020-02", datetime.date(2020, 2, 15), True),
        ({"date": {}}, "2020-Q2", datetime.date(2020, 2, 15), False),
        ({"date": {}}, "2020s", datetime.date(2029, 2, 15), True),
        ({"mask": {"from": "right"}}, "123**", "12345", True),
        ({"mask": {"from": "right"}}, "123**", "12445", False),
        ({"mask": {"from": "right"}}, "12*", "12345", False),
        ({"tree": {"text": '{"A": ["x", "y"], "B": ["z"]}'}}, "A", "x", True),
        ({"tree": {"text": '{"A": ["x", "y"], "B": ["z"]}'}}, "B", "x", False),
        ({"tree": {"text": '{"A": ["x", "y"], "B": ["z"]}'}}, "C", "x", False),
    ],
)
def test_what_a_cell_covers(hierarchy, published, original, covers):
    assert Cells(hierarchy).covers(published, original) is covers
