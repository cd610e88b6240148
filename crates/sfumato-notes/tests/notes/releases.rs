//! Notes in a table: columns and texts together.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::attack::AttackAsked;
use sfumato_engine::entry::Request;
use sfumato_engine::{Job, Releases};
use sfumato_report::Report;

static RELEASES: Releases =
    Releases(&[sfumato_table::RELEASES, sfumato_text::RELEASES, sfumato_notes::RELEASES]);

fn run(folder: &Path, text: &str) -> Result<Report> {
    RELEASES.run(&Job::parse(text, "release.toml", folder)?, &Unobserved)
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Notes of 60 people: the text repeats the age and the town, or says those of a relative.
fn notes(folder: &Path) {
    let mut out = String::from("patient,age,town,ward,note\n");
    for i in 0..60u32 {
        let age = 20 + (i * 7) % 40;
        let town = ["Boston", "Chicago", "Denver", "Dallas"][i as usize % 4];
        let ward = ["flu", "asthma", "gout"][i as usize % 3];
        let name = ["Anna Berg", "Peter Holt", "Laura Reed", "Hugo Weber"][i as usize / 15];
        let note = match i % 3 {
            0 => format!("Mr. {name} is a {age}-year-old from {town}. Came on 3/4/1987."),
            1 => format!("Aged {age}; the mother is aged 81 and lives in {town}."),
            _ => format!("Seen on May 5, 1999. MRN 44{i:03}. No complaints."),
        };
        out += &format!("{name} {i},{age},{town},{ward},\"{note}\"\n");
    }
    std::fs::write(folder.join("notes.csv"), out).unwrap();
}

fn job(more: &str, models: &str) -> String {
    format!(
        "[input]\npath = \"notes.csv\"\n[columns]\npatient = {{ role = \"identifier\" }}\n\
         age = {{ role = \"quasi\" }}\ntown = {{ role = \"quasi\" }}\n\
         ward = {{ role = \"sensitive\" }}\n[text]\nlayout = \"field=note\"\n\
         detect = [\"default\"]\n{more}\n[privacy]\nmodels = [{models}]\n\
         [output]\npath = \"release.csv\"\nspans = \"spans.jsonl\"\n[run]\nseed = 1\n"
    )
}

/// The rows of a release, as texts of cells.
fn rows(folder: &Path) -> Vec<Vec<String>> {
    let text = read(folder, "release.csv");
    let fields = |line: &str| -> Vec<String> {
        let (mut all, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
        for c in line.chars() {
            match c {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => all.push(std::mem::take(&mut field)),
                c => field.push(c),
            }
        }
        all.push(field);
        all
    };
    text.lines().map(fields).collect()
}

#[test]
fn texts_say_what_their_rows_say_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    notes(folder.path());
    let report = run(folder.path(), &job("", "\"k-anonymity(k=5)\"")).unwrap();
    assert!(report.guarantees.iter().all(|found| found.holds), "{:?}", report.guarantees);
    let rows = rows(folder.path());
    assert_eq!(rows[0], ["age", "town", "ward", "note"]);
    assert_eq!(rows.len(), 61);
    let mut written_back = 0;
    for row in &rows[1..] {
        let [age, town, _, note] = &row[..] else { panic!("{row:?}") };
        for word in ["Berg", "Holt", "Reed", "Weber", "1987", "1999", "MRN 44", " 81 "] {
            assert!(!note.contains(word), "{word} in {note}");
        }
        for other in ["Boston", "Chicago", "Denver", "Dallas"] {
            assert!(!note.contains(other) || town.contains(other), "{note} beside {town}");
        }
        written_back += usize::from(note.contains(&format!("a {age}-year-old")));
        let digits = note.replace(age.as_str(), "").replace(town.as_str(), "");
        assert!(!digits.chars().any(|c| c.is_ascii_digit()), "{note} beside {age}");
    }
    assert!(written_back > 10, "{written_back} texts repeat their row");
    let spans = read(folder.path(), "spans.jsonl");
    assert!(spans.lines().next().unwrap().starts_with("{\"document\":0,"));
    assert!(spans.contains("\"class\":\"PERSON\"") && spans.contains("\"class\":\"AGE\""));
    // The same seed gives the same bytes, and an audit agrees.
    let bytes = read(folder.path(), "release.csv");
    run(folder.path(), &job("", "\"k-anonymity(k=5)\"")).unwrap();
    assert_eq!(read(folder.path(), "release.csv"), bytes);
    let audit = audited(folder.path(), "release.csv", None);
    assert_eq!(audit["texts_saying_more"], 0, "{audit}");
    assert!(audit["classes"]["min"].as_u64().unwrap() >= 5, "{audit}");
}

fn audited(folder: &Path, file: &str, job: Option<Job>) -> serde_json::Value {
    let mut job = job.unwrap_or_default();
    job.set("input", "path", folder.join(file).display().to_string());
    let request = Request { job, ..Request::default() };
    serde_json::to_value(RELEASES.audit(&request, &Unobserved).unwrap()).unwrap()
}

#[test]
fn what_only_a_text_says_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    // Four rows are alike, and the text of one says an age that its row doesn't.
    let table = "town,note\nBoston,well\nBoston,\"aged 93, well\"\nBoston,well\nBoston,well\n";
    std::fs::write(folder.path().join("notes.csv"), table).unwrap();
    let text = "[columns]\ntown = { role = \"quasi\" }\n[text]\nlayout = \"field=note\"\n\
                detect = [\"age\"]\n[view]\nattributes = [\"age=AGE\"]\n";
    let audit = |file: &str| {
        let job =
            Job::parse(&format!("[input]\npath = \"x\"\n{text}"), "x", folder.path()).unwrap();
        audited(folder.path(), file, Some(job))
    };
    let before = audit("notes.csv");
    assert_eq!(
        (before["classes"]["min"].as_u64(), before["texts_saying_more"].as_u64()),
        (Some(1), Some(1))
    );
    std::fs::write(folder.path().join("other.csv"), table.replace("aged 93", "aged [AGE]"))
        .unwrap();
    let after = audit("other.csv");
    assert_eq!(
        (after["classes"]["min"].as_u64(), after["texts_saying_more"].as_u64()),
        (Some(4), Some(0))
    );
}

#[test]
fn a_view_of_the_text_alone_is_one_row_for_each_person() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = String::new();
    for i in 0..40u32 {
        let (age, mrn) = (30 + i / 2 % 10, 70_000 + i / 2);
        let note = match i % 2 {
            0 => format!("MRN {mrn}. A {age}-year-old patient."),
            _ => format!("Follow-up, MRN {mrn}. Doing well."),
        };
        lines += &format!("{{\"note\": \"{note}\"}}\n");
    }
    std::fs::write(folder.path().join("notes.jsonl"), lines).unwrap();
    let text = "[input]\npath = \"notes.jsonl\"\n[text]\nlayout = \"field=note\"\n\
                detect = [\"patterns\"]\n[view]\nattributes = [\"age=AGE\"]\n[privacy]\n\
                models = [\"k-anonymity(k=4)\"]\n[output]\npath = \"release.jsonl\"\n[run]\nseed = 1\n";
    let report = run(folder.path(), text).unwrap();
    let texts = &report.sections.iter().find(|section| section.key == "texts").unwrap().figures;
    assert_eq!(
        (texts["people"].as_u64(), texts["linked_by_number"].as_u64()),
        (Some(20), Some(20))
    );
    // People are counted, and not their notes.
    assert!(report.guarantees.iter().all(|found| found.holds), "{:?}", report.guarantees);
    for line in read(folder.path(), "release.jsonl").lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let (age, note) = (value["age"].as_str().unwrap(), value["note"].as_str().unwrap());
        assert!(!age.is_empty() && !note.contains("MRN 7"), "{line}");
        assert!(
            note.contains(&format!("A {age}-year-old")) || note.starts_with("Follow"),
            "{line}"
        );
    }
}

#[test]
fn levels_take_out_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    notes(folder.path());
    run(folder.path(), &job("level = \"partial\"", "")).unwrap();
    let partial = rows(folder.path());
    assert_eq!(partial[0], ["age", "town", "ward", "note"]);
    let is_kept = |row: &Vec<String>| row[3].contains(&format!("a {}-year-old from", row[0]));
    assert!(partial.iter().any(is_kept), "{partial:?}");
    assert!(!read(folder.path(), "release.csv").contains("Berg"));
    run(folder.path(), &job("level = \"full\"", "")).unwrap();
    let full = rows(folder.path());
    assert_eq!(full[0], ["ward", "note"]);
    assert!(!full.iter().any(|row| row[1].contains("Boston") || row[1].contains("[0-9]")));
    let refused = run(folder.path(), &job("level = \"statistical\"", "")).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Params);
    let refused = run(folder.path(), &job("level = \"full\"", "\"k-anonymity(k=2)\"")).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Params);
}

#[test]
fn attacks_on_both_together_before_and_after() {
    let folder = tempfile::tempdir().unwrap();
    notes(folder.path());
    let text = job("", "\"k-anonymity(k=5)\"");
    run(folder.path(), &text).unwrap();
    let rate = |file: &str, attack: &str| {
        let job = |path: &str| {
            let mut job = Job::parse(&text, "release.toml", folder.path()).unwrap();
            job.remove("output");
            job.remove("privacy");
            job.set("input", "path", folder.path().join(path).display().to_string());
            job
        };
        let attack = AttackAsked { attacks: vec![attack.into()], ..AttackAsked::default() };
        let original = Some(job("notes.csv"));
        let request = Request { job: job(file), original, attack, ..Request::default() };
        let played = RELEASES.attack(&request, &Unobserved).unwrap();
        played.attacks[0].rate.unwrap()
    };
    assert!(rate("notes.csv", "record-linkage") > 0.5);
    assert!(rate("release.csv", "record-linkage") <= 0.2 + 1e-9);
    assert!(rate("notes.csv", "residual-identifiers") > 0.9);
    assert!(rate("release.csv", "residual-identifiers") < 0.2);
}
