"""A cluster of its own: one master and two workers on loopback, of which one is killed in the middle."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pyspark = pytest.importorskip("pyspark", reason="skipped: pyspark isn't installed")

import sfumato as sf  # noqa: E402

from test_spark import has_java, people  # noqa: E402

HOME = pathlib.Path(pyspark.__file__).parent
#: How long anything may take to come up, in seconds.
PATIENCE = 120.0

#: What the driver runs: the arguments are the master, the input, two releases that are made one after the
#: other, and a file that it writes when workers begin with the second.
DRIVER = """
import sys, json, pathlib
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
import sfumato as sf
from sfumato import spark as on_spark
master, data, first, second, begun = sys.argv[1:]
spark = (
    SparkSession.builder.master(master)
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    .config("spark.executor.memory", "512m").config("spark.executor.cores", "1")
    .config("spark.sql.shuffle.partitions", "4").config("spark.sql.adaptive.enabled", "false")
    .config("spark.sql.parquet.compression.codec", "gzip")
    .config("spark.log.level", "OFF")
    # Compiling a query takes longer than running it on so few rows.
    .config("spark.sql.codegen.wholeStage", "false").config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    .getOrCreate()
)
frame = spark.read.parquet(data)
def anonymize(path):
    release = on_spark.anonymize(
        frame, path=path, region_rows=1600, quasi=["age", "job", "zip", "born"], sensitive="ill",
        keep="cost", drop="name", k=5, models=["l-diversity-distinct(l=2)"],
        hierarchies={"zip": sf.Hierarchy.mask()}, seed=1,
    )
    on_spark.check(spark, path)
    print(json.dumps({"rows": release.report["output"]["rows"], "regions": release.report["regions"]["count"],
                      "holds": [one["holds"] for one in release.guarantees],
                      "executors": spark._jsc.sc().getExecutorMemoryStatus().size() - 1}), flush=True)
anonymize(first)
finish = on_spark._Plan.finish
def say(plan, *others):
    # From here on regions are finished in the workers.
    pathlib.Path(begun).touch()
    return finish(plan, *others)
on_spark._Plan.finish = say
anonymize(second)
spark.stop()
"""


class Daemon:
    """A master or a worker in a group of processes of its own, so that its executors die with it."""

    def __init__(self, folder: pathlib.Path, name: str, arguments: list[str]) -> None:
        self.log = folder / f"{name}.log"
        environment = dict(os.environ, PYSPARK_PYTHON=sys.executable, SPARK_HOME=str(HOME),
                           SPARK_WORKER_DIR=str(folder / f"{name}-work"), SPARK_DAEMON_MEMORY="256m")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [str(HOME / "bin" / "spark-class"), *arguments], stdout=log, stderr=subprocess.STDOUT,
                env=environment, start_new_session=True,
            )

    def wait_for(self, pattern: str) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = re.search(pattern, self.log.read_text(errors="replace"))
            if found:
                return found[0]
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError(f"{pattern} wasn't said:\n{self.log.read_text(errors='replace')[-2000:]}")

    def kill(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


@pytest.fixture
def cluster(tmp_path):
    if not has_java():
        pytest.skip("skipped: there is no Java (on Debian: apt install openjdk-17-jre-headless)")
    started: list[Daemon] = []
    try:
        deploy = "org.apache.spark.deploy"
        ports = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        started.append(Daemon(tmp_path, "master", [f"{deploy}.master.Master", *ports]))
        address = started[0].wait_for(r"spark://127\.0\.0\.1:[1-9]\d*")
        for name in ("first", "second"):
            own = ["--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0", address]
            started.append(Daemon(tmp_path, name, [f"{deploy}.worker.Worker", *own]))
        for worker in started[1:]:
            worker.wait_for("Successfully registered with master")
        yield address, started[1:]
    finally:
        for daemon in started:
            daemon.kill()


def content(release: pathlib.Path) -> str:
    """The rows in their order, whatever files they lie in."""
    rows = [row for path in sorted(release.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]
    return hashlib.sha256(json.dumps(rows, default=str).encode()).hexdigest()


def test_a_lost_worker_costs_a_retry_and_changes_nothing(cluster, tmp_path):
    address, workers = cluster
    data, whole, broken, begun, script = (
        tmp_path / name for name in ("data.parquet", "whole", "broken", "begun", "driver.py")
    )
    pq.write_table(people(), data, row_group_size=500, compression="gzip")
    script.write_text(DRIVER)
    arguments = [sys.executable, script, address, data, whole, broken, begun]
    driver = subprocess.Popen(
        [str(argument) for argument in arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, PYSPARK_PYTHON=sys.executable),
    )
    until = time.monotonic() + 3 * PATIENCE
    while not begun.exists() and time.monotonic() < until and driver.poll() is None:
        time.sleep(0.05)
    if begun.exists():
        workers[1].kill()
    out, err = driver.communicate(timeout=3 * PATIENCE)
    assert driver.returncode == 0 and begun.exists(), err[-3000:]
    for said in map(json.loads, out.splitlines()):
        assert said["rows"] == 3000 and said["regions"] >= 2 and all(said["holds"])
    assert json.loads(out.splitlines()[0])["executors"] == 2, "both workers took part"
    assert content(broken) == content(whole), "who is lost changes no row and no order"
    left = {path.name for path in tmp_path.iterdir() if ".sfumato-" in path.name}
    assert left == set(), "nothing is left of drafts, least of all originals"
    table = pa.concat_tables(pq.read_table(path) for path in sorted(broken.glob("*.parquet")))
    audit = sf.audit(table, ["age", "job", "zip", "born"], "ill")
    assert audit.k >= 5 and audit.l >= 2
