//! What a summary says of a group, number by number: mutation testing looks for what no test reads.

use sfumato_core::group::{Histogram, Summary};

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
