//! PPMashup: the loan company and the bank of tables 11.1 and figure 11.3.

use std::fs;

use sfumato_table::Job;

use crate::support::{Done, Folder, sorted};

/// Table 11.1: how many records, how many of them Y, and the values.
const LOANS: [(u32, u32, u32, &str, &str, u32); 10] = [
    (1, 3, 0, "Male", "Janitor", 30),
    (4, 7, 0, "Male", "Mover", 32),
    (8, 12, 2, "Male", "Carpenter", 35),
    (13, 16, 3, "Female", "Technician", 37),
    (17, 22, 4, "Female", "Manager", 42),
    (23, 25, 3, "Female", "Manager", 44),
    (26, 28, 3, "Male", "Accountant", 44),
    (29, 31, 3, "Female", "Accountant", 44),
    (32, 33, 2, "Male", "Lawyer", 44),
    (34, 34, 1, "Female", "Lawyer", 44),
];

const JOBS: &str = "Janitor;Non-Technical;Blue-collar;ANY_Job
Mover;Non-Technical;Blue-collar;ANY_Job
Carpenter;Technical;Blue-collar;ANY_Job
Technician;Technical;Blue-collar;ANY_Job
Manager;Manager;White-collar;ANY_Job
Accountant;Professional;White-collar;ANY_Job
Lawyer;Professional;White-collar;ANY_Job
";

pub const MODEL: &str = "\"multi-k-anonymity(qids=[Sex+Job, Sex+Salary], k=[4, 11])\"";
const CLEAR: &str =
    "partitioned = \"vertical\"\nid = \"SSN\"\ntarget = \"Class\"\nscores = \"clear\"";

/// Records with their class: (SSN, class, sex, job, salary).
pub fn loans() -> Vec<(u32, &'static str, &'static str, &'static str, u32)> {
    let record = |(from, to, yes, sex, job, salary): (u32, u32, u32, _, _, _)| {
        (from..=to).map(move |ssn| {
            let class = if ssn - from < yes { "Y" } else { "N" };
            (ssn, class, sex, job, salary)
        })
    };
    LOANS.into_iter().flat_map(record).collect()
}

/// The loan company has Sex, the bank Job and Salary; each knows somebody whom the other doesn't.
pub fn two_holders() -> Folder {
    let folder = Folder::new();
    folder.write("job.csv", JOBS);
    let mut loan = String::from("SSN,Class,Sex\n");
    let mut bank = String::from("SSN,Job,Salary,Class\n99,Mover,12,N\n");
    for (ssn, class, sex, job, salary) in loans() {
        loan += &format!("{ssn},{class},{sex}\n");
        bank += &format!("{ssn},{job},{salary},{class}\n");
    }
    loan += "77,Y,Male\n";
    let (id, target) = ("SSN = { role = \"identifier\" }", "Class = { role = \"target\" }");
    folder.holder("loan", &loan, &format!("{id}\n{target}\nSex = {{ role = \"quasi\" }}"));
    let bank_columns = format!(
        "{id}\n{target}\nJob = {{ role = \"quasi\", hierarchy = {{ file = \"../job.csv\" }} }}\n\
         Salary = {{ role = \"quasi\" }}"
    );
    folder.holder("bank", &bank, &bank_columns);
    folder
}

/// The rows that the single-table algorithm of the engine releases of the joint table.
pub fn pooled(folder: &Folder) -> Vec<String> {
    pooled_with(folder, MODEL)
}

fn pooled_with(folder: &Folder, model: &str) -> Vec<String> {
    let mut text = String::from("Sex,Job,Salary,Class\n");
    for (_, class, sex, job, salary) in loans() {
        text += &format!("{sex},{job},{salary},{class}\n");
    }
    folder.write("pooled.csv", &text);
    let job = format!(
        "[input]\npath = \"pooled.csv\"\n[columns]\nSex = {{ role = \"quasi\" }}\n\
         Job = {{ role = \"quasi\", hierarchy = {{ file = \"job.csv\" }} }}\n\
         Salary = {{ role = \"quasi\" }}\nClass = {{ role = \"target\" }}\n\
         [privacy]\nmodels = [{model}]\n\
         [recode]\nalgorithm = \"top-down-specialization(score=igpl)\"\n\
         [output]\npath = \"pooled_release.csv\"\n[run]\nseed = 1\n"
    );
    let job = Job::parse(&job, "release.toml", folder.path()).unwrap();
    sfumato_table::run(&job, &sfumato_core::observer::Unobserved).unwrap();
    let text = fs::read_to_string(folder.path().join("pooled_release.csv")).unwrap();
    sorted(text.lines().skip(1))
}

/// The sequence of section 11.6.
const STEPS: [&str; 5] = [
    "Salary: [30..35] | [37..44]",
    "Job: Blue-collar | White-collar",
    "Job: Non-Technical | Technical",
    "Job: Manager | Professional",
    "Job: Carpenter | Technician",
];

fn check_final(done: &Done) {
    let count = |row: &str| done.rows().iter().filter(|own| own.starts_with(row)).count();
    for (row, n) in [
        ("*,Non-Technical,[30..35],N", 7),
        ("*,Carpenter,[30..35],Y", 2),
        ("*,Carpenter,[30..35],N", 3),
        ("*,Technician,[37..44],Y", 3),
        ("*,Technician,[37..44],N", 1),
        ("*,Manager,[37..44],Y", 7),
        ("*,Manager,[37..44],N", 2),
        ("*,Professional,[37..44],Y", 9),
    ] {
        assert_eq!(count(row), n, "{row}");
    }
    assert_eq!(done.rows().len(), 34);
}

#[test]
fn the_loans_of_chapter_eleven_are_those_of_one_table() {
    let folder = two_holders();
    let order = format!("{CLEAR}\norder = [\"Sex\", \"Job\", \"Salary\", \"Class\"]");
    let done = folder.run(&folder.job(&["loan", "bank"], &order, MODEL)).unwrap();
    assert_eq!(done.steps(), STEPS);
    check_final(&done);
    assert_eq!(done.rows(), pooled(&folder));
    let scores: Vec<f64> = done.parts[1].steps.iter().map(|step| step.score.unwrap()).collect();
    for (score, printed) in scores.iter().zip([0.0156, 0.0143, 0.0339, 0.1212, 0.0228]) {
        assert!((score - printed).abs() < 5e-5, "{scores:?}");
    }
    // s(n^2 - 1) messages for s specialisations, and n(n - 1) in the round that finds none.
    let (s, n) = (5, 2);
    assert_eq!(done.sent("score") + done.sent("instruct"), s * (n * n - 1) + n * (n - 1));
    assert_eq!(done.sent("instruct"), s * (n - 1));
    assert!(done.report.guarantees.iter().all(|guarantee| guarantee.holds));
}

#[test]
fn nobody_hears_an_identifier_or_a_raw_value() {
    let folder = two_holders();
    let done = folder.run(&folder.job(&["loan", "bank"], CLEAR, MODEL)).unwrap();
    for (log, others) in done.logs.iter().zip([["Male", "Female"], ["Janitor", "Accountant"]]) {
        assert!(!log.is_empty());
        for entry in log {
            assert!(others.iter().all(|value| !entry.reveals.contains(value)), "{entry:?}");
        }
    }
    assert!(!done.text.contains("SSN"));
}

const THREE: &str = "partitioned = \"vertical\"\nid = \"SSN\"\ntarget = \"Class\"\n\
                     order = [\"Sex\", \"Job\", \"Salary\"]";

/// Sex, Job and Salary with a holder each; the third doesn't have the class.
fn three_holders() -> Folder {
    let folder = two_holders();
    let (mut jobs, mut pay) = (String::from("SSN,Job\n"), String::from("SSN,Salary,Class\n"));
    for (ssn, class, _, job, salary) in loans() {
        jobs += &format!("{ssn},{job}\n");
        pay += &format!("{ssn},{salary},{class}\n");
    }
    let id = "SSN = { role = \"identifier\" }";
    let job = "Job = { role = \"quasi\", hierarchy = { file = \"../job.csv\" } }";
    folder.holder("jobs", &jobs, &format!("{id}\n{job}"));
    let class = "Class = { role = \"target\" }";
    folder.holder("pay", &pay, &format!("{id}\nSalary = {{ role = \"quasi\" }}\n{class}"));
    folder
}

#[test]
fn secret_scores_give_the_same_release() {
    let folder = three_holders();
    let names = ["loan", "jobs", "pay"];
    let done = folder.run(&folder.job(&names, THREE, MODEL)).unwrap();
    assert_eq!(done.steps(), STEPS);
    assert_eq!(done.rows(), pooled(&folder));
    assert!(done.parts.iter().all(|part| part.steps.iter().all(|step| step.score.is_none())));
    // Six searches for the maximum of two comparisons each: a question, an answer and a verdict to
    // both others; then the winner says whether there was anything.
    let (s, n) = (5, 3);
    assert_eq!(done.sent("ciphers"), (s + 1) * (n - 1) * 2);
    assert_eq!(done.sent("larger"), (s + 1) * (n - 1) * (n - 1));
    assert_eq!(done.sent("score"), (s + 1) * (n - 1));
    assert_eq!(done.sent("instruct"), s * (n - 1));
}

#[test]
fn three_holders_send_as_many_messages_as_the_chapter_says() {
    let folder = three_holders();
    let clear = format!("{THREE}\nscores = \"clear\"");
    let done = folder.run(&folder.job(&["loan", "jobs", "pay"], &clear, MODEL)).unwrap();
    let (s, n) = (5, 3);
    assert_eq!(done.sent("score") + done.sent("instruct"), s * (n * n - 1) + n * (n - 1));
    assert_eq!(done.rows(), pooled(&folder));
}

#[test]
fn contributions_end_the_run_when_one_holder_gave_more() {
    let folder = two_holders();
    let fair = format!("{CLEAR}\nscoring = \"gain-ratio\"\nfairness = {{ generosity = 0.01 }}");
    let done = folder.run(&folder.job(&["loan", "bank"], &fair, MODEL)).unwrap();
    assert_eq!(done.steps(), STEPS[..1]);
    let winner = done.parts[0].steps[0].score.unwrap();
    assert!((winner - 0.3827).abs() < 5e-5, "{winner}");
    let count = |range: &str| done.rows().iter().filter(|row| row.contains(range)).count();
    assert_eq!((count("[30..35]"), count("[37..44]")), (12, 22));
    // With a generosity above what the bank gives in all the run is the whole one.
    let generous = fair.replace("0.01", "10.0");
    let done = folder.run(&folder.job(&["loan", "bank"], &generous, MODEL)).unwrap();
    assert_eq!(done.steps(), STEPS);
}

#[test]
fn the_owner_of_a_sensitive_column_rejects_what_would_tell_too_much() {
    let folder = two_holders();
    // Of the first seven people all have the flu: their class would tell it.
    let mut clinic = String::from("SSN,Ill\n");
    loans().iter().for_each(|(ssn, ..)| {
        clinic += &format!(
            "{ssn},{}\n",
            ["flu", "cough", "cold"][if *ssn < 8 { 0 } else { *ssn as usize % 3 }]
        );
    });
    let columns = "SSN = { role = \"identifier\" }\nIll = { role = \"sensitive\" }";
    folder.holder("clinic", &clinic, columns);
    let names = ["loan", "bank", "clinic"];
    let models = format!("{MODEL}, \"l-diversity-distinct(l=2)\"");
    let done = folder.run(&folder.job(&names, CLEAR, &models)).unwrap();
    assert!(done.report.guarantees.iter().all(|guarantee| guarantee.holds));
    assert!(!done.text.contains("Non-Technical"), "{}", done.text);
    assert!(done.parts.iter().all(|part| part.remarks.iter().any(|r| r.contains("rejected"))));
    // Without the model the same holders publish the class.
    let done = folder.run(&folder.job(&names, CLEAR, MODEL)).unwrap();
    assert!(done.text.contains("Non-Technical"));
}

#[test]
fn identifiers_that_name_several_rows_are_joined_only_if_asked() {
    let folder = two_holders();
    let table = folder.path().join("loan/table.csv");
    let twice = fs::read_to_string(&table).unwrap() + "20,Y,Male\n";
    fs::write(&table, twice).unwrap();
    let error = folder.run(&folder.job(&["loan", "bank"], CLEAR, MODEL)).map(|_| ()).unwrap_err();
    assert!(error.message.contains("occurs several times"), "{error}");
    // The bank gives no class here: of a pair of rows there is only one.
    let bank = folder.path().join("bank/holder.toml");
    let text = fs::read_to_string(&bank).unwrap().replace("\"target\"", "\"identifier\"");
    fs::write(&bank, text).unwrap();
    let many = format!("{CLEAR}\njoin = \"many\"");
    let done = folder.run(&folder.job(&["loan", "bank"], &many, MODEL)).unwrap();
    assert_eq!(done.rows().len(), 35);
    assert!(done.parts[0].remarks.iter().any(|remark| remark.contains("not people")));
}

/// How many rows have the same quasi values.
fn class_sizes(done: &Done) -> Vec<usize> {
    let without_class = |row: &String| row.rsplit_once(',').unwrap().0.to_string();
    let rows: Vec<String> = done.rows().iter().map(without_class).collect();
    rows.chunk_by(|a, b| a == b).map(<[String]>::len).collect()
}

#[test]
fn classes_that_are_made_alone_are_joined_once_they_fit() {
    let folder = two_holders();
    let baseline = format!(
        "{CLEAR}\norder = [\"Sex\", \"Job\", \"Salary\", \"Class\"]\nmethod = \"double-encryption\""
    );
    let mut attempts = Vec::new();
    for k in [3, 5, 11, 34] {
        let model = format!("\"k-anonymity(k={k})\"");
        let done = folder.run(&folder.job(&["loan", "bank"], &baseline, &model)).unwrap();
        assert!(done.report.guarantees.iter().all(|guarantee| guarantee.holds));
        assert!(class_sizes(&done).iter().all(|size| *size >= k), "{:?}", done.rows());
        assert_eq!(class_sizes(&done).iter().sum::<usize>(), 34);
        // Records go over the wire only as points, twice for each attempt of each holder.
        attempts.push(done.sent("classed") / 4);
        assert_eq!(done.sent("instruct") + done.sent("score"), 0);
    }
    // Classes of at least three records each, or of eleven, don't fit at first.
    assert_eq!(attempts, [2, 1, 2, 1]);
    let three = three_holders();
    let job = three.job(&["loan", "jobs", "pay"], &baseline, "\"k-anonymity(k=3)\"");
    let error = three.run(&job).map(|_| ()).unwrap_err();
    assert!(error.message.contains("is for two holders"), "{error}");
}

#[test]
fn columns_that_concern_nobody_else_are_specialised_without_a_message() {
    let folder = two_holders();
    let order = format!("{CLEAR}\nbeneficial_only = false\norder = [\"Sex\", \"Job\", \"Salary\"]");
    let local = "\"multi-k-anonymity(qids=[Sex, Job+Salary], k=[11, 4])\"";
    let done = folder.run(&folder.job(&["loan", "bank"], &order, local)).unwrap();
    assert_eq!(done.rows(), pooled_with(&folder, local));
    assert_eq!(done.sent("instruct"), 0);
    assert_eq!(done.sent("score"), 2);
    for part in &done.parts {
        assert!(part.steps.is_empty());
        assert!(part.remarks.iter().any(|remark| remark.contains("nobody was told")));
    }
}
