"""Anonymizing frames and files, and publishing new records alike."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from typing import Any, Unpack

from . import _frames, _sfumato
from ._job import Job, Names, job_of
from ._keywords import JobKeywords
from ._progress import Listener, watching
from ._release import Recoding, Release

#: Up to so many records a recoding is kept if nothing is said: it has a line for each class.
_KEPT = 1_000_000


def anonymize(
    data: Any,
    quasi: Names | Job = None,
    sensitive: Names = None,
    k: int | None = None,
    models: Names = None,
    hierarchies: Mapping[str, Any] | None = None,
    *,
    job: Job | str | os.PathLike[str] | None = None,
    recoding: bool | None = None,
    progress: bool | Listener | None = None,
    **keywords: Unpack[JobKeywords],
) -> Release:
    """Anonymize a frame or a file. The release is verified before anybody sees it.

    `data` is a frame of pandas, polars or pyarrow, a relation of duckdb, anything else that exports
    Arrow, a path, or a list of baskets. What must hold is said by keywords, as for
    :class:`sfumato.Job`, or by a job. A requirement that can't be met is an
    :class:`sfumato.InfeasibleError`; nothing is weakened silently.

    >>> import pandas as pd, sfumato as sf
    >>> people = pd.DataFrame({"name": ["Ann", "Bob", "Cleo", "Dan"], "age": [31, 33, 52, 58],
    ...                        "ill": ["flu", "cough", "cough", "flu"]})
    >>> release = sf.anonymize(people, quasi="age", sensitive="ill", identifier="name", k=2)
    >>> sorted(release.data["age"])
    ['[31..33]', '[31..33]', '[52..58]', '[52..58]']
    >>> release.report["guarantees"][0]["achieved"]
    2

    `recoding` says whether to keep how the records were published, for ``release.recoding``; it is
    kept for tables of up to a million records if nothing is said.
    """
    if isinstance(quasi, Job):
        quasi, job = None, quasi
    said = dict(
        keywords, quasi=quasi, sensitive=sensitive, k=k, models=models, hierarchies=hierarchies
    )
    kind = _frames.kind_of(data)
    prepared = _frames.prepared(data)
    if kind == "other" and job is None and said.get("baskets") is None:
        said["baskets"] = "list(column=items)"
    wanted = with_all_columns(job_of(job, said), data)
    wants, why_not = _wants_recoding(wanted, prepared, recoding)
    with watching(progress) as listener:
        if not wants:
            native = _sfumato.anonymize(prepared, wanted._native, listener)
            return Release(native, kind, None, why_not)
        with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
            place = os.path.join(folder, "recoding.json")
            saving = wanted.set("output", "recoding", place)
            native = _sfumato.anonymize(prepared, saving._native, listener)
            return Release(native, kind, Recoding.load(place), "")


def with_all_columns(job: Job, data: Any) -> Job:
    """The job with a role for each column, if it gives one to all others."""
    columns = job.sections.get("columns", {})
    others = columns.get("*")
    present = _frames.columns_of(data) if others is not None else None
    if present is None:
        return job
    toml = Job.from_toml(_without(job, "*"))
    for name in present:
        if name not in columns:
            toml = toml.set("columns", name, others)
    return toml


def _without(job: Job, column: str) -> str:
    """The text of a job without one of its columns, which has a line of its own."""
    lines = job.to_toml().splitlines(keepends=True)
    mark = f'"{column}" = '
    return "".join(line for line in lines if not line.startswith(mark))


def _wants_recoding(job: Job, data: Any, asked: bool | None) -> tuple[bool, str]:
    """Whether to keep the recoding, and why not."""
    if asked is not None:
        return asked, "recoding=False was said"
    if "recoding" in job.sections.get("output", {}):
        return False, "the job names a file for it"
    said = job.sections.get("recode", {}).get("algorithm", "")
    models = job.sections.get("privacy", {}).get("models", [])
    if any("nonreciprocal" in text for text in [said, *models]):
        return False, "regions of single records can't be applied to others"
    if job._native.form() != ("table", "generalized"):
        return False, "only tables with generalized cells have one"
    try:
        is_large = len(data) > _KEPT if not isinstance(data, (str, os.PathLike)) else False
    except TypeError:
        is_large = False
    return not is_large, f"there are more than {_KEPT:,} records"


def run(
    job: Job | str | os.PathLike[str], *, progress: bool | Listener | None = None
) -> dict[str, Any]:
    """Run a job from its input to its output, as ``sfumato run`` does, and get the private report.

    >>> import pathlib, tempfile, sfumato as sf
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "people.csv").write_text("age\\n31\\n33\\n52\\n58\\n")
    >>> job = sf.Job(quasi="age", k=2, options={"input.path": folder / "people.csv",
    ...                                         "output.path": folder / "release.csv"})
    >>> sf.run(job)["output"]["rows"]
    4
    """
    with watching(progress) as listener:
        return json.loads(_sfumato.run(job_of(job, {})._native, listener))


def apply(
    recoding: Recoding | Release | str | os.PathLike[str],
    data: Any,
    *,
    unseen: str = "refuse",
    max_suppression: str | float | int | None = None,
    seed: int | None = None,
    keep_order: bool = False,
    progress: bool | Listener | None = None,
) -> Release:
    """Publish new records as an earlier release was published; verified like any other.

    `unseen` says what happens to records that the recoding has no place for: ``refuse`` them all,
    ``extend`` the region that grows least, or ``suppress`` them, within `max_suppression`. Whoever has
    both releases, and knows that a person is in both, may combine what each says. `keep_order` leaves
    the records in their order, which may tell who is who.

    >>> import pandas as pd, sfumato as sf
    >>> people = pd.DataFrame({"age": [31, 33, 52, 58]})
    >>> release = sf.anonymize(people, quasi="age", k=2)
    >>> sorted(sf.apply(release.recoding, pd.DataFrame({"age": [32, 33, 53, 57]})).data["age"])
    ['[31..33]', '[31..33]', '[52..58]', '[52..58]']
    """
    from ._job import _limit

    if isinstance(recoding, Release):
        recoding = recoding.recoding
    if not isinstance(recoding, Recoding):
        recoding = Recoding.load(recoding)
    limit = None if max_suppression is None else _limit(max_suppression)
    with watching(progress) as listener:
        native = _sfumato.apply(
            recoding.to_json(), _frames.prepared(data), unseen, limit, seed, keep_order, listener
        )
    return Release(native, _frames.kind_of(data), recoding, "")
