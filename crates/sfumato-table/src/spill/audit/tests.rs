//! Tests that the answer is the same with any memory.

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::facts::Promises as _;
use sfumato_core::observer::Unobserved;

use super::*;
use crate::audit::Opened;

/// A memory so small that hardly anything fits.
const TINY: Room = Room {
    free: 64 << 20,
    run: 3000,
    classes: 1500,
    people: 1500,
    values: 1 << 20,
    block_bytes: 400,
    batch_rows: 16,
};

type Cells = (u8, u8, u8, u8, u8);

fn csv(rows: &[Cells], delimiter: &str) -> String {
    let mut text = ["zip", "age", "extra", "disease", "income", "person"].join(delimiter) + "\n";
    for (zip, age, disease, income, person) in rows {
        let zip = ["*", "130**", "148*", "", "?"][usize::from(*zip) % 5];
        let age = if zip == "*" { "*".to_string() } else { format!("[{age}..{}]", age + 9) };
        let disease = ["flu", "", "cancer", "ulcer"][usize::from(*disease) % 4];
        let income = ["10", "10.0", "25.5", "?"][usize::from(*income) % 4];
        text += &([zip, &age, "x", disease, income, &format!("p{person}")].join(delimiter) + "\n");
    }
    text
}

fn request(home: &Path, name: &str, models: &[&str]) -> TableAuditRequest {
    let input = |name: &str| InputSpec {
        path: home.join(name).display().to_string(),
        missing: vec!["?".into()],
        ..InputSpec::default()
    };
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    TableAuditRequest {
        input: input(name),
        quasi: words(&["age", "zip"]),
        sensitive: words(&["income", "disease"]),
        models: words(models),
        original: Some(input("original.csv")),
        spill: Some(home.to_path_buf()),
        ..TableAuditRequest::default()
    }
}

fn shown_as(opened: &Opened, models: &[String]) -> String {
    let mut audit = serde_json::to_value(opened.audit().unwrap()).unwrap();
    // Cells are compared with their originals, and failing classes listed, in memory only.
    for only_in_memory in ["truth", "failing"] {
        audit.as_object_mut().unwrap().remove(only_in_memory);
    }
    let promises = bind_models(models, &opened.bind()).unwrap();
    format!("{audit} {:?}", promises.judge(opened).unwrap())
}

const MODELS: [&str; 4] = [
    "k-anonymity(k=3)",
    "l-diversity-distinct(l=2, on=disease)",
    "t-closeness(t=0.4, on=income)",
    "alpha-k-anonymity(alpha=0.6, k=2, on=disease)",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn the_answer_is_that_of_memory(
        rows in prop::collection::vec((0u8..9, 0u8..60, 0u8..6, 0u8..6, 0u8..70), 1..500),
        original in prop::collection::vec((0u8..9, 0u8..60, 0u8..6, 0u8..6, 0u8..70), 1..200),
        with_subject: bool, projections: bool,
    ) {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("release.csv"), csv(&rows, ",")).unwrap();
        std::fs::write(home.path().join("original.csv"), csv(&original, ";")).unwrap();
        let mut request = request(home.path(), "release.csv", &MODELS);
        if projections {
            request.models.push("lkc-privacy(l=1, k=2, c=0.9)".into());
        }
        request.subject = with_subject.then(|| "person".to_string());
        let expected = crate::audit::open(request.clone(), &Unobserved).unwrap();
        let books = Accountant::default();
        let found = within(&request, TINY, &books, &Unobserved).unwrap();
        let found = Opened::Passed(Box::new(found));
        let models = request.models.clone();
        prop_assert_eq!(shown_as(&found, &models), shown_as(&expected, &models));
        let request = TableAuditRequest { memory: Some(1 << 30), ..request };
        let much = crate::audit::open(request, &Unobserved).unwrap();
        prop_assert_eq!(shown_as(&much, &models), shown_as(&expected, &models));
        prop_assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 2);
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let home = tempfile::tempdir().unwrap();
    let rows: Vec<Cells> =
        (0..2000u32).map(|i| (1, (i % 240) as u8, i as u8, i as u8, (i / 7) as u8)).collect();
    std::fs::write(home.path().join("release.csv"), csv(&rows, ",")).unwrap();
    let mut request = request(home.path(), "release.csv", &["lkc-privacy(l=1, k=2, c=0.9)"]);
    request.original = None;
    let error = within(&request, Room { free: 1000, ..TINY }, &Accountant::default(), &Unobserved)
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Resources);
    assert!(error.message.starts_with("lkc-privacy needs all classes"), "{error}");
    let error = within(&request, Room { values: 10, ..TINY }, &Accountant::default(), &Unobserved)
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Resources);
    assert!(error.message.contains("column 'disease'"), "{error}");
    request.memory = Some(1 << 20);
    let error = crate::audit::open(request.clone(), &Unobserved).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Params);
    request.subject = Some("extra".into());
    request.input.missing.push("x".into());
    let error = within(&request, TINY, &Accountant::default(), &Unobserved).unwrap_err();
    assert_eq!(error.message, "subject column 'extra' is missing in 2000 rows");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
}
