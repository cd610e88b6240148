//! Attacks: they find people in a graph that only got random numbers, and fewer in releases.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_engine::attack::{AttackAsked, Attacks};
use sfumato_engine::entry::Request;
use sfumato_graph::attacks::search::Pattern;
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
    let reading = |name: &str| {
        let mut job = Job::default();
        job.set("input", "path", folder.join(name).display().to_string());
        job.set("graph", "layout", "edges");
        if mapping {
            job.set("graph", "mapping", folder.join("map.csv").display().to_string());
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
    assert!(naive.skipped.is_empty(), "{:?}", naive.skipped);
    assert!(rate(&naive, "structure") > 0.6);
    assert!(rate(&naive, "colluders") > 0.1);
    assert!(rate(&naive, "seed-propagation") > 0.3);
    release(folder.path(), "k-degree(k=10)");
    let degree = attack(folder.path(), true, &[]);
    assert!(rate(&degree, "degree") <= 0.1 && rate(&degree, "degree") < rate(&naive, "degree"));
    release(folder.path(), "k-automorphism(k=5)");
    let all = attack(folder.path(), true, &[]);
    for name in ["structure", "colluders", "neighbourhood"] {
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
    assert_eq!(skipped, ["colluders", "seed-propagation", "link-bribery"]);
    for name in ["degree", "structure", "neighbourhood"] {
        assert!(rate(&unknown, name) >= rate(&known, name), "{name}");
    }
    // Whoever knows a degree of the release has k candidates.
    assert!(rate(&unknown, "degree") <= 0.2);
    let degree = &unknown.attacks[0];
    assert!(degree.remarks[0].contains("the most that can be"), "{:?}", degree.remarks);
}

/// The attack of planted accounts: each pair of them is joined by chance, each target is joined to
/// a set of them of its own, and after the release they look for themselves by their degrees and
/// edges, and for their targets by these sets.
#[test]
fn planted_accounts_find_their_targets_only_where_edges_stayed() {
    let folder = tempfile::tempdir().unwrap();
    let n = 400u32;
    let mut edges = people(n as usize, 1_200, 3);
    let mut random = Seeded::new(4);
    let accounts: Vec<u32> = (n..n + 11).collect();
    for (place, account) in accounts.iter().enumerate() {
        // A path through all, so that the search has a beginning.
        if place > 0 {
            edges.push((accounts[place - 1], *account));
        }
        for other in &accounts[..place.saturating_sub(1)] {
            if random.below(2) == 0 {
                edges.push((*other, *account));
            }
        }
    }
    let mut targets = Vec::new();
    for place in 0..8u32 {
        let target = place * 37 + 5;
        let set: Vec<u32> = accounts
            .iter()
            .copied()
            .filter(|account| (place + 1) >> (account % 4) & 1 == 1)
            .collect();
        set.iter().for_each(|account| edges.push(edge(target, *account)));
        targets.push((target, set));
    }
    edges.sort_unstable();
    edges.dedup();
    write(folder.path(), &edges);
    let original = Graph::new(n as usize + 11, &edges).0;
    let found_by = |model: &str| {
        release(folder.path(), model);
        let text = std::fs::read_to_string(folder.path().join("out.txt")).unwrap();
        let released: Vec<(u32, u32)> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let mut ends = line.split_whitespace().map(|end| end.parse().unwrap());
                (ends.next().unwrap(), ends.next().unwrap())
            })
            .collect();
        let map = std::fs::read_to_string(folder.path().join("map.csv")).unwrap();
        let id: std::collections::BTreeMap<u32, u32> = map
            .lines()
            .skip(1)
            .map(|line| {
                let (name, id) = line.split_once(',').unwrap();
                (name[1..].parse().unwrap(), id.parse().unwrap())
            })
            .collect();
        // People without an edge have no line in the original: nobody plants anything on them.
        let graph = Graph::new(id.len(), &released).0;
        let places = Pattern::of(&original, &accounts).find(&graph, 0, 2).unwrap_or_default();
        let [images] = &places[..] else { return 0 };
        let mut right = 0;
        for (target, set) in &targets {
            let knows = |node: u32| {
                accounts
                    .iter()
                    .zip(images)
                    .all(|(account, image)| graph.has(*image, node) == set.contains(account))
            };
            let fits: Vec<u32> =
                graph.nodes().filter(|node| !images.contains(node) && knows(*node)).collect();
            right += usize::from(fits == [id[target]]);
        }
        right
    };
    assert_eq!(found_by("k-degree(k=1)"), targets.len());
    assert_eq!(found_by("k-automorphism(k=3)"), 0);
}
