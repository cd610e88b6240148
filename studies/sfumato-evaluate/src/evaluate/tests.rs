//! Tests the protocol on small tables: nothing of test rows reaches a training, and recodings are
//! functions of the domain.

use proptest::prelude::*;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::SUPPRESSED;
use sfumato_learn::compare::Split;
use sfumato_report::evaluate::Data;

use super::*;
use sfumato_table::data::read::Dataset;
use sfumato_table::job::Job;

/// Age, job and smoker of invented people, the first two quasi; a class and a number that depend on
/// the age.
fn people(n: u32) -> Vec<[String; 5]> {
    (0..n)
        .map(|i| {
            let age = 20 + (i * 7) % 41;
            let job = ["cook", "smith", "nurse", "clerk", "judge"][(i % 5) as usize];
            let smoker = if i % 3 == 0 { "yes" } else { "no" };
            let class = if (age > 40) ^ (i % 17 == 0) { "old" } else { "young" };
            [
                age.to_string(),
                job.into(),
                smoker.into(),
                class.into(),
                (age * 100 + i % 13).to_string(),
            ]
        })
        .collect()
}

const NAMES: [&str; 5] = ["age", "job", "smoker", "class", "pay"];

fn job(k: u64, tasks: &str) -> Job {
    let text = format!(
        "[input]\npath = \"none.csv\"\n[output]\npath = \"never.csv\"\n[columns]\nage = {{ role \
            = \"quasi\" }}\njob = {{ role = \"quasi\" }}\nsmoker = {{ role = \"keep\" }}\n\
         class = {{ role = \"target\" }}\npay = {{ role = \"keep\", accept = true }}\n\
         [privacy]\nmodels = [\"k-anonymity(k={k})\"]\n[workload]\ntasks = [{tasks}]\n"
    );
    Job::parse(&text, "release.toml", std::path::Path::new("")).unwrap()
}

fn dataset(job: &Job, rows: &[[String; 5]]) -> Dataset {
    dataset_of_texts(job, &NAMES.map(String::from), rows).unwrap()
}

/// What a training decides: the classes of its rows, and what each class publishes.
fn decision(
    job: &Job,
    rows: &[[String; 5]],
    train: &[u32],
    arm: &str,
) -> (Vec<u32>, Vec<Vec<String>>) {
    let data = dataset(job, rows);
    let experiment = Experiment { job, dataset: &data };
    let training = experiment.train(train).unwrap();
    let anonymized = experiment.anonymize(&training, &Arm::new(arm), 1, &Unobserved).unwrap();
    let recoding = &anonymized.recoding;
    let texts = |class: u32| {
        let quasi = training.table.quasi().into_iter().enumerate();
        quasi.map(|(place, column)| recoding.value(class, place).render(column)).collect()
    };
    (recoding.class_of_row().to_vec(), (0..recoding.n_classes() as u32).map(texts).collect())
}

#[test]
fn test_rows_never_reach_a_training() {
    let job = job(4, "\"classification(target=class)\"");
    let rows = people(120);
    let (train, test): (Vec<u32>, Vec<u32>) = (0..120).partition(|row| row % 3 != 0);
    for arm in ["mondrian", "full-domain", "auto", "auto(workload=false)"] {
        let before = decision(&job, &rows, &train, arm);
        let mut changed = rows.clone();
        for row in &test {
            changed[*row as usize] =
                ["not a number", "pope", "", "neither", "-1e9"].map(String::from);
        }
        assert_eq!(before, decision(&job, &changed, &train, arm), "{arm}");
    }
}

#[test]
fn unseen_values_go_between_codes_and_to_the_root() {
    let job = job(3, "");
    let mut rows = people(60);
    rows.push(["45", "pope", "no", "old", "1"].map(String::from));
    rows.push(["999", "cook", "no", "old", "1"].map(String::from));
    let train: Vec<u32> = (0..60).collect();
    let data = dataset(&job, &rows);
    let experiment = Experiment { job: &job, dataset: &data };
    let training = experiment.train(&train).unwrap();
    assert!(!training.table.columns[1].domain.labels().any(|text| text == "pope"));
    for arm in ["mondrian", "full-domain"] {
        let anonymized = experiment.anonymize(&training, &Arm::new(arm), 1, &Unobserved).unwrap();
        let cells = experiment.assigned_cells(&training, &anonymized, &[60, 61]).unwrap();
        assert_eq!(cells[1].get(0), Extent::Any, "{arm}: a word that nobody had is anything");
        assert_ne!(cells[1].get(1), Extent::Any);
        let last = training.table.columns[0].domain.len() as u32;
        assert!(
            matches!(cells[0].get(1), Extent::Codes { hi, .. } if hi == last),
            "{arm}: beyond the end"
        );
        let exact = experiment.exact_cells(&training, 0, &[61]).unwrap();
        assert_eq!(exact.get(0), Extent::Number(999.0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn training_rows_are_assigned_to_their_own_class(n in 20..90u32, k in 2..6u64,
        cut in 0..2usize) {
        let job = job(k, "");
        let data = dataset(&job, &people(n));
        let experiment = Experiment { job: &job, dataset: &data };
        let rows: Vec<u32> = (0..n).collect();
        let training = experiment.train(&rows).unwrap();
        // Leftovers aside, Mondrian's regions don't overlap.
        let arm = ["full-domain", "mondrian(leftovers=none)"][cut];
        let anonymized = experiment.anonymize(&training, &Arm::new(arm), 1, &Unobserved).unwrap();
        prop_assert_eq!(anonymized.kept().len(), n as usize);
        prop_assert!(anonymized.recoding.class_of_row().iter().all(|class| *class != SUPPRESSED));
        let published = anonymized.published_cells(&training);
        let assigned = experiment.assigned_cells(&training, &anonymized, &rows).unwrap();
        for (published, assigned) in published.iter().zip(&assigned) {
            for row in 0..n as usize {
                prop_assert_eq!(published.get(row), assigned.get(row), "{} row {}", arm, row);
            }
        }
    }
}

fn features_of(extents: &[Extent], column: usize, encoding: Encoding) -> Columns {
    let job = job(2, "");
    let mut rows = people(40);
    rows[0][1] = String::new();
    let data = dataset(&job, &rows);
    let training =
        Experiment { job: &job, dataset: &data }.train(&(0..40).collect::<Vec<_>>()).unwrap();
    let cells = Cells { extents: extents.to_vec(), of_row: (0..extents.len() as u32).collect() };
    Features::new([&training.table.columns[column]], encoding).numbers(&[&cells], &[&cells]).0
}

#[test]
fn regions_become_numbers() {
    // Ages are 20..=60 without gaps in forty rows but one.
    let (point, range) = (Extent::Codes { lo: 3, hi: 4 }, Extent::Codes { lo: 2, hi: 5 });
    let ends = features_of(&[point, range, Extent::Number(7.5), Extent::Any], 0, Encoding::Ends);
    assert_eq!((ends[0][0], ends[1][0]), (ends[0][0], ends[0][0]));
    assert_eq!(ends.len(), 2, "two ends, and nothing for missing where nothing is");
    assert_eq!((ends[0][1], ends[1][1]), (ends[0][0] - 1.0, ends[0][0] + 1.0));
    assert_eq!((ends[0][2], ends[1][2]), (7.5, 7.5));
    assert_eq!(ends[0][3], 20.0);
    assert_eq!(
        features_of(&[point, point], 0, Encoding::OneHot).len(),
        1,
        "exact numbers have one end"
    );
    // Five jobs and missing.
    let words = [
        Extent::Codes { lo: 0, hi: 2 },
        Extent::Missing,
        Extent::Any,
        Extent::Codes { lo: 4, hi: 5 },
    ];
    let shares = features_of(&words, 1, Encoding::OneHot);
    assert_eq!(shares.len(), 6);
    assert_eq!((0..6).map(|c| shares[c][0]).collect::<Vec<_>>(), [0.5, 0.5, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!((0..6).map(|c| shares[c][1]).collect::<Vec<_>>(), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert!((0..6).all(|c| (shares[c][2] - 1.0 / 6.0).abs() < 1e-12));
    let ends = features_of(&words, 1, Encoding::Ends);
    assert_eq!(ends.len(), 3, "two ends and whether it is missing");
    assert_eq!((ends[0][0], ends[1][0], ends[2][0]), (0.0, 1.0, 0.0));
    assert_eq!((ends[0][1], ends[1][1], ends[2][1]), (2.0, 2.0, 1.0));
}

fn settings(protocol: Protocol) -> Settings {
    Settings {
        algorithms: vec!["mondrian".into(), "full-domain".into()],
        learners: vec!["decision-tree".into(), "linear-regression".into()],
        protocol,
        queries: measures::Queries { count: 20, ..Default::default() },
        seed: 5,
        ..Settings::default()
    }
}

const TASKS: &str = "\"classification(target=class)\", \"regression(target=pay, features=[age, \
    smoker])\", \
                     \"selection(where=\\\"age >= 40\\\", weight=2)\"";

#[test]
fn a_whole_evaluation_is_the_same_for_any_number_of_threads() {
    let job = job(5, TASKS);
    let data = dataset(&job, &people(150));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| {
            evaluate_dataset(&job, &data, None, &settings(Protocol::Folds(3)), &Unobserved).unwrap()
        });
        sfumato_report::evaluate::Evaluation { timings: Default::default(), ..found }
    };
    let found = run(1);
    assert_eq!(found, run(3));
    assert_eq!((found.protocol.parts, found.protocol.train_rows), (3, 100.0));
    assert_eq!(found.protocol.text, "3 folds, stratified by class");
    let [class, pay] = &found.tasks[..] else { panic!("two tasks") };
    assert_eq!((class.is_classes, pay.is_classes), (true, false));
    assert_eq!(class.class_counts.iter().sum::<u64>(), 150);
    let score = |task: &sfumato_report::evaluate::Task, data: Data| {
        task.scores.iter().find(|score| score.data == data).unwrap().score.mean
    };
    // The class is the age with a little noise, and without the age nothing is left to learn.
    assert!(score(class, Data::Original) > class.baseline.mean + 0.2);
    assert!(score(class, Data::Release(0)) > class.baseline.mean + 0.1);
    assert_eq!(score(class, Data::WithoutQuasi), class.baseline.mean);
    assert!(score(pay, Data::Original) < 0.1 * pay.baseline.mean);
    assert!(score(pay, Data::Original) < score(pay, Data::Release(0)));
    assert!(score(pay, Data::WithoutQuasi) > 0.5 * pay.baseline.mean);
    for algorithm in &found.algorithms {
        let measures = algorithm.measures.as_ref().unwrap();
        assert!(measures.average_class_size >= 5.0 && measures.suppressed == 0.0);
        assert!(measures.purity.iter().all(Option::is_some) && measures.imprecision >= Some(0.0));
        assert_eq!(measures.divergences.len(), 2);
    }
    let tested = class.scores.iter().filter(|score| score.against_first.is_some()).count();
    assert_eq!(tested, 3, "all but the first algorithm itself are compared with it");
}

#[test]
fn one_split_and_held_out_rows() {
    let job = job(5, "\"classification(target=class)\"");
    let data = dataset(&job, &people(90));
    let found =
        evaluate_dataset(&job, &data, None, &settings(Protocol::Share(1.0 / 3.0)), &Unobserved)
            .unwrap();
    assert_eq!((found.protocol.parts, found.protocol.test_rows), (1, 30.0));
    assert!(found.tasks[0].scores.iter().all(|score| score.against_first.is_none()));
    let split = Split { train: (0..60).collect(), test: (60..90).collect() };
    let found = evaluate_dataset(
        &job,
        &data,
        Some(split),
        &settings(Protocol::Separate("other.csv".into())),
        &Unobserved,
    )
    .unwrap();
    assert_eq!((found.protocol.train_rows, found.protocol.test_rows), (60.0, 30.0));
}

#[test]
fn targets_become_tasks_and_algorithms_may_fail() {
    let job = job(40, "");
    let data = dataset(&job, &people(60));
    let found =
        evaluate_dataset(&job, &data, None, &settings(Protocol::Folds(3)), &Unobserved).unwrap();
    assert!(found.notes[0].ends_with("this is classification(target=class)"), "{:?}", found.notes);
    let job = self::job(41, "");
    let found =
        evaluate_dataset(&job, &data, None, &settings(Protocol::Folds(3)), &Unobserved).unwrap();
    assert!(!found.is_feasible());
    assert!(found.algorithms[0].infeasible.as_ref().unwrap().starts_with("in part 1: "));
    assert!(found.tasks[0].scores.iter().all(|score| !matches!(score.data, Data::Release(_))));
}
