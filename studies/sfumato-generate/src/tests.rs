//! Laws that every generator keeps, whatever its kind.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Call, ParamKind, Params};
use sfumato_core::{FastMap, FastSet};

use super::*;

/// The parameters of a call such as `census(columns=3)`, and its generator.
pub(crate) fn parse(call: &str) -> (&'static dyn Generator, Params) {
    let call: Call = call.parse().unwrap();
    let generator = find(&call.name).unwrap();
    (generator, Params::check(generator.info(), &call.args).unwrap())
}

/// The CSV text of a call.
pub(crate) fn text_of(call: &str, rows: u64, seed: u64) -> String {
    let (generator, params) = parse(call);
    let mut out = Vec::new();
    generate(generator, &params, rows, seed, &mut out, &Unobserved).unwrap();
    String::from_utf8(out).unwrap()
}

/// The rows of a CSV text without its header, split into cells.
pub(crate) fn rows_of(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

/// How often each value of a column occurs.
pub(crate) fn counts<'a>(rows: &[Vec<&'a str>], column: usize) -> FastMap<&'a str, usize> {
    let mut counts = FastMap::default();
    for row in rows {
        *counts.entry(row[column]).or_insert(0) += 1;
    }
    counts
}

/// Every leaf of a hierarchy file; checks that lines have one length, end in the root, and that
/// equal nodes have equal ancestors.
pub(crate) fn leaves(text: &str) -> FastSet<&str> {
    let mut leaves = FastSet::default();
    let mut parents: FastMap<(usize, &str), &str> = FastMap::default();
    let width = text.lines().next().unwrap().split(';').count();
    for line in text.lines() {
        let nodes: Vec<&str> = line.split(';').collect();
        assert_eq!(nodes.len(), width, "{line}");
        assert_eq!(nodes[width - 1], "*");
        assert!(nodes.iter().all(|node| !node.is_empty()), "{line}");
        assert!(leaves.insert(nodes[0]), "{line} is there twice");
        for level in 1..width - 1 {
            let parent = parents.entry((level, nodes[level])).or_insert(nodes[level + 1]);
            assert_eq!(*parent, nodes[level + 1], "{line}");
        }
    }
    leaves
}

/// Every kind in every setting that changes what is printed.
const CALLS: &[&str] = &[
    "agrawal",
    "agrawal(label=c4, constants=random)",
    "agrawal(label=r10)",
    "census",
    "census(setting=sparse)",
    "census(columns=24, shared=1)",
    "census(columns=20, setting=sparse, shared=0)",
    "patients",
    "patients(visits=3)",
    "query-log",
    "query-log(users=50, topics=3, words=4)",
];

/// Kinds without a header, whose lines are baskets or edges.
const BASKETS: &[&str] = &[
    "longtail",
    "longtail(preset=targeting, correlation=0.5, key=true)",
    "quest",
    "quest(items=50, size=3, patterns=7, correlation=0.9, key=true)",
    "rmat",
    "rmat(scale=5, a=0.25, b=0.25, c=0.25)",
];

#[test]
fn entries_are_unique_documented_and_take_their_defaults() {
    let mut names = FastSet::default();
    for entry in ALL {
        let info = entry.info();
        assert!(names.insert(info.name));
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(info.name.chars().all(kebab), "{}", info.name);
        assert!(!info.summary.is_empty() && !info.summary.ends_with('.') && info.doc.len() > 200);
        assert_eq!(find(info.name).unwrap().info().name, info.name);
        for spec in info.params {
            assert!(!spec.help.is_empty());
            if let (ParamKind::Choice(words), Some(default)) = (spec.kind, spec.default) {
                assert!(words.contains(&default), "{}", spec.name);
            }
        }
        let params = Params::check(info, &BTreeMap::new()).unwrap();
        entry.check(&params).unwrap();
        let baskets = BASKETS.contains(&info.name);
        assert_eq!(entry.columns(&params).is_empty(), baskets, "{}", info.name);
    }
    assert!(find("agrawl").err().unwrap().hint.unwrap().contains("agrawal"));
}

#[test]
fn threads_change_nothing_and_seeds_do() {
    for call in CALLS.iter().chain(BASKETS) {
        let (generator, params) = parse(call);
        let with = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut out = Vec::new();
            pool.install(|| generate(generator, &params, 200_000, seed, &mut out, &Unobserved))
                .unwrap();
            out
        };
        let one = with(1, 42);
        assert!(one == with(4, 42), "{call} depends on the number of threads");
        let other = text_of(call, 1000, 43);
        assert!(!one.starts_with(other.as_bytes()), "{call} ignores its seed");
        // Fewer rows are the first rows, so a short look shows what a long run will be.
        assert!(
            one.starts_with(text_of(call, 100_000, 42).as_bytes()),
            "{call} depends on the number of rows"
        );
    }
}

#[test]
fn every_line_has_the_fields_of_the_header() {
    for call in CALLS {
        let (generator, params) = parse(call);
        let text = text_of(call, 70_000, 5);
        let header = text.lines().next().unwrap();
        assert_eq!(header, generator.columns(&params).join(","));
        let width = header.split(',').count();
        assert!(text.lines().all(|line| line.split(',').count() == width), "{call}");
        assert_eq!(text.lines().count(), 70_001);
        assert!(text.ends_with('\n') && !text.contains(['"', ';', '\r', '\0']), "{call}");
        assert!(text.lines().all(|line| line.split(',').all(|cell| !cell.is_empty())), "{call}");
    }
}

#[test]
fn companions_hold_every_value_of_their_column() {
    // The columns of a log have no hierarchies.
    for call in CALLS.iter().filter(|call| !call.starts_with("query-log")) {
        let (generator, params) = parse(call);
        let text = text_of(call, 100_000, 9);
        let rows = rows_of(&text);
        let columns = generator.columns(&params);
        let companions = generator.companions(&params);
        assert!(!companions.is_empty());
        for (file, hierarchy) in &companions {
            let stem = file.strip_suffix(".csv").unwrap();
            let name = stem.split_once("_hierarchy_").map_or(stem, |(_, name)| name);
            let column = columns.iter().position(|column| column == name).unwrap();
            let leaves = leaves(hierarchy);
            for value in counts(&rows, column).keys() {
                assert!(leaves.contains(value), "{call}: {file} has no {value}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_seed_and_length_gives_that_many_rows(seed: u64, rows in 0u64..3000,
        kind in 0..CALLS.len()) {
        let text = text_of(CALLS[kind], rows, seed);
        prop_assert_eq!(text.lines().count() as u64, rows + 1);
        let text = text_of(BASKETS[kind % BASKETS.len()], rows, seed);
        prop_assert_eq!(text.lines().count() as u64, rows);
    }
}
