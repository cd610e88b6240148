"""What stands above a run: what k costs, and what a recipient can do."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from . import _frames, _sfumato
from ._anonymize import with_all_columns
from ._job import Job, Names, job_of, names_of
from ._keywords import JobKeywords
from ._progress import Listener, watching


class Study:
    """What a study found: ``report`` as a dictionary, words by ``str``, and a picture in notebooks."""

    def __init__(self, told: dict[str, Any], words: str, svg: str, csv: str | None = None) -> None:
        self.report = told
        self.svg = svg
        self.csv = csv
        self._words = words

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture as .svg, the figures as .json, or the table as .csv."""
        ending = os.fspath(path).rpartition(".")[2].lower()
        texts = {"svg": self.svg, "json": json.dumps(self.report, indent=2), "csv": self.csv}
        text = texts.get(ending)
        if text is None:
            from .errors import parameters

            raise parameters(f"a study isn't written as .{ending}", "write .svg or .json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __str__(self) -> str:
        return self._words

    def _repr_svg_(self) -> str:
        return self.svg


def explore(
    data: Any,
    quasi: Names | Job = None,
    sensitive: Names = None,
    models: Names = None,
    hierarchies: Mapping[str, Any] | None = None,
    *,
    ks: Sequence[int] = (2, 5, 10, 25, 50, 100),
    algorithms: Names = None,
    job: Job | str | os.PathLike[str] | None = None,
    progress: bool | Listener | None = None,
    **keywords: Unpack[JobKeywords],
) -> Study:
    """What k costs: loss and risk for several k by several algorithms. It publishes nothing.

    >>> import pandas as pd, sfumato as sf
    >>> people = pd.DataFrame({"age": [20 + i % 40 for i in range(120)]})
    >>> study = sf.explore(people, quasi="age", ks=[2, 5, 10])
    >>> study.report["ks"]
    [2, 5, 10]
    """
    if isinstance(quasi, Job):
        quasi, job = None, quasi
    said = dict(keywords, quasi=quasi, sensitive=sensitive, models=models, hierarchies=hierarchies)
    wanted = with_all_columns(job_of(job, said), data)
    with watching(progress) as listener:
        told, words, csv, svg = _sfumato.explore(
            _frames.prepared(data), wanted._native, list(ks), names_of(algorithms), listener
        )
    return Study(json.loads(told), words, svg, csv)


def evaluate(
    data: Any,
    quasi: Names | Job = None,
    sensitive: Names = None,
    k: int | None = None,
    models: Names = None,
    hierarchies: Mapping[str, Any] | None = None,
    *,
    algorithms: Names = None,
    learners: Names = None,
    folds: int = 5,
    learn_rows: int = 2000,
    queries: int = 1000,
    job: Job | str | os.PathLike[str] | None = None,
    progress: bool | Listener | None = None,
    **keywords: Unpack[JobKeywords],
) -> Study:
    """How well the recipient's tasks can be done with a release, on rows that were held out.

    The tasks are those of the job, such as ``tasks=["classification(target=salary)"]``. It publishes
    nothing.
    """
    if isinstance(quasi, Job):
        quasi, job = None, quasi
    said = dict(
        keywords, quasi=quasi, sensitive=sensitive, k=k, models=models, hierarchies=hierarchies
    )
    wanted = with_all_columns(job_of(job, said), data)
    with watching(progress) as listener:
        told, words, svg = _sfumato.evaluate(
            _frames.prepared(data),
            wanted._native,
            names_of(algorithms),
            names_of(learners),
            folds,
            learn_rows,
            queries,
            listener,
        )
    return Study(json.loads(told), words, svg)
