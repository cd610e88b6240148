//! The textbook's worked examples, step by step, and invariants of the partitions.

pub(crate) mod tables;

use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::traits::{Objective, Requirements, Scope, Task};

use super::columns::Way;
use super::refinement::Step;
use super::score::{Reading, Score};
use super::search::Search;
use tables::{Groups, at_least, numbers, published, table, words};

const JOBS: [&str; 6] = [
    "Janitor/Non-Technical/Blue-collar/ANY",
    "Mover/Non-Technical/Blue-collar/ANY",
    "Carpenter/Technical/Blue-collar/ANY",
    "Technician/Technical/Blue-collar/ANY",
    "Doctor/Professional/White-collar/ANY",
    "Lawyer/Professional/White-collar/ANY",
];

/// The patients of table 6.1.
fn patients() -> Table {
    let jobs = [
        "Janitor",
        "Doctor",
        "Mover",
        "Lawyer",
        "Mover",
        "Janitor",
        "Doctor",
        "Lawyer",
        "Doctor",
        "Carpenter",
        "Technician",
    ];
    let surgery = ["T", "P", "T", "V", "U", "P", "U", "P", "V", "V", "P"];
    let transfuse = ["Y", "N", "Y", "N", "N", "Y", "N", "N", "N", "Y", "Y"];
    let sexes = ["M", "M", "M", "M", "M", "M", "M", "F", "F", "F", "F"];
    table(vec![
        words("Job", Role::Quasi, &JOBS, &jobs),
        words("Sex", Role::Quasi, &["M/ANY", "F/ANY"], &sexes),
        numbers("Age", &[34, 58, 34, 24, 58, 44, 24, 58, 44, 63, 63]),
        words("Transfuse", Role::Target, &["Y", "N"], &transfuse),
        words("Surgery", Role::Sensitive, &["T", "P", "V", "U"], &surgery),
    ])
}

/// The requirement (L=2, K=2, C=50 %) for the value T.
fn lkc() -> Requirements {
    let subsets = vec![vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2]];
    let requirement = Groups { k: 2, share: Some((0, 0.5)), scope: Scope::Projection(subsets) };
    Requirements::new(vec![Box::new(requirement)])
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

/// Examples 6.6 and 6.7, and the whole run that follows from them.
#[test]
fn the_patients_of_chapter_six() {
    let (table, requirements) = (patients(), lkc());
    let objective = Objective::ncp(&table);
    let task = Task::new(&table, &requirements, &objective);
    let mut search = Search::new("test", &task, Score::Gain, |_| Way::Tree).unwrap();

    for (column, gain, after) in [(0, 0.6396, 61.0), (1, 0.0034, 65.0), (2, 0.2427, 85.0)] {
        let candidate = search.candidates().iter().find(|c| c.refinement.column == column).unwrap();
        assert!(close(candidate.score, gain, 2e-4));
        let parts = search.columns()[column].parts(&candidate.refinement);
        let sub = search.sub_leaves(&candidate.refinement, &parts).unwrap();
        assert_eq!(Reading::After.score(search.tips(), &sub), after);
        assert_eq!(Reading::Before.score(search.tips(), &sub), 121.0);
        assert_eq!(Reading::Reduction.score(search.tips(), &sub), 121.0 - after);
    }

    let steps: Vec<_> = (0..2).map(|_| search.step().unwrap().unwrap()).collect();
    assert_eq!((steps[0].column, steps[0].step), (0, Step::Children));
    // The split is before 63, the last of the codes 24, 34, 44, 58, 63.
    assert_eq!((steps[1].column, steps[1].step), (2, Step::Split(4)));
    let tips = search.tips();
    let mut sizes = tips.rows().to_vec();
    sizes.sort_unstable();
    assert_eq!(sizes, [2, 4, 5]);
    let links = |column: usize| {
        let mut links = vec![0; search.columns()[column].n_blocks()];
        tips.blocks(column).iter().for_each(|&block| links[block as usize] += 1);
        links
    };
    // Blue-collar and White-collar; any sex; below 63 and from there.
    assert_eq!((links(0), links(1), links(2)), (vec![2, 1], vec![3], vec![2, 1]));

    let rest: Vec<_> = std::iter::from_fn(|| search.step().unwrap()).collect();
    let gains: Vec<f64> = steps.iter().chain(&rest).map(|step| step.gain).collect();
    for (gain, expected) in gains.iter().zip([0.6395, 0.2427, 0.1092, 0.3113, 0.0034, 0.0]) {
        assert!(close(*gain, expected, 1e-4), "{gains:?}");
    }
    assert_eq!(gains.len(), 6);
    let found = published(&table, &search);
    assert_eq!(found[0], ["Janitor", "Mover", "Professional", "Technical"]);
    assert_eq!(found[1], ["F", "M"]);
    assert_eq!(found[2], ["63", "[24..58]"]);
}

/// Every point is in one leaf, leaves have the stated sizes, and hold the value that the column's
/// state gives.
#[test]
fn leaves_are_a_partition_after_every_step() {
    let (table, requirements) = (patients(), lkc());
    let objective = Objective::ncp(&table);
    let task = Task::new(&table, &requirements, &objective);
    let ways: [fn(&Column) -> Way; 2] = [|_| Way::Tree, |_| Way::Disclosure];
    for way in ways {
        let mut search =
            Search::new("test", &task, Score::Discernibility(Reading::Reduction), way).unwrap();
        while search.step().unwrap().is_some() {
            let tips = search.tips();
            assert_eq!(tips.rows().iter().sum::<u32>(), 11);
            assert!(tips.rows().iter().all(|&rows| rows > 0));
            let mut regions: Vec<Vec<u32>> = (0..tips.len())
                .map(|leaf| (0..3).map(|column| tips.blocks(column)[leaf]).collect())
                .collect();
            regions.sort();
            regions.dedup();
            assert_eq!(regions.len(), tips.len());
            let groups = crate::algorithms::global::shared::groups::Groups::new(
                &table.quasi(),
                &search.cuts(),
                11,
            );
            let mut sizes: Vec<u64> = tips.rows().iter().map(|&rows| u64::from(rows)).collect();
            let mut expected = groups.rows.clone();
            sizes.sort_unstable();
            expected.sort_unstable();
            assert_eq!(sizes, expected);
        }
    }
}

/// Example 6.3: information gain chooses education and gets stuck; gain per loss chooses sex and
/// then hours.
#[test]
fn gain_and_gain_per_loss() {
    let compressed = [
        ("10th", "M", 40, 20, 0),
        ("10th", "M", 30, 0, 4),
        ("9th", "M", 30, 0, 2),
        ("9th", "F", 30, 0, 4),
        ("9th", "F", 40, 0, 6),
        ("8th", "F", 30, 0, 2),
        ("8th", "F", 40, 0, 2),
    ];
    let rows: Vec<_> = compressed
        .iter()
        .flat_map(|&(e, s, h, y, n)| {
            (0..y + n).map(move |i| (e, s, h, if i < y { "Y" } else { "N" }))
        })
        .collect();
    let texts = |f: fn(&(&'static str, &'static str, i64, &'static str)) -> &'static str| {
        rows.iter().map(f).collect::<Vec<_>>()
    };
    let table = table(vec![
        words("Education", Role::Quasi, &["8th/ANY", "9th/ANY", "10th/ANY"], &texts(|r| r.0)),
        words("Sex", Role::Quasi, &["M/ANY", "F/ANY"], &texts(|r| r.1)),
        numbers("Work_Hrs", &rows.iter().map(|r| r.2).collect::<Vec<_>>()),
        words("Class", Role::Target, &["Y", "N"], &texts(|r| r.3)),
    ]);
    let requirements = Requirements::new(vec![at_least(4, Scope::Class)]);
    let objective = Objective::ncp(&table);
    let task = Task::new(&table, &requirements, &objective);

    let mut search = Search::new("test", &task, Score::GainPerLoss, |_| Way::Tree).unwrap();
    let expected = [(0.6100, 36.0, 0.0165), (0.4934, 26.0, 0.0183), (0.3958, 28.0, 0.0136)];
    for (candidate, (gain, loss, score)) in search.candidates().iter().zip(expected) {
        assert!(
            close(candidate.refinement.gain, gain, 5e-5) && close(candidate.score, score, 5e-5)
        );
        assert!(close(candidate.refinement.gain / candidate.score - 1.0, loss, 1e-9));
    }
    assert_eq!(search.step().unwrap().unwrap().column, 1);
    let hours = search.candidates().iter().find(|c| c.refinement.column == 2).unwrap();
    assert!(close(hours.score, 0.0440, 5e-5));
    while search.step().unwrap().is_some() {}
    assert_eq!(published(&table, &search), [vec!["ANY"], vec!["F", "M"], vec!["30", "40"]]);
    let mut sizes = search.tips().rows().to_vec();
    sizes.sort_unstable();
    assert_eq!(sizes, [6, 6, 8, 20]);

    let mut search = Search::new("test", &task, Score::Gain, |_| Way::Tree).unwrap();
    while search.step().unwrap().is_some() {}
    assert_eq!(
        published(&table, &search),
        [vec!["10th", "8th", "9th"], vec!["ANY"], vec!["[30..40]"]]
    );
    let mut sizes = search.tips().rows().to_vec();
    sizes.sort_unstable();
    assert_eq!(sizes, [4, 12, 24]);
}

/// Example 7.3: the final set of the textbook, whose order isn't the greedy one.
#[test]
fn refinement_under_two_quasi_identifiers() {
    let compressed = [
        ("9th", "M", 30, 0, 3),
        ("10th", "M", 32, 0, 4),
        ("11th", "M", 35, 2, 3),
        ("12th", "F", 37, 3, 1),
        ("Bachelors", "F", 42, 4, 2),
        ("Bachelors", "F", 44, 4, 0),
        ("Masters", "M", 44, 4, 0),
        ("Masters", "F", 44, 3, 0),
        ("Doctorate", "F", 44, 1, 0),
    ];
    let rows: Vec<_> = compressed
        .iter()
        .flat_map(|&(e, s, a, y, n)| {
            (0..y + n).map(move |i| (e, s, a, if i < y { "C1" } else { "C2" }))
        })
        .collect();
    let texts = |f: fn(&(&'static str, &'static str, i64, &'static str)) -> &'static str| {
        rows.iter().map(f).collect::<Vec<_>>()
    };
    let education = [
        "9th/Junior Sec./Secondary/ANY",
        "10th/Junior Sec./Secondary/ANY",
        "11th/Senior Sec./Secondary/ANY",
        "12th/Senior Sec./Secondary/ANY",
        "Bachelors/Bachelors/University/ANY",
        "Masters/Grad School/University/ANY",
        "Doctorate/Grad School/University/ANY",
    ];
    let table = table(vec![
        words("Education", Role::Quasi, &education, &texts(|r| r.0)),
        words("Gender", Role::Quasi, &["M/ANY", "F/ANY"], &texts(|r| r.1)),
        numbers("Age", &rows.iter().map(|r| r.2).collect::<Vec<_>>()),
        words("Class", Role::Target, &["C1", "C2"], &texts(|r| r.3)),
    ]);
    let requirements = Requirements::new(vec![
        at_least(4, Scope::Projection(vec![vec![0, 1]])),
        at_least(11, Scope::Projection(vec![vec![1, 2]])),
    ]);
    let objective = Objective::ncp(&table);
    let task = Task::new(&table, &requirements, &objective);
    let mut search = Search::new("test", &task, Score::GainPerLoss, |_| Way::Tree).unwrap();
    for (candidate, score) in search.candidates().iter().zip([0.0143, 0.0088, 0.0156]) {
        assert!(close(candidate.score, score, 5e-5), "{} {score}", candidate.score);
    }
    while search.step().unwrap().is_some() {}
    let found = published(&table, &search);
    assert_eq!(found[0], ["11th", "12th", "Bachelors", "Grad School", "Junior Sec."]);
    assert_eq!(found[1], ["ANY"]);
    assert_eq!(found[2], ["[30..35]", "[37..44]"]);
    let mut sizes = search.tips().rows().to_vec();
    sizes.sort_unstable();
    assert_eq!(sizes, [4, 5, 7, 8, 10]);
}

/// Values are disclosed one by one. The values that stay suppressed must belong to enough people or
/// to nobody.
#[test]
fn disclosing_values() {
    let values = ["a", "a", "a", "b", "b", "b", "b", "c", "c", "d", "d"];
    let class = ["Y", "Y", "Y", "N", "N", "N", "N", "Y", "N", "Y", "N"];
    let table = table(vec![
        words("Word", Role::Quasi, &["a", "b", "c", "d", "e"], &values),
        words("Class", Role::Target, &["Y", "N"], &class),
    ]);
    let objective = Objective::ncp(&table);
    let run = |k: u64| {
        let requirements = Requirements::new(vec![at_least(k, Scope::Class)]);
        let task = Task::new(&table, &requirements, &objective);
        let mut search =
            Search::new("test", &task, Score::GainPerLoss, |_| Way::Disclosure).unwrap();
        let order: Vec<u32> =
            std::iter::from_fn(|| search.step().unwrap()).map(|step| step.order).collect();
        (order, published(&table, &search))
    };
    // With three together c and d can't be shown; the value e, which nobody has, isn't either.
    assert_eq!(run(3).1, [["*", "a", "b"]]);
    // With two, everything can: the last but one shows the last, which is then as well shown.
    assert_eq!(run(2).1, [["*", "a", "b", "c", "d"]]);
    assert_eq!(run(2).0.len(), 4);
    // With five, neither a nor b leaves enough people on both sides except a + c + d against b: b
    // alone is too small.
    assert_eq!(run(5).1, [["*"]]);
    // Four may show b (4) and leave 7, then nothing more.
    assert_eq!(run(4), (vec![1], vec![vec!["*".to_string(), "b".to_string()]]));
}
