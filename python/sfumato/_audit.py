"""What any release really promises, whoever made it; questions to it; plans."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from . import _frames, _sfumato
from ._anonymize import with_all_columns
from ._job import Job, Names, job_of, names_of
from ._keywords import JobKeywords
from ._progress import Listener, watching
from .errors import parameters


class Audit:
    """What a release promises, found in its records alone.

    ``k`` is the size of the smallest class; ``l`` the smallest number of different sensitive values in a
    class; ``t`` the largest distance of a class from the whole, ordered for numbers and dates, equal for
    words. With several sensitive columns each is the worst; :meth:`achieved` has them one by one.
    """

    def __init__(self, told: dict[str, Any], words: str) -> None:
        self._told = told
        self._words = words

    @property
    def k(self) -> int | None:
        """The size of the smallest class, in people if a subject column was named."""
        found = self.achieved("k-anonymity")
        return int(next(iter(found.values()))) if found else None

    @property
    def l(self) -> int | None:  # noqa: E743
        """The smallest number of different sensitive values in a class."""
        return _least(self.achieved("l-diversity-distinct"), int)

    @property
    def t(self) -> float | None:
        """The largest distance between a class's sensitive values and those of all."""
        ordered = self.achieved("t-closeness (ordered)")
        each = {**self.achieved("t-closeness (equal)"), **ordered}
        return _most(each)

    def achieved(self, model: str) -> dict[str | None, float]:
        """The strongest parameter with which a model holds, by sensitive column.

        >>> import pandas as pd, sfumato as sf
        >>> table = pd.DataFrame({"age": ["3*", "3*", "5*", "5*"], "ill": ["a", "b", "a", "a"]})
        >>> sf.audit(table, "age", "ill").achieved("l-diversity-distinct")
        {'ill': 1.0}
        """
        return {
            one.get("column"): float(one["value"])
            for one in self._told.get("achieved", [])
            if one["model"] == model and one["value"] is not None
        }

    @property
    def holds(self) -> bool:
        """Whether all models asked for hold, and the release is true where that was looked at."""
        return self._told["holds"]

    @property
    def guarantees(self) -> list[dict[str, Any]]:
        """The models asked for, and what the release achieves."""
        return self._told["guarantees"]

    @property
    def report(self) -> dict[str, Any]:
        """Everything, as ``sfumato audit --json`` prints it."""
        return self._told

    def __bool__(self) -> bool:
        return self.holds

    def __len__(self) -> int:
        return self._told["rows"]

    def __str__(self) -> str:
        return self._words

    def __repr__(self) -> str:
        found = {"k": self.k, "l": self.l, "t": self.t}
        said = ", ".join(f"{name}={value:.4g}" for name, value in found.items() if value is not None)
        return f"<Audit of {len(self):,} records: {said}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._words)}</pre>"


def _least(found: Mapping[Any, float], kind: type) -> Any:
    return kind(min(found.values())) if found else None


def _most(found: Mapping[Any, float]) -> float | None:
    return max(found.values()) if found else None


def audit(
    data: Any,
    quasi: Names | Job = None,
    sensitive: Names = None,
    models: Names = None,
    *,
    k: int | None = None,
    original: Any = None,
    hierarchies: Mapping[str, Any] | None = None,
    job: Job | str | os.PathLike[str] | None = None,
    progress: bool | Listener | None = None,
    **keywords: Unpack[JobKeywords],
) -> Audit:
    """What a release really promises, whoever made it: ours, or another tool's.

    `quasi` are the columns that an attacker may know, `sensitive` those that he wants to learn; others
    aren't looked at. The job that made a release will do as well. `models` must hold, or ``holds`` is
    false. `original` compares the release with the data that it was made from.

    >>> import pandas as pd, sfumato as sf
    >>> table = pd.DataFrame({"age": ["3*", "3*", "5*", "5*"], "ill": ["a", "b", "a", "b"]})
    >>> found = sf.audit(table, quasi=["age"], sensitive=["ill"])
    >>> found.k, found.l, found.t
    (2, 2, 0.0)
    """
    if isinstance(quasi, Job):
        quasi, job = None, quasi
    said = dict(
        keywords, quasi=quasi, sensitive=sensitive, k=k, models=models, hierarchies=hierarchies
    )
    kind = _frames.kind_of(data)
    if kind == "other" and job is None and said.get("baskets") is None:
        said["baskets"] = "list(column=items)"
    wanted = with_all_columns(job_of(job, said), data)
    before = None if original is None else _frames.prepared(original)
    with watching(progress) as listener:
        told, words = _sfumato.audit(_frames.prepared(data), wanted._native, before, listener)
    return Audit(json.loads(told), words)


class Attacks:
    """What attackers learn from a release. It names records of the original: keep it private."""

    def __init__(self, told: dict[str, Any], words: str) -> None:
        self.report = told
        self._words = words

    def __str__(self) -> str:
        return self._words

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._words)}</pre>"


def attack(
    data: Any,
    original: Any,
    quasi: Names | Job = None,
    sensitive: Names = None,
    *,
    attacks: Names = None,
    control: Any = None,
    hierarchies: Mapping[str, Any] | None = None,
    job: Job | str | os.PathLike[str] | None = None,
    progress: bool | Listener | None = None,
    **keywords: Unpack[JobKeywords],
) -> Attacks:
    """Play the adversaries against a release, and count what they learn.

    `original` is what the release was made from; `control` are people who aren't in it. `attacks` are
    names of the catalogue (``sfumato list attacks``); all that can be played if none is named.

    >>> import pandas as pd, sfumato as sf
    >>> people = pd.DataFrame({"age": [31, 33, 52, 58], "ill": ["flu", "cough", "cough", "flu"]})
    >>> job = sf.Job(quasi="age", sensitive="ill", k=2)
    >>> learnt = sf.attack(sf.anonymize(people, job), people, job, attacks="record-linkage")
    >>> learnt.report["attacks"][0]["rate"]
    0.5
    """
    if isinstance(quasi, Job):
        quasi, job = None, quasi
    said = dict(keywords, quasi=quasi, sensitive=sensitive, hierarchies=hierarchies)
    wanted = with_all_columns(job_of(job, said), original)
    others = None if control is None else _frames.prepared(control)
    with watching(progress) as listener:
        told, words = _sfumato.attack(
            _frames.prepared(data),
            _frames.prepared(original),
            wanted._native,
            names_of(attacks),
            others,
            listener,
        )
    return Attacks(json.loads(told), words)


@dataclass(frozen=True)
class Answer:
    """The answer to one question: an estimate, and bounds that hold."""

    query: str
    estimate: float | str | None
    lower: float | str | None
    upper: float | str | None
    truth: float | str | None = None


def query(
    data: Any,
    queries: str | list[str],
    quasi: Names | Job = None,
    sensitive: Names = None,
    *,
    job: Job | str | os.PathLike[str] | None = None,
    original: Any = None,
    hierarchies: Mapping[str, Any] | None = None,
    progress: bool | Listener | None = None,
    **keywords: Unpack[JobKeywords],
) -> Any:
    """Ask a release: each answer has an estimate, and bounds that hold.

    One question gives one answer, a list gives a list. `original` adds what the original says.

    >>> import pandas as pd, sfumato as sf
    >>> table = pd.DataFrame({"age": ["[30..39]", "[30..39]", "[40..49]"]})
    >>> sf.query(table, "count where age >= 40", quasi="age")
    Answer(query='count where age >= 40', estimate=1.0, lower=1.0, upper=1.0, truth=None)
    """
    if isinstance(quasi, Job):
        quasi, job = None, quasi
    said = dict(keywords, quasi=quasi, sensitive=sensitive, hierarchies=hierarchies)
    wanted = with_all_columns(job_of(job, said), data)
    asked = [queries] if isinstance(queries, str) else list(queries)
    before = None if original is None else _frames.prepared(original)
    with watching(progress) as listener:
        found = _sfumato.query(_frames.prepared(data), wanted._native, asked, before, listener)
    answers = [Answer(*one) for one in found]
    return answers[0] if isinstance(queries, str) else answers


class Plan:
    """What a job would run, found by a look at its input. It shows as words."""

    def __init__(self, told: dict[str, Any], words: str) -> None:
        self.plan = told
        self._words = words

    @property
    def algorithm(self) -> str:
        """The algorithm with all its parameters."""
        return self.plan["algorithm"]

    def __str__(self) -> str:
        return self._words

    def __repr__(self) -> str:
        return f"<Plan: {self.algorithm}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._words)}</pre>"


def explain(
    data: Any = None,
    quasi: Names | Job = None,
    sensitive: Names = None,
    k: int | None = None,
    models: Names = None,
    hierarchies: Mapping[str, Any] | None = None,
    *,
    job: Job | str | os.PathLike[str] | None = None,
    progress: bool | Listener | None = None,
    **keywords: Unpack[JobKeywords],
) -> Plan:
    """What would be run, without running it: algorithm, passes, memory, time.

    Takes what :func:`sfumato.anonymize` takes; or a job alone, which names its own input.

    >>> import pandas as pd, sfumato as sf
    >>> plan = sf.explain(pd.DataFrame({"age": [31, 33, 52, 58]}), quasi="age", k=2)
    >>> "k-anonymity" in str(plan)
    True
    """
    if isinstance(data, Job):
        data, job = None, data
    if isinstance(quasi, Job):
        quasi, job = None, quasi
    said = dict(
        keywords, quasi=quasi, sensitive=sensitive, k=k, models=models, hierarchies=hierarchies
    )
    wanted = job_of(job, said)
    if data is None and "path" not in wanted.sections.get("input", {}):
        raise parameters("there is no data to explain", "give a frame, or a job that names its input")
    prepared = None
    if data is not None:
        wanted, prepared = with_all_columns(wanted, data), _frames.prepared(data)
    with watching(progress) as listener:
        told, words = _sfumato.explain(wanted._native, prepared, listener)
    return Plan(json.loads(told), words)
