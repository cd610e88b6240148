//! Attacks: they find people in a graph that only got random numbers, and fewer in releases.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_engine::attack::{AttackAsked, Attacks, Chance};
use sfumato_engine::entry::Request;
use sfumato_graph::attacks::sybils::plant;
use sfumato_graph::data::{Graph, edge};
use sfumato_kernels::seeded::Seeded;

use crate::support::{ALL, job, run};

/// A random graph of people, some of whom know far more than others.
fn people(n: usize, m: usize, seed: u64) -> Vec<(u32, u32)> {
    let mut random = Seeded::new(seed);
    let mut edges: Vec<(u32, u32)> = (0..m)
        .map(|_| {
            let few = random.below(n).min(random.below(n));
            edge(few as u32, random.below(n) as u32)
        })
        .filter(|(a, b)| a != b)
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn write(folder: &Path, edges: &[(u32, u32)]) {
    let text: String = edges.iter().map(|(a, b)| format!("p{a} p{b}\n")).collect();
    std::fs::write(folder.join("g.txt"), text).unwrap();
}

fn release(folder: &Path, model: &str) {
    let mut job = job(folder, "g.txt", "edges", &[model], "out.txt");
    job.set("output", "mapping", folder.join("map.csv").display().to_string());
    run(&job).unwrap();
}

fn attack(folder: &Path, mapping: bool, attacks: &[&str]) -> Attacks {
    attack_with(folder, mapping, None, attacks)
}

fn attack_with(
    folder: &Path,
    mapping: bool,
    labels: Option<std::path::PathBuf>,
    attacks: &[&str],
) -> Attacks {
    let reading = |name: &str| {
        let mut job = Job::default();
        job.set("input", "path", folder.join(name).display().to_string());
        job.set("graph", "layout", "edges");
        if mapping {
            job.set("graph", "mapping", folder.join("map.csv").display().to_string());
        }
        if let Some(labels) = &labels {
            job.set("graph", "labels", labels.display().to_string());
        }
        job
    };
    let asked = AttackAsked {
        attacks: attacks.iter().map(|name| name.to_string()).collect(),
        ..AttackAsked::default()
    };
    let request = Request {
        job: reading("out.txt"),
        original: Some(reading("g.txt")),
        attack: asked,
        ..Request::default()
    };
    ALL.of_release(&request).unwrap().attack(&request, &Unobserved).unwrap()
}

fn rate(found: &Attacks, name: &str) -> f64 {
    found.attacks.iter().find(|played| played.attack == name).unwrap().rate.unwrap()
}

#[test]
fn random_numbers_alone_hide_few_and_releases_hide_more() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &people(300, 900, 1));
    release(folder.path(), "k-degree(k=1)");
    let naive = attack(folder.path(), true, &[]);
    let skipped: Vec<&str> = naive.skipped.iter().map(|skipped| skipped.attack).collect();
    assert_eq!(skipped, ["sybils", "two-releases", "neighbour-labels", "hidden-links"]);
    assert!(rate(&naive, "subgraph") > 0.0);
    assert!(rate(&naive, "structure") > 0.6);
    assert!(rate(&naive, "colluders") > 0.1);
    assert!(rate(&naive, "seed-propagation") > 0.3);
    release(folder.path(), "k-degree(k=10)");
    let degree = attack(folder.path(), true, &[]);
    assert!(rate(&degree, "degree") <= 0.1 && rate(&degree, "degree") < rate(&naive, "degree"));
    release(folder.path(), "k-automorphism(k=5)");
    let all = attack(folder.path(), true, &[]);
    for name in ["structure", "colluders", "neighbourhood", "subgraph"] {
        assert!(rate(&all, name) <= 0.25, "{name}: {}", rate(&all, name));
    }
    // Who is bribed tells what they see, whatever is published.
    assert!(rate(&all, "link-bribery") > 0.0);
}

#[test]
fn without_a_mapping_the_rate_is_a_bound_and_the_rest_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &people(200, 500, 2));
    release(folder.path(), "k-degree(k=5)");
    let (known, unknown) = (attack(folder.path(), true, &[]), attack(folder.path(), false, &[]));
    let skipped: Vec<&str> = unknown.skipped.iter().map(|skipped| skipped.attack).collect();
    let all = [
        "colluders",
        "seed-propagation",
        "link-bribery",
        "sybils",
        "two-releases",
        "neighbour-labels",
        "hidden-links",
    ];
    assert_eq!(skipped, all);
    for name in ["degree", "structure", "neighbourhood", "subgraph"] {
        assert!(rate(&unknown, name) >= rate(&known, name), "{name}");
    }
    // Whoever knows a degree of the release has k candidates.
    assert!(rate(&unknown, "degree") <= 0.2);
    let degree = &unknown.attacks[0];
    assert!(degree.remarks[0].contains("the most that can be"), "{:?}", degree.remarks);
}

/// Planted accounts are nodes like others: only those who planted them know their names.
#[test]
fn planted_accounts_find_their_targets_only_where_edges_stayed() {
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::new(400, &people(400, 1_200, 3)).0;
    let targets: Vec<u32> = (0..8).map(|place| place * 37 + 5).collect();
    let planted = plant(&graph, 11, &targets, &mut Chance::new(4));
    let name = |node: u32| match planted.accounts.iter().position(|account| *account == node) {
        Some(place) => format!("sybil{place:02}"),
        None => format!("p{node}"),
    };
    let lines = planted.graph.edges().map(|(a, b)| format!("{} {}\n", name(a), name(b)));
    std::fs::write(folder.path().join("g.txt"), lines.collect::<String>()).unwrap();
    let found_by = |model: &str| {
        release(folder.path(), model);
        rate(&attack(folder.path(), true, &["sybils"]), "sybils")
    };
    assert_eq!(found_by("k-degree(k=1)"), 1.0);
    assert_eq!(found_by("k-automorphism(k=3)"), 0.0);
}

/// A second release of a graph that changed a little: together they tell more than one alone.
#[test]
fn two_releases_tell_more_than_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let first = people(300, 900, 7);
    write(folder.path(), &first);
    release(folder.path(), "k-degree(k=5)");
    for (from, to) in [("out.txt", "one.txt"), ("map.csv", "one.csv"), ("g.txt", "g1.txt")] {
        std::fs::rename(at(from), at(to)).unwrap();
    }
    let mut later = people(300, 60, 8);
    later.extend(first.iter().skip(20));
    later.sort_unstable();
    later.dedup();
    write(folder.path(), &later);
    release(folder.path(), "k-degree(k=5)");
    let reading = |name: &str| {
        let mut job = Job::default();
        job.set("input", "path", at(name).display().to_string());
        job.set("graph", "layout", "edges");
        job.set("graph", "mapping", at("one.csv").display().to_string());
        job.set("graph", "other_mapping", at("map.csv").display().to_string());
        job
    };
    let request = Request {
        job: reading("one.txt"),
        original: Some(reading("g1.txt")),
        attack: AttackAsked {
            attacks: vec!["two-releases".into()],
            other: Some(reading("out.txt")),
            ..AttackAsked::default()
        },
        ..Request::default()
    };
    let found = ALL.of_release(&request).unwrap().attack(&request, &Unobserved).unwrap();
    let played = &found.attacks[0];
    assert!(played.baseline <= 0.2, "{}", played.baseline);
    assert!(played.rate.unwrap() > 1.5 * played.baseline, "{:?}", played);
    assert!(played.remarks[0].contains("were matched"), "{:?}", played.remarks);
}

/// Friends who are alike give a label away; where they aren't, nothing is learned.
#[test]
fn labels_are_guessed_from_those_of_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    // Two crowds that hardly know each other.
    let mut edges = Vec::new();
    for crowd in [0, 50] {
        edges.extend(people(50, 200, 9).iter().map(|(a, b)| (a + crowd, b + crowd)));
    }
    edges.push((0, 50));
    write(folder.path(), &edges);
    release(folder.path(), "k-degree(k=2)");
    let guess = |team: fn(u32) -> bool| {
        let mut nodes: Vec<u32> = edges.iter().flat_map(|(a, b)| [*a, *b]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let line = |node: &u32| format!("p{node},{}\n", if team(*node) { "red" } else { "blue" });
        let text: String = nodes.iter().map(line).collect();
        std::fs::write(folder.path().join("l.csv"), "node,team\n".to_string() + &text).unwrap();
        let labels = Some(folder.path().join("l.csv"));
        rate(&attack_with(folder.path(), true, labels, &["neighbour-labels"]), "neighbour-labels")
    };
    assert!(guess(|node| node < 50) > 0.9);
    assert!(guess(|node| node % 2 == 0) < 0.75);
}
