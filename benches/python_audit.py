"""How long it takes to find k, l and t of 300,000 rows: this package and pycanon, in the same run.

    pip install pycanon pyarrow . && SFUMATO_DATA=../shared/data python benches/python_audit.py [rows]

CPU seconds of the calls alone. The rows are spliced from Adult: the first four columns of one row and the others
of another, so that there are as many different ones as in a table of that size; anonymized with k = 10.
"""

from __future__ import annotations

import os
import pathlib
import sys
import time

import pandas as pd

import sfumato as sf

QUASI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
SENSITIVE = ["salary-class"]


def cpu(call):
    begun = time.process_time()
    found = call()
    return time.process_time() - begun, found


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
    folder = pathlib.Path(os.environ.get("SFUMATO_DATA", "../shared/data"))
    adult = pd.read_csv(folder / "relational" / "adult_arx.csv.gz", sep=";")
    halves = [adult[QUASI[:4]], adult[QUASI[4:] + SENSITIVE]]
    halves = [half.sample(rows, replace=True, random_state=at) for at, half in enumerate(halves)]
    spliced = pd.concat([half.reset_index(drop=True) for half in halves], axis=1)
    told = dict(quasi=QUASI, sensitive=SENSITIVE, k=10, algorithm="mondrian", seed=1, recoding=False)
    release = sf.anonymize(spliced, **told)
    table = release.data
    print(f"{rows} rows in {release.report['classes']['count']} classes")
    ours, found = cpu(lambda: sf.audit(table, QUASI, SENSITIVE))
    print(f"sfumato  {rows} rows: k={found.k} l={found.l} t={found.t:.6f}   {ours:.3f} CPU s for all three")
    from pycanon import anonymity

    total = 0.0
    for name, call in [
        ("k", lambda: anonymity.k_anonymity(table, QUASI)),
        ("l", lambda: anonymity.l_diversity(table, QUASI, SENSITIVE)),
        ("t", lambda: anonymity.t_closeness(table, QUASI, SENSITIVE)),
    ]:
        seconds, value = cpu(call)
        total += seconds
        print(f"pycanon  {rows} rows: {name}={value}   {seconds:.3f} CPU s")
    print(f"pycanon takes {total / ours:.0f} times as long")


if __name__ == "__main__":
    main()
