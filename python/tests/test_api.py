"""The package says what the engine says: releases, audits, errors, jobs."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pandas as pd
import pyarrow as pa
import pytest

import sfumato as sf

from conftest import rows_of

KEYS = ["input", "job", "seed", "version", "algorithm", "guarantees", "classes", "suppressed", "metrics", "risks"]


def anonymized(people: pd.DataFrame, **others) -> sf.Release:
    told = dict(quasi=["age", "town"], sensitive=["ill"], identifier="name", k=5, seed=1)
    return sf.anonymize(people, **{**told, **others})


def test_the_report_is_that_of_the_command_line(people):
    release = anonymized(people, models=["l-diversity-distinct(l=2)"])
    assert all(key in release.report for key in KEYS)
    assert [one["model"] for one in release.guarantees] == ["k-anonymity", "l-diversity-distinct"]
    assert all(one["holds"] for one in release.guarantees)
    assert "seed" not in release.public_report
    assert release.manifest["rows"] == len(release) == 120
    assert release.columns == ["age", "town", "ill"]


def test_a_seed_repeats_a_run_and_threads_change_nothing(people):
    first = anonymized(people)
    assert rows_of(anonymized(people)) == rows_of(first)
    assert rows_of(anonymized(people, threads=1)) == rows_of(first)
    assert rows_of(anonymized(people, seed=2)) != rows_of(first)


def test_columns_without_a_role_stop_the_run(people):
    with pytest.raises(sf.ParametersError) as caught:
        sf.anonymize(people, quasi=["age"], sensitive="ill", k=5)
    assert caught.value.code == 2
    assert "town" in str(caught.value) or "name" in str(caught.value)
    release = sf.anonymize(people, quasi=["age"], others="drop", k=5)
    assert release.columns == ["age"]


def test_errors_have_codes_texts_and_hints(people):
    with pytest.raises(sf.InfeasibleError) as caught:
        sf.anonymize(people[["age"]], quasi="age", k=121)
    assert caught.value.code == 3
    with pytest.raises(ValueError, match="there is no model") as caught:
        anonymized(people, models=["m-anonymity(k=3)"])
    assert caught.value.code == 2 and caught.value.hint
    assert caught.value.hint in str(caught.value)
    with pytest.raises(sf.InputError) as caught:
        sf.Job.from_toml("[privacy]\nmodels = [")
    assert caught.value.line == 2
    with pytest.raises(OSError) as caught:
        sf.anonymize("no such file.csv", quasi="age", k=2)
    assert caught.value.code == 5


def test_jobs_come_and_go(people, tmp_path):
    job = sf.Job(
        quasi=["age", "town"],
        sensitive="ill",
        identifier="name",
        k=5,
        models="l-diversity-distinct(l=2)",
        hierarchies={"town": {"upland": ["north"], "lowland": ["south", "east"]}},
        weights={"age": 2.0},
        max_suppression=0.05,
        seed=1,
        options={"recode.effort": "high"},
    )
    assert sf.Job.from_toml(job.to_toml()) == job
    assert pickle.loads(pickle.dumps(job)) == job
    job.save(tmp_path / "release.toml")
    assert sf.Job.from_file(tmp_path / "release.toml") == job
    assert job.sections["privacy"]["max_suppression"] == "5%"
    assert job.columns_of("quasi") == ["age", "town"]
    release = sf.anonymize(people, job)
    assert rows_of(sf.anonymize(people, job=tmp_path / "release.toml")) == rows_of(release)
    assert set(release.to_pandas()["town"]) <= {"upland", "lowland", "north", "south", "east", "*"}
    with pytest.raises(sf.ParametersError, match="the job says it already: k"):
        sf.anonymize(people, job=job, k=3)
    with pytest.raises(sf.ParametersError, match="both quasi and sensitive"):
        sf.Job(quasi="age", sensitive="age")


def test_a_job_goes_from_file_to_file(people, tmp_path):
    people.to_csv(tmp_path / "people.csv", index=False)
    told = sf.Job(quasi=["age", "town"], sensitive="ill", identifier="name", k=5, seed=1)
    text = told.set("input", "path", "people.csv").set("output", "path", "release.parquet").to_toml()
    report = sf.run(sf.Job.from_toml(text, base=tmp_path))
    assert report["output"]["rows"] == 120
    assert rows_of(pd.read_parquet(tmp_path / "release.parquet")) == rows_of(anonymized(people))
    assert sf.audit(tmp_path / "release.parquet", told).holds


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow", "jsonl", "csv.gz"])
def test_a_release_is_saved_with_its_manifest(people, tmp_path, ending):
    release = anonymized(people)
    path = tmp_path / f"release.{ending}"
    release.save(path, report=tmp_path / "report.html", public_report=tmp_path / "public.json")
    found = sf.audit(path, ["age", "town"], "ill", k=5)
    assert found.holds and len(found) == 120
    manifest = json.loads((tmp_path / f"release.{ending}.release.json").read_text())
    assert manifest["files"][0]["sha256"] == found.report["sha256"]
    assert (tmp_path / "report.html").read_text().startswith("<!")
    assert os.stat(tmp_path / "report.html").st_mode & 0o077 == 0
    assert json.loads((tmp_path / "public.json").read_text()) == release.public_report
    with pytest.raises(sf.ParametersError, match="is there already"):
        release.save(path)
    release.save(path, force=True)


def test_audit_says_what_others_releases_promise(people):
    table = pd.DataFrame(
        {
            "age": ["3*"] * 3 + ["5*"] * 3,
            "ill": ["flu", "flu", "hiv", "flu", "hiv", "hiv"],
            "cost": [1, 2, 3, 4, 5, 6],
        }
    )
    found = sf.audit(table, quasi=["age"], sensitive=["ill"])
    assert (found.k, found.l) == (3, 2)
    assert found.t == pytest.approx(1 / 6)
    assert sf.audit(table, "age").l is None and sf.audit(table, "age").t is None
    assert sf.k_anonymity(table, ["age"]) == 3
    assert sf.l_diversity(table, ["age"], ["ill"]) == 2
    assert sf.entropy_l_diversity(table, ["age"], ["ill"]) == pytest.approx(1.8898815748)
    assert sf.alpha_k_anonymity(table, ["age"], ["ill"]) == (pytest.approx(2 / 3), 3)
    assert sf.t_closeness(table, ["age"], ["ill"]) == pytest.approx(1 / 6)
    # Numbers are ordered: half of the mass moves three of five steps.
    assert sf.t_closeness(table, ["age"], ["cost"]) == pytest.approx(0.3)
    # With several sensitive columns the worst of them.
    both = sf.audit(table, "age", ["ill", "cost"])
    assert (both.l, both.t) == (2, pytest.approx(0.3))
    assert not sf.audit(table, "age", "ill", k=4).holds
    assert not sf.audit(table, "age", "ill", models=["l-diversity-distinct(l=3)"])
    with pytest.raises(sf.ParametersError, match="sensitive"):
        sf.t_closeness(table, ["age"], [])
    with pytest.raises(sf.SfumatoError):
        sf.audit(table, "no such column")


def test_audit_compares_with_the_original(people):
    release = anonymized(people).data
    told = dict(quasi=["age", "town"], sensitive=["ill"], k=5)
    assert sf.audit(release, original=people, **told).holds
    lied = release.copy()
    lied.loc[lied.index[0], "ill"] = "plague"
    assert not sf.audit(lied, original=people, **told).holds


def test_questions_have_bounds(people):
    release = anonymized(people)
    truth = int((people["age"] < 40).sum())
    answer = sf.query(release, "count where age < 40", quasi=["age", "town"], sensitive="ill",
                      original=people.drop(columns="name"))
    assert answer.lower <= truth <= answer.upper
    assert answer.truth == truth
    both = sf.query(release.data, ["count", "count where town = north"], quasi=["age", "town"])
    assert [one.query for one in both] == ["count", "count where town = north"]


def test_new_records_are_published_alike(people, tmp_path):
    told = dict(algorithm="datafly", hierarchies={"age": sf.Hierarchy.interval(10, 3)})
    release = anonymized(people, **told)
    assert "private" in repr(release.recoding)
    release.recoding.save(tmp_path / "recoding.json")
    assert os.stat(tmp_path / "recoding.json").st_mode & 0o077 == 0
    again = sf.apply(sf.Recoding.load(tmp_path / "recoding.json"), people, seed=1)
    assert rows_of(again) == rows_of(release)
    unseen = people.assign(age=people["age"] + 1000)
    with pytest.raises(sf.SfumatoError):
        sf.apply(release, unseen)
    assert len(sf.apply(release, unseen, unseen="extend")) == 120
    with pytest.raises(ValueError, match="unseen must be"):
        sf.apply(release, people, unseen="guess")
    plain = anonymized(people, recoding=False)
    with pytest.raises(sf.ParametersError, match="recoding=True"):
        plain.recoding


def test_plans_and_studies(people):
    told = dict(quasi=["age", "town"], sensitive="ill", identifier="name")
    plan = sf.explain(people, k=5, algorithm="mondrian", **told)
    assert plan.algorithm.startswith("mondrian") and "k-anonymity" in str(plan)
    study = sf.explore(people, ks=[2, 5, 10], algorithms="mondrian", seed=1, **told)
    assert study.report["ks"] == [2, 5, 10]
    assert study._repr_svg_().startswith("<svg") and "mondrian" in str(study)
    target = dict(quasi=["age", "town"], target="ill", identifier="name")
    found = sf.evaluate(
        people, k=5, tasks="classification(target=ill)", algorithms="mondrian",
        learners="decision-tree", folds=2, queries=20, seed=1, **target,
    )
    assert "decision-tree" in str(found)
    with pytest.raises(sf.ParametersError, match="no data"):
        sf.explain(quasi="age", k=2)


def test_hierarchies_from_whatever_stands_for_one(tmp_path):
    rows = [("Dancer", "Artist", "*"), ("Writer", "Artist", "*"), ("Lawyer", "Professional", "*")]
    file = tmp_path / "job.csv"
    file.write_text("".join(";".join(row) + "\n" for row in rows))
    groups = {"Artist": ["Dancer", "Writer"], "Professional": ["Lawyer"]}
    levels = {value: above for value, *above in rows}
    jobs = pd.DataFrame({"job": [value for value, *_ in rows] * 2})
    releases = [
        sorted(
            sf.anonymize(
                jobs, quasi="job", k=4, hierarchies={"job": given}, algorithm="mondrian", max_suppression=2
            ).data["job"]
        )
        for given in (str(file), file, groups, {"*": groups}, levels, rows, sf.Hierarchy.of(groups))
    ]
    assert releases[0] in (["*"] * 6, ["Artist"] * 4)
    assert all(release == releases[0] for release in releases)
    assert sf.Hierarchy.of("mask(from=right)").to_value() == "mask(from=right)"
    assert sf.Hierarchy.of({"interval": {"width": 5}}).to_value() == {"interval": {"width": 5}}
    with pytest.raises(sf.ParametersError, match="equally many"):
        sf.Hierarchy.levels([("a", "*"), ("b", "c", "*")])


def test_progress_is_told(people):
    told = []
    large = pd.concat([people.drop(columns="name")] * 500)
    sf.anonymize(large, quasi=["age", "town"], sensitive="ill", k=5, algorithm="mondrian",
                 progress=lambda *one: told.append(one))
    assert told and all(unit in ("bytes", "records", "steps") for *_, unit in told)

    def refuse(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sf.anonymize(large, quasi=["age", "town"], sensitive="ill", k=5, progress=refuse)


def test_other_threads_of_python_go_on(people):
    large = pd.concat([people.drop(columns="name")] * 1000)
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.monotonic()
    sf.anonymize(large, quasi=["age", "town"], sensitive="ill", k=5, algorithm="mondrian")
    elapsed = time.monotonic() - begun
    stop.set()
    thread.join()
    during = [tick for tick in ticks if begun <= tick <= begun + elapsed]
    assert len(during) > elapsed * 100, "the lock was held"


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as Unix does")
def test_ctrl_c_stops_a_run():
    program = """
import sys, time
import pyarrow as pa, numpy as np
import sfumato as sf
random = np.random.default_rng(1)
table = pa.table({f"c{i}": random.integers(0, 1000, 400_000) for i in range(9)})
print("ready", flush=True)
try:
    sf.anonymize(table, others="quasi", k=5, recoding=False, algorithm="mondrian")
except KeyboardInterrupt:
    print("stopped", flush=True)
    sys.exit(0)
sys.exit(1)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out.strip() == "stopped"
    assert process.returncode == 0


def test_notebooks_show_releases(people):
    release = anonymized(people)
    shown = release._repr_html_()
    assert "k-anonymity" in shown and "<script" not in shown
    assert "person 1" not in shown, "no identifier is shown"
    nasty = people.assign(ill="<script>alert(1)</script>")
    assert "<script" not in anonymized(nasty, models=None)._repr_html_()
    audit = sf.audit(release, ["age", "town"], "ill")
    assert audit._repr_html_().startswith("<pre>") and "k=" in repr(audit)


def test_an_arrow_release_is_a_frame_everywhere(people):
    release = anonymized(people)
    table = pa.table(release)
    assert table.num_rows == 120
    assert release.to_polars().height == 120
    assert rows_of(release.to("duckdb")) == rows_of(table)
    with pytest.raises(sf.ParametersError, match="there is no frame"):
        release.to("excel")
