//! The auditor against an independent check, the book's example, and a log that is tampered with.

use std::path::Path;

use proptest::prelude::*;
use sfumato_core::observer::Unobserved;
use sfumato_kernels::seeded::Seeded;

use super::*;

const BOOK: &str = "id,University,Department,Score\n1,Concordia,CS,92\n2,Simon Fraser,EE,91\n\
                    3,Concordia,CS,97\n4,Illinois,CS,96\n";

fn ask(folder: &Path, query: &str, min_set: u64) -> Result<Answered> {
    let path = |name: &str| folder.join(name).display().to_string();
    let request = AnswerRequest {
        input: InputSpec { path: path("t.csv"), ..InputSpec::default() },
        query: query.into(),
        log: path("log"),
        policy: Asked { min_set: Some(min_set), id: Some("id".into()), ..Asked::default() },
        spend: None,
        bounds: None,
    };
    answer(&request, &Unobserved)
}

/// TV17-1: Bob is alone, and after an insert a difference would disclose the new record.
#[test]
fn the_example_of_the_book_is_denied() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), BOOK).unwrap();
    let of_illinois = "where University = Illinois and Department = CS";
    let bob = ask(folder.path(), &format!("avg(Score) {of_illinois}"), 2).unwrap();
    assert!(bob.denied && bob.answer.is_none());
    // A sum of the table as it was, and one of all as they are now: the difference is the new one.
    let all = ask(folder.path(), "sum(Score)", 2).unwrap();
    assert_eq!(all.answer, Some(376.into()));
    std::fs::write(folder.path().join("t.csv"), format!("{BOOK}5,Illinois,CS,99\n")).unwrap();
    let later = ask(folder.path(), "sum(Score)", 2).unwrap();
    assert!(later.denied, "475 - 376 = 99");
    // Two of Illinois are fine by themselves: 96 + 99.
    let two = ask(folder.path(), &format!("sum(Score) {of_illinois}"), 2).unwrap();
    assert_eq!(two.answer, Some(195.into()));
    let concordia = ask(folder.path(), "sum(Score) where University = Concordia", 2).unwrap();
    assert!(!concordia.denied);
    // All before the insert, less those of Concordia, less ... leaves two: still no single one.
    assert!(ask(folder.path(), "sum(Score) where Department = CS and id <= 4", 2).unwrap().denied);
}

#[test]
fn a_log_keeps_its_lines_and_its_limits() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), BOOK).unwrap();
    ask(folder.path(), "sum(Score)", 2).unwrap();
    let log = folder.path().join("log");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&log).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(ask(folder.path(), "count", 3).is_err(), "other limits");
    // A killed program left half a line: the answers before it stay.
    let whole = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, format!("{whole}{{\"n\":9,\"bef")).unwrap();
    let again = ask(folder.path(), "sum(Score)", 2).unwrap();
    assert_eq!((again.answers, again.answer), (2, Some(376.into())));
    let three = ask(folder.path(), "sum(Score) where Department = CS", 2).unwrap();
    assert!(three.denied, "the fourth is what is left");
    let whole = std::fs::read_to_string(&log).unwrap();
    // What was changed, moved or taken out is seen.
    let lines: Vec<&str> = whole.lines().collect();
    let without: Vec<&str> = [&lines[..2], &lines[3..]].concat();
    let mut moved = lines.clone();
    moved.swap(2, 3);
    for changed in [without.join("\n"), moved.join("\n"), whole.replacen("[0,3]", "[0,2]", 1)] {
        std::fs::write(&log, changed + "\n").unwrap();
        assert!(ask(folder.path(), "count", 2).is_err());
    }
    std::fs::write(&log, &whole).unwrap();
    assert!(ask(folder.path(), "sum(id)", 2).is_ok());
    assert!(ask(folder.path(), "sum(Score) where id <= 3", 2).is_err(), "id is added up");
    assert!(ask(folder.path(), "max(Score)", 2).is_err(), "sums of it were told");
}

#[test]
fn the_last_answer_closes_the_service() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), BOOK).unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let request = AnswerRequest {
        input: InputSpec { path: path("t.csv"), ..InputSpec::default() },
        query: "count".into(),
        log: path("log"),
        policy: Asked { max_answers: Some(2), ..Asked::default() },
        spend: None,
        bounds: None,
    };
    let denied: Vec<bool> = (0..3).map(|_| answer(&request, &Unobserved).unwrap().denied).collect();
    assert_eq!(denied, [false, false, true]);
    // Without an id the table may not change.
    std::fs::write(folder.path().join("t.csv"), format!("{BOOK}5,Illinois,CS,99\n")).unwrap();
    assert!(answer(&request, &Unobserved).is_err());
}

/// Whether somebody's value follows from sums, by exact fractions: a record is determined if it is
/// nought in every vector that all sums overlook. No prime, no reduction of records to atoms.
fn follows(sets: &[Vec<u32>], n: usize) -> bool {
    let rows = sets
        .iter()
        .map(|set| (0..n as u32).map(|record| (i128::from(set.contains(&record)), 1)).collect());
    let mut rows: Vec<Vec<(i128, i128)>> = rows.collect();
    let mut pivots = Vec::new();
    for column in 0..n {
        let done = pivots.len();
        let Some(found) = (done..rows.len()).find(|row| rows[*row][column].0 != 0) else {
            continue;
        };
        rows.swap(done, found);
        let by = rows[done][column];
        for x in &mut rows[done] {
            *x = simple(x.0 * by.1, x.1 * by.0);
        }
        let pivot = rows[done].clone();
        for (place, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if place != done && factor.0 != 0 {
                for (x, p) in row.iter_mut().zip(&pivot) {
                    let (a, b) = simple(factor.0 * p.0, factor.1 * p.1);
                    *x = simple(x.0 * b - a * x.1, x.1 * b);
                }
            }
        }
        pivots.push(column);
    }
    // The vectors that all sums overlook: one for each column without a pivot.
    let free: Vec<usize> = (0..n).filter(|column| !pivots.contains(column)).collect();
    (0..n).any(|record| match pivots.iter().position(|pivot| *pivot == record) {
        None => false,
        Some(row) => free.iter().all(|column| rows[row][*column].0 == 0),
    })
}

fn simple(a: i128, b: i128) -> (i128, i128) {
    let (mut x, mut y) = (a.abs(), b.abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let by = x.max(1) * b.signum();
    (a / by, b / by)
}

/// Random sequences of sums: what is answered never tells a value, and what is denied for what it
/// discloses would have told one.
#[test]
fn no_sequence_of_sums_tells_a_value() {
    let mut random = Seeded::new(25);
    let (mut denied, mut answered) = (0, 0);
    // A soak tries a hundred thousand sequences.
    let sequences = std::env::var("SFUMATO_SEQUENCES").ok().and_then(|n| n.parse().ok());
    let sequences: u32 = sequences.unwrap_or(2000);
    for _ in 0..sequences {
        let n = 2 + random.below(8);
        let mut auditor = Auditor::new(2, None);
        let mut given: Vec<Vec<u32>> = Vec::new();
        for _ in 0..10 {
            let set: Vec<u32> = (0..n as u32).filter(|_| random.below(2) == 1).collect();
            let with: Vec<Vec<u32>> = given.iter().cloned().chain([set.clone()]).collect();
            // A table of many more records: the complement is never small.
            match auditor.judge(&set, 1000, false) {
                None if !set.is_empty() => {
                    answered += 1;
                    given = with;
                    assert!(!follows(&given, n), "{given:?}");
                }
                Some(Denial::Discloses) => {
                    denied += 1;
                    assert!(follows(&with, n), "{with:?}");
                }
                _ => {}
            }
        }
    }
    assert!(denied > sequences / 4 && answered > sequences, "{denied} {answered}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    /// Denials don't look at values: the same questions about other numbers are denied alike.
    #[test]
    fn denials_depend_on_sets_alone(
        first in prop::collection::vec(0u32..100, 8),
        second in prop::collection::vec(0u32..100, 8),
        sets in prop::collection::vec((0u32..8, 0u32..8), 1..8),
    ) {
        let answers = |values: &[u32]| {
            let folder = tempfile::tempdir().unwrap();
            let rows = (0..8).zip(values).map(|(id, value)| format!("{id},{value}\n"));
            let text: String = ["id,Score\n".to_string()].into_iter().chain(rows).collect();
            std::fs::write(folder.path().join("t.csv"), text).unwrap();
            let of = |(a, b): &(u32, u32)| {
                let query = format!("sum(Score) where id in {}..{}", a.min(b), a.max(b));
                ask(folder.path(), &query, 2).unwrap().denied
            };
            sets.iter().map(of).collect::<Vec<bool>>()
        };
        prop_assert_eq!(answers(&first), answers(&second));
    }
}
