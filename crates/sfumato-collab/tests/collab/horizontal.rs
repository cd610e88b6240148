//! Holders of other people: the four nodes of tables 12.1 to 12.4.

use std::collections::{BTreeMap, BTreeSet};

use sfumato_core::ErrorKind;

use crate::support::{Done, Folder};

/// Node, record, age, salary in thousands, and an illness that the book doesn't have.
const RECORDS: [(usize, u32, i64, i64, &str); 8] = [
    (0, 1, 30, 41, "flu"),
    (0, 2, 33, 42, "cough"),
    (1, 3, 45, 55, "flu"),
    (1, 4, 56, 42, "flu"),
    (2, 5, 30, 32, "flu"),
    (2, 6, 53, 32, "cough"),
    (3, 7, 38, 41, "flu"),
    (3, 8, 33, 40, "cough"),
];

pub const NAMES: [&str; 4] = ["node0", "node1", "node2", "node3"];
pub const PLAIN: &str = "partitioned = \"horizontal\"\norder = [\"Age\", \"Salary\", \"Id\"]";

/// The nodes. The number of a record is kept, so that the test can see which are together.
pub fn nodes(illness: bool) -> Folder {
    let folder = Folder::new();
    for (node, name) in NAMES.iter().enumerate() {
        let mut table =
            String::from(if illness { "Id,Age,Salary,Ill\n" } else { "Id,Age,Salary\n" });
        for (_, id, age, salary, ill) in RECORDS.iter().filter(|record| record.0 == node) {
            table += &format!("r{id},{age},{salary}");
            table += &if illness { format!(",{ill}\n") } else { "\n".into() };
        }
        let mut columns = String::from(
            "Id = { role = \"keep\", accept = true }\nAge = { role = \"quasi\" }\n\
             Salary = { role = \"quasi\" }\n",
        );
        if illness {
            columns += "Ill = { role = \"sensitive\" }\n";
        }
        folder.holder(name, &table, &columns);
    }
    folder
}

/// Which records are published alike.
fn together(done: &Done) -> BTreeSet<Vec<u32>> {
    let header: Vec<&str> = done.text.lines().next().unwrap().split(',').collect();
    let place = |name: &str| header.iter().position(|own| *own == name).unwrap();
    let (age, salary, id) = (place("Age"), place("Salary"), place("Id"));
    let mut classes: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for row in done.text.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let record = cells[id].trim_start_matches('r').parse().unwrap();
        classes.entry((cells[age].into(), cells[salary].into())).or_default().push(record);
    }
    classes
        .into_values()
        .map(|mut records| {
            records.sort_unstable();
            records
        })
        .collect()
}

#[test]
fn the_nodes_of_chapter_twelve_are_together_as_printed() {
    let folder = nodes(false);
    let done = folder.run(&folder.job(&NAMES, PLAIN, "\"k-anonymity(k=2)\"")).unwrap();
    let printed = [vec![1, 2], vec![3, 4], vec![5, 8], vec![6, 7]];
    assert_eq!(together(&done), BTreeSet::from(printed));
    // Nodes 2 and 3 share two classes: each that takes its own rows out sees one row of the other.
    assert!(done.parts[0].remarks.iter().any(|remark| remark.contains("in 2 of 4 classes")));
    // The rows come out of the mix at the last holder.
    let rows: Vec<usize> = done.parts.iter().map(|part| part.rows.len()).collect();
    assert_eq!(rows, [0, 0, 0, 8]);
    assert!(done.text.contains("[30..33],[41..42]"), "{}", done.text);
}

#[test]
fn classes_have_rows_of_as_many_holders_as_are_asked_for() {
    let folder = nodes(false);
    let two = format!("{PLAIN}\nsites = 2");
    let done = folder.run(&folder.job(&NAMES, &two, "\"k-anonymity(k=2)\"")).unwrap();
    let node = |record: &u32| RECORDS.iter().find(|own| own.1 == *record).unwrap().0;
    let classes = together(&done);
    for class in &classes {
        assert!(class.iter().map(node).collect::<BTreeSet<_>>().len() >= 2, "{classes:?}");
    }
    assert!(classes.len() > 1);
    let five = format!("{PLAIN}\nsites = 5");
    let error =
        folder.run(&folder.job(&NAMES, &five, "\"k-anonymity(k=2)\"")).map(|_| ()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
}

#[test]
fn an_insider_is_kept_from_seeing_too_few() {
    let folder = nodes(false);
    let enforced = format!("{PLAIN}\ninsider = \"enforce\"");
    let done = folder.run(&folder.job(&NAMES, &enforced, "\"k-anonymity(k=2)\"")).unwrap();
    let node = |record: &u32| RECORDS.iter().find(|own| own.1 == *record).unwrap().0;
    for class in together(&done) {
        for insider in 0..4 {
            let others = class.iter().filter(|record| node(record) != insider).count();
            assert!(others == 0 || others >= 2, "{class:?}");
        }
    }
    assert!(done.parts[0].remarks.iter().any(|remark| remark.starts_with("in 0 of ")));
}

#[test]
fn sensitive_values_are_counted_over_all_holders() {
    let folder = nodes(true);
    let job = format!("{PLAIN}\nvalues = {{ Ill = [\"flu\", \"cough\"] }}");
    let models = "\"k-anonymity(k=2)\", \"l-diversity-distinct(l=2)\"";
    let done = folder.run(&folder.job(&NAMES, &job, models)).unwrap();
    assert!(done.report.guarantees.iter().all(|guarantee| guarantee.holds));
    // {3, 4} have flu alone, so that they can't be a class.
    assert!(!together(&done).contains(&vec![3, 4]));
    assert!(together(&done).len() > 1);
}

#[test]
fn two_holders_are_refused_and_told_why() {
    let folder = nodes(false);
    let text = "[collaboration]\npartitioned = \"horizontal\"\n[[holder]]\nname = \"a\"\n\
                [[holder]]\nname = \"b\"\n[privacy]\nmodels = [\"k-anonymity(k=2)\"]\n\
                [output]\npath = \"r.csv\"\n";
    let parsed = sfumato_collab::job::Agreement::parse(text, "JOB.toml", folder.path());
    let error = parsed.unwrap_err();
    assert!(error.message.contains("subtracts its own number"), "{error}");
    assert_eq!(error.kind, ErrorKind::Unsupported);
}

/// What a holder that doesn't lead was sent by others than the leader are shares, and these are the
/// same whatever the senders' tables are: they are random numbers of the senders alone.
#[test]
fn counts_reach_only_the_leader() {
    let folder = nodes(false);
    let done = folder.run(&folder.job(&NAMES, PLAIN, "\"k-anonymity(k=2)\"")).unwrap();
    for (seat, log) in done.logs.iter().enumerate().skip(1) {
        for entry in log {
            let is_blind = matches!(
                entry.kind.as_str(),
                "hello" | "class-digest" | "share" | "partial" | "digest" | "mix" | "sealed"
            );
            assert!(is_blind, "node{seat} sent {entry:?}");
            assert!(entry.kind != "partial" || entry.to == "node0");
        }
    }
}

const JOBS: &str = "Janitor;Non-Technical;Blue-collar;ANY
Mover;Non-Technical;Blue-collar;ANY
Carpenter;Technical;Blue-collar;ANY
Technician;Technical;Blue-collar;ANY
Manager;Manager;White-collar;ANY
Accountant;Professional;White-collar;ANY
Lawyer;Professional;White-collar;ANY
";

/// The loans of chapter 11, but dealt out among three banks: the same table as from one.
#[test]
fn specialisations_by_sums_are_those_of_one_table() {
    let folder = Folder::new();
    folder.write("job.csv", JOBS);
    folder.write("sex.csv", "Male;ANY\nFemale;ANY\n");
    let quasi = |up: &str| {
        format!(
            "Sex = {{ role = \"quasi\", hierarchy = {{ file = \"{up}sex.csv\" }} }}\n\
             Job = {{ role = \"quasi\", hierarchy = {{ file = \"{up}job.csv\" }} }}\n\
             Class = {{ role = \"target\" }}\n"
        )
    };
    let mut tables = vec![String::from("Sex,Job,Class\n"); 4];
    for (ssn, class, sex, job, _) in crate::vertical::loans() {
        let row = format!("{sex},{job},{class}\n");
        tables[ssn as usize * 7 % 3] += &row;
        tables[3] += &row;
    }
    let names = ["a", "b", "c"];
    for (name, table) in names.iter().zip(&tables) {
        folder.holder(name, table, &quasi("../"));
    }
    folder.write("pooled.csv", &tables[3]);
    for k in [3, 4, 7] {
        let one = format!(
            "[input]\npath = \"pooled.csv\"\n[columns]\n{}[privacy]\n\
             models = [\"k-anonymity(k={k})\"]\n\
             [recode]\nalgorithm = \"top-down-specialization(score=igpl)\"\n\
             [output]\npath = \"pooled_release.csv\"\n",
            quasi("")
        );
        let one = sfumato_table::Job::parse(&one, "release.toml", folder.path()).unwrap();
        sfumato_table::run(&one, &sfumato_core::observer::Unobserved).unwrap();
        let expected = std::fs::read_to_string(folder.path().join("pooled_release.csv")).unwrap();
        let expected = crate::support::sorted(expected.lines().skip(1));
        let job = "partitioned = \"horizontal\"\norder = [\"Sex\", \"Job\", \"Class\"]\n\
                   method = \"top-down-specialization\"\ntarget = \"Class\"\n\
                   values = { Class = [\"Y\", \"N\"] }";
        let done =
            folder.run(&folder.job(&names, job, &format!("\"k-anonymity(k={k})\""))).unwrap();
        assert_eq!(done.rows(), expected, "k = {k}");
        assert!(!done.parts[0].steps.is_empty());
    }
}
