//! Releases of documents, checked from their bytes.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::entry::Request;
use sfumato_engine::{Job, Releases};
use sfumato_report::Report;

static RELEASES: Releases = Releases(&[sfumato_text::RELEASES]);

/// The entities of the worked example of K-safety.
const ENTITIES: &str =
    "entity,terms\ne1,a b c\ne2,b d e f\ne3,a d g\ne4,a b d g\ne5,c e f\ne6,b g\ne7,a b c e f g\n";

fn run(folder: &Path, text: &str) -> Result<Report> {
    RELEASES.run(&Job::parse(text, "release.toml", folder)?, &Unobserved)
}

fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn job(input: &str, text: &str, models: &str, output: &str) -> String {
    format!(
        "[input]\npath = \"{input}\"\n[text]\n{text}\n[privacy]\nmodels = [{models}]\n\
         [output]\n{output}\n[run]\nseed = 1\n"
    )
}

#[test]
fn what_is_not_replaced_leaves_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "{\"id\" :1,\"text\":\"Caf\\u00e9: a@b.org \\ud83d\\ude00\",\"x\":[1 ,2]}\r\n\
                 {\"text\":\"nothing here\",\"id\":2}\n\n{\"text\":null}\n";
    write(folder.path(), "notes.jsonl", lines);
    let text = job(
        "notes.jsonl",
        "layout = \"field=text\"\ndetect = [\"patterns\"]",
        "",
        "path = \"out.jsonl\"\nspans = \"spans.jsonl\"",
    );
    let report = run(folder.path(), &text).unwrap();
    assert!(report.guarantees.is_empty());
    assert_eq!(read(folder.path(), "out.jsonl"), lines.replace("a@b.org", "[EMAIL_ADDRESS]"),);
    assert_eq!(
        read(folder.path(), "spans.jsonl"),
        "{\"document\":0,\"start\":7,\"end\":14,\"start_char\":6,\"end_char\":13,\
         \"class\":\"EMAIL_ADDRESS\"}\n"
    );
    let json = report.to_json();
    assert!(json.contains("no-promise") || json.contains("NoPromise"), "{json}");
    assert!(report.warnings.iter().any(|warning| warning.contains("id, x")));
    // A table: the field is quoted only where it must be.
    let table = "id;text\n1;\"say \"\"hi\"\" to a@b.org\"\n2;b@c.org\n";
    write(folder.path(), "notes.csv", table);
    let text = text.replace("notes.jsonl", "notes.csv").replace("out.jsonl", "out.csv");
    run(folder.path(), &text).unwrap();
    let expected =
        table.replace("a@b.org", "[EMAIL_ADDRESS]").replace("b@c.org", "[EMAIL_ADDRESS]");
    assert_eq!(read(folder.path(), "out.csv"), expected);
}

#[test]
fn what_takes_the_place_of_something() {
    let folder = tempfile::tempdir().unwrap();
    let note = "{\"text\":\"Anna Berg, aged 37, wrote to Peter. anna berg@x and Anna Berg\"}\n";
    write(folder.path(), "notes.jsonl", note);
    let replaced = |how: &str| {
        let what =
            format!("layout = \"field=text\"\ndetect = [\"person\", \"age\"]\nreplace = \"{how}\"");
        run(folder.path(), &job("notes.jsonl", &what, "", "path = \"out.jsonl\"")).unwrap();
        let line = read(folder.path(), "out.jsonl");
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        value["text"].as_str().unwrap().to_string()
    };
    let rest = "anna berg@x and";
    assert_eq!(
        replaced("tag"),
        format!("[PERSON], aged [AGE], wrote to [PERSON]. {rest} [PERSON]")
    );
    assert_eq!(replaced("remove"), format!(", aged , wrote to . {rest} "));
    assert!(replaced("generalize").contains("aged [30-40), wrote to [PERSON]"));
    let surrogate = replaced("surrogate");
    let first = surrogate.split(',').next().unwrap();
    assert!(surrogate.ends_with(&format!("and {first}")), "{surrogate}");
    assert!(!surrogate.contains("Peter") && !surrogate.contains("Anna Berg"), "{surrogate}");
    assert_eq!(surrogate, replaced("surrogate"));
}

fn erase(folder: &Path, model: &str, documents: &[(&str, &str)]) -> Result<Report> {
    write(folder, "entities.csv", ENTITIES);
    write(folder, "protected.txt", "e1\ne2\ne3\n");
    documents.iter().for_each(|(name, text)| write(folder, &format!("docs/{name}"), text));
    let what = "layout = \"folder\"\nentities = \"entities.csv\"\nprotected = \"protected.txt\"";
    let output = "path = \"out\"\ncertificate = \"certificate.jsonl\"\nreport = \"report.json\"";
    run(folder, &job("docs", what, &format!("\"{model}\""), output))
}

#[test]
fn the_worked_example_as_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let report = erase(folder.path(), "k-safety(k=2)", &[("1.txt", "A, b-d: e f\ng! h")]).unwrap();
    assert_eq!(read(folder.path(), "out/1.txt"), "A, [REDACTED]-[REDACTED]: e f\ng! h");
    assert!(report.guarantees[0].holds);
    assert_eq!(report.guarantees[0].achieved, Some(2.into()));
    let kept = report.metrics.iter().find(|(name, _)| *name == "terms-kept").unwrap().1;
    assert_eq!(*kept, Some(4.0 / 6.0));
    let certificate = read(folder.path(), "certificate.jsonl");
    let lines: Vec<serde_json::Value> =
        certificate.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<(&str, u64)> = lines
        .iter()
        .map(|line| (line["entity"].as_str().unwrap(), line["covers"].as_u64().unwrap()))
        .collect();
    assert_eq!(found, [("e1", 3), ("e2", 2), ("e3", 2)]);
    assert_eq!(lines[1]["some"], serde_json::json!(["e5", "e7"]));
    // An audit finds the same in the release, and says that the original isn't safe.
    let audit = |path: &str| {
        let mut job = Job::default();
        let full = |name: &str| folder.path().join(name).display().to_string();
        job.set("input", "path", full(path));
        job.set("text", "layout", "folder");
        job.set("text", "entities", full("entities.csv"));
        job.set("text", "protected", full("protected.txt"));
        job.set("privacy", "models", vec!["k-safety(k=2)".to_string()]);
        RELEASES.audit(&Request { job, ..Request::default() }, &Unobserved).unwrap()
    };
    assert!(audit("out").holds && !audit("docs").holds);
    assert_eq!(audit("docs").guarantees[0].achieved, Some(0.into()));
}

#[test]
fn every_algorithm_makes_documents_safe() {
    let folder = tempfile::tempdir().unwrap();
    for algorithm in ["levelwise", "best-first", "fast-btop"] {
        write(folder.path(), "docs/1.txt", "a b d e f g");
        write(folder.path(), "entities.csv", ENTITIES);
        let what = "layout = \"folder\"\nentities = \"entities.csv\"";
        let text = job("docs", what, "\"k-safety(k=2)\"", "path = \"out\"")
            + &format!("[recode]\nalgorithm = \"{algorithm}\"\n");
        let report = run(folder.path(), &text).unwrap();
        assert_eq!(report.algorithm.name, algorithm);
        assert!(report.guarantees[0].holds, "{algorithm}");
    }
}

#[test]
fn the_report_names_the_algorithms_that_decided() {
    let folder = tempfile::tempdir().unwrap();
    let terms: Vec<String> = (0..30).map(|at| format!("t{at}")).collect();
    let mut entities = String::from("entity,terms\n");
    for (at, pair) in terms.windows(2).enumerate() {
        entities += &format!("e{at},{}\n", pair.join(" "));
    }
    write(folder.path(), "entities.csv", &entities);
    let what = "layout = \"folder\"\nentities = \"entities.csv\"";
    let named = |documents: &[(&str, String)]| {
        documents.iter().for_each(|(name, text)| write(folder.path(), name, text));
        let job = job("docs", what, "\"k-safety(k=1)\"", "path = \"out\"");
        let report = run(folder.path(), &job).unwrap();
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
        report.algorithm.name
    };
    assert_eq!(named(&[("docs/1.txt", terms[..5].join(" "))]), "best-first");
    assert_eq!(named(&[("docs/2.txt", terms.join(" "))]), "best-first and fast-btop");
}

#[test]
fn documents_that_are_safe_alone_may_not_be_safe_together() {
    let folder = tempfile::tempdir().unwrap();
    let documents = [("1.txt", "a e f g"), ("2.txt", "a b g")];
    erase(folder.path(), "k-safety(k=2)", &documents).unwrap();
    assert_eq!(read(folder.path(), "out/1.txt"), "a e f g");
    assert_eq!(read(folder.path(), "out/2.txt"), "a b g");
    let report = erase(folder.path(), "k-safety(k=2, over=corpus)", &documents).unwrap();
    assert!(report.guarantees[0].holds);
    assert_eq!(read(folder.path(), "out/1.txt"), "a e f g");
    assert_eq!(read(folder.path(), "out/2.txt"), "a [REDACTED] g");
    // By the person that lines name: documents of different people aren't read together.
    let lines =
        "{\"p\":1,\"t\":\"a e f g\"}\n{\"p\":1,\"t\":\"a b g\"}\n{\"p\":2,\"t\":\"a b g\"}\n";
    write(folder.path(), "notes.jsonl", lines);
    let what = "layout = \"field=t, subject=p\"\nentities = \"entities.csv\"\n\
                protected = \"protected.txt\"";
    let model = "\"k-safety(k=2, over=subject)\"";
    run(folder.path(), &job("notes.jsonl", what, model, "path = \"out.jsonl\"")).unwrap();
    let expected = lines.replacen("a b g", "a [REDACTED] g", 1);
    assert_eq!(read(folder.path(), "out.jsonl"), expected);
    let error = run(
        folder.path(),
        &job("notes.jsonl", &what.replace(", subject=p", ""), model, "path = \"o.jsonl\""),
    );
    assert_eq!(error.unwrap_err().kind, ErrorKind::Params);
}

#[test]
fn what_cannot_be_met_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let error = erase(folder.path(), "k-safety(k=7)", &[("1.txt", "a b")]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    assert!(!folder.path().join("out").exists() && !folder.path().join("report.json").exists());
}

#[test]
fn detectors_and_entities_together() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "entities.csv", "entity,term\ne1,age\ne1,mill\ne2,mill\ne3,x\n");
    write(folder.path(), "docs/1.txt", "Anna, aged 37, works at the mill");
    let what = "layout = \"folder\"\nentities = \"entities.csv\"\ndetect = [\"default\"]";
    run(folder.path(), &job("docs", what, "\"k-safety(k=1)\"", "path = \"out\"")).unwrap();
    // The mark of a class is a term of its own here, and goes.
    let published = read(folder.path(), "out/1.txt");
    assert_eq!(published, "[PERSON], aged [REDACTED], works at the mill");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "notes.jsonl", "{\"text\":\"a\"}\n");
    write(folder.path(), "docs/1.txt", "a");
    write(folder.path(), "entities.csv", ENTITIES);
    let refused = |input: &str, what: &str, models: &str, output: &str| {
        let output = format!("path = \"{output}\"");
        run(folder.path(), &job(input, what, models, &output)).unwrap_err().kind.exit_code()
    };
    let field = "layout = \"field=text\"";
    let entities = format!("{field}\nentities = \"entities.csv\"");
    let model = "\"k-safety(k=2)\"";
    for (input, what, models, output) in [
        ("notes.jsonl", field, "", "o.jsonl"),
        ("notes.jsonl", field, model, "o.jsonl"),
        ("notes.jsonl", &entities[..], "", "o.jsonl"),
        (
            "notes.jsonl",
            &format!("{entities}\ndetect = [\"email\"]\nreplace = \"surrogate\""),
            model,
            "o.jsonl",
        ),
        ("notes.jsonl", &format!("{field}\ndetect = [\"emial\"]"), "", "o.jsonl"),
        ("notes.jsonl", &format!("{field}\ndetect = [\"email\"]\nreplace = \"x\""), "", "o.jsonl"),
        ("notes.jsonl", "layout = \"folder\"\ndetect = [\"email\"]", "", "o"),
        ("docs", &format!("{field}\ndetect = [\"email\"]"), "", "o.jsonl"),
        ("docs", "layout = \"folder\"\ndetect = [\"email\"]", "", "docs/o"),
        ("notes.jsonl", "layout = \"field=note\"\ndetect = [\"email\"]", "", "o.jsonl"),
        ("notes.jsonl", &entities[..], "\"k-safety(k=0)\"", "o.jsonl"),
    ] {
        assert_eq!(refused(input, what, models, output), 2, "{what} {models}");
    }
}

#[test]
fn queries_have_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let lines =
        "{\"text\":\"asthma, a@b.org\"}\n{\"text\":\"mail a@b.org\"}\n{\"text\":\"none\"}\n";
    write(folder.path(), "notes.jsonl", lines);
    let what = "layout = \"field=text\"\ndetect = [\"email\"]";
    run(folder.path(), &job("notes.jsonl", what, "", "path = \"out.jsonl\"")).unwrap();
    let mut job = Job::default();
    job.set("input", "path", folder.path().join("out.jsonl").display().to_string());
    let mut original = Job::default();
    original.set("input", "path", folder.path().join("notes.jsonl").display().to_string());
    original.set("text", "layout", "field=text");
    let asked = ["count where contains 'Asthma'", "count where contains email"];
    let queries = asked.map(String::from).to_vec();
    let request = Request { job, original: Some(original), queries, ..Request::default() };
    let answers = RELEASES.query(&request, &Unobserved).unwrap();
    let answer = &answers.answers[0];
    let whole = |n: u64| Some(serde_json::Value::from(n));
    assert_eq!((answer.lower.clone(), answer.upper.clone()), (whole(1), whole(2)));
    assert_eq!(answer.truth, whole(1));
    // The word of a mark is no word of a document.
    assert_eq!(answers.answers[1].lower, whole(0));
    let wrong = Request { queries: vec!["how many".into()], ..request };
    assert_eq!(RELEASES.query(&wrong, &Unobserved).unwrap_err().kind, ErrorKind::Params);
}

/// What Safe Harbor lists, by its number, in a sentence with the part that must go. Finger prints
/// (16) and photographs (17) aren't text.
const SAFE_HARBOR: &[(u32, &str, &str)] = &[
    (1, "Seen by Dr. Anna Berg today.", "Anna Berg"),
    (2, "Lives at 12 Oak Street since then.", "12 Oak Street"),
    (2, "She moved to Boston.", "Boston"),
    (2, "The zip code 02139 was given.", "02139"),
    (3, "Admitted on 3/14/2019.", "3/14/2019"),
    (3, "She is 92 years old.", "92"),
    (4, "Call 212-555-0123.", "212-555-0123"),
    (5, "Fax 212-555-0199.", "212-555-0199"),
    (6, "Write to ann@example.org.", "ann@example.org"),
    (7, "SSN 078-05-1120 was given.", "078-05-1120"),
    (8, "MRN 1000007 was opened.", "1000007"),
    (9, "Health plan number HP123456 pays.", "HP123456"),
    (10, "Account number 12345678 is charged.", "12345678"),
    (11, "License number A1234567 was shown.", "A1234567"),
    (12, "Vehicle 1HGCM82633A004352 hit a tree.", "1HGCM82633A004352"),
    (13, "Pacemaker serial number SN12345 works.", "SN12345"),
    (14, "See https://example.org/ann for more.", "example.org/ann"),
    (15, "Logged in from 203.0.113.7 at night.", "203.0.113.7"),
    (18, "Passport number X1234567 is expired.", "X1234567"),
];

#[test]
fn safe_harbor_finds_every_kind_that_text_can_have() {
    let folder = tempfile::tempdir().unwrap();
    let lines = SAFE_HARBOR.iter().map(|(_, text, _)| format!("{{\"text\":\"{text}\"}}\n"));
    write(folder.path(), "notes.jsonl", &lines.collect::<String>());
    for how in ["tag", "generalize"] {
        let what = format!(
            "layout = \"field=text\"\ndetect = [\"safe-harbor\"]\nreplace = \"{how}\"\n\
             level = \"full\""
        );
        run(folder.path(), &job("notes.jsonl", &what, "", "path = \"out.jsonl\"")).unwrap();
        let published = read(folder.path(), "out.jsonl");
        assert_eq!(published.lines().count(), SAFE_HARBOR.len());
        for ((kind, text, secret), line) in SAFE_HARBOR.iter().zip(published.lines()) {
            assert!(!line.contains(secret), "kind {kind}, {how}: {text} became {line}");
            assert!(line.contains(&text[..3]), "kind {kind}: more than the secret went: {line}");
        }
    }
    let kinds: std::collections::BTreeSet<u32> =
        SAFE_HARBOR.iter().map(|(kind, _, _)| *kind).collect();
    assert_eq!(kinds.len(), 16, "18 without the two that aren't text");
}
