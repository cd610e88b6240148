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
    assert_eq!(ask("max(salary)"), (2, String::new()));
    assert_eq!(ask("count where salary > 50"), (2, String::new()));
    let log = folder.text("log");
    assert_eq!(log.lines().count(), 7, "opened, table, three answers and two denials\n{log}");
}
