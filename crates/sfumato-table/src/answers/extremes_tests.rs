//! Extremes against all values that records may have; answers with a budget; audits of what was
//! answered.

use sfumato_core::observer::Unobserved;
use sfumato_kernels::seeded::Seeded;

use super::offline::{OfflineRequest, audit};
use super::*;

/// Every way that `n` records may have values from -1 to 7.
fn worlds(n: usize) -> Vec<Vec<i32>> {
    let mut worlds = vec![vec![]];
    for _ in 0..n {
        let longer = |world: Vec<i32>| (-1..8).map(move |value| [&world[..], &[value]].concat());
        worlds = worlds.into_iter().flat_map(longer).collect();
    }
    worlds
}

fn extreme_of(world: &[i32], set: &[u32], is_max: bool) -> i32 {
    let values = set.iter().map(|record| world[*record as usize]);
    if is_max { values.max().unwrap() } else { values.min().unwrap() }
}

/// Whether some record has the same value in all worlds.
fn tells(worlds: &[Vec<i32>]) -> bool {
    (0..worlds[0].len()).any(|record| worlds.iter().all(|one| one[record] == worlds[0][record]))
}

/// No sequence of extremes tells a value, and what is denied would tell one in some world that goes
/// with the earlier answers. No rule of the auditor is used: all worlds are gone through.
#[test]
fn no_sequence_of_extremes_tells_a_value() {
    let (mut denied, mut answered) = (0, 0);
    let mut random = Seeded::new(26);
    let all = worlds(4);
    for _ in 0..150 {
        // Between 2 and 5, so that there is something above, between and below.
        let world: Vec<i32> = (0..4).map(|_| 2 * (1 + random.below(2) as i32)).collect();
        let (mut left, mut given): (Vec<Vec<i32>>, Vec<Extreme>) = (all.clone(), Vec::new());
        for _ in 0..5 {
            let set: Vec<u32> = (0..4).filter(|_| random.below(3) > 0).collect();
            let is_max = random.below(3) > 0;
            if set.is_empty() {
                continue;
            }
            let told = |at: i32| -> Vec<Vec<i32>> {
                let goes = |world: &&Vec<i32>| extreme_of(world, &set, is_max) == at;
                left.iter().filter(goes).cloned().collect()
            };
            match extremes::judge(&given, (&set, is_max), 1000, 1) {
                None => {
                    let at = extreme_of(&world, &set, is_max);
                    answered += 1;
                    left = told(at);
                    assert!(!tells(&left), "{given:?} {set:?} {is_max}");
                    given.push(Extreme { set, is_max, at: f64::from(at) });
                }
                Some(Denial::Discloses) => {
                    denied += 1;
                    let might = |at| {
                        let left = told(at);
                        !left.is_empty() && tells(&left)
                    };
                    assert!((1..7).any(might), "{given:?} {set:?} {is_max}");
                }
                Some(other) => panic!("{other}"),
            }
        }
    }
    assert!(denied > 100 && answered > 100, "{denied} {answered}");
}

fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), text).unwrap();
    folder
}

fn request(folder: &tempfile::TempDir, query: &str, policy: Asked) -> AnswerRequest {
    let path = |name: &str| folder.path().join(name).display().to_string();
    AnswerRequest {
        input: InputSpec { path: path("t.csv"), ..InputSpec::default() },
        query: query.into(),
        log: path("log"),
        policy,
        spend: None,
        bounds: Some(("0".into(), "100".into())).filter(|_| query.starts_with("sum")),
    }
}

const STAFF: &str = "id,unit,age\n1,N,20\n2,N,30\n3,N,40\n4,S,50\n5,S,60\n6,S,99\n7,W,1\n";

#[test]
fn extremes_are_answered_by_the_log_and_not_beside_sums() {
    let folder = folder(STAFF);
    let policy = Asked { min_set: Some(2), ..Asked::default() };
    let ask = |query: &str| {
        answer(
            &AnswerRequest { bounds: None, ..request(&folder, query, policy.clone()) },
            &Unobserved,
        )
    };
    assert_eq!(ask("max(age)").unwrap().answer, Some(99.into()));
    assert_eq!(ask("max(age) where unit = N").unwrap().answer, Some(40.into()));
    // If it is below 99, numbers 4 to 6 and 7 hold it; were it asked about all but one, that one.
    assert!(ask("max(age) where id <= 5").unwrap().answer.is_some());
    assert!(ask("max(age) where id <= 4").unwrap().denied, "number 5 would be told");
    assert!(ask("min(age)").unwrap().denied, "it might be the largest, too");
    assert!(ask("sum(age)").is_err());
    let found = audit(&offline(&folder, &["log"], None), &Unobserved).unwrap();
    assert!(found.holds, "{found:?}");
    assert_eq!((found.answered, found.denied), (3, 2));
}

fn offline(folder: &tempfile::TempDir, logs: &[&str], table: Option<&str>) -> OfflineRequest {
    let path = |name: &&str| folder.path().join(name).display().to_string();
    let input = |name: &str| InputSpec { path: path(&name), ..InputSpec::default() };
    let logs = logs.iter().map(path).collect();
    OfflineRequest { logs, table: table.map(input), min_set: Some(2) }
}

#[test]
fn an_audit_finds_what_lists_of_queries_told() {
    let folder = folder(STAFF);
    let find = |list: &str| {
        std::fs::write(folder.path().join("list"), list).unwrap();
        audit(&offline(&folder, &["list"], Some("t.csv")), &Unobserved).unwrap()
    };
    let fine = find("sum(age)\n# a word\nsum(age) where unit = N\n");
    assert!(fine.holds && fine.answered == 2, "{fine:?}");
    let difference = find("sum(age) where unit = S\nsum(age) where id in 4..5\n");
    // The third is told by the difference, and with it nothing of the first two.
    assert_eq!(difference.columns[0].disclosed, [[6]]);
    let least = find("max(age) where unit = S\nmax(age) where id in 4..5\n");
    assert_eq!(least.columns[0].disclosed, [[6]], "only 6 can have the 99");
    let mixed = find("max(age)\nsum(age)\n");
    assert!(!mixed.holds && mixed.columns[0].not_judged.is_some());
    assert!(!find("count where id = 1").holds);
    // Two recipients who were each told nothing.
    std::fs::write(folder.path().join("one"), "sum(age) where unit = S").unwrap();
    std::fs::write(folder.path().join("other"), "sum(age) where id in 4..5").unwrap();
    let alone = audit(&offline(&folder, &["one"], Some("t.csv")), &Unobserved).unwrap();
    let both = audit(&offline(&folder, &["one", "other"], Some("t.csv")), &Unobserved).unwrap();
    assert!(alone.holds && !both.holds);
    assert!(audit(&offline(&folder, &["one"], None), &Unobserved).is_err(), "no table");
}

#[test]
fn a_budget_is_spent_and_no_more() {
    let folder = folder(STAFF);
    let policy = Asked { budget: Some(10 * UNITS), ..Asked::default() };
    let ask = |query: &str, spend: u64| {
        let request = request(&folder, query, policy.clone());
        answer(&AnswerRequest { spend: Some(spend), ..request }, &Unobserved)
    };
    let count = ask("count", 4 * UNITS).unwrap();
    // Noise at epsilon 4 is hardly ever above 8: once in 10^14.
    assert!((count.answer.unwrap().as_i64().unwrap() - 7).abs() <= 8);
    assert_eq!((count.epsilon, count.left), (Some(4.0), Some(6.0)));
    let sum = ask("sum(age) where unit = S", 5 * UNITS).unwrap();
    assert!((sum.answer.unwrap().as_i64().unwrap() - 209).abs() <= 800);
    assert!(sum.noise.is_some_and(|noise| (noise - 20.0).abs() < 1.0), "{:?}", sum.noise);
    let late = ask("count", 2 * UNITS).unwrap();
    assert!(late.denied && late.left == Some(1.0), "{late:?}");
    assert!(!ask("count", UNITS).unwrap().denied, "what is left is still there");
    assert!(ask("max(age)", 1).is_err());
    let found = audit(&offline(&folder, &["log"], None), &Unobserved).unwrap();
    assert_eq!((found.answered, found.denied, found.epsilon), (3, 1, 10.0));
}

/// Counts with noise are as likely as they should be beside those of a neighbour, and those with
/// too little noise aren't.
#[test]
fn the_ratio_of_noisy_counts_holds() {
    use rand_chacha::rand_core::SeedableRng as _;
    let folder = folder(STAFF);
    let input = InputSpec {
        path: folder.path().join("t.csv").display().to_string(),
        ..InputSpec::default()
    };
    let table =
        read(&input.path, &read_options(&input).unwrap(), &mut select_all, &Unobserved).unwrap();
    let mut random = rand_chacha::ChaCha20Rng::seed_from_u64(8);
    let query: Query = "count".parse().unwrap();
    let mut beyond = |spend: u64| {
        let mut share = |rows: &[u32]| {
            let noisy = Noisy::of(&table, &query, rows, (spend, None)).unwrap();
            let mut at_least = |_| noisy.draw(&mut random).unwrap().answer.as_i64() >= Some(7);
            (0..20_000).filter(|n| at_least(*n)).count() as f64 / 20_000.0
        };
        share(&[0, 1, 2, 3, 4, 5, 6]) / share(&[0, 1, 2, 3, 4, 5])
    };
    assert!(beyond(UNITS) < 1.05 * std::f64::consts::E);
    assert!(beyond(3 * UNITS) > 1.05 * std::f64::consts::E, "three times what was said");
}
