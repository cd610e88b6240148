//! The worked examples of releases over time, and what texts mean.

use sfumato_core::chain::{Chain, Earlier, Published, PublishedClass};
use sfumato_core::dataset::LevelTable;
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Bind, Scope, SensitiveColumn};
use sfumato_core::{Error, Result};

use super::cells::{Cell, Labels};
use super::published::in_order;
use super::{Meaning, Past};

/// A release by its rows: cells of the quasi columns, then the sensitive value, then who it is.
fn release(name: &str, columns: &[&str], rows: &[(&[&str], &str, &str)]) -> Published {
    let mut found = Published {
        name: name.into(),
        columns: columns.iter().map(|column| (*column).to_string()).collect(),
        texts: vec![Vec::new(); columns.len()],
        ..Published::default()
    };
    let place = |all: &mut Vec<String>, text: &str| -> u32 {
        let known = all.iter().position(|other| other == text);
        known.unwrap_or_else(|| {
            all.push(text.into());
            all.len() - 1
        }) as u32
    };
    let mut people = Vec::new();
    for (cells, value, who) in rows {
        let cells: Vec<u32> =
            cells.iter().zip(&mut found.texts).map(|(cell, all)| place(all, cell)).collect();
        let value = place(&mut found.values, value);
        let known = found.classes.iter().position(|class| class.cells == cells);
        let at = known.unwrap_or_else(|| {
            found.classes.push(PublishedClass { cells, values: Vec::new() });
            found.classes.len() - 1
        });
        let values = &mut found.classes[at].values;
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, n)) => *n += 1,
            None => values.push((value, 1)),
        }
        values.sort_unstable();
        if !who.is_empty() {
            people.push(((*who).to_string(), at as u32));
        }
    }
    found.people = (!people.is_empty()).then_some(people);
    found
}

fn labels(rows: &[&[&str]]) -> Meaning {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.to_vec()).collect();
    Meaning::Labels(Labels::of_levels(&LevelTable::from_rows(&rows)))
}

fn place_and_job() -> Vec<Meaning> {
    vec![
        labels(&[&["UK", "Europe", "*"], &["France", "Europe", "*"], &["Canada", "America", "*"]]),
        labels(&[&["Lawyer", "Professional", "*"], &["Doctor", "Professional", "*"]]),
    ]
}

const PLACE_AND_JOB: &[&str] = &["birthplace", "job"];

fn rows<'a>(
    n: usize,
    cells: &'a [&'a str],
    value: &'a str,
) -> Vec<(&'a [&'a str], &'a str, &'a str)> {
    vec![(cells, value, ""); n]
}

pub(super) fn first_of_book() -> Published {
    let cells: &[&str] = &["Europe", "Lawyer"];
    release("R1", PLACE_AND_JOB, &[rows(3, cells, "Flu"), rows(2, cells, "HIV")].concat())
}

/// The second release of the book by its raw records, generalized by two functions.
fn second_by(place: fn(&str) -> &'static str, job: fn(&str) -> &'static str) -> Published {
    let raw = [
        ("UK", "Lawyer", "Flu"),
        ("UK", "Lawyer", "Flu"),
        ("UK", "Lawyer", "Flu"),
        ("France", "Lawyer", "HIV"),
        ("France", "Lawyer", "HIV"),
        ("France", "Lawyer", "HIV"),
        ("France", "Doctor", "Flu"),
        ("France", "Doctor", "Flu"),
        ("UK", "Doctor", "HIV"),
        ("UK", "Lawyer", "HIV"),
    ];
    let cells: Vec<[&str; 2]> = raw.iter().map(|(p, j, _)| [place(p), job(j)]).collect();
    let rows: Vec<(&[&str], &str, &str)> =
        cells.iter().zip(&raw).map(|(cells, raw)| (cells.as_slice(), raw.2, "")).collect();
    release("R2", PLACE_AND_JOB, &rows)
}

fn judge(model: &str, chain: &Chain) -> Result<Vec<Guarantee>> {
    let call: Call = model.parse().unwrap();
    let found = crate::models::find(&call.name).unwrap();
    let domain = sfumato_core::dataset::Domain::of_texts(["x"]);
    let column = SensitiveColumn { name: "s", domain: &domain, hierarchy: None, is_guard: false };
    let bind = Bind { quasi: Vec::new(), sensitive: vec![column] };
    let bound = found.bind(&Params::check(found.info(), &call.args).unwrap(), &bind).unwrap();
    let about_chain = bound.iter().filter(|asked| asked.scope() == Scope::Earlier);
    let found: Result<Vec<_>> = about_chain.map(|asked| asked.judge_chain(chain)).collect();
    Ok(found?.concat())
}

fn achieved(found: &[Guarantee], measure: &str) -> Option<f64> {
    found.iter().find(|found| found.measure.name == measure).map(|found| found.achieved)
}

fn chain(releases: Vec<Published>, meanings: Vec<Meaning>) -> Result<Chain> {
    Past { releases, meanings, ..Past::default() }.chain()
}

fn bcf(second: Published) -> (Option<f64>, Option<f64>, Option<f64>) {
    let chain = chain(vec![first_of_book(), second], place_and_job()).unwrap();
    let found = judge("bcf-anonymity(k=4)", &chain).unwrap();
    (achieved(&found, "FA"), achieved(&found, "CA"), achieved(&found, "BA"))
}

#[test]
fn table_10_5_is_five_anonymous_and_four_are_left() {
    let exact = |place: &str| if place == "UK" { "UK" } else { "France" };
    assert_eq!(bcf(second_by(exact, |_| "Professional")), (Some(4.0), Some(4.0), Some(4.0)));
    let chain = chain(vec![first_of_book(), second_by(exact, |_| "Professional")], place_and_job());
    let chain = chain.unwrap();
    let holds = |model: &str| judge(model, &chain).unwrap().iter().all(|found| found.holds);
    assert!(holds("bcf-anonymity(k=4)") && !holds("bcf-anonymity(k=5)"));
}

#[test]
fn cuts_of_the_second_release_leave_what_the_specification_says() {
    let exact = |place: &str| if place == "UK" { "UK" } else { "France" };
    let job = |job: &str| if job == "Lawyer" { "Lawyer" } else { "Doctor" };
    let five = (Some(5.0), Some(5.0), Some(5.0));
    assert_eq!(bcf(second_by(|_| "*", |_| "*")), five);
    assert_eq!(bcf(second_by(|_| "Europe", |_| "Professional")), five);
    assert_eq!(bcf(second_by(|_| "Europe", |_| "*")), five);
    assert_eq!(bcf(second_by(|_| "Europe", job)), (Some(5.0), Some(5.0), Some(2.0)));
    assert_eq!(bcf(second_by(exact, |_| "*")), (Some(4.0), Some(4.0), Some(4.0)));
    assert_eq!(bcf(second_by(exact, job)), (Some(2.0), Some(2.0), Some(1.0)));
}

#[test]
fn without_new_records_nobody_asks_for_them() {
    let cells: &[&str] = &["Europe", "Professional"];
    let same = [rows(3, cells, "Flu"), rows(2, cells, "HIV")].concat();
    assert_eq!(bcf(release("R2", PLACE_AND_JOB, &same)), (Some(5.0), Some(5.0), None));
}

#[test]
fn a_release_without_room_for_the_first_is_refused() {
    let cells: &[&str] = &["Europe", "Professional"];
    let fewer = [rows(2, cells, "Flu"), rows(4, cells, "HIV")].concat();
    let second = release("R2", PLACE_AND_JOB, &fewer);
    let chain = chain(vec![first_of_book(), second], place_and_job()).unwrap();
    let error = judge("bcf-anonymity(k=2)", &chain).unwrap_err();
    assert_eq!(error.kind.exit_code(), 2);
    assert!(error.message.contains("1 records of R1"), "{}", error.message);
}

#[test]
fn labels_that_nobody_explains_are_not_judged() {
    let by_themselves = vec![Meaning::Texts { are_values: false }; 2];
    let refused = chain(vec![first_of_book(), second_by(|_| "UK", |_| "Lawyer")], by_themselves);
    let error: Error = refused.unwrap_err();
    assert!(error.message.contains("birthplace"), "{}", error.message);
    assert!(error.hint.is_some_and(|hint| hint.contains("--hierarchy birthplace=FILE")));
    // Where both releases have the same labels, they are taken for values.
    let by_themselves = vec![Meaning::Texts { are_values: false }; 2];
    let same = chain(vec![first_of_book(), first_of_book()], by_themselves).unwrap();
    assert_eq!(achieved(&judge("bcf-anonymity(k=2)", &same).unwrap(), "FA"), Some(5.0));
}

#[test]
fn a_candidate_is_judged_beside_all_earlier_releases() {
    let past =
        Past { releases: vec![first_of_book()], meanings: place_and_job(), ..Past::default() };
    let chain = past.chain_with(&second_by(|_| "Europe", |_| "Professional")).unwrap();
    assert_eq!((chain.judged, chain.releases.len(), past.count()), (1, 2, 1));
    assert_eq!(achieved(&judge("bcf-anonymity(k=5)", &chain).unwrap(), "BA"), Some(5.0));
}

#[test]
fn texts_meet_where_a_value_can_be_both() {
    let meets = |a: &str, b: &str| Cell::of_text(a).meets(a, &Cell::of_text(b), b);
    let cases = [
        ("[20..29]", "[25..34]", Some(true)),
        ("[20..29]", "[30..39]", Some(false)),
        ("[20..30)", "30", Some(false)),
        ("[20..30]", "30", Some(true)),
        ("[31-32]", "32", Some(true)),
        ("31-32", "[33-34]", Some(false)),
        ("(20, 30]", "20", Some(false)),
        ("<18", "17", Some(true)),
        ("<18", "18", Some(false)),
        (">=80", "[70..85]", Some(true)),
        ("[-10..-6]", "-7", Some(true)),
        ("[2024-01-01..2024-02-01)", "2024-01-31", Some(true)),
        ("[2024-01-01..2024-02-01)", "2024-02-01", Some(false)),
        ("[0.5..1.25]", "1.250001", Some(false)),
        ("130**", "13053", Some(true)),
        ("130**", "1485*", Some(false)),
        ("130**", "13", None),
        ("*", "anything", Some(true)),
        ("Europe", "UK", None),
        ("UK", "UK", Some(true)),
        ("", "[20..29]", Some(false)),
        ("old", "[20..29]", None),
    ];
    for (a, b, expected) in cases {
        assert_eq!((a, b, meets(a, b)), (a, b, expected));
        assert_eq!((b, a, meets(b, a)), (b, a, expected));
    }
}

/// The people of a group, each with a value, and the age and salary that they share.
type Group<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

/// The releases of Tables 10.8 to 10.11, each row with its number.
fn surgery(name: &str, groups: &[Group<'_>]) -> Published {
    let cells: Vec<[&str; 2]> = groups.iter().map(|(_, age, salary)| [*age, *salary]).collect();
    let mut all: Vec<(&[&str], &str, &str)> = Vec::new();
    for ((members, ..), cells) in groups.iter().zip(&cells) {
        all.extend(members.iter().map(|(who, value)| (cells.as_slice(), *value, *who)));
    }
    release(name, &["age", "salary"], &all)
}

fn first_of_surgery() -> Published {
    surgery(
        "R1",
        &[
            (&[("1", "T"), ("2", "P")], "[31-32]", "[22-24]"),
            (&[("3", "V"), ("4", "U")], "[33-34]", "[28-35]"),
            (&[("5", "V"), ("6", "U")], "[46-51]", "[30-37]"),
            (&[("7", "T"), ("8", "V"), ("9", "U")], "[47-53]", "[36-45]"),
            (&[("10", "T"), ("11", "U")], "[62-66]", "[43-44]"),
        ],
    )
}

/// The second release as it is published without looking at the first.
fn naive() -> Published {
    surgery(
        "R2",
        &[
            (&[("1", "T"), ("4", "U")], "[31-33]", "[22-35]"),
            (&[("12", "V"), ("7", "T"), ("9", "U")], "[35-53]", "[31-43]"),
            (&[("5", "V"), ("13", "U")], "[51-56]", "[30-40]"),
            (&[("14", "T"), ("11", "U")], "[64-66]", "[41-44]"),
            (&[("15", "U"), ("16", "V")], "[70-75]", "[46-54]"),
        ],
    )
}

/// The second release with two made-up records.
fn counterfeited() -> Published {
    surgery(
        "R2",
        &[
            (&[("1", "T"), ("c1", "P")], "[31-32]", "[22-24]"),
            (&[("4", "U"), ("12", "V")], "[33-35]", "[31-35]"),
            (&[("7", "T"), ("c2", "V"), ("9", "U")], "[47-53]", "[36-43]"),
            (&[("5", "V"), ("13", "U")], "[51-56]", "[30-40]"),
            (&[("14", "T"), ("11", "U")], "[64-66]", "[41-44]"),
            (&[("15", "U"), ("16", "V")], "[70-75]", "[46-54]"),
        ],
    )
}

fn by_themselves() -> Vec<Meaning> {
    vec![Meaning::Texts { are_values: false }; 2]
}

#[test]
fn the_naive_release_breaks_two_signatures_and_counterfeits_none() {
    let judged = |second: Published| {
        let chain = chain(vec![first_of_surgery(), second], by_themselves()).unwrap();
        judge("m-invariance(m=2)", &chain).unwrap()
    };
    let found = judged(naive());
    assert_eq!(
        (achieved(&found, "m"), achieved(&found, "broken signatures")),
        (Some(2.0), Some(2.0))
    );
    assert!(found.iter().any(|found| !found.holds));
    let found = judged(counterfeited());
    assert_eq!(
        (achieved(&found, "m"), achieved(&found, "broken signatures")),
        (Some(2.0), Some(0.0))
    );
    assert!(found.iter().all(|found| found.holds));
}

#[test]
fn without_knowing_who_is_who_only_what_is_sure_is_said() {
    let anonymous = |release: Published| Published { people: None, ..release };
    let judged = |second: Published| {
        let releases = vec![anonymous(first_of_surgery()), anonymous(second)];
        judge("m-invariance(m=2)", &chain(releases, by_themselves()).unwrap())
    };
    assert_eq!(judged(counterfeited()).unwrap_err().kind.exit_code(), 2);
    assert!(
        judged(first_of_surgery()).unwrap_err().message.contains("alone"),
        "overlapping groups"
    );
    let only = |groups| surgery("R", groups);
    let apart: &[Group<'_>] = &[
        (&[("1", "T"), ("2", "P")], "[1-2]", "[1-2]"),
        (&[("3", "V"), ("4", "U")], "[3-4]", "[1-2]"),
    ];
    let releases = vec![anonymous(only(apart)), anonymous(only(apart))];
    let chained = chain(releases, by_themselves()).unwrap();
    assert!(judge("m-invariance(m=2)", &chained).unwrap().iter().all(|found| found.holds));
    let fails = judge("m-invariance(m=3)", &chained).unwrap();
    assert!(fails.iter().any(|found| !found.holds), "groups of two values");
}

#[test]
fn what_is_recorded_says_nothing_of_the_order_of_rows() {
    let shuffled = |order: &[usize]| {
        let all: [(&[&str], &str, &str); 4] = [
            (&["b", "x"], "Flu", "1"),
            (&["a", "x"], "HIV", "2"),
            (&["b", "x"], "HIV", "3"),
            (&["a", "y"], "Flu", "4"),
        ];
        let rows: Vec<_> = order.iter().map(|at| all[*at]).collect();
        in_order(&release("R", &["p", "q"], &rows))
    };
    assert_eq!(shuffled(&[0, 1, 2, 3]), shuffled(&[3, 2, 1, 0]));
    assert_eq!(shuffled(&[0, 1, 2, 3]), shuffled(&[2, 0, 3, 1]));
}

#[test]
fn new_records_alone_and_old_ones_in_other_classes_are_not_diverse() {
    let columns: &[&str] = &["job", "sex"];
    let of = |name: &str, groups: &[(&[&str], &[&str])]| {
        let all: Vec<(&[&str], &str, &str)> = groups
            .iter()
            .flat_map(|(cells, values)| values.iter().map(move |value| (*cells, *value, "")))
            .collect();
        release(name, columns, &all)
    };
    let (prof, artist): (&[&str], &[&str]) = (&["Prof", "F"], &["Artist", "M"]);
    let fever: (&[&str], &[&str]) = (artist, &["Fever", "Cancer"]);
    let first = of("R1", &[(prof, &["Cancer", "Diabetes"]), fever]);
    let found = |second: Published, l: u64| {
        let chained = chain(vec![first.clone(), second], by_themselves()).unwrap();
        judge(&format!("incremental-l-diversity(l={l})"), &chained).unwrap()
    };
    // Example 10.1: whoever is new has HIV.
    let grown = || of("R2", &[(prof, &["Cancer", "Diabetes", "HIV"]), fever]);
    let new = found(grown(), 2);
    let named = |found: &[Guarantee]| (achieved(found, "l of both"), achieved(found, "l of new"));
    assert_eq!(named(&new), (Some(2.0), Some(1.0)));
    assert!(!new.iter().all(|found| found.holds));
    assert!(found(grown(), 1).iter().all(|found| found.holds));
    // Example 10.2: whoever was there before has cancer.
    let other = found(of("R2", &[(prof, &["Cancer", "Fever"]), fever]), 2);
    assert_eq!(named(&other), (Some(1.0), None));
    assert!(!other.iter().all(|found| found.holds));
}

#[test]
fn one_of_six_people_is_known_to_have_what_stays() {
    // Everybody is published among the same three diseases each time, and yet.
    let columns: &[&str] = &["age", "zip"];
    let cells: [&[&str]; 2] = [&["1", "*"], &["2", "*"]];
    let of = |name: &str, groups: [[(&'static str, &'static str); 3]; 2]| {
        let all = groups
            .iter()
            .zip(cells)
            .flat_map(|(group, cells)| group.iter().map(move |(who, ill)| (cells, *ill, *who)));
        release(name, columns, &all.collect::<Vec<(&[&str], &str, &str)>>())
    };
    let first = of(
        "T1",
        [
            [("p1", "Flu"), ("p2", "HIV"), ("p3", "Fever")],
            [("p4", "HIV"), ("p5", "Flu"), ("p6", "Fever")],
        ],
    );
    let second = of(
        "T2",
        [
            [("p2", "HIV"), ("p3", "Flu"), ("p6", "Fever")],
            [("p1", "Flu"), ("p4", "HIV"), ("p5", "Fever")],
        ],
    );
    let third = of(
        "T3",
        [
            [("p2", "HIV"), ("p3", "Flu"), ("p5", "Fever")],
            [("p1", "Flu"), ("p4", "HIV"), ("p6", "Fever")],
        ],
    );
    let all = chain(vec![first.clone(), second, third], by_themselves()).unwrap();
    assert!(judge("m-invariance(m=3)", &all).unwrap().iter().all(|found| found.holds));
    let found = judge("hd-composition(l=3, values=[HIV])", &all).unwrap();
    assert_eq!(achieved(&found, "chance of a holder"), Some(1.0));
    // p4 in both worlds, and p2 and p3 in one of two.
    assert_eq!((found[0].holds, found[0].violations), (false, 3));
    let alone = chain(vec![first], by_themselves()).unwrap();
    let found = judge("hd-composition(l=3, values=[HIV])", &alone).unwrap();
    assert!((found[0].achieved - 1.0 / 3.0).abs() < 1e-12 && found[0].holds);
    assert!(judge("hd-composition(l=3, values=[Cold])", &alone).is_err());
}

/// The releases of the book, the second of them as often as asked.
fn of_book(n: usize) -> Chain {
    let place = |place: &str| if place == "UK" { "UK" } else { "France" };
    let second = second_by(place, |_| "Professional");
    let mut releases = vec![first_of_book()];
    releases.resize(1 + n, second);
    chain(releases, place_and_job()).unwrap()
}

#[test]
fn what_is_left_is_diverse_or_not() {
    // By hand: of the four or five records that are left two or three have the flu, the others HIV.
    let found = judge("bcf-anonymity(k=4, l=2, confidence=0.6)", &of_book(1)).unwrap();
    assert!(found.iter().all(|found| found.holds), "{found:?}");
    assert_eq!(achieved(&found, "l together"), Some(2.0));
    assert_eq!(achieved(&found, "confidence together"), Some(0.6));
    assert_eq!(achieved(&found, "together"), None, "two releases are a pair");
    for model in ["bcf-anonymity(k=4, l=3)", "bcf-anonymity(k=4, confidence=0.55)"] {
        let found = judge(model, &of_book(1)).unwrap();
        assert!(found.iter().any(|found| !found.holds && found.violations > 0), "{found:?}");
    }
}

#[test]
fn three_releases_are_judged_together() {
    let found = judge("bcf-anonymity(k=4)", &of_book(2)).unwrap();
    assert_eq!(achieved(&found, "together"), Some(4.0));
    assert!(!judge("bcf-anonymity(k=5)", &of_book(2)).unwrap().iter().all(|found| found.holds));
    let by_pairs = judge("bcf-anonymity(k=4, attacks=pairs)", &of_book(2)).unwrap();
    assert_eq!(achieved(&by_pairs, "together"), None);
}

#[test]
fn together_three_releases_say_more_than_any_two() {
    // By hand: six are left of the first beside either of the others, and five at least of those
    // who came later. Of somebody who came with the second, in the low class of the third, three
    // with the flu are left in the second and one with HIV in the third.
    let column: &[&str] = &["age"];
    let of = |name: &str, groups: &[(&[&str], &str, usize)]| {
        let all: Vec<_> =
            groups.iter().flat_map(|(cells, value, n)| rows(*n, cells, value)).collect();
        release(name, column, &all)
    };
    let (wide, low, high): (&[&str], &[&str], &[&str]) = (&["1-4"], &["1-2"], &["3-4"]);
    let first = of("R1", &[(low, "Flu", 2), (low, "HIV", 4), (high, "Flu", 4), (high, "HIV", 2)]);
    let second = of("R2", &[(wide, "Flu", 9), (wide, "HIV", 9)]);
    let third = of("R3", &[(low, "Flu", 6), (low, "HIV", 5), (high, "Flu", 6), (high, "HIV", 7)]);
    let of_all = chain(vec![first, second, third], vec![Meaning::Texts { are_values: false }]);
    let found = judge("bcf-anonymity(k=3)", &of_all.unwrap()).unwrap();
    let named = ["FA", "CA", "BA", "together"].map(|name| achieved(&found, name).unwrap());
    assert_eq!(named, [6.0, 6.0, 5.0, 4.0]);
}
