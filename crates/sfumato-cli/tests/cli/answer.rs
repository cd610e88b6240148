//! Answers instead of data: what is answered, what is denied, and what is left of it.

use crate::support::Folder;

const TABLE: &str = "id,unit,salary\n1,North,50\n2,North,60\n3,North,70\n4,South,80\n5,South,90\n\
                     6,South,40\n";

#[test]
fn sums_are_answered_until_they_would_tell_one() {
    let folder = Folder::new();
    folder.write("t.csv", TABLE);
    let ask = |query: &str| {
        let arguments = ["answer", "t.csv", query, "--log", "log", "--min-set", "2"];
        let outcome = folder.run_arguments(&arguments, &[]);
        (outcome.code, outcome.stdout.trim().to_string())
    };
    assert_eq!(ask("sum(salary)"), (0, "390".into()));
    assert_eq!(ask("avg(salary) where unit = North"), (0, "60.0".into()));
    // South follows; without number 4 it would tell number 4.
    assert_eq!(ask("sum(salary) where unit = South"), (0, "210".into()));
    assert_eq!(ask("sum(salary) where unit = South and id >= 5"), (3, String::new()));
    assert_eq!(ask("sum(salary) where id = 1"), (3, String::new()));
    assert_eq!(ask("max(salary)"), (2, String::new()), "beside sums");
    assert_eq!(ask("count where salary > 50"), (2, String::new()));
    let log = folder.text("log");
    assert_eq!(log.lines().count(), 7, "opened, table, three answers and two denials\n{log}");
}

#[test]
fn a_budget_an_audit_and_a_reconstruction() {
    let folder = Folder::new();
    folder.write("t.csv", TABLE);
    folder.write("asked", "max(salary) where unit = North\nmax(salary) where id in 1..2\n");
    let run = |arguments: &[&str]| {
        let outcome = folder.run_arguments(arguments, &[]);
        (outcome.code, outcome.stdout.trim().to_string())
    };
    let of =
        |query, rest: &[&str]| run(&[&["answer", "t.csv", query, "--log", "log"], rest].concat());
    let sum =
        of("sum(salary)", &["--epsilon", "1", "--spend", "0.9", "--bounds", "0..100", "--json"]);
    assert!(sum.0 == 0 && sum.1.contains("\"epsilon\": 0.9"), "{sum:?}");
    assert_eq!(of("count", &["--spend", "0.2"]).0, 3);
    assert_eq!(of("count", &["--spend", "0.1"]).0, 0);
    let (code, text) = run(&["answer", "--audit", "log"]);
    assert!(code == 0 && text.contains("epsilon    1 spent"), "{text}");
    // 70 isn't that of 1 or 2: it is that of number 3.
    let (code, text) = run(&["answer", "t.csv", "--audit", "asked", "--min-set", "2"]);
    assert!(code == 3 && text.contains("tells record 3"), "{text}");
    let (code, text) = run(&["answer", "t.csv", "--reconstruct", "unit = North", "--counts", "60"]);
    assert!(code == 0 && text.contains("rebuilt    100.0 %"), "{text}");
}
