//! The public API: what comes of batches is what comes of files, and nothing else than the
//! documented types is needed to ask for it.

#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use sfumato::{
    Apply, Cancel, Column, ErrorKind, Hierarchy, Job, Layout, Manifest, Recoding, Role, Run, Unseen,
};

/// People in several batches.
fn people() -> Vec<RecordBatch> {
    let batch = |from: i64| {
        let numbers = from..from + 40;
        let ages = Int64Array::from_iter_values(numbers.clone().map(|i| 20 + (i * 7) % 50));
        let towns = numbers.clone().map(|i| ["north", "south", "east"][i as usize % 3]);
        let ills = numbers.clone().map(|i| ["flu", "cough", "hiv", "none"][i as usize % 4]);
        let names = numbers.map(|i| format!("person {i}"));
        RecordBatch::try_from_iter([
            ("name", Arc::new(StringArray::from_iter_values(names)) as ArrayRef),
            ("age", Arc::new(ages)),
            ("town", Arc::new(StringArray::from_iter_values(towns))),
            ("ill", Arc::new(StringArray::from_iter_values(ills))),
        ])
        .unwrap()
    };
    vec![batch(0), batch(40), batch(80)]
}

fn table_job() -> Job {
    Job::table()
        .identifier("name")
        .quasi(Column::new("age").hierarchy(Hierarchy::interval(5.0, 4)))
        .quasi("town")
        .sensitive("ill")
        .k(5)
        .model("l-diversity-distinct(l=2)")
        .seed(1)
}

fn baskets() -> Vec<RecordBatch> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for i in 0..60 {
        for item in ["bread", "milk", ["tea", "beer"][i % 2], ["jam", "eggs", "rice"][i % 3]] {
            lists.values().append_value(item);
        }
        lists.append(true);
    }
    let lists: ArrayRef = Arc::new(lists.finish());
    vec![RecordBatch::try_from_iter([("items", lists)]).unwrap()]
}

fn write(path: &Path, batches: &[RecordBatch]) {
    let mut writer =
        FileWriter::try_new(File::create(path).unwrap(), &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

fn read(path: &Path) -> Vec<RecordBatch> {
    FileReader::try_new(File::open(path).unwrap(), None).unwrap().map(|b| b.unwrap()).collect()
}

/// Batches and files of the same records must give the same release, to the byte.
fn same_as_files(batches: Vec<RecordBatch>, job: &Job) {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.arrow"), folder.path().join("release.arrow"));
    write(&input, &batches);
    let of_files = sfumato::run(&job.clone().input(&input).output(&output)).unwrap();
    let release = sfumato::anonymize(batches, job).unwrap();
    assert_eq!(release.batches(), read(&output));
    let manifest = Manifest::find(&output).unwrap().unwrap();
    let hashes = |manifest: &Manifest| -> Vec<String> {
        manifest.files().map(|(_, sha256)| sha256.to_string()).collect()
    };
    assert_eq!(hashes(release.manifest()), hashes(&manifest));
    assert_eq!(release.manifest().form(), manifest.form());
    let report = release.report();
    assert_eq!(report.guarantees(), of_files.guarantees());
    assert!(!report.guarantees().is_empty() && report.guarantees().iter().all(|g| g.holds));
    assert_eq!(report.loss("ncp"), of_files.loss("ncp"));
    assert_eq!(report.records_published(), of_files.records_published());
    // A file goes to memory as batches do.
    let of_path = sfumato::anonymize(input.as_path(), job).unwrap();
    assert_eq!(of_path.batches(), release.batches());
    // What was published can be audited as it is, with the job that made it.
    let audit = sfumato::audit(release.batches(), job).unwrap();
    assert!(audit.holds(), "{}", audit.words());
    assert_eq!(audit.records(), report.records_published());
}

#[test]
fn tables_in_memory_are_what_files_give() {
    same_as_files(people(), &table_job());
}

#[test]
fn tables_in_memory_may_be_anonymized_on_disk() {
    same_as_files(people(), &table_job().set("run", "engine", "tree").algorithm("mondrian"));
}

#[test]
fn baskets_in_memory_are_what_files_give() {
    same_as_files(baskets(), &Job::baskets(Layout::list("items")).k(3).seed(1));
}

#[test]
fn buckets_of_one_file_go_to_memory_and_those_of_several_are_refused() {
    let job = Job::table()
        .identifier("name")
        .quasi("age")
        .quasi("town")
        .sensitive("ill")
        .model("l-diversity-distinct(l=2)")
        .algorithm("anatomize")
        .seed(1);
    let permuted = job.clone().set("output", "buckets", "permuted");
    let release = sfumato::anonymize(people(), &permuted).unwrap();
    assert_eq!(release.manifest().form(), "buckets");
    assert!(release.batches()[0].schema().column_with_name("group").is_some());
    let linked = job.set("output", "buckets", "linked");
    let bitmaps = Job::baskets(Layout::list("items")).model("nonreciprocal-k-anonymity(k=2)");
    for (data, job) in [(people(), linked), (baskets(), bitmaps)] {
        let error = sfumato::anonymize(data, &job).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameters);
        assert!(error.message().contains("a folder of several files"), "{error}");
        assert!(error.hint().is_some());
    }
}

#[test]
fn lines_of_text_are_no_batches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baskets.dat");
    std::fs::write(&path, "a b\n".repeat(4)).unwrap();
    let job = Job::baskets(Layout::lines()).k(2);
    let error = sfumato::anonymize(path, &job).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    let error = sfumato::anonymize(baskets(), &job).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let of = |n| sfumato::anonymize(people(), &table_job().threads(n)).unwrap().into_batches();
    assert_eq!(of(1), of(3));
    let error = sfumato::anonymize(people(), &table_job().threads(0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parameters);
}

#[test]
fn a_cancelled_run_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&path("in.arrow"), &people());
    let job = table_job()
        .base(folder.path())
        .input("in.arrow")
        .output("release.csv")
        .report("private.json")
        .save_recoding("recoding.json");
    let steps = Mutex::new(Vec::new());
    let cancel = Cancel::new();
    let error = Run::new(&job)
        .progress(|progress| {
            steps.lock().unwrap().push(progress.step.clone());
            if progress.step == "write" {
                cancel.cancel();
            }
        })
        .cancel(&cancel)
        .files()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    let steps = steps.into_inner().unwrap();
    assert!(steps.iter().any(|step| step == "read") && steps.iter().any(|step| step == "write"));
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["in.arrow"]);
    // The same run with a new token goes through.
    Run::new(&job).cancel(&Cancel::new()).files().unwrap();
    assert!(path("release.csv").exists() && path("recoding.json").exists());
}

#[test]
fn a_saved_recoding_publishes_new_records() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recoding.json");
    sfumato::anonymize(people(), &table_job().save_recoding(&file)).unwrap();
    let recoding = Recoding::load(&file).unwrap();
    // Without the column that is dropped: new rows needn't bring it.
    let rows: Vec<RecordBatch> =
        people().iter().map(|batch| batch.project(&[1, 2, 3]).unwrap()).collect();
    let release = Apply::new(&recoding).seed(1).anonymize(rows.clone()).unwrap();
    assert_eq!(release.report().algorithm(), "saved-recoding");
    assert!(release.report().guarantees().iter().all(|guarantee| guarantee.holds));
    assert!(release.report().warnings().iter().any(|text| text.contains("earlier release")));
    // To a file it is the same.
    let output = folder.path().join("more.arrow");
    Apply::new(&recoding).seed(1).file(rows.clone(), &output).unwrap();
    assert_eq!(read(&output), release.batches());
    // A record that fits nowhere.
    let odd = RecordBatch::try_from_iter([
        ("age", Arc::new(Int64Array::from(vec![500])) as ArrayRef),
        ("town", Arc::new(StringArray::from(vec!["north"]))),
        ("ill", Arc::new(StringArray::from(vec!["flu"]))),
    ])
    .unwrap();
    let mut more = rows;
    more.push(RecordBatch::try_new(more[0].schema(), odd.columns().to_vec()).unwrap());
    assert!(sfumato::apply(&recoding, more.clone()).is_err());
    let apply = Apply::new(&recoding).unseen(Unseen::Suppress).max_suppression("1");
    assert_eq!(apply.anonymize(more).unwrap().report().records_suppressed(), 1);
    let error = sfumato::apply(&Recoding::from_json("{"), people()).unwrap_err();
    assert_eq!((error.kind(), error.place().line), (ErrorKind::Input, Some(1)));
}

#[test]
fn an_original_says_the_truth() {
    let job = table_job();
    let release = sfumato::anonymize(people(), &job).unwrap();
    let queries = ["count where age >= 40", "avg(age)"];
    let answers = Run::new(&job).original(people()).query(release.batches(), &queries).unwrap();
    assert_eq!(answers.len(), 2);
    for answer in answers {
        let figure = |figure: &Option<sfumato::Figure>| figure.as_ref().unwrap().as_f64().unwrap();
        let truth = figure(&answer.truth);
        assert!(figure(&answer.lower) <= truth && truth <= figure(&answer.upper), "{answer:?}");
    }
    let audit = Run::new(&job).original(people()).audit(release.batches()).unwrap();
    assert!(audit.holds() && audit.to_json().unwrap().contains("\"risks\""));
    // What somebody weakened is seen.
    let exact: Vec<RecordBatch> =
        people().iter().map(|batch| batch.project(&[1, 2, 3]).unwrap()).collect();
    assert!(!sfumato::audit(exact, &job).unwrap().holds());
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let error = sfumato::anonymize(people(), &Job::table().quasi("age").k(2)).unwrap_err();
    assert_eq!((error.exit_code(), error.message().is_empty()), (2, false));
    assert!(error.hint().is_some(), "{error}");
    let error = sfumato::anonymize(people(), &table_job().k(1000)).unwrap_err();
    assert_eq!((error.kind(), error.exit_code()), (ErrorKind::Infeasible, 3));
    let error = sfumato::anonymize("no/such.csv", &table_job()).unwrap_err();
    assert_eq!((error.kind(), error.place().file), (ErrorKind::Io, Some("no/such.csv")));
    let error = sfumato::anonymize(Vec::<RecordBatch>::new(), &table_job()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    let error = sfumato::run(&table_job().output("release.csv")).unwrap_err();
    assert_eq!(error.message(), "the job names no input");
    let error = sfumato::run(&table_job().seed(u64::MAX).input("a.csv").output("b.csv"));
    assert_eq!(error.unwrap_err().exit_code(), 2);
}

#[test]
fn what_doesnt_belong_is_refused_by_name() {
    let misspelt = table_job().set("privacy", "max_supression", "5%");
    let error = sfumato::anonymize(people(), &misspelt).unwrap_err();
    assert!(error.message().contains("max_supression"), "{error}");
    let both = Job::baskets(Layout::list("items")).quasi("age").k(2);
    let error = sfumato::anonymize(people(), &both).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parameters, "{error}");
    assert!(error.message().contains("items"), "what no model is about is named: {error}");
}

#[test]
fn jobs_are_their_text() {
    let job = table_job()
        .column(Column::new("note").accept(), Role::Keep)
        .keep("other")
        .hierarchy("town", Hierarchy::call("mask(from=right)"))
        .algorithm("mondrian")
        .metric("ncp")
        .memory("64MiB")
        .task("classification(target=ill)")
        .set("recode", "effort", "high")
        .max_suppression("2%");
    let text = job.to_toml();
    assert!(
        text.contains("town = { role = \"quasi\", hierarchy = \"mask(from=right)\" }"),
        "{text}"
    );
    assert!(text.contains("models = [\"k-anonymity(k=5)\", \"l-diversity-distinct(l=2)\"]"));
    assert_eq!(Job::from_toml(&text).unwrap().to_toml(), text);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("release.toml");
    std::fs::write(&path, &text).unwrap();
    assert_eq!(Job::from_file(&path).unwrap().to_toml(), text);
    let error = Job::from_toml("[input\n").unwrap_err();
    assert_eq!((error.kind(), error.place().line), (ErrorKind::Input, Some(1)));
}

/// A folder for temporary files that isn't there: whoever needs one fails.
const NO_FOLDER: &str = "/no/such/folder";

#[test]
fn memory_to_memory_touches_no_disk() {
    // The folder can't be changed for this process alone, so the test calls itself.
    if std::env::temp_dir() == Path::new(NO_FOLDER) {
        sfumato::anonymize(people(), &table_job()).unwrap();
        sfumato::anonymize(baskets(), &Job::baskets(Layout::list("items")).k(3)).unwrap();
        return;
    }
    let ran = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "memory_to_memory_touches_no_disk"])
        .env("TMPDIR", NO_FOLDER)
        .current_dir("/")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success() && said.contains("1 passed"), "{said}");
}
