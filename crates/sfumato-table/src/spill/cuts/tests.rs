//! A search whose points are on disk decides as the one in memory does, step by step.

use proptest::prelude::*;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::memory::Accountant;
use sfumato_core::traits::{Objective, Requirements, Scope, Task};
use sfumato_io::spill::SpillFolder;
use sfumato_io::spill::{Batch, InMemory, Tuples as _};

use super::*;
use crate::algorithms::global::cuts::specialise::Way;
use crate::algorithms::global::cuts::specialise::score::Reading;
use crate::algorithms::global::cuts::specialise::tests::tables;
use crate::data::tuples::{Cells, Frame, TupleColumn};

const TREE: [&str; 6] = ["a/ab/*", "b/ab/*", "c/cd/*", "d/cd/*", "e/ef/*", "f/ef/*"];
const WORDS: [&str; 4] = ["u", "v", "w", "x"];

/// A word with a tree, one without, a number, a sensitive value and a target.
type Row = (usize, usize, i64, usize, usize);

fn leaf(line: &'static str) -> &'static str {
    line.split('/').next().unwrap_or(line)
}

/// A column of words with a tree, one of words without, numbers with missing ones, a sensitive
/// column and, if wanted, a target.
fn table(rows: &[Row], with_target: bool) -> Table {
    let column = |f: &dyn Fn(&Row) -> &'static str| rows.iter().map(f).collect::<Vec<_>>();
    let mut numbers = tables::numbers("n", &rows.iter().map(|r| r.2).collect::<Vec<_>>());
    // Every ninth number is missing.
    let missing = numbers.domain.missing();
    let code = |(row, code): (usize, u32)| if row % 9 == 4 { missing } else { code };
    let codes: Vec<u32> = numbers.codes.iter().enumerate().map(code).collect();
    numbers.codes = Codes::from_iter(missing as usize + 1, codes.into_iter());
    let mut columns = vec![
        tables::words("t", Role::Quasi, &TREE, &column(&|r| leaf(TREE[r.0]))),
        tables::words("w", Role::Quasi, &WORDS, &column(&|r| WORDS[r.1])),
        numbers,
        tables::words("s", Role::Sensitive, &WORDS, &column(&|r| WORDS[r.3])),
    ];
    if with_target {
        columns.push(tables::words("y", Role::Target, &WORDS, &column(&|r| WORDS[r.4])));
    }
    tables::table(columns)
}

/// The table without its rows, its rows as tuples, and how often each code occurs.
fn on_disk(table: &Table) -> (Frame, InMemory, Vec<Vec<u64>>, Table) {
    let empty = |column: &Column| Column { codes: Codes::for_domain(1), ..column.clone() };
    let columns: Vec<Column> = table.columns.iter().map(empty).collect();
    let cells = |column: &Column| TupleColumn { column: column.clone(), cells: Cells::Codes };
    let mut frame = Frame { columns: columns.iter().map(cells).collect(), subject: None };
    let words = |column: &Column| column.codes.iter().map(u64::from).collect();
    let mut tuples =
        InMemory { n_rows: table.n_rows, columns: table.columns.iter().map(words).collect() };
    if let Some(people) = &table.subject {
        frame.subject = Some(frame.columns.len());
        let column = Column { codes: Codes::for_domain(1), ..table.columns[0].clone() };
        frame.columns.push(TupleColumn { column, cells: Cells::Subject });
        tuples.columns.push(people.iter().map(u64::from).collect());
    }
    let counts = table.columns.iter().map(|c| c.codes.counts(c.domain.len() + 1)).collect();
    let subject = table.subject.as_ref().map(|_| Codes::for_domain(1));
    (frame, tuples, counts, Table { n_rows: table.n_rows, columns, subject })
}

fn requirements(k: u64, share: Option<f64>, by_pairs: bool) -> Requirements {
    let scope = || match by_pairs {
        true => Scope::Projection(vec![vec![0, 1], vec![0, 2], vec![1, 2]]),
        false => Scope::Class,
    };
    let share = share.map(|share| (0, share));
    Requirements::new(vec![Box::new(tables::Groups { k, share, scope: scope() })])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn cuts_from_disk_are_those_from_memory(
        rows in prop::collection::vec((0usize..6, 0usize..4, 0i64..12, 0usize..4, 0usize..4),
            1..160),
        with_target in any::<bool>(), by_pairs in any::<bool>(), k in 1u64..9,
        share in prop::option::of(0.3f64..0.9), which in 0usize..5, room in 14u32..20,
        people in prop::option::of(1u32..60),
    ) {
        let mut table = table(&rows, with_target);
        table.subject = people.map(|n| {
            // Some people have many records, most have few.
            let of_row = (0..rows.len() as u32).map(|row| row * row % 61 % n);
            Codes::from_iter(n as usize, of_row)
        });
        let share = share.filter(|_| people.is_none());
        let requirements = requirements(k, share, by_pairs);
        let score = match which {
            0 if with_target => Score::Gain,
            0 | 1 => Score::GainPerLoss,
            2 => Score::Discernibility(Reading::After),
            3 => Score::Discernibility(Reading::Before),
            _ => Score::Discernibility(Reading::Reduction),
        };
        let way: fn(&Column) -> Way = match which % 2 {
            0 => |_| Way::Tree,
            _ => |column| if column.name == "w" { Way::Disclosure } else { Way::Tree },
        };
        let objective = Objective::ncp(&table);
        let task = Task::new(&table, &requirements, &objective);
        let mut held = Search::new("test", &task, score, way).unwrap();
        held.run(&mut Progress::begin(&task)).unwrap();

        let (frame, tuples, counts, template) = on_disk(&table);
        let objective = Objective::ncp(&template);
        let whole = task.whole();
        let task = Task {
            reference: Some(&whole),
            ..Task::new(&template, &requirements, &objective)
        };
        let home = tempfile::tempdir().unwrap();
        let accountant = Accountant::default();
        let destination = home.path().join("o.csv");
        let folder = SpillFolder::create(&destination, None, &accountant).unwrap();
        let recipe = Recipe { score, way };
        let found = search(&frame, &counts, ("test", recipe), &task, (&tuples, &folder), 1 << room);
        let is_one_group = whole.people >= k
            && requirements.iter().all(|r| r.holds(&whole, &whole));
        prop_assert_eq!(found.is_ok(), is_one_group);
        let Ok(found) = found else { return Ok(()) };
        prop_assert_eq!(found.cuts(), held.cuts());
        let figures = |search: &Search<'_>| {
            search.findings().iter().map(|finding| finding.value).collect::<Vec<_>>()
        };
        prop_assert_eq!(figures(&found), figures(&held));
        // Leaves are numbered in the order of the steps that made them.
        prop_assert_eq!(found.tips().rows(), held.tips().rows());
        for column in 0..3 {
            prop_assert_eq!(found.tips().blocks(column), held.tips().blocks(column));
        }

        // What is dealt out is a class in one partition, or one class in several.
        let dealt = deal(&found, 16);
        let mut route = dealt.route(frame.quasi());
        let mut parts = Vec::new();
        tuples.scan(&[0, 1, 2], &mut |batch: &Batch<'_>| route.batch(batch, &mut parts)).unwrap();
        let groups = Groups::new(&table.quasi(), &found.cuts(), table.n_rows);
        for (row, part) in parts.iter().enumerate() {
            let others = (0..row).filter(|&other| parts[other] == *part);
            let sizes = |row: usize| groups.rows[groups.of_row[row] as usize];
            for other in others {
                let same = groups.of_row[row] == groups.of_row[other];
                prop_assert!(same || (sizes(row) <= 16 && sizes(other) <= 16));
            }
            let of_class = (0..row).filter(|&other| groups.of_row[other] == groups.of_row[row]);
            for other in of_class {
                prop_assert!(parts[other] == *part || sizes(row) > 16);
            }
            prop_assert!(parts.iter().filter(|other| *other == part).count() <= 16);
        }
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        drop(found);
        prop_assert!(!files.is_empty());
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
