"""A transformer of scikit-learn: ``fit`` learns a recoding, ``transform`` applies it, verified.

>>> import pandas as pd
>>> from sfumato.sklearn import Anonymizer
>>> train = pd.DataFrame({"age": [31, 33, 38, 52, 55, 58], "pay": [1, 2, 1, 2, 2, 1]})
>>> anonymizer = Anonymizer(quasi=["age"], keep=["pay"], k=3, hierarchies={"age": "interval(width=20)"})
>>> anonymizer.fit_transform(train)["age"].tolist()
['[20..39]', '[20..39]', '[20..39]', '[40..59]', '[40..59]', '[40..59]']
>>> anonymizer.transform(train.iloc[:3])["age"].tolist()
['[20..39]', '[20..39]', '[20..39]']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._anonymize import anonymize, apply
from ._job import Job, Names


class Anonymizer(TransformerMixin, BaseEstimator):
    """Anonymizes rows as the rows were that it was fitted to.

    ``fit`` finds a recoding of each column by itself, by `algorithm`, that keeps the models; ``transform``
    publishes rows by it, in their order, and verifies that the models hold among these rows too: a
    transform that would break a promise is an :class:`sfumato.InfeasibleError`, and rows that the
    recoding has no place for are handled as `unseen` says.

    Rows keep their order, since whatever comes next in a pipeline needs it; who publishes them should
    shuffle them. ``release_`` has the release of the rows it was fitted to.
    """

    def __init__(
        self,
        quasi: Names = None,
        sensitive: Names = None,
        keep: Names = None,
        drop: Names = None,
        k: int | None = None,
        models: Names = None,
        hierarchies: Mapping[str, Any] | None = None,
        algorithm: str = "datafly",
        unseen: str = "extend",
        seed: int | None = None,
    ) -> None:
        self.quasi = quasi
        self.sensitive = sensitive
        self.keep = keep
        self.drop = drop
        self.k = k
        self.models = models
        self.hierarchies = hierarchies
        self.algorithm = algorithm
        self.unseen = unseen
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Find the recoding."""
        job = Job(
            quasi=self.quasi,
            sensitive=self.sensitive,
            keep=self.keep,
            drop=self.drop,
            k=self.k,
            models=self.models,
            hierarchies=self.hierarchies,
            algorithm=self.algorithm,
            seed=self.seed,
            options={"output.keep_order": True},
        )
        self.release_ = anonymize(X, job, recoding=True)
        self.recoding_ = self.release_.recoding
        self.n_features_in_ = len(X.columns) if hasattr(X, "columns") else None
        return self

    def transform(self, X: Any) -> Any:
        """Publish rows by the recoding, in their order; the kind of frame stays."""
        check_is_fitted(self, "recoding_")
        return apply(self.recoding_, X, unseen=self.unseen, seed=self.seed, keep_order=True).data

    def get_feature_names_out(self, input_features: Any = None) -> list[str]:
        """The columns of what is published."""
        check_is_fitted(self, "recoding_")
        return self.release_.columns
