//! Explorations of a table that can be counted by hand, and of an algorithm that gives wrong
//! answers.

use std::collections::BTreeMap;

use sfumato_core::dataset::Column;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Boxes, Recoding, Value};
use sfumato_core::registry::{Capabilities, Info};
use sfumato_core::traits::Task;
use sfumato_report::explore::Lattice;

use super::*;

/// A zip of three digits, an age that may be missing, a sex and a disease.
type Person = (u32, Option<u32>, char, &'static str);

fn people() -> Vec<Person> {
    (0..60u32)
        .map(|i| {
            let zip = 100 + (i * 7 % 5) * 100 + (i * 3 % 4) * 10 + i % 3;
            let age = (i % 11 != 0).then_some(20 + i * i % 9);
            (
                zip,
                age,
                if i % 4 == 0 { 'f' } else { 'm' },
                ["flu", "gout", "angina"][(i / 2 % 3) as usize],
            )
        })
        .collect()
}

const MODELS: &str = "l-diversity-distinct(l=2, on=disease)";

fn with_table<T>(models: &str, max_suppression: &str, test: impl FnOnce(&Job, &Table) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("zip,age,sex,disease\n");
    for (zip, age, sex, disease) in people() {
        text += &format!(
            "{zip},{},{sex},{disease}\n",
            age.map_or(String::new(), |age| age.to_string())
        );
    }
    std::fs::write(folder.path().join("data.csv"), text).unwrap();
    let job = format!(
        "[input]\npath = \"data.csv\"\n[columns]\nzip = {{ role = \"quasi\", hierarchy = {{ mask = \
            {{ from = \"right\" }} }} }}\n\
         age = {{ role = \"quasi\" }}\nsex = {{ role = \"quasi\" }}\ndisease = {{ role \
         = \"sensitive\" }}\n\
         [privacy]\nmodels = [{models}]\nmax_suppression = \"{max_suppression}\"\n[output]\npath \
         = \"never.csv\"\n"
    );
    let job = Job::parse(&job, "release.toml", folder.path()).unwrap();
    let encoded = encode(&job, read(&job, &Unobserved).unwrap()).unwrap();
    let result = test(&job, &encoded.table);
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "an exploration writes nothing"
    );
    result
}

fn lattice_of(models: &str, max_suppression: &str, k: u64) -> Lattice {
    let grid = Grid { ks: vec![k], with_lattice: true, lattice_k: Some(k), ..Grid::default() };
    with_table(models, max_suppression, |job, table| {
        explore_table(job, &grid, table, None, &Unobserved).unwrap().lattice.unwrap()
    })
}

/// Records suppressed and classes left at the levels of zip, age and sex, from the definition.
fn by_hand(levels: &[usize], k: usize, l: usize) -> (u64, u64) {
    let mut groups: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for (zip, age, sex, disease) in people() {
        let key = (
            zip / 10u32.pow(levels[0] as u32),
            (levels[1] == 0).then_some(age),
            (levels[2] == 0).then_some(sex),
        );
        groups.entry(key).or_default().push(disease);
    }
    let holds = |diseases: &&Vec<&str>| {
        let distinct: std::collections::BTreeSet<_> = diseases.iter().collect();
        diseases.len() >= k && distinct.len() >= l
    };
    let kept: Vec<&Vec<&str>> = groups.values().filter(holds).collect();
    (60 - kept.iter().map(|group| group.len() as u64).sum::<u64>(), kept.len() as u64)
}

#[test]
fn lattices_agree_with_counting_by_hand() {
    for (k, l, allowed) in
        [(2, 1, "0"), (3, 1, "10%"), (5, 2, "20%"), (12, 2, "5"), (60, 1, "100%")]
    {
        let models = if l == 2 { format!("\"{MODELS}\"") } else { String::new() };
        let lattice = lattice_of(&models, allowed, k);
        let names: Vec<(&str, usize)> =
            lattice.columns.iter().map(|c| (c.name.as_str(), c.levels)).collect();
        assert_eq!(names, [("zip", 4), ("age", 2), ("sex", 2)]);
        assert_eq!(lattice.nodes.len(), 16);
        let mut satisfying: Vec<&[usize]> = Vec::new();
        for node in &lattice.nodes {
            let (suppressed, classes) = by_hand(&node.levels, k as usize, l);
            assert_eq!(
                (node.suppressed, node.classes),
                (suppressed, classes),
                "{:?} {k} {l}",
                node.levels
            );
            assert_eq!(node.satisfies, suppressed <= lattice.max_suppressed, "{:?}", node.levels);
            if node.satisfies {
                satisfying.push(&node.levels);
            }
        }
        assert!(!satisfying.is_empty());
        for node in &lattice.nodes {
            let below = |other: &&[usize]| {
                **other != node.levels[..] && other.iter().zip(&node.levels).all(|(a, b)| a <= b)
            };
            let minimal = node.satisfies && !satisfying.iter().any(below);
            assert_eq!(node.minimal, minimal, "{:?}", node.levels);
        }
        let best: Vec<_> = lattice.nodes.iter().filter(|node| node.best).collect();
        assert_eq!(best.len(), 1);
        assert!(lattice.nodes.iter().filter(|n| n.satisfies).all(|n| n.loss >= best[0].loss));
    }
}

#[test]
fn lattices_lose_nothing_at_the_foot_and_everything_at_the_top() {
    let lattice = lattice_of("", "0", 1);
    assert_eq!(lattice.nodes[0].loss, Some(0.0));
    assert_eq!(lattice.nodes[15].loss, Some(1.0));
    assert!(lattice.nodes[0].minimal && lattice.nodes[0].best && lattice.nodes[15].satisfies);
    assert_eq!(lattice.nodes.iter().filter(|node| node.minimal).count(), 1);
}

#[test]
fn models_about_projections_are_looked_at_too() {
    // LKC-privacy with L = 1 asks that every single value is shared by K records: less than
    // k-anonymity of whole records.
    let lattice = lattice_of("\"lkc-privacy(l=1, k=6, c=1, on=disease)\"", "0", 1);
    let count_at = |levels: [usize; 3]| lattice.nodes.iter().find(|n| n.levels == levels).unwrap();
    assert!(
        !count_at([0, 0, 0]).satisfies
            && count_at([3, 1, 0]).satisfies
            && count_at([3, 1, 1]).satisfies
    );
    // Sex alone: 15 and 45 records.
    assert_eq!((count_at([3, 1, 0]).classes, count_at([3, 1, 0]).suppressed), (2, 0));
}

#[test]
fn a_grid_is_measured_and_infeasible_cells_say_why() {
    let grid = Grid {
        ks: vec![30, 2, 5, 5, 1000, 10],
        algorithms: vec!["mondrian".into(), "mondrian(relaxed=true)".into()],
        ..Grid::default()
    };
    let models = "\"k-anonymity(k=7)\", \"confidence-bounding(bounds=[flu,gout,angina], h=0.36, \
        on=disease)\"";
    let explored = with_table("", "0", |job, table| {
        explore_table(job, &grid, table, None, &Unobserved).unwrap()
    });
    assert_eq!(
        (explored.ks.as_slice(), explored.left_out.as_slice()),
        (&[2, 5, 10, 30][..], &[1000][..])
    );
    assert!(explored.models.is_empty() && explored.ranking.is_some() && explored.lattice.is_none());
    for curve in &explored.curves {
        assert_eq!(curve.cells.len(), 4);
        for cell in &curve.cells {
            let figures = cell.figures.as_ref().unwrap();
            assert!(figures.smallest_class >= Some(cell.k) && figures.suppressed == 0);
            assert_eq!(figures.highest_risk, figures.smallest_class.map(|size| 1.0 / size as f64));
            assert_eq!(figures.average_risk, Some(figures.classes as f64 / 60.0));
            assert_eq!(figures.loss, figures.ncp);
            let c_avg = 60.0 / figures.classes as f64 / cell.k as f64;
            assert!((figures.average_class_size.unwrap() - c_avg).abs() < 1e-12);
        }
        let losses: Vec<_> =
            curve.cells.iter().map(|cell| cell.figures.as_ref().unwrap().loss).collect();
        assert!(losses.windows(2).all(|pair| pair[0] <= pair[1]), "more k costs more: {losses:?}");
    }
    // The job's own k gives way to those of the grid, its other models stay.
    with_table(models, "0", |job, _| {
        let cell = job_at(job, "auto", 3);
        assert_eq!(cell.privacy.models[0], "k-anonymity(k=3)");
        assert_eq!((cell.privacy.models.len(), other_models(job).len()), (2, 1));
    });
}

#[test]
fn what_nobody_can_meet_is_told_by_cell() {
    let grid = Grid { ks: vec![2, 5], algorithms: vec!["mondrian".into()], ..Grid::default() };
    let models = "\"l-diversity-distinct(l=4, on=disease)\"";
    let explored = with_table(models, "0", |job, table| {
        explore_table(job, &grid, table, None, &Unobserved).unwrap()
    });
    assert!(!explored.is_feasible());
    let reason = explored.curves[0].cells[0].infeasible.as_ref().unwrap();
    assert!(reason.contains("l is 3 and must be at least 4"), "{reason}");
}

#[test]
fn names_and_sizes_are_checked() {
    assert_eq!(split_ks(&[5, 2, 5, 9], 8).unwrap(), (vec![2, 5], vec![9]));
    assert_eq!(
        split_ks(&[9], 8).unwrap_err().message,
        "every k is larger than the number of records, 8"
    );
    let check = |algorithm: &str| {
        let grid =
            Grid { algorithms: vec!["mondrian".into(), algorithm.into()], ..Grid::default() };
        check_names(&Job::default(), &grid).map_err(|error| error.message)
    };
    assert_eq!(check("auto"), Ok(()));
    assert_eq!(check("mondrian(relaxed=true)"), Ok(()));
    assert_eq!(check("mondrain").unwrap_err(), "there is no algorithm 'mondrain'");
    assert_eq!(check("mondrian").unwrap_err(), "the algorithm mondrian is given twice");
    assert!(check("mondrian(k=2)").is_err() && check("mondrian(").is_err());
}

#[test]
fn every_metric_says_which_way_is_better() {
    for metric in sfumato_table::metrics::ALL {
        let info = metric.info();
        let says = info.doc.contains("higher is better");
        assert_eq!(higher_is_better(*metric), says, "{}", info.name);
    }
}

/// Publishes every record as it is, or calls one value another.
struct Liar {
    wrong_value: bool,
}

static LIAR: Info = Info {
    name: "liar",
    summary: "lies",
    papers: &[],
    params: &[],
    doc: "",
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl Algorithm for Liar {
    fn info(&self) -> &'static Info {
        &LIAR
    }
    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let quasi = task.table.quasi();
        let n_rows = task.table.n_rows;
        let value = |column: &Column, row: usize| {
            let code = column.codes.get(row);
            Value::covering(column, code, code + u32::from(code != column.domain.missing()), false)
        };
        Ok(match self.wrong_value {
            false => {
                let region = |row| quasi.iter().map(|column| value(column, row)).collect();
                Box::new(Boxes::new(
                    quasi.len(),
                    (0..n_rows).map(region),
                    (0..n_rows as u32).collect(),
                )?)
            }
            true => {
                let region = quasi.iter().map(|column| value(column, 1)).collect();
                Box::new(Boxes::new(quasi.len(), std::iter::once(region), vec![0; n_rows])?)
            }
        })
    }
}

#[test]
fn algorithms_that_lie_are_named() {
    let grid = Grid { ks: vec![3], algorithms: vec!["mondrian".into()], ..Grid::default() };
    for (wrong_value, what) in [
        (false, "liar at k = 3 failed its verification: k-anonymity(k=3) doesn't hold"),
        (
            true,
            "liar at k = 3 failed its verification: a value of column 'zip' doesn't cover its \
                original",
        ),
    ] {
        let liar = Liar { wrong_value };
        let error = with_table("", "0", |job, table| {
            explore_table(job, &grid, table, Some(&liar), &Unobserved).unwrap_err()
        });
        assert_eq!(error.kind, ErrorKind::Internal);
        assert!(error.message.starts_with(what), "{}", error.message);
    }
}
