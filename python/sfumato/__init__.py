"""Sfumato publishes personal data so that nobody in it can be singled out, and keeps it useful.

>>> import pandas as pd
>>> import sfumato as sf
>>> people = pd.DataFrame({
...     "name": ["Ann", "Bob", "Cleo", "Dan"],
...     "age": [31, 33, 52, 58],
...     "ill": ["flu", "cough", "cough", "flu"],
... })
>>> release = sf.anonymize(people, quasi=["age"], sensitive=["ill"], identifier="name", k=2)
>>> sf.audit(release, quasi=["age"], sensitive=["ill"]).k
2

A release is verified before anybody sees it. What goes in as a frame of pandas, polars, pyarrow or duckdb
comes out as the same, and nothing is copied on the way in.
"""

from __future__ import annotations

from . import errors
from ._anonymize import anonymize, apply, run
from ._audit import Answer, Attacks, Audit, Plan, attack, audit, explain, query
from ._job import Job
from ._release import Recoding, Release
from ._sfumato import VERSION as __version__
from ._study import Study, evaluate, explore
from .checks import (
    alpha_k_anonymity,
    entropy_l_diversity,
    k_anonymity,
    l_diversity,
    recursive_c_l_diversity,
    t_closeness,
)
from .errors import (
    CancelledError,
    FileError,
    InfeasibleError,
    InputError,
    InternalError,
    ParametersError,
    ResourcesError,
    SfumatoError,
    UnsupportedError,
)
from .hierarchy import Hierarchy

__all__ = [
    "Answer",
    "Attacks",
    "Audit",
    "CancelledError",
    "FileError",
    "Hierarchy",
    "InfeasibleError",
    "InputError",
    "InternalError",
    "Job",
    "ParametersError",
    "Plan",
    "Recoding",
    "Release",
    "ResourcesError",
    "SfumatoError",
    "Study",
    "UnsupportedError",
    "__version__",
    "alpha_k_anonymity",
    "anonymize",
    "apply",
    "attack",
    "audit",
    "entropy_l_diversity",
    "errors",
    "evaluate",
    "explain",
    "explore",
    "k_anonymity",
    "l_diversity",
    "query",
    "recursive_c_l_diversity",
    "run",
    "t_closeness",
]
