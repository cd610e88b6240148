//! The worked examples of views, and record sets against every small table.

use proptest::prelude::*;
use sfumato_core::column::{Codes, Dictionary, RawColumn, RawTable};

use super::*;

fn table(header: &[&str], rows: &[&[&str]]) -> RawTable {
    let column = |at: usize| {
        let (mut values, mut codes) = (Dictionary::new(), Vec::new());
        for row in rows {
            let known = values.iter().position(|text| text == row[at]);
            codes.push(known.map_or_else(|| values.push(row[at]), |code| code as u32));
        }
        RawColumn {
            name: header[at].into(),
            codes: Codes::U32(codes),
            values,
            null: None,
            native_type: None,
        }
    };
    RawTable {
        columns: (0..header.len()).map(column).collect(),
        n_rows: rows.len(),
        header: header.iter().map(|name| (*name).to_string()).collect(),
        source: Default::default(),
    }
}

fn asked(who: &str, what: &str, k: u64) -> Asked {
    Asked { identifier: who.into(), sensitive: what.into(), k, ..Asked::default() }
}

fn patients() -> RawTable {
    table(
        &["Name", "Job", "Age", "Disease"],
        &[
            &["Alice", "Cook", "40", "Flu"],
            &["Bob", "Cook", "50", "Diabetes"],
            &["Calvin", "Lawyer", "60", "HIV"],
        ],
    )
}

fn told(found: &Found) -> Vec<(Vec<String>, Vec<String>)> {
    found.violations.iter().map(|told| (told.views.clone(), told.left.clone())).collect()
}

#[test]
fn two_projections_reveal_the_only_lawyer() {
    let views = parse(
        "CREATE VIEW V1 AS SELECT Name, Job FROM T;\nCREATE VIEW V2 AS SELECT Job, Disease FROM T;",
    );
    let found = check(&views.unwrap(), &patients(), &asked("Name", "Disease", 2)).unwrap();
    let both = |one: &str, other: &str| vec![one.to_string(), other.to_string()];
    let left = vec!["Calvin, HIV".to_string()];
    assert_eq!(told(&found), [(both("V1", "V2"), left.clone()), (both("V2", "V1"), left)]);
}

const V3: &str = "CREATE VIEW V3 AS SELECT Name FROM T WHERE Age > 45;
    CREATE VIEW V4 AS SELECT Name FROM T WHERE Age < 55;\n";

#[test]
fn three_selections_tell_who_has_diabetes() {
    let of = |low: &str| {
        let text =
            format!("{V3} CREATE VIEW V5 AS SELECT Disease FROM T WHERE Age > {low} AND Age < 55;");
        check(&parse(&text).unwrap(), &patients(), &asked("Name", "Disease", 2)).unwrap()
    };
    let found = of("45");
    assert_eq!(found.violations.len(), 1);
    assert_eq!(found.violations[0].left, ["Bob, Diabetes"]);
    assert!(found.violations[0].what.contains("Diabetes"));
    // With the bound 40 it may be Alice as well, so that two pairs are left.
    assert_eq!(of("40").violations, []);
    let three = {
        let text = format!("{V3} SELECT Disease FROM T WHERE Age > 40 AND Age < 55;");
        check(&parse(&text).unwrap(), &patients(), &asked("Name", "Disease", 3)).unwrap()
    };
    let left = &three.violations.iter().find(|told| told.what.contains("Diabetes")).unwrap().left;
    assert_eq!(left, &["Bob, Diabetes", "Alice, Diabetes"]);
}

#[test]
fn one_disease_each_tells_what_alice_has() {
    let doctors = table(
        &["Name", "Doctor", "Disease"],
        &[
            &["Alice", "Smith", "Cancer"],
            &["Alice", "Thomson", "Cancer"],
            &["Brian", "Smith", "Flu"],
            &["Cathy", "Thomson", "Diabetes"],
        ],
    );
    let views = parse("SELECT Name, Doctor FROM R; SELECT Doctor, Disease FROM R").unwrap();
    let without = check(&views, &doctors, &asked("Name", "Disease", 2)).unwrap();
    assert_eq!(without.violations, []);
    let known = Asked { one_value: true, ..asked("Name", "Disease", 2) };
    let found = check(&views, &doctors, &known).unwrap();
    let left: Vec<&str> = found.violations.iter().map(|told| told.left[0].as_str()).collect();
    assert_eq!(left, ["Alice, Cancer", "Brian, Flu", "Cathy, Diabetes"]);
}

#[test]
fn a_join_has_groups_that_no_view_has() {
    let rows: [&[&str]; 6] = [
        &["30", "Lawyer", "US", "Cancer"],
        &["30", "Lawyer", "US", "Cancer"],
        &["40", "Carpenter", "France", "HIV"],
        &["40", "Electrician", "UK", "Cancer"],
        &["50", "Engineer", "France", "HIV"],
        &["50", "Clerk", "US", "HIV"],
    ];
    let data = table(&["Age", "Job", "Birthplace", "Disease"], &rows);
    let views = parse(
        "CREATE VIEW T1 AS SELECT Age, Job FROM T;
         CREATE VIEW T2 AS SELECT Job, Birthplace, Disease FROM T;",
    );
    let asked = Asked {
        quasi: vec!["Age".into(), "Birthplace".into()],
        confidence: Some(0.8),
        ..asked("Nobody", "Disease", 2)
    };
    let found = check(&views.unwrap(), &data, &asked).unwrap();
    let has = |by: &str, what: &str| {
        found.violations.iter().any(|told| told.by == by && told.what.contains(what))
    };
    assert!(has("join", "(40, France) has 1"));
    assert!(has("confidence", "(30, US) has one Disease in 4 of 4"), "the lawyers are two by two");
    assert!(!has("join", "(30, US)"));
}

#[test]
fn counts_fix_records_that_no_marginal_shows() {
    let rows: Vec<[&str; 3]> =
        [[["a", "x", "1"]; 3].to_vec(), vec![["a", "x", "2"], ["a", "y", "2"]]].concat();
    let rows: Vec<&[&str]> = rows.iter().map(|row| row.as_slice()).collect();
    let data = table(&["zip", "job", "disease"], &rows);
    let views = parse(
        "SELECT zip, job, COUNT(*) FROM t GROUP BY zip, job;
         SELECT zip, disease, COUNT(*) FROM t GROUP BY zip, disease;",
    );
    let found = check(&views.unwrap(), &data, &asked("name", "disease", 4)).unwrap();
    // Four have job x and three disease 1, of five: at least two have both.
    assert!(found.violations.iter().any(|told| {
        told.by == "counts" && told.what.contains("(a, x) with (a, 1) has at least 2 and at most 3")
    }));
}

#[test]
fn what_is_no_view_is_refused_where_it_stands() {
    let wrong = [
        "SELECT FROM t",
        "SELECT a FROM t WHERE",
        "SELECT a FROM t WHERE a ~ 3",
        "SELECT a, b FROM t JOIN u",
        "DELETE FROM t",
        "SELECT a FROM t WHERE a IN (1, 2",
        "SELECT a, COUNT(*) FROM t GROUP BY b",
        "SELECT a FROM t WHERE a = 'x",
        "",
    ];
    for text in wrong {
        assert_eq!(parse(text).unwrap_err().kind.exit_code(), 2, "{text}");
    }
    let error = parse("SELECT a FROM t;\nSELECT a b FROM t").unwrap_err();
    assert_eq!(error.place.line, Some(2));
    let views = parse("SELECT a FROM t").unwrap();
    assert!(check(&views, &table(&["b"], &[&["1"]]), &asked("b", "a", 2)).is_err());
    let words = parse("SELECT a FROM t WHERE a > 5").unwrap();
    assert!(check(&words, &table(&["a"], &[&["x"]]), &asked("a", "a", 2)).is_err());
}

#[test]
fn conditions_mean_what_sql_means() {
    let of = |condition: &str| {
        let views = parse(&format!("SELECT Name FROM T WHERE {condition}")).unwrap();
        let found = check(&views, &patients(), &asked("Name", "Name", 2)).unwrap();
        found.violations.iter().map(|told| told.left[0].clone()).collect::<Vec<_>>().len()
    };
    // A name is a person and a value at once, so that each row that is shown tells itself.
    let shown = [
        ("Age >= 50", 2),
        ("Age <= 50 AND Job = 'Cook'", 2),
        ("NOT (Age < 50 OR Age > 55)", 1),
        ("Age BETWEEN 40 AND 50", 2),
        ("Age NOT BETWEEN 40 AND 50", 1),
        ("Job IN ('Lawyer', 'Clerk')", 1),
        ("Job NOT IN ('Lawyer')", 2),
        ("Job <> 'Cook'", 1),
    ];
    for (condition, rows) in shown {
        assert_eq!((condition, of(condition)), (condition, rows));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// Every table of up to three records over small domains that shows the same rows: what it says
    /// of a row must be among the pairs that record sets leave.
    #[test]
    fn no_pair_of_a_possible_table_is_ruled_out(
        rows in prop::collection::vec((0usize..3, 0usize..3, 0usize..2), 1..4),
        which in 0usize..3,
    ) {
        let text = [
            "SELECT who, job FROM t; SELECT job, ill FROM t",
            "SELECT who FROM t WHERE job = '0'; SELECT ill FROM t WHERE job = '0' OR job = '1'; \
             SELECT who, job FROM t",
            "SELECT who, job FROM t WHERE NOT ill = '0'; SELECT job, ill FROM t; SELECT who FROM t",
        ][which];
        let views = parse(text).unwrap();
        let names = ["0", "1", "2"];
        let of = |rows: &[(usize, usize, usize)]| {
            let cells: Vec<[&str; 3]> =
                rows.iter().map(|(a, b, c)| [names[*a], names[*b], names[*c]]).collect();
            let rows: Vec<&[&str]> = cells.iter().map(|row| row.as_slice()).collect();
            table(&["who", "job", "ill"], &rows)
        };
        let shown = |data: &RawTable| -> Vec<std::collections::BTreeSet<Vec<String>>> {
            views.iter().map(|view| super::check::shown(view, data).unwrap().into_iter().collect())
                .collect()
        };
        let found = check(&views, &of(&rows), &asked("who", "ill", 99)).unwrap();
        let own = shown(&of(&rows));
        let all: Vec<(usize, usize, usize)> =
            (0..18).map(|at| (at / 6, at / 2 % 3, at % 2)).collect();
        // All sets of up to three records; a table with a record twice shows the same.
        let mut worlds: Vec<Vec<(usize, usize, usize)>> = vec![Vec::new()];
        for record in all {
            let more: Vec<_> = worlds.iter().filter(|world| world.len() < 3)
                .map(|world| [world.as_slice(), &[record]].concat()).collect();
            worlds.extend(more);
        }
        for world in worlds.iter().filter(|world| shown(&of(world)) == own) {
            for violation in found.violations.iter().filter(|told| told.by == "record-sets") {
                let of_row = |record: &(usize, usize, usize)| {
                    let data = of(&[*record]);
                    let view = views.iter().find(|view| view.name == violation.views[0]).unwrap();
                    let row = super::check::shown(view, &data).unwrap();
                    row.first().is_some_and(|row| {
                        violation.what.starts_with(&format!("({})", row.join(", ")))
                    })
                };
                let pairs = world.iter().filter(|record| of_row(record))
                    .map(|(who, _, ill)| format!("{who}, {ill}"));
                for pair in pairs {
                    prop_assert!(violation.left.contains(&pair), "{pair} of {violation:?}");
                }
            }
        }
    }
}
