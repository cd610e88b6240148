//! Holders in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use sfumato_collab::coordinator::{DryRun, dry_run, release};
use sfumato_collab::holder::Part;
use sfumato_collab::job::Agreement;
use sfumato_collab::ledger::Entry;
use sfumato_core::Result;

/// A folder with holders.
pub struct Folder {
    pub dir: tempfile::TempDir,
}

impl Folder {
    pub fn new() -> Self {
        Folder { dir: tempfile::tempdir().unwrap() }
    }
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }
    /// A holder with its table and the lines of its columns.
    pub fn holder(&self, name: &str, table: &str, columns: &str) {
        self.write(&format!("{name}/table.csv"), table);
        let job = format!(
            "[holder]\nname = \"{name}\"\n[input]\npath = \"table.csv\"\n[columns]\n{columns}\n"
        );
        self.write(&format!("{name}/holder.toml"), &job);
    }
    /// The agreement of some holders.
    pub fn job(&self, names: &[&str], collaboration: &str, models: &str) -> Agreement {
        let holders: String = names
            .iter()
            .map(|name| format!("[[holder]]\nname = \"{name}\"\nfile = \"{name}/holder.toml\"\n"))
            .collect();
        let text = format!(
            "[collaboration]\n{collaboration}\n{holders}[privacy]\nmodels = [{models}]\n\
             [output]\npath = \"release.csv\"\n[run]\nseed = 7\n"
        );
        self.write("JOB.toml", &text);
        Agreement::parse(&text, "JOB.toml", self.path()).unwrap()
    }
    /// Run with all tables local, and release.
    pub fn run(&self, agreement: &Agreement) -> Result<Done> {
        let parts = dry_run(agreement, &DryRun::default())?;
        let (parts, logs): (Vec<Part>, Vec<Vec<Entry>>) = parts.into_iter().unzip();
        let report = release(agreement, &parts)?;
        let text = fs::read_to_string(self.path().join("release.csv")).unwrap();
        Ok(Done { parts, logs, report, text })
    }
}

/// What came of a run.
pub struct Done {
    pub parts: Vec<Part>,
    pub logs: Vec<Vec<Entry>>,
    pub report: sfumato_report::Report,
    pub text: String,
}

impl Done {
    /// The rows of the release, sorted.
    pub fn rows(&self) -> Vec<String> {
        sorted(self.text.lines().skip(1))
    }
    /// How many messages of a kind were sent by all.
    pub fn sent(&self, kind: &str) -> u64 {
        self.parts.iter().filter_map(|part| part.traffic.get(kind)).map(|c| c.messages).sum()
    }
    /// The columns that were specialised, with what became of them.
    pub fn steps(&self) -> Vec<String> {
        let step = |step: &sfumato_collab::holder::StepNote| {
            format!("{}: {}", step.column, step.children.join(" | "))
        };
        self.parts[0].steps.iter().map(step).collect()
    }
}

pub fn sorted<'a>(rows: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut rows: Vec<String> = rows.map(String::from).collect();
    rows.sort();
    rows
}
