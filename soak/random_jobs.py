#!/usr/bin/env python3
"""Runs random jobs and checks every release with code that shares nothing with the engine.

Each job has its own seed: random tables or baskets, hierarchies, models, algorithms, formats and
engines. A release is read here with the standard library alone, and each model is computed again
from its definition, in exact arithmetic where the definition allows it. What a run may do:

- end with 0, and then every promise holds, every cell covers its original, and no record is lost
  but those that may be suppressed;
- end with 2 (the job is refused) or 3 (nothing holds), and then nothing was written;
- nothing else.

    python3 soak/random_jobs.py --binary target/release/sfumato --jobs 20000 --seed 1

A failure is printed with its seed, and its files are kept. `--only SEED` runs one job again.
"""

import argparse
import collections
import concurrent.futures
import csv
import io
import itertools
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction

TOLERANCE = 1e-9
ROW = "rid"  # the kept column that says which original a published row is of


class Wrong(Exception):
    """A release, or the end of a run, that must not be."""


# Random data


def quasi_column(rng, name):
    """A quasi column: its values, and its tree if it has one."""
    kind = rng.choice(["integer", "integer", "decimal", "category", "category", "text"])
    column = {"name": name, "kind": kind, "tree": None}
    missing = rng.choice([0, 0, 0, 0.1, 0.4])
    if kind == "integer":
        low, high = rng.choice([(0, 3), (18, 90), (-50, 50), (0, 10**6), (7, 7)])
        column["draw"] = lambda: str(rng.randint(low, high))
    elif kind == "decimal":
        digits = rng.choice([1, 2, 4])
        column["draw"] = lambda: f"{rng.uniform(-5, 5):.{digits}f}"
    elif kind == "category":
        values = [f"{name}{i}" for i in range(rng.choice([1, 2, 3, 5, 9, 16]))]
        weights = [1 / (i + 1) for i in range(len(values))]
        column["draw"] = lambda: rng.choices(values, weights)[0]
        if rng.random() < 0.6:
            column["tree"] = random_tree(rng, name, values)
    else:
        values = ["a b", "a,b", 'say "no"', "Ünï", "x;y", "tab"]
        column["draw"] = lambda: rng.choice(values)
    column["missing"] = missing
    return column


def random_tree(rng, name, values):
    """A tree over values: for each value the labels from its parent to the root."""
    paths = {value: [] for value in values}
    groups = [[value] for value in values]
    level = 0
    while len(groups) > 1:
        level += 1
        merged, rest = [], groups[:]
        while rest:
            take = min(len(rest), rng.randint(1, 3))
            merged.append(sum(rest[:take], []))
            rest = rest[take:]
        if len(merged) == len(groups):
            merged = [sum(groups, [])]
        for i, group in enumerate(merged):
            label = "*" if len(merged) == 1 else f"{name}-{level}-{i}"
            for value in group:
                paths[value].append(label)
        groups = merged
    if not paths[values[0]]:
        paths = {value: ["*"] for value in values}
    return paths


def random_table(rng):
    """Columns and rows of a random table with a sensitive column and perhaps a subject."""
    n_rows = rng.choice([1, 2, 5, 12, 30, 60, 60, 120, 250])
    columns = [quasi_column(rng, f"q{i}") for i in range(rng.randint(1, 4))]
    numeric = rng.random() < 0.35
    if numeric:
        top = rng.choice([3, 10, 1000])
        draw = lambda: str(rng.randint(0, top))
    else:
        values = [f"s{i}" for i in range(rng.choice([1, 2, 3, 4, 8]))]
        weights = [rng.choice([1, 1, 3, 9]) for _ in values]
        draw = lambda: rng.choices(values, weights)[0]
    subjects = rng.random() < 0.2
    n_people = max(1, n_rows // rng.choice([1, 2, 3]))
    rows = []
    for i in range(n_rows):
        row = {ROW: f"r{i}"}
        for column in columns:
            row[column["name"]] = "" if rng.random() < column["missing"] else column["draw"]()
        row["s"] = draw()
        if subjects:
            row["who"] = f"p{rng.randrange(n_people)}"
        rows.append(row)
    return columns, rows, numeric, subjects


# Writing and reading


def write_table(path, rows):
    names = list(rows[0])
    with open(path, "w", encoding="utf-8", newline="") as file:
        if path.endswith(".jsonl"):
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        else:
            delimiter = "\t" if path.endswith(".tsv") else ","
            writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([row[name] for name in names] for row in rows)


def read_table(path):
    with open(path, encoding="utf-8", newline="") as file:
        if path.endswith(".jsonl"):
            rows = [json.loads(line) for line in file if line.strip()]
            text = lambda cell: "" if cell is None else str(cell)
            return [{name: text(cell) for name, cell in row.items()} for row in rows]
        # A release has the delimiter of its input, whatever the names of the files are.
        text = file.read()
        delimiter = "\t" if "\t" in text.split("\n", maxsplit=1)[0] else ","
        return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


# Truth of cells


def covers(column, cell, original):
    """Whether a published cell covers its original value."""
    if cell == "*":
        return True
    if original == "":
        return cell == ""
    if cell == original:
        return True
    if column["kind"] in ("integer", "decimal"):
        value = Fraction(original)
        if cell.startswith("[") and cell.endswith("]") and ".." in cell:
            low, high = cell[1:-1].split("..")
            return Fraction(low) <= value <= Fraction(high)
        try:
            return Fraction(cell) == value
        except ValueError:
            return False
    return bool(column["tree"]) and cell in column["tree"].get(original, [])


# Models, each from its definition


def shares(values):
    counts = collections.Counter(values)
    return {value: Fraction(count, len(values)) for value, count in counts.items()}


def emd_ordered(part, whole):
    """The earth mover's distance over the ranks of the numbers of the whole."""
    order = sorted(whole, key=Fraction)
    if len(order) < 2:
        return Fraction(0)
    total, carried = Fraction(0), Fraction(0)
    for value in order[:-1]:
        carried += part.get(value, Fraction(0)) - whole[value]
        total += abs(carried)
    return total / (len(order) - 1)


def check_class(model, parameters, people, sensitive, whole, numeric):
    """Whether one class keeps one model. `people` counts persons, `sensitive` has a value a person
    and value pair; `whole` are the shares of values in the release."""
    get = parameters.get
    counts = collections.Counter(sensitive)
    size = len(sensitive)
    ranked = sorted(counts.values(), reverse=True)
    if model == "k-anonymity":
        return people >= get("k")
    if model == "l-diversity-distinct":
        return len(counts) >= get("l")
    if model == "l-diversity-entropy":
        entropy = -sum(c / size * math.log(c / size) for c in ranked)
        return entropy >= math.log(get("l")) - TOLERANCE
    if model == "l-diversity-recursive":
        tail = sum(ranked[get("l") - 1:])
        return get("l") == 1 or ranked[0] < Fraction(str(get("c"))) * tail
    if model == "p-sensitive-k-anonymity":
        return people >= get("k") and len(counts) >= get("p")
    if model == "alpha-k-anonymity":
        return people >= get("k") and Fraction(ranked[0], size) <= Fraction(str(get("alpha")))
    if model == "confidence-bounding":
        return Fraction(ranked[0], size) <= Fraction(str(get("h")))
    if model == "t-closeness":
        part = shares(sensitive)
        if numeric:
            distance = emd_ordered(part, whole)
        else:
            distance = sum(abs(part.get(v, 0) - p) for v, p in whole.items()) / 2
        return distance <= get("t") + TOLERANCE
    if model == "beta-likeness-basic":
        part = shares(sensitive)
        return all(q <= (1 + Fraction(str(get("beta")))) * whole[v] for v, q in part.items())
    if model == "beta-likeness-enhanced":
        part = shares(sensitive)
        return all(
            (q - whole[v]) / whole[v]
            <= min(get("beta"), -math.log(whole[v])) + TOLERANCE
            for v, q in part.items() if q > whole[v]
        )
    if model == "delta-disclosure":
        part = shares(sensitive)
        return all(
            v in part and abs(math.log(part[v] / p)) <= get("delta") + TOLERANCE
            for v, p in whole.items()
        )
    if model == "k-e-anonymity":
        numbers = sorted({Fraction(v) for v in sensitive})
        return len(numbers) >= get("k") and numbers[-1] - numbers[0] >= get("e")
    if model == "eps-m-anonymity":
        numbers = [Fraction(v) for v in sensitive]
        near = lambda x: sum(abs(x - y) <= get("eps") for y in numbers)
        return all(near(x) * get("m") <= size for x in numbers)
    raise Wrong(f"this tester doesn't know {model}")


def random_model(rng, numeric):
    """A random model with parameters that a random table may often keep."""
    choices = [
        ("k-anonymity", {"k": rng.choice([1, 2, 3, 5, 10])}),
        ("l-diversity-distinct", {"l": rng.choice([1, 2, 3])}),
        ("l-diversity-entropy", {"l": rng.choice([1.5, 2, 2.5])}),
        ("l-diversity-recursive", {"c": rng.choice([0.9, 2, 4]), "l": rng.choice([1, 2, 3])}),
        ("p-sensitive-k-anonymity", {"p": rng.choice([1, 2, 3]), "k": rng.choice([2, 4])}),
        ("alpha-k-anonymity", {"alpha": rng.choice([0.5, 0.7, 0.9]), "k": rng.choice([2, 4])}),
        ("confidence-bounding", {"h": rng.choice([0.4, 0.5, 0.75])}),
        ("t-closeness", {"t": rng.choice([0.1, 0.25, 0.5])}),
        ("beta-likeness-basic", {"beta": rng.choice([0.5, 1, 3])}),
        ("beta-likeness-enhanced", {"beta": rng.choice([0.5, 1, 3])}),
        ("delta-disclosure", {"delta": rng.choice([0.5, 1, 2])}),
    ]
    if numeric:
        choices += [
            ("k-e-anonymity", {"k": rng.choice([2, 3]), "e": rng.choice([1, 5])}),
            ("eps-m-anonymity", {"eps": rng.choice([0, 1, 5]), "m": rng.choice([2, 3])}),
        ]
    name, parameters = rng.choice(choices)
    return name, parameters


def written(name, parameters):
    return f"{name}({', '.join(f'{key}={value}' for key, value in parameters.items())})"


def check_table(columns, rows, numeric, models, released, subjects, most_suppressed):
    """Check a released table against its original."""
    originals = {row[ROW]: row for row in rows}
    seen = set()
    for row in released:
        original = originals.get(row[ROW])
        if original is None or row[ROW] in seen:
            raise Wrong(f"row {row[ROW]} was made up or doubled")
        seen.add(row[ROW])
        for column in columns:
            name = column["name"]
            if not covers(column, row[name], original[name]):
                raise Wrong(f"{row[name]!r} doesn't cover {original[name]!r} in {name}")
        if row["s"] != original["s"]:
            raise Wrong(f"a sensitive value changed: {original['s']!r} to {row['s']!r}")
    if len(rows) - len(released) > most_suppressed:
        raise Wrong(f"{len(rows) - len(released)} of {len(rows)} records are gone")
    classes = collections.defaultdict(list)
    for row in released:
        classes[tuple(row[column["name"]] for column in columns)].append(originals[row[ROW]])
    facts = []
    for members in classes.values():
        if subjects:
            people = len({row["who"] for row in members})
            values = [s for _, s in sorted({(row["who"], row["s"]) for row in members})]
        else:
            people = len(members)
            values = [row["s"] for row in members]
        facts.append((people, values))
    whole = shares([value for _, values in facts for value in values]) if facts else {}
    for name, parameters in models:
        for people, values in facts:
            if subjects and name not in ("k-anonymity", "l-diversity-distinct"):
                continue  # how a person with several values counts is the model's own definition
            if not check_class(name, parameters, people, values, whole, numeric):
                counts = dict(collections.Counter(values))
                raise Wrong(f"{written(name, parameters)} fails: {people} people, {counts}")


TABLE_ALGORITHMS = [
    "auto", "auto", "peel", "mondrian", "mondrian(relaxed=true)", "mondrian(leftovers=none)",
    "bottom-up", "top-down", "k-member", "r-gather", "progressive-local-recoding", "rothko-tree",
    "rothko-sample", "full-domain", "samarati", "incognito", "datafly", "mu-argus",
    "top-down-specialization", "bottom-up-generalization", "k-optimize", "genetic",
]


def table_job(rng, folder, binary):
    columns, rows, numeric, subjects = random_table(rng)
    models = [random_model(rng, numeric)]
    if rng.random() < 0.7:
        models.append(("k-anonymity", {"k": rng.choice([2, 3, 5])}))
    source = os.path.join(folder, "in" + rng.choice([".csv", ".csv", ".tsv", ".jsonl"]))
    target = os.path.join(folder, "out" + rng.choice([".csv", ".csv", ".tsv", ".jsonl"]))
    write_table(source, rows)
    share = rng.choice([0, 0, 0.05, 0.5])
    command = [binary, "anonymize", source, "-o", target, "--quiet"]
    command += ["--qi", ",".join(column["name"] for column in columns)]
    command += ["--sensitive", "s", "--keep", ROW, "--accept", ROW]
    command += ["--type", f"{ROW}=text", "--seed", str(rng.randrange(10**6))]
    command += ["--max-suppression", f"{share * 100:g}%", "--effort", "low"]
    if source.endswith("csv"):
        command += ["--header", "yes"]
    if numeric:
        command += ["--type", "s=integer"]
    if subjects:
        command += ["--subject", "who"]
    for name, parameters in models:
        command += ["--model", written(name, parameters)]
    for column in columns:
        if column["kind"] in ("category", "text"):
            command += ["--type", f"{column['name']}=text"]
        if column["tree"]:
            path = os.path.join(folder, column["name"] + ".tree.csv")
            with open(path, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, delimiter=";", lineterminator="\n")
                writer.writerows([value] + labels for value, labels in column["tree"].items())
            command += ["--hierarchy", f"{column['name']}={path}"]
    on_disk = rng.random() < 0.15
    algorithm = rng.choice(["auto", "mondrian"] if on_disk else TABLE_ALGORITHMS)
    command += ["--algorithm", algorithm]
    if on_disk:
        command += ["--memory", "64MiB", "--engine", rng.choice(["sample", "tree"])]
    check = lambda: check_table(
        columns, rows, numeric, models, read_table(target), subjects, share * len(rows))
    return command, target, check


# Baskets


def check_sets(model, parameters, originals, released):
    """Whether published sets keep a model and are subsets of the originals, one of each."""
    edges = [[i for i, original in enumerate(originals) if set_ <= original] for set_ in released]
    if not matching(edges, len(originals)):
        raise Wrong("the published sets aren't subsets of as many original records")
    k = parameters["k"]
    if model == "k-anonymity":
        counts = collections.Counter(frozenset(set_) for set_ in released)
        holds = all(count >= k for count in counts.values())
    elif model == "km-anonymity":
        holds = True
        for size in range(1, parameters["m"] + 1):
            counts = collections.Counter(
                combination for set_ in released
                for combination in itertools.combinations(sorted(set_), size))
            holds = holds and all(count >= k for count in counts.values())
    else:
        supported = all(sum(s <= original for original in originals) >= k for s in released)
        imaged = all(sum(s <= original for s in released) >= k for original in originals)
        holds = {"k1-anonymity": supported, "1k-anonymity": imaged,
                 "kk-anonymity": supported and imaged}[model]
    if not holds:
        raise Wrong(f"{written(model, parameters)} fails")


def matching(edges, n_right):
    """Whether each left vertex gets a right one of its own."""
    owner = [None] * n_right

    def place(left, visited):
        for right in edges[left]:
            if right not in visited:
                visited.add(right)
                if owner[right] is None or place(owner[right], visited):
                    owner[right] = left
                    return True
        return False

    return all(place(left, set()) for left in range(len(edges)))


def basket_job(rng, folder, binary):
    n_items = rng.choice([2, 4, 8, 20])
    items = [f"i{i}" for i in range(n_items)]
    n_records = rng.choice([3, 10, 30, 80])
    weights = [1 / (i + 1) for i in range(n_items)]
    originals = [
        set(rng.choices(items, weights, k=rng.randint(1, min(n_items, 6))))
        for _ in range(n_records)
    ]
    model, parameters = rng.choice([
        ("k-anonymity", {"k": rng.choice([2, 3, 5])}),
        ("k1-anonymity", {"k": rng.choice([2, 3])}),
        ("kk-anonymity", {"k": 2}),
        ("km-anonymity", {"k": rng.choice([2, 3]), "m": rng.choice([1, 2, 3])}),
    ])
    source, target = os.path.join(folder, "in.dat"), os.path.join(folder, "out.dat")
    with open(source, "w", encoding="utf-8") as file:
        file.writelines(" ".join(sorted(record)) + "\n" for record in originals)
    share = rng.choice([0, 0.5, 1])
    command = [binary, "anonymize", source, "-o", target, "--quiet", "--baskets", "lines"]
    command += ["--model", written(model, parameters), "--seed", str(rng.randrange(10**6))]
    command += ["--max-suppression", f"{share * 100:g}%"]

    def check():
        with open(target, encoding="utf-8") as file:
            released = [set(line.split()) for line in file]
        if len(originals) - len(released) > share * len(originals):
            raise Wrong(f"{len(originals) - len(released)} of {len(originals)} records are gone")
        check_sets(model, parameters, originals, released)

    return command, target, check


# Running


def run_job(seed, binary, keep):
    """Run one job. Returns its seed, how it ended, and what is wrong with it."""
    rng = random.Random(seed)
    folder = tempfile.mkdtemp(prefix=f"sfumato-job-{seed}-")
    make = basket_job if rng.random() < 0.2 else table_job
    command, target, check = make(rng, folder, binary)
    before = set(os.listdir(folder))
    wrong = None
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        code = done.returncode
        if code == 0:
            check()
        elif code in (2, 3):
            left = set(os.listdir(folder)) - before
            if left:
                raise Wrong(f"exit {code} left {sorted(left)}")
        else:
            raise Wrong(f"exit {code}: {done.stderr.strip()[-400:]}")
        if "panicked" in done.stderr:
            raise Wrong("a panic: " + done.stderr.strip()[-400:])
    except Wrong as error:
        wrong = str(error)
    except subprocess.TimeoutExpired:
        code, wrong = -1, "no end within two minutes"
    if wrong is None or not keep:
        shutil.rmtree(folder)
    else:
        wrong += "\n  " + " ".join(command)
    return seed, code, wrong


def self_test():
    """The tester must fail on releases that are wrong: else it would pass anything."""
    column = {"name": "q0", "kind": "integer", "tree": None}
    rows = [{ROW: f"r{i}", "q0": str(i), "s": "ab"[i % 2]} for i in range(4)]
    good = [{ROW: f"r{i}", "q0": "[0..3]", "s": "ab"[i % 2]} for i in range(4)]
    model = [("k-anonymity", {"k": 4})]
    check_table([column], rows, False, model, good, False, 0)
    changes = [
        lambda r: r[0].update(q0="[1..3]"),
        lambda r: r[0].update(q0="*"),
        lambda r: r[0].update(s="b"),
        lambda r: r.pop(),
        lambda r: r[0].update({ROW: "r1"}),
    ]
    for change in changes:
        bad = [dict(row) for row in good]
        change(bad)
        try:
            check_table([column], rows, False, model, bad, False, 0)
        except Wrong:
            continue
        sys.exit("the tester passes a release that is wrong")
    try:
        check_sets("k-anonymity", {"k": 2}, [{"a"}, {"a", "b"}], [{"a"}, {"b"}])
    except Wrong:
        return
    sys.exit("the tester passes baskets that are wrong")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    self_test()
    seeds = range(arguments.seed, arguments.seed + arguments.jobs)
    if arguments.only is not None:
        seeds = [arguments.only]
    ends, failures = collections.Counter(), 0
    run = lambda seed: run_job(seed, os.path.abspath(arguments.binary), True)
    with concurrent.futures.ThreadPoolExecutor(arguments.threads) as pool:
        for seed, code, wrong in pool.map(run, seeds):
            ends[code] += 1
            if wrong:
                failures += 1
                print(f"job {seed}: {wrong}", flush=True)
    said = ", ".join(f"{count} ended with {code}" for code, count in sorted(ends.items()))
    print(f"{sum(ends.values())} random jobs: {said}; {failures} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
