//! Properties of the searches over cuts that go down or up trees: all requirements hold, about
//! classes and about projections; cells are covered; threads don't matter; and going down stops
//! only if nothing more is allowed, compared with a simple check of everything.

// Helpers of tests aren't seen as tests, and a panic is how a test fails.
#![allow(clippy::unwrap_used)]

use crate::algorithms::models::Ask;
use crate::algorithms::tables::{any_table, ordered, table};
use proptest::prelude::*;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Hierarchy, Role, Table, ValueKind};
use sfumato_core::group::Summary;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::recoding::{Cut, Recoding, SUPPRESSED, Value};
use sfumato_core::registry::{Call, OutOfCore, Params};
use sfumato_core::traits::{Measure, Objective, Requirement, Requirements, Scope, Task};
use sfumato_core::{Error, ErrorKind, FastMap};
use sfumato_table::algorithms::global::cuts::specialise::marginal::{Marginal, Target};
use sfumato_table::algorithms::global::shared::taxonomy::Taxonomy;

/// A requirement about classes or about projections.
#[derive(Debug, Clone)]
struct On {
    ask: Ask,
    scope: Scope,
}

impl Requirement for On {
    fn describe(&self) -> String {
        self.ask.describe()
    }
    fn model(&self) -> &'static str {
        self.ask.model()
    }
    fn scope(&self) -> Scope {
        self.scope.clone()
    }
    fn is_monotone(&self) -> bool {
        self.ask.is_monotone()
    }
    fn is_absorbing(&self) -> bool {
        matches!(self.ask, Ask::People(_) | Ask::Distinct(_))
    }
    fn histograms(&self) -> Vec<usize> {
        self.ask.histograms()
    }
    fn holds(&self, group: &Summary, release: &Summary) -> bool {
        self.ask.holds(group, release)
    }
    fn measures(&self) -> Vec<Measure> {
        self.ask.measures()
    }
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64> {
        self.ask.measure(group, release)
    }
    fn min_people(&self) -> u64 {
        match self.ask {
            // With a subject column one person may have several values.
            Ask::Distinct(_) => 1,
            _ => self.ask.min_people(),
        }
    }
    fn is_count_only(&self) -> bool {
        self.ask.is_count_only()
    }
}

fn bound(list: &[On]) -> Requirements {
    Requirements::new(list.iter().map(|on| Box::new(on.clone()) as Box<dyn Requirement>).collect())
}

/// The calls of every algorithm that goes down trees, with each value of each parameter. Those that
/// learn from a target are left out of a table without one.
fn going_down(with_target: bool) -> Vec<String> {
    let all = sfumato_table::algorithms::all();
    let down = all
        .iter()
        .map(|algorithm| algorithm.info())
        .filter(|info| info.capabilities.out_of_core == OutOfCore::ByCuts);
    let calls = down.flat_map(|info| info.sample_calls(&|_| Vec::new()));
    let needs_target = |call: &String| call.contains("info-gain");
    let calls = calls.map(|call| call.to_string());
    calls.filter(|call| with_target || !needs_target(call)).collect()
}

/// Every search over cuts that needs monotone models, with its default parameters.
fn monotone() -> Vec<&'static str> {
    let infos = sfumato_table::algorithms::global::cuts::ALL.iter().map(|one| one.info());
    infos.filter(|info| info.capabilities.needs_monotone).map(|info| info.name).collect()
}

#[test]
fn the_lists_are_not_empty() {
    // More calls with a target than without, and more than one algorithm each.
    assert!(going_down(true).len() > going_down(false).len() && going_down(false).len() > 3);
    assert!(monotone().len() > 3);
}

fn run(threads: usize, call: &str, task: &Task<'_>) -> Result<Box<dyn Recoding>, Error> {
    let call: Call = call.parse().unwrap();
    let algorithm = sfumato_table::algorithms::find(&call.name).unwrap();
    let params = Params::check(algorithm.info(), &call.args).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| algorithm.anonymize(&params, task))
}

/// Whether rows, as some values publish them, satisfy every requirement; `None` for a row that
/// isn't published.
fn holds(task: &Task<'_>, published: &dyn Fn(usize, usize) -> Option<Value>) -> bool {
    let n_columns = task.table.quasi().len();
    let kept: Vec<u32> =
        (0..task.table.n_rows as u32).filter(|&row| published(row as usize, 0).is_some()).collect();
    let tally = task.tally();
    let release = tally.of_rows(&kept);
    task.requirements.iter().all(|requirement| {
        let subsets = match requirement.scope() {
            Scope::Class | Scope::Matches => vec![(0..n_columns).collect()],
            Scope::Earlier | Scope::Population | Scope::Owners => Vec::new(),
            Scope::Projection(subsets) => subsets,
        };
        subsets.iter().all(|subset: &Vec<usize>| {
            let mut groups: FastMap<Vec<Option<Value>>, Vec<u32>> = FastMap::default();
            for &row in &kept {
                let key = subset.iter().map(|&column| published(row as usize, column)).collect();
                groups.entry(key).or_default().push(row);
            }
            groups.values().all(|rows| requirement.holds(&tally.of_rows(rows), &release))
        })
    })
}

/// The recoding publishes what covers the cells and what the requirements allow. Gives how many
/// rows are suppressed.
fn check_release(task: &Task<'_>, recoding: &dyn Recoding) -> u64 {
    let quasi = task.table.quasi();
    let value = |row: usize, column: usize| match recoding.class_of_row()[row] {
        SUPPRESSED => None,
        class => Some(recoding.value(class, column)),
    };
    assert!(holds(task, &value), "a requirement fails");
    let cuts = recoding.cuts().unwrap();
    let mut suppressed = 0;
    for row in 0..task.table.n_rows {
        for (place, column) in quasi.iter().enumerate() {
            let code = column.codes.get(row);
            let Some(value) = value(row, place) else { continue };
            assert!(value.covers(column, code));
            assert_eq!(value, cuts[place].value(code));
        }
        suppressed += u64::from(value(row, 0).is_none());
    }
    suppressed
}

/// The table with a target, and with words without a tree instead of a flat tree. For algorithms
/// that need trees, ordered columns get flat ones.
fn vary(mut table: Table, with_target: bool, without_trees: bool, only_trees: bool) -> Table {
    for column in table.columns.iter_mut().filter(|column| column.role == Role::Quasi) {
        let flat = column.hierarchy.as_ref().is_some_and(|tree| tree.n_levels() == 2);
        if without_trees && flat {
            column.hierarchy = None;
        }
        if only_trees && column.domain.kind != ValueKind::Text {
            column.hierarchy =
                Some(Hierarchy::flat(column.domain.len(), &column.domain.texts()).unwrap());
        }
    }
    if with_target {
        let first = &table.columns[0];
        let sensitive = table.columns.last().unwrap();
        let mixed =
            (0..table.n_rows).map(|row| (first.codes.get(row) / 2 + sensitive.codes.get(row)) % 3);
        let codes = Codes::from_iter(6, mixed.collect::<Vec<_>>().into_iter());
        table.columns.push(Column {
            role: Role::Target,
            name: "t".into(),
            codes,
            ..sensitive.clone()
        });
    }
    table
}

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    prop_oneof![
        (1u64..8).prop_map(|k| vec![Ask::People(k)]),
        (1u64..5, 1usize..4).prop_map(|(k, l)| vec![Ask::People(k), Ask::Distinct(l)]),
        (1u64..5, 0.3f64..1.0).prop_map(|(k, share)| vec![Ask::People(k), Ask::Share(share)]),
        (0.05f64..0.6).prop_map(|t| vec![Ask::Near(t)]),
        (1u64..4).prop_map(|k| vec![Ask::People(k), Ask::Even]),
    ]
}

/// Requirements about classes, about all subsets of some size, or of both kinds.
fn scoped(asks: &[Ask], n_columns: usize, which: u8) -> Vec<On> {
    let subsets = |size: usize| -> Scope {
        let masks =
            (0..1u32 << n_columns).filter(|mask| mask.count_ones() as usize == size.min(n_columns));
        Scope::Projection(
            masks.map(|mask| (0..n_columns).filter(|i| mask >> i & 1 == 1).collect()).collect(),
        )
    };
    let scope = |place: usize| match (which, place) {
        (0, _) => Scope::Class,
        (1, _) => subsets(2),
        (2, 0) => subsets(1),
        (2, _) => Scope::Class,
        (_, _) => subsets(3),
    };
    asks.iter().enumerate().map(|(place, &ask)| On { ask, scope: scope(place) }).collect()
}

/// Every cut that is one refinement further, column by column.
fn further(column: &Column, cut: &Cut, target: Option<&Target>, disclose: bool) -> Vec<Vec<Value>> {
    let tree = Taxonomy::new(column);
    let marginal = Marginal::new(&column.codes, tree.n_codes(), target);
    let now: Vec<Value> = (0..tree.n_codes() as u32).map(|code| cut.value(code)).collect();
    let set = |values: &[(u32, u32, Value)]| {
        let mut new = now.clone();
        values.iter().for_each(|&(lo, hi, value)| new[lo as usize..hi as usize].fill(value));
        new
    };
    let mut found = Vec::new();
    if disclose {
        let own = |code: u32| match (&column.hierarchy, code == column.domain.missing()) {
            (_, true) => Value::covering(column, 0, 0, true),
            (Some(tree), false) => Value::Node(tree.leaf(code)),
            (None, false) => Value::Range { lo: code, hi: code + 1 },
        };
        for code in (0..tree.n_codes() as u32).filter(|&code| marginal.rows_of(code) > 0) {
            if now[code as usize] == Value::Any && own(code) != Value::Any {
                found.push(set(&[(code, code + 1, own(code))]));
            }
        }
        return found;
    }
    for node in (0..tree.len() as u32).filter(|&node| !tree.children(node).is_empty()) {
        let (lo, hi) = (tree.lo(node), tree.hi(node));
        let published =
            now[lo as usize..hi as usize].iter().all(|&value| value == tree.value(node));
        // The root of a chain is published as its end: then it can't be seen which of the two it
        // is.
        let unique =
            (0..tree.len() as u32).filter(|&other| tree.value(other) == tree.value(node)).count()
                == 1;
        if published && unique && marginal.rows(lo, hi) > 0 {
            let child = |&child: &u32| (tree.lo(child), tree.hi(child), tree.value(child));
            found.push(set(&tree.children(node).iter().map(child).collect::<Vec<_>>()));
        }
    }
    if column.hierarchy.is_none() && column.domain.kind.is_ordered() {
        for &value in cut.values() {
            let Value::Range { lo, hi } = value else { continue };
            if let Some(at) = marginal.best_split(lo, hi) {
                let range = |lo, hi| (lo, hi, Value::Range { lo, hi });
                found.push(set(&[range(lo, at), range(at, hi)]));
            }
        }
    }
    found
}

/// No refinement of what was published is allowed.
fn is_maximal(
    task: &Task<'_>,
    recoding: &dyn Recoding,
    disclose: impl Fn(&Column) -> bool,
) -> bool {
    let quasi = task.table.quasi();
    let cuts = recoding.cuts().unwrap();
    let target = task.table.of_role(Role::Target).next().map(Target::new);
    (0..quasi.len()).all(|refined| {
        let column = quasi[refined];
        further(column, &cuts[refined], target.as_ref(), disclose(column)).iter().all(|new| {
            let value = |row: usize, place: usize| {
                let code = quasi[place].codes.get(row);
                Some(if place == refined { new[code as usize] } else { cuts[place].value(code) })
            };
            !holds(task, &value)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn going_down_ends_where_nothing_more_is_allowed(
        sample in any_table(), asks in asks(), which in 0u8..4, with_target: bool,
            without_trees: bool,
    ) {
        let table = vary(sample.table, with_target, without_trees, false);
        let requirements = bound(&scoped(&asks, table.quasi().len(), which));
        let objective = Objective::ncp(&table);
        let task = Task::new(&table, &requirements, &objective);
        let whole = task.whole();
        let feasible = requirements.iter().all(|requirement| requirement.holds(&whole, &whole));
        for call in going_down(with_target) {
            let call = call.as_str();
            let result = run(3, call, &task);
            if table.subject.is_some() && !requirements.is_absorbing() {
                prop_assert_eq!(result.err().map(|e| e.kind), Some(ErrorKind::Unsupported));
                continue;
            }
            if !feasible {
                prop_assert_eq!(result.err().map(|e| e.kind), Some(ErrorKind::Infeasible));
                continue;
            }
            let recoding = result.unwrap();
            prop_assert_eq!(check_release(&task, recoding.as_ref()), 0);
            let words =
                |column: &Column| column.hierarchy.is_none() && !column.domain.kind.is_ordered();
            let disclose = |column: &Column| match call {
                "top-down-disclosure" => true,
                "top-down-refinement" => words(column),
                _ => false,
            };
            prop_assert!(is_maximal(&task, recoding.as_ref(), disclose), "{} could go on", call);
            let again = run(1, call, &task).unwrap();
            prop_assert_eq!(again.cuts(), recoding.cuts());
            prop_assert_eq!(again.class_of_row(), recoding.class_of_row());
        }
    }

    #[test]
    fn going_up_ends_with_what_holds(
        sample in any_table(), asks in asks(), with_target: bool, without_trees: bool,
            allowed in 0u64..6,
    ) {
        let table = vary(sample.table, with_target, without_trees, true);
        let requirements = bound(&scoped(&asks, table.quasi().len(), 0));
        let objective = Objective::ncp(&table);
        let max_suppressed = allowed.saturating_sub(3);
        let task = Task { max_suppressed, ..Task::new(&table, &requirements, &objective) };
        let whole = task.whole();
        let feasible = requirements.iter().all(|requirement| requirement.holds(&whole, &whole));
        match run(3, "bottom-up-generalization", &task) {
            Ok(recoding) => {
                prop_assert!(check_release(&task, recoding.as_ref()) <= max_suppressed);
                let again = run(1, "bottom-up-generalization", &task).unwrap();
                prop_assert_eq!(again.cuts(), recoding.cuts());
            }
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::Infeasible);
                prop_assert!(!feasible);
            }
        }
    }
}

#[test]
fn no_rows_and_too_few_rows() {
    let empty = vary(table(&[ordered(Vec::new(), 5)], Vec::new(), None), false, false, true);
    let few = vary(table(&[ordered(vec![0, 1, 1], 5)], vec![0, 1, 2], None), false, false, true);
    let bare = table(&[], vec![0; 5], None);
    let requirements = bound(&[On { ask: Ask::People(4), scope: Scope::Class }]);
    for call in monotone() {
        let objective = Objective::ncp(&bare);
        let recoding = run(2, call, &Task::new(&bare, &requirements, &objective)).unwrap();
        assert_eq!(recoding.class_of_row(), [0; 5]);
        let objective = Objective::ncp(&empty);
        let recoding = run(2, call, &Task::new(&empty, &requirements, &objective)).unwrap();
        assert_eq!(recoding.class_of_row().len(), 0);
        let objective = Objective::ncp(&few);
        let result = run(2, call, &Task::new(&few, &requirements, &objective));
        assert_eq!(result.err().map(|error| error.kind), Some(ErrorKind::Infeasible));
    }
}

#[test]
fn what_is_not_served_is_said() {
    let table = table(&[ordered(vec![0, 1, 1, 2], 5)], vec![0, 1, 2, 3], None);
    let objective = Objective::ncp(&table);
    let requirements = bound(&[On { ask: Ask::People(2), scope: Scope::Class }]);
    let task = Task::new(&table, &requirements, &objective);
    let error = run(1, "bottom-up-generalization", &task).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.to_string().contains("needs a hierarchy for the quasi column 'q0-'"));
    let error = run(1, "top-down-specialization(score=info-gain)", &task).err().unwrap();
    assert_eq!(error.to_string(), "top-down-specialization(score=info-gain) needs a target column");
    let requirements = bound(&[On { ask: Ask::AtMost(3), scope: Scope::Class }]);
    for call in monotone() {
        let error = run(1, call, &Task { requirements: &requirements, ..task }).err().unwrap();
        assert!(error.to_string().ends_with("that model isn't monotone"));
    }
}

#[test]
fn it_stops_when_asked() {
    struct Impatient;
    impl Observer for Impatient {
        fn begin(&self, _: &str, _: u64, _: Unit) {}
        fn advance(&self, _: u64) {}
        fn end(&self) {}
        fn cancelled(&self) -> bool {
            true
        }
    }
    let table =
        vary(table(&[ordered(vec![0, 1, 1, 2], 5)], vec![0, 1, 2, 3], None), false, false, true);
    let objective = Objective::ncp(&table);
    let requirements = bound(&[On { ask: Ask::People(2), scope: Scope::Class }]);
    let task = Task { observer: &Impatient, ..Task::new(&table, &requirements, &objective) };
    for call in monotone() {
        assert_eq!(run(1, call, &task).err().map(|error| error.kind), Some(ErrorKind::Cancelled));
    }
}
