//! What a summary says of a group, number by number: mutation testing looks for what no test reads.

use sfumato_core::facts::{ClassFacts, Facts, Least, Promises};
use sfumato_core::group::{
    ClassTable, Guarantee, Histogram, Summary, evaluate, failing_classes, one_by_one,
};
use sfumato_core::traits::{Direction, Measure, Requirement, Requirements};
use sfumato_core::{ErrorKind, Result};

fn of(pairs: &[(u32, u64)]) -> Histogram {
    Histogram::from_counts(pairs.iter().copied())
}

#[test]
fn a_histogram_says_how_many_there_are() {
    let histogram = of(&[(7, 2), (3, 5), (7, 1), (9, 0)]);
    assert_eq!(histogram.entries(), [(3, 5), (7, 3)]);
    assert_eq!((histogram.total(), histogram.distinct(), histogram.max_count()), (8, 2, 5));
    assert_eq!([3, 7, 9].map(|code| histogram.count(code)), [5, 3, 0]);
    let none = Histogram::default();
    assert_eq!((none.total(), none.distinct(), none.max_count(), none.count(0)), (0, 0, 0, 0));
}

#[test]
fn large_and_small_groups_are_counted_alike() {
    // Counted in an array from four codes for each record on, and by sorting below.
    for n_codes in [4, 16, 17, 1000] {
        let histogram = Histogram::of_codes(&[3u8, 1, 3, 3], n_codes);
        assert_eq!(histogram, of(&[(1, 1), (3, 3)]), "{n_codes} codes");
    }
}

#[test]
fn people_are_counted_once_for_each_value() {
    let mut histogram = Histogram::of_people(vec![(1, 10), (1, 10), (1, 11), (2, 10)]);
    assert_eq!(histogram.entries(), [(1, 2), (2, 1)]);
    histogram.merge(&Histogram::of_people(vec![(1, 11), (1, 12), (2, 10)]));
    assert_eq!(histogram.entries(), [(1, 3), (2, 1)]);
    // Nobody can say who is left of people.
    assert_eq!(histogram.subtract(&Histogram::of_people(vec![(1, 12)])), None);
}

#[test]
fn a_part_that_is_taken_out_leaves_the_rest() {
    let mut whole = of(&[(1, 4), (2, 2)]);
    let rest = whole.subtract(&of(&[(1, 1), (2, 2)])).unwrap();
    assert_eq!((rest.entries(), rest.total()), (&[(1, 3)][..], 3));
    whole.merge(&of(&[(0, 1), (2, 5)]));
    assert_eq!((whole.entries(), whole.total()), (&[(0, 1), (1, 4), (2, 7)][..], 12));
}

#[test]
fn summaries_of_records_add_up() {
    let mut one = Summary::of_histograms(5, vec![of(&[(1, 3), (2, 2)])]);
    let other = Summary::of_histograms(2, vec![of(&[(2, 2)])]);
    one.merge(&other);
    assert_eq!((one.rows, one.people, one.histograms[0].total()), (7, 7, 7));
    let back = one.subtract(&other).unwrap();
    assert_eq!((back.rows, back.people), (5, 5));
    assert_eq!(back.histograms[0].entries(), [(1, 3), (2, 2)]);
    let mut empty = Summary::of_count(0);
    empty.merge(&other);
    assert_eq!((empty.rows, empty.people, empty.histograms.len()), (2, 2, 1));
    let guessed = Summary::estimated(10, 4, Vec::new());
    assert_eq!((guessed.rows, guessed.people), (10, 4));
}

#[test]
fn summaries_of_people_count_each_once() {
    let of_people = |rows: u64, people: &[u64]| {
        let pairs = people.iter().map(|person| (1, *person)).collect();
        Summary::of_subjects(rows, vec![Histogram::of_people(pairs)], people.to_vec())
    };
    let mut one = of_people(3, &[5, 5, 6]);
    assert_eq!((one.rows, one.people), (3, 2));
    one.merge(&of_people(2, &[6, 7]));
    assert_eq!((one.rows, one.people, one.histograms[0].count(1)), (5, 3, 3));
    assert_eq!(one.subtract(&of_people(1, &[7])), None);
    // Other names for the same people: what merges with them must know the new names.
    one.rename_people(&|person| 100 - person);
    assert_eq!((one.people, one.histograms[0].count(1)), (3, 3));
    one.merge(&of_people(2, &[95, 5]));
    assert_eq!((one.rows, one.people, one.histograms[0].count(1)), (7, 4, 4));
}

/// At least three people, no value with more than half of them, and none with four. A stern one
/// refuses everything and measures the same.
struct Asked {
    is_stern: bool,
}

impl Requirement for Asked {
    fn describe(&self) -> String {
        "asked(k=3)".into()
    }
    fn model(&self) -> &'static str {
        "asked"
    }
    fn is_monotone(&self) -> bool {
        false
    }
    fn histograms(&self) -> Vec<usize> {
        vec![0]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        let most = group.histograms[0].max_count();
        !self.is_stern && group.people >= 3 && 2 * most <= group.people && most < 4
    }
    fn measures(&self) -> Vec<Measure> {
        let measure = |name, required, direction| Measure { name, required, direction };
        vec![
            measure("k", 3.0, Direction::AtLeast),
            measure("share", 0.5, Direction::AtMost),
            measure("most", 4.0, Direction::Below),
        ]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        let most = group.histograms[0].max_count() as f64;
        vec![group.people as f64, most / group.people as f64, most]
    }
}

fn asked(is_stern: bool) -> Requirements {
    Requirements::new(vec![Box::new(Asked { is_stern })])
}

fn class(counts: &[u64]) -> Summary {
    let pairs = counts.iter().enumerate().map(|(code, n)| (code as u32, *n));
    Summary::of_histograms(counts.iter().sum(), vec![Histogram::from_counts(pairs)])
}

fn table(classes: Vec<Summary>) -> ClassTable {
    ClassTable::new(vec![(0..classes.len() as u32).collect()], classes)
}

fn judged(classes: Vec<Summary>) -> Vec<(f64, bool, u64)> {
    let found = evaluate(&asked(false), &table(classes));
    assert!(found.iter().all(|found| found.model == "asked" && found.scope == "class"));
    found.iter().map(|found| (found.achieved, found.holds, found.violations)).collect()
}

#[test]
fn the_worst_class_decides_and_each_quantity_says_whether_it_broke() {
    let (good, small, uneven) = (class(&[2, 2]), class(&[1, 1]), class(&[4, 2]));
    assert_eq!(judged(vec![good.clone()]), [(4.0, true, 0), (0.5, true, 0), (2.0, true, 0)]);
    // The size alone is broken.
    let found = [(2.0, false, 1), (0.5, true, 1), (2.0, true, 1)];
    assert_eq!(judged(vec![good.clone(), small.clone()]), found);
    assert_eq!(judged(vec![small.clone(), good.clone()]), found);
    // Four of six is too large a share, and four are too many.
    let found = [(4.0, true, 1), (4.0 / 6.0, false, 1), (4.0, false, 1)];
    assert_eq!(judged(vec![good.clone(), uneven.clone()]), found);
    let found = [(2.0, false, 2), (4.0 / 6.0, false, 2), (4.0, false, 2)];
    assert_eq!(judged(vec![small.clone(), good.clone(), uneven.clone()]), found);
    // At the bound: three people are enough, also where the share is what breaks.
    assert_eq!(judged(vec![class(&[1, 1, 1])])[0], (3.0, true, 0));
    let found = [(3.0, true, 1), (2.0 / 3.0, false, 1), (2.0, true, 1)];
    assert_eq!(judged(vec![class(&[2, 1])]), found);
    // And a share may be a half where the size breaks.
    let found = [(2.0, false, 1), (0.5, true, 1), (1.0, true, 1)];
    assert_eq!(judged(vec![class(&[1, 1])]), found);
    // What fails without a quantity that says why fails in all of them.
    let found = evaluate(&asked(true), &table(vec![good.clone(), good.clone()]));
    assert!(found.iter().all(|found| !found.holds && found.violations == 2));
    let none = evaluate(&asked(false), &table(Vec::new()));
    assert!(none.iter().all(|found| found.holds && found.achieved.is_nan()));
    let failing =
        failing_classes(&Asked { is_stern: false }, &table(vec![good, small, uneven]), &one_by_one);
    assert_eq!(failing, [false, true, true]);
}

#[test]
fn classes_that_are_judged_in_pieces_are_judged_as_one() {
    // More than a piece of work has; the bad ones are in the first, a middle and the last piece.
    for at in [0, 5000, 9999] {
        let mut classes = vec![class(&[2, 2]); 10_000];
        classes[at] = class(&[1, 1]);
        assert_eq!(judged(classes)[0], (2.0, false, 1), "{at}");
    }
    let mut classes = vec![class(&[2, 2]); 10_000];
    (classes[1], classes[9_000]) = (class(&[1, 1]), class(&[2]));
    assert_eq!(judged(classes)[0], (2.0, false, 2));
}

struct Stated(Option<ClassTable>);
impl ClassFacts for Stated {
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>> {
        Ok(self.0.as_ref().map_or(Vec::new(), |classes| evaluate(requirements, classes)))
    }
}
impl Facts for Stated {
    fn release(&self) -> &'static str {
        "a release"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        self.0.is_some().then_some(self)
    }
}

#[test]
fn requirements_are_promises_and_need_classes() {
    let promised = asked(false);
    assert_eq!(promised.describe(), ["asked(k=3)"]);
    let judged = promised.judge(&Stated(Some(table(vec![class(&[2, 2])])))).unwrap();
    assert_eq!((judged.len(), judged[0].achieved), (3, 4.0));
    let error = promised.judge(&Stated(None)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.message.starts_with("asked can't be judged here: a release doesn't state"));
    let nothing = Requirements::new(Vec::new());
    assert_eq!(nothing.judge(&Stated(None)).unwrap(), []);
    assert!(nothing.describe().is_empty());
}

#[test]
fn a_count_holds_if_nothing_is_below_it() {
    let of = |violations| {
        let found = Least { least: 4, violations };
        Guarantee::at_least(("crowd", "crowd(k=5)".into()), ("k", "class"), 5, found)
    };
    let broken = of(2);
    assert!(of(0).holds && !broken.holds);
    assert_eq!((broken.achieved, broken.measure.required, broken.violations), (4.0, 5.0, 2));
    assert_eq!((broken.model, broken.requirement.as_str()), ("crowd", "crowd(k=5)"));
    assert_eq!((broken.measure.name, broken.scope), ("k", "class"));
}
