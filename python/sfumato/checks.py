"""One function for each check of an anonymized table, as pycanon has them.

Each takes a frame, the quasi columns and the sensitive columns, and gives the strongest parameter with
which the model holds; with several sensitive columns the worst of them. :func:`sfumato.audit` finds all
of them in one go, and takes no longer than one.
"""

from __future__ import annotations

from typing import Any

from ._audit import audit
from ._job import Names
from .errors import parameters

__all__ = [
    "alpha_k_anonymity",
    "entropy_l_diversity",
    "k_anonymity",
    "l_diversity",
    "recursive_c_l_diversity",
    "t_closeness",
]


def k_anonymity(data: Any, quasi: Names) -> int:
    """The size of the smallest class.

    >>> import pandas as pd, sfumato as sf
    >>> sf.k_anonymity(pd.DataFrame({"age": ["3*", "3*", "5*", "5*", "5*"]}), ["age"])
    2
    """
    found = audit(data, quasi).k
    assert found is not None, "every table has a smallest class"
    return found


def l_diversity(data: Any, quasi: Names, sensitive: Names) -> int:
    """The smallest number of different sensitive values in a class."""
    return int(_worst(data, quasi, sensitive, "l-diversity-distinct", min))


def entropy_l_diversity(data: Any, quasi: Names, sensitive: Names) -> float:
    """The l of entropy l-diversity: the exponential of the least entropy of a class.

    pycanon gives its whole part.
    """
    return _worst(data, quasi, sensitive, "l-diversity-entropy", min)


def recursive_c_l_diversity(
    data: Any, quasi: Names, sensitive: Names, l: int = 2  # noqa: E741
) -> float:
    """The least c with which recursive (c, l)-diversity holds, for l = 2 or 3."""
    if l not in (2, 3):
        raise parameters("recursive (c, l)-diversity is measured for l = 2 and l = 3")
    return _worst(data, quasi, sensitive, f"l-diversity-recursive (l={l})", max)


def alpha_k_anonymity(data: Any, quasi: Names, sensitive: Names) -> tuple[float, int]:
    """The largest share of one sensitive value in a class, and the size of the smallest class."""
    found = audit(data, quasi, sensitive)
    alphas = found.achieved("alpha-k-anonymity")
    if not alphas or found.k is None:
        raise parameters("no sensitive column was named")
    return max(alphas.values()), found.k


def t_closeness(data: Any, quasi: Names, sensitive: Names) -> float:
    """The largest distance between the sensitive values of a class and those of all.

    It is the earth mover's distance: ordered for numbers and dates, equal for words.
    """
    found = audit(data, quasi, sensitive).t
    if found is None:
        raise parameters("no sensitive column was named")
    return found


def _worst(data: Any, quasi: Names, sensitive: Names, model: str, worst: Any) -> float:
    found = audit(data, quasi, sensitive).achieved(model)
    if not found:
        raise parameters(f"{model} can't be measured", "name a sensitive column")
    return worst(found.values())
