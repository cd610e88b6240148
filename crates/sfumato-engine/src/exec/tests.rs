//! Partitions on disk survive a kill, and only the same job goes on with them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::spill::SpillFolder;

use super::{Division, Partitions, Records, Shelf, SpillRun, check_budget};
use crate::job::{Engine, InputSpec, PrivacySpec, RecodeSpec, RunSpec};
use crate::kind::{Common, KindJob};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct TestJob {
    input: InputSpec,
    privacy: PrivacySpec,
    recode: RecodeSpec,
    run: RunSpec,
    output: String,
    #[serde(skip)]
    base: PathBuf,
}

impl KindJob for TestJob {
    crate::job_as_toml!();
    fn common(&self) -> Common<'_> {
        Common {
            base: &self.base,
            input: &self.input,
            privacy: &self.privacy,
            recode: &self.recode,
            run: &self.run,
            output: &self.output,
            report: None,
            public_report: None,
        }
    }
    fn place(&mut self, base: &Path, resume: bool) {
        self.base = base.to_path_buf();
        self.run.resume = resume;
    }
}

/// A list of numbers cut into pieces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pieces {
    names: Vec<String>,
}

impl Division for Pieces {
    fn files(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

struct PieceShelf {
    folder: PathBuf,
    pieces: Pieces,
}

fn put(folder: &SpillFolder, text: &str) -> String {
    let (path, _) = folder.create_file("piece").unwrap();
    std::fs::write(&path, text).unwrap();
    path.file_name().unwrap().to_string_lossy().into_owned()
}

impl Shelf<Vec<u32>, u32> for PieceShelf {
    fn count(&self) -> usize {
        self.pieces.names.len()
    }
    fn load(&self, at: usize) -> Result<Vec<u32>> {
        let text = std::fs::read_to_string(self.folder.join(&self.pieces.names[at])).unwrap();
        Ok(text.split(' ').map(|number| number.parse().unwrap()).collect())
    }
    fn write(&self, folder: &SpillFolder, _: &Vec<u32>, decision: &u32) -> Result<String> {
        Ok(put(folder, &decision.to_string()))
    }
    fn read(&self, folder: &SpillFolder, name: &str) -> Result<u32> {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        text.parse().map_err(|_| Error::internal("no number"))
    }
}

fn open(job: &TestJob) -> SpillRun<Pieces> {
    SpillRun::open(job, 1 << 20).unwrap()
}

/// Leave the folder as a process does that is killed: a process with the largest number isn't
/// there.
fn kill(run: SpillRun<Pieces>) {
    let own = run.folder.clone().keep();
    drop(run);
    let name = own.file_name().unwrap().to_str().unwrap();
    let dead = name.replacen(&std::process::id().to_string(), "4294967295", 1);
    std::fs::rename(&own, own.with_file_name(dead)).unwrap();
}

/// A run that divided three pieces and decided about the first two by their sums.
fn killed_run(job: &TestJob) -> (Pieces, [u32; 2]) {
    let run = open(job);
    assert!(!run.is_resumed);
    let names = ["1 2", "3 4", "5 6"].map(|text| put(&run.folder, text)).to_vec();
    let pieces = Pieces { names };
    run.divided(job, "hash", &pieces, None).unwrap();
    let shelf = PieceShelf { folder: run.folder.path().into(), pieces: pieces.clone() };
    let mut store = run.partitions(shelf, Default::default());
    for at in 0..2 {
        let piece: Vec<u32> = store.load(at).unwrap().unwrap();
        assert_eq!(store.decided(at).unwrap(), None);
        let sum: u32 = piece.iter().sum();
        let remark = (at == 1).then(|| "cut short".to_string());
        store.note(at, &piece, &sum, remark).unwrap();
        store.give_back(at, sum);
    }
    let skipped: Result<()> = store.note(7, &Vec::new(), &0, None);
    assert_eq!(skipped.unwrap_err().kind, ErrorKind::Internal);
    drop(store);
    kill(run);
    (pieces, [3, 7])
}

fn job(folder: &Path, resume: bool) -> TestJob {
    let mut job = TestJob { output: "o.csv".into(), ..TestJob::default() };
    job.run.seed = Some(5);
    job.place(folder, resume);
    job
}

fn is_linux() -> bool {
    Path::new("/proc/self").exists()
}

#[test]
fn a_resumed_run_has_the_partitions_and_decisions_of_the_killed_one() {
    let home = tempfile::tempdir().unwrap();
    let (pieces, decided) = killed_run(&job(home.path(), false));
    if !is_linux() {
        eprintln!("skipped: whether a process runs can't be told here");
        return;
    }
    let mut job = job(home.path(), true);
    // How many threads run makes no difference.
    job.run.threads = Some(3);
    let mut run = open(&job);
    assert!(run.is_resumed);
    let (left, notes) = run.take_left(&job, "hash").unwrap().unwrap();
    assert_eq!(left, pieces);
    let shelf = PieceShelf { folder: run.folder.path().into(), pieces: left };
    let store = run.partitions(shelf, notes);
    let store: &dyn Partitions<Vec<u32>, u32> = &store;
    assert_eq!([0, 1].map(|at| store.decided(at).unwrap()), decided.map(Some));
    assert_eq!(store.decided(2).unwrap(), None);
    assert_eq!(store.cut_short().as_deref(), Some("cut short"));
    assert_eq!(store.load(2).unwrap(), Some(vec![5, 6]));
    assert!(store.held().is_none() && store.scratch().is_some());
    store.committed();
    kill(run);
    assert!(!open(&job).is_resumed, "a finished run leaves nothing to resume");
}

#[test]
fn another_job_or_input_is_refused_and_what_was_left_stays() {
    if !is_linux() {
        eprintln!("skipped: whether a process runs can't be told here");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    killed_run(&job(home.path(), false));
    let right = job(home.path(), true);
    let mut other = right.clone();
    other.privacy.models.push("k-anonymity(k=3)".into());
    let cases = [(&other, "hash", "another job"), (&right, "other", "another input")];
    for (job, input, why) in cases {
        let mut run = open(job);
        let error = run.take_left(job, input).unwrap_err();
        assert!(error.message.contains(why), "{error}");
        kill(run);
    }
    let mut run: SpillRun<Pieces> = SpillRun::open(&right, 2 << 20).unwrap();
    let error = run.take_left(&right, "hash").unwrap_err();
    assert!(error.message.contains("another --memory"), "{error}");
    kill(run);
    assert!(open(&right).take_left(&right, "hash").unwrap().is_some());
}

#[test]
fn what_is_gone_is_decided_again() {
    if !is_linux() {
        eprintln!("skipped: whether a process runs can't be told here");
        return;
    }
    for (gone, expected) in [(3, Some(0)), (4, Some(1)), (0, None)] {
        let home = tempfile::tempdir().unwrap();
        killed_run(&job(home.path(), false));
        let folder = std::fs::read_dir(home.path()).unwrap().next().unwrap().unwrap().path();
        std::fs::remove_file(folder.join(format!("piece-{gone:06}"))).unwrap();
        let right = job(home.path(), true);
        let left = open(&right).take_left(&right, "hash").unwrap();
        assert_eq!(left.map(|(_, notes)| notes.files.len()), expected, "file {gone}");
    }
}

#[test]
fn a_budget_is_refused_where_all_records_are_needed_at_once() {
    let plain = TestJob::default();
    let with = |change: fn(&mut RunSpec)| {
        let mut job = plain.clone();
        change(&mut job.run);
        job
    };
    let asked = [
        with(|run| run.memory = Some("64MiB".into())),
        with(|run| run.spill = Some("elsewhere".into())),
        with(|run| run.resume = true),
        with(|run| run.engine = Engine::Tree),
    ];
    let check = |job: &TestJob, needs| check_budget(&job.common(), needs, ("maps", "walks"));
    for job in &asked {
        let error = check(job, Records::AtOnce).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
        assert!(error.message.contains("'maps' of walks"), "{error}");
        assert!(error.hint.is_some());
        assert!(check(job, Records::ByPartition).is_ok());
        // A limit can be kept by refusing what does not fit, but nothing goes to disk.
        let is_limit = job.run.memory.is_some();
        assert_eq!(check(job, Records::IfTheyFit).is_ok(), is_limit);
    }
    for job in [plain.clone(), with(|run| run.engine = Engine::Memory)] {
        assert!(check(&job, Records::AtOnce).is_ok());
    }
}
