//! What mu-Argus ensures, which is combinations of three columns, and its known weakness, which is
//! the whole record.

use proptest::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::dataset::Table;
use sfumato_core::group::Summary;
use sfumato_core::recoding::{Recoding, SUPPRESSED, Value};
use sfumato_core::traits::{Direction, Measure, Objective, Requirement, Requirements, Scope, Task};

use crate::algorithms::cut_search::{finding, run, run_on};
use crate::algorithms::models::{Ask, requirements};
use crate::algorithms::tables::{Kind, Spec, any_table, ordered, table};

/// The requirement of a number of people in every group that agrees on some columns.
struct Subsets(u64, Vec<Vec<usize>>);

impl Requirement for Subsets {
    fn describe(&self) -> String {
        format!("{} people in subsets", self.0)
    }
    fn model(&self) -> &'static str {
        "subsets"
    }
    fn scope(&self) -> Scope {
        Scope::Projection(self.1.clone())
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.0
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.0 as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64]
    }
    fn min_people(&self) -> u64 {
        self.0
    }
    fn is_count_only(&self) -> bool {
        true
    }
}

fn subsets(n_columns: usize, most: usize) -> Vec<Vec<usize>> {
    (1u32..1 << n_columns)
        .filter(|set| set.count_ones() as usize <= most)
        .map(|set| (0..n_columns).filter(|column| set >> column & 1 == 1).collect())
        .collect()
}

/// The fewest people that any group has which agrees on the published texts of some columns.
fn fewest(table: &Table, recoding: &dyn Recoding, subsets: &[Vec<usize>]) -> usize {
    let quasi = table.quasi();
    let mut fewest = usize::MAX;
    for subset in subsets {
        let mut people: FastMap<Vec<String>, Vec<u32>> = FastMap::default();
        for (row, &class) in
            recoding.class_of_row().iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
        {
            let text = |&column: &usize| recoding.value(class, column).render(quasi[column]);
            let person = table.subject.as_ref().map_or(row as u32, |subject| subject.get(row));
            people.entry(subset.iter().map(text).collect()).or_default().push(person);
        }
        for people in people.values_mut() {
            people.sort_unstable();
            people.dedup();
            fewest = fewest.min(people.len());
        }
    }
    fewest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_combination_of_three_columns_is_frequent(
        sample in any_table(), k in 1u64..7, most in prop_oneof![Just(0u64), 1u64..10],
            outliers in 0usize..3, size in 1usize..4,
    ) {
        let table = sample.table;
        let subsets = subsets(table.quasi().len(), size);
        let requirements = Requirements::new(vec![Box::new(Subsets(k, subsets.clone()))]);
        let objective = Objective::ncp(&table);
        let task = Task { max_suppressed: most, ..Task::new(&table, &requirements, &objective) };
        let call = format!(
            "mu-argus(combinations={size}, outliers={})", ["0", "0.05", "0.5"][outliers]);
        if task.whole().people < k {
            prop_assert!(run(&call, &task).is_err());
            return Ok(());
        }
        let recoding = run(&call, &task).unwrap();
        prop_assert!(fewest(&table, recoding.as_ref(), &subsets) as u64 >= k);
        let quasi = table.quasi();
        let mut suppressed = 0;
        for (row, &class) in recoding.class_of_row().iter().enumerate() {
            if class == SUPPRESSED {
                suppressed += 1;
                continue;
            }
            for (place, column) in quasi.iter().enumerate() {
                prop_assert!(recoding.value(class, place).covers(column, column.codes.get(row)));
            }
        }
        prop_assert!(suppressed <= most);
        let three = run_on(3, &call, &task).unwrap();
        prop_assert_eq!(recoding.class_of_row(), three.class_of_row());
        prop_assert_eq!(recoding.findings(), three.findings());
    }
}

fn bits(n_columns: usize) -> Table {
    let n = 1 << n_columns;
    let bit = |column: usize| Spec {
        kind: Kind::Flat(2),
        ..ordered((0..n).map(|row| row >> column & 1).collect(), 2)
    };
    table(&(0..n_columns).map(bit).collect::<Vec<_>>(), vec![0; n as usize], None)
}

#[test]
fn its_known_failure_rare_records_of_frequent_combinations() {
    // All sixteen records of four bits: each three of them occur twice, each record once.
    let table = bits(4);
    let requirements = requirements(&[Ask::People(2)]);
    let objective = Objective::ncp(&table);
    let recoding = run("mu-argus", &Task::new(&table, &requirements, &objective)).unwrap();
    assert_eq!(fewest(&table, recoding.as_ref(), &subsets(4, 3)), 2);
    assert_eq!((recoding.shape(), recoding.n_classes()), ("boxes", 16));
    assert_eq!(fewest(&table, recoding.as_ref(), &[vec![0, 1, 2, 3]]), 1);
    for (name, value) in
        [("smallest_class", 1.0), ("unsafe_combinations", 0.0), ("suppressed_cells", 0.0)]
    {
        assert_eq!(finding(recoding.as_ref(), name), value);
    }
    // Where it counts all four columns together it is k-anonymous.
    let all =
        run("mu-argus(combinations=4)", &Task::new(&table, &requirements, &objective)).unwrap();
    assert!(fewest(&table, all.as_ref(), &[vec![0, 1, 2, 3]]) >= 2);
}

#[test]
fn few_outliers_lose_cells_and_many_are_generalized() {
    // Two values of forty, one of two records: these are five hundredths.
    let codes: Vec<u32> = (0..40).map(|row| if row >= 38 { 2 } else { row % 2 }).collect();
    let specs = [Spec { kind: Kind::Tree(6), ..ordered(codes.clone(), 6) }];
    let table = table(&specs, vec![0; 40], None);
    let requirements = requirements(&[Ask::People(3)]);
    let objective = Objective::ncp(&table);
    let task = Task::new(&table, &requirements, &objective);
    let cells = run("mu-argus", &task).unwrap();
    // One more cell goes so that three are alike.
    assert_eq!(
        (finding(cells.as_ref(), "generalizations"), finding(cells.as_ref(), "suppressed_cells")),
        (0.0, 3.0)
    );
    assert_eq!(cells.value(cells.class_of_row()[39], 0), Value::Any);
    let raised = run("mu-argus(outliers=0)", &task).unwrap();
    assert_eq!((finding(raised.as_ref(), "generalizations"), raised.n_classes()), (1.0, 1));
    assert!(matches!(raised.value(0, 0), Value::Node(node) if node > 0));
    // Whole records go where that is allowed.
    let dropped = run("mu-argus", &Task { max_suppressed: 2, ..task }).unwrap();
    assert_eq!(dropped.class_of_row().iter().filter(|class| **class == SUPPRESSED).count(), 2);
    assert_eq!(finding(dropped.as_ref(), "suppressed_cells"), 0.0);
}

#[test]
fn a_model_without_a_number_of_people_is_refused() {
    let table = bits(2);
    let requirements = requirements(&[Ask::Share(0.5)]);
    let objective = Objective::ncp(&table);
    let error =
        run("mu-argus", &Task::new(&table, &requirements, &objective)).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "mu-argus needs a model that asks for a number of people");
}
