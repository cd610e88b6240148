//! What is promised is what is in the file: it is counted again here, from the text of the release
//! alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Folder, ROLES, ROLES_WITH_SUBJECT, rows};

/// The rows of each class: those that agree in the first columns.
fn classes(text: &str, n_quasi: usize) -> BTreeMap<Vec<&str>, Vec<Vec<&str>>> {
    let mut classes: BTreeMap<Vec<&str>, Vec<Vec<&str>>> = BTreeMap::new();
    for row in rows(text).into_iter().skip(1) {
        classes.entry(row[..n_quasi].to_vec()).or_default().push(row[n_quasi..].to_vec());
    }
    classes
}

#[test]
fn every_class_has_k_rows_and_columns_that_name_people_are_gone() {
    let folder = Folder::with_people();
    for k in [2, 5, 20, 80] {
        folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES} -k {k}"));
        let text = folder.text("out.csv");
        assert!(text.starts_with("age,sex,zip,disease,pay\n"));
        assert!(!text.contains("Name") && !text.contains('P'));
        assert!(classes(&text, 3).values().all(|class| class.len() >= k), "k = {k}");
        assert_eq!(text.lines().count(), 81);
    }
}

#[test]
fn rows_of_one_person_are_one_person() {
    let folder = Folder::new();
    folder.write(
        "data.csv",
        "person,age,sex\nP1,30,f\nP1,30,f\nP1,30,f\nP2,50,f\nP2,50,f\nP2,50,f\n",
    );
    // Three rows alike are enough for k = 3 rows ...
    folder.succeed("anonymize data.csv -o rows.csv --identifier person --qi age,sex -k 3");
    assert_eq!(classes(&folder.text("rows.csv"), 2).len(), 2);
    // ... but they are one person, so that k = 2 people need all of them, and k = 3 can't be.
    let report =
        folder.report("anonymize data.csv -o people.csv --subject person --qi age,sex -k 2");
    let text = folder.text("people.csv");
    assert!(text.starts_with("age,sex\n"), "{text}");
    assert_eq!(classes(&text, 2).len(), 1, "{text}");
    assert_eq!(
        (&report["classes"]["min"], &report["guarantees"][0]["achieved"]),
        (&2.into(), &2.into())
    );
    let outcome = folder.run("anonymize data.csv -o out.csv --subject person --qi age,sex -k 3");
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    assert_eq!(folder.names(), ["data.csv", "people.csv", "rows.csv"]);
}

#[test]
fn the_summary_counts_people_when_there_is_a_subject() {
    let folder = Folder::with_people();
    let outcome =
        folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES_WITH_SUBJECT} -k 4"));
    let line = outcome.stderr.lines().find(|line| line.contains("classes")).unwrap();
    // 40 people in 80 rows: rows can't be what is counted.
    assert!(line.contains(" people, "), "{line}");
}

#[test]
fn several_models_and_sensitive_columns_at_once() {
    let folder = Folder::with_people();
    let report = folder.report(
        "anonymize people.csv -o out.csv --identifier name,person --qi age,sex,zip --sensitive \
            disease,pay -k 4 \
         --model l-diversity-distinct(l=3,on=disease) --model l-diversity-entropy(l=2,on=pay) \
         --model t-closeness(t=0.6,on=disease)",
    );
    let guarantees = report["guarantees"].as_array().unwrap();
    assert_eq!(guarantees.len(), 4);
    assert!(guarantees.iter().all(|guarantee| guarantee["holds"] == true), "{guarantees:?}");
    assert!(report["warnings"].to_string().contains("several sensitive columns"));
    for class in classes(&folder.text("out.csv"), 3).values() {
        let diseases: BTreeSet<&str> = class.iter().map(|row| row[0]).collect();
        let pays: BTreeSet<&str> = class.iter().map(|row| row[1]).collect();
        assert!(class.len() >= 4 && diseases.len() >= 3 && pays.len() >= 2, "{class:?}");
    }
}

#[test]
fn no_more_is_suppressed_than_may_be() {
    let folder = Folder::new();
    // Ten alike, and one far away who would blur all others.
    let mut text = "age,sex\n".to_string() + &"30,f\n".repeat(5) + &"31,f\n".repeat(5);
    text.push_str("99,m\n");
    folder.write("data.csv", &text);
    let run = |share: &str| {
        let report = folder.report(&format!(
            "anonymize data.csv -o out.csv --qi age,sex -k 5 --max-suppression {share}"
        ));
        (
            report["suppressed"]["records"].as_u64().unwrap(),
            folder.text("out.csv").lines().count() - 1,
        )
    };
    assert_eq!(run("0"), (0, 11));
    assert_eq!(run("9%"), (0, 11), "9% of 11 is less than one record");
    assert_eq!(run("1"), (1, 10));
    assert_eq!(run("10%"), (1, 10));
    assert!(!folder.text("out.csv").contains("99"));
}

#[test]
fn suppressed_cells_are_counted() {
    let folder = Folder::new();
    folder.write("data.csv", "city,age\nRome,30\nOslo,30\nBonn,30\nNice,30\n");
    let report = folder.report("anonymize data.csv -o out.csv --qi city,age -k 4");
    assert_eq!(folder.text("out.csv"), "city,age\n*,30\n*,30\n*,30\n*,30\n");
    assert_eq!(report["suppressed"]["cells"], 4);
}

#[test]
fn missing_values_are_a_value_or_suppressed() {
    let folder = Folder::new();
    let text = "age,sex,disease\n".to_string()
        + &"30,f,flu\n".repeat(3)
        + &",f,flu\n".repeat(2)
        + "?,f,?\n";
    folder.write("data.csv", &text);
    folder.succeed(
        "anonymize data.csv -o out.csv --qi age,sex --sensitive disease -k 3 --missing ? \
            --keep-order",
    );
    let out = folder.text("out.csv");
    // Both spellings of missing are one value, and nobody's age becomes known or lost.
    assert_eq!(classes(&out, 2).values().map(Vec::len).collect::<Vec<_>>(), [3, 3], "{out}");
    assert_eq!(rows(&out).iter().filter(|row| row[0] == "30").count(), 3, "{out}");
    assert_eq!(rows(&out)[6][2], "?", "a sensitive cell is published as it was");
    // Suppressed, a missing value may stand for anything, so it is published like any unknown age.
    folder.succeed(
        "anonymize data.csv -o out.csv --qi age,sex --sensitive disease -k 3 --missing ? \
         --suppress-missing age",
    );
    let out = folder.text("out.csv");
    assert_eq!(rows(&out).iter().filter(|row| row[0] == "*").count(), 3, "{out}");
    let report = folder
        .report("anonymize data.csv -o out.csv --qi age,sex --sensitive disease -k 3 --missing ?");
    let missing = |name: &str| {
        let columns = report["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == name).unwrap()["missing"].as_u64()
    };
    assert_eq!((missing("age"), missing("disease")), (Some(3), Some(1)));
}

#[test]
fn hierarchies_name_what_is_published() {
    let folder = Folder::with_people();
    folder.write("sex.csv", "f;person;*\nm;person;*\n");
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} -k 20 --hierarchy age=interval(width=10,levels=3) \
         --hierarchy zip=mask(from=right) --hierarchy sex=sex.csv --weight zip=3"
    ));
    for row in rows(&folder.text("out.csv")).into_iter().skip(1) {
        assert!(
            row[0].parse::<u32>().is_ok()
                || row[0] == "*"
                || (row[0].starts_with('[') && row[0].ends_with(']')),
            "{row:?}"
        );
        assert!(["f", "m", "person", "*"].contains(&row[1]), "{row:?}");
        assert!(row[2] == "*" || (row[2].len() == 5 && row[2].starts_with("10")), "{row:?}");
    }
}
