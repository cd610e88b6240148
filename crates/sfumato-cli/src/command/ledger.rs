//! `sfumato ledger`: what was published of the same people, one release after the other.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;
use sfumato_core::chain::{Chain, Published};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::Scope;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_engine::ledger::{Entry, Ledger as File, Recorded, RecordedFile};
use sfumato_engine::manifest::Manifest;
use sfumato_engine::reports::{guarantee_words, shown_guarantee};
use sfumato_io::sha256_hex;
use sfumato_table::over_time::{Past, recall};

use super::flags::{self, Flags};
use super::run::run_job;
use super::{Context, print, print_words, to_json};

#[derive(Args)]
pub struct Ledger {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Begin a ledger: an append-only file that only its owner can read
    Init(Init),
    /// Record a release that was published before, or by another program
    Add(Box<Add>),
    /// Show what is recorded
    Show(Show),
    /// Check that the ledger is whole, where its releases are, and what they say together
    Check(Check),
    /// Look for the best release that is safe beside the recorded ones, and publish nothing
    Propose(Box<Propose>),
    /// Check that no line was changed, left out or moved
    Verify(Verify),
    /// Begin another chain: the releases so far aren't looked at any more
    NewChain(Verify),
}

#[derive(Args)]
struct Init {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
    /// A model that each release must hold beside those before, such as 'bcf-anonymity(k=10)'. May
    /// be given again.
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
}

#[derive(Args)]
struct Add {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    to: PathBuf,
    /// The release.
    #[arg(value_name = "FILE")]
    file: String,
    /// Who got it.
    #[arg(long, value_name = "WHO")]
    recipient: Option<String>,
    /// Columns that an attacker may know.
    #[arg(long, value_name = "A,B", value_delimiter = ',', required = true)]
    qi: Vec<String>,
    /// Columns that an attacker wants to learn.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    sensitive: Vec<String>,
    /// What the labels of a column mean: COLUMN=FILE. May be given again.
    #[arg(long, value_name = "COLUMN=FILE")]
    hierarchy: Vec<String>,
}

#[derive(Args)]
struct Show {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
    /// Print it to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Check {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
    /// A model that the releases must hold together; those that were recorded are always judged.
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// What the labels of a column mean, where the ledger didn't record that: COLUMN=FILE. May be
    /// given again.
    #[arg(long, value_name = "COLUMN=FILE")]
    hierarchy: Vec<String>,
    /// Print it to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Propose {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    beside: PathBuf,
    /// The data.
    #[arg(value_name = "DATA")]
    input: String,
    #[command(flatten)]
    flags: Flags<flags::Anonymize>,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Verify {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
}

impl Ledger {
    pub fn run(self, context: &Context) -> Result<u8> {
        match self.command {
            Command::Init(command) => command.run(context),
            Command::Add(command) => command.run(context),
            Command::Show(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Propose(command) => command.run(context),
            Command::Verify(command) => command.verify(),
            Command::NewChain(command) => command.new_chain(context),
        }
    }
}

impl Init {
    fn run(self, context: &Context) -> Result<u8> {
        // As the pipeline names them.
        let named = |model: &String| -> Result<String> {
            let call: Call = model.parse()?;
            let info = sfumato_table::models::find(&call.name)?.info();
            Ok(Params::check(info, &call.args)?.describe())
        };
        let models = self.model.iter().map(named).collect::<Result<Vec<_>>>()?;
        let ledger = File::create(&self.ledger, models)?;
        context.say(&format!(
            "ledger     {} begun: name it with --ledger in each run that publishes these people",
            ledger.path().display()
        ));
        Ok(0)
    }
}

impl Add {
    fn run(self, context: &Context) -> Result<u8> {
        let named = named(&self.hierarchy)?;
        let found = recall::of_release(&self.file, (&self.qi, &self.sensitive), &named)?;
        let bytes = std::fs::read(&self.file)
            .map_err(|error| Error::io(Path::new(&self.file), "read", &error))?;
        let path = std::path::absolute(&self.file)
            .map_err(|error| Error::io(Path::new(&self.file), "find", &error))?;
        let manifest = Manifest::find(&path)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let (mut ledger, notes) = File::lock(&self.to)?;
        notes.iter().for_each(|note| context.say(note));
        let facts = serde_json::to_value(&found)
            .map_err(|error| Error::internal(format!("a release can't be recorded: {error}")))?;
        ledger.add(Recorded {
            at: sfumato_engine::stopwatch::now(),
            path: path.display().to_string(),
            kind: "table".into(),
            form: manifest.map_or("generalized".into(), |manifest| manifest.form),
            rows: found.rows(),
            models: Vec::new(),
            recipient: self.recipient,
            files: vec![RecordedFile {
                path: name.unwrap_or_default(),
                sha256: sha256_hex(&bytes),
            }],
            facts,
        })?;
        context.say(&format!(
            "ledger     {} recorded: {} records in {} classes, not judged",
            self.file,
            found.rows(),
            found.classes.len()
        ));
        Ok(0)
    }
}

/// What is shown of a release.
#[derive(Serialize)]
struct Shown {
    number: usize,
    at: String,
    path: String,
    form: String,
    rows: u64,
    classes: usize,
    models: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recipient: Option<String>,
    sha256: Vec<String>,
    /// `there`, or `gone or changed`.
    files: &'static str,
}

/// What is shown of a ledger.
#[derive(Serialize)]
struct Overview {
    path: String,
    begun: String,
    models: Vec<String>,
    entries: usize,
    head: String,
    releases: Vec<Shown>,
    faults: Vec<String>,
}

impl Overview {
    fn of(ledger: &File) -> Result<Self> {
        let shown = |(at, recorded): (usize, &Recorded)| {
            let classes = recorded.facts.get("classes").and_then(|classes| classes.as_array());
            Shown {
                number: at + 1,
                at: recorded.at.clone(),
                path: recorded.path.clone(),
                form: recorded.form.clone(),
                rows: recorded.rows,
                classes: classes.map_or(0, Vec::len),
                models: recorded.models.clone(),
                recipient: recorded.recipient.clone(),
                sha256: recorded.files.iter().map(|file| file.sha256.clone()).collect(),
                files: match ledger.is_published(recorded) {
                    true => "there",
                    false => "gone or changed",
                },
            }
        };
        let begun = ledger.begun()?;
        Ok(Overview {
            path: ledger.path().display().to_string(),
            begun: begun.at.clone(),
            models: begun.models.clone(),
            entries: ledger.entries().len(),
            head: ledger.head().into(),
            releases: ledger.releases().into_iter().enumerate().map(shown).collect(),
            faults: ledger.faults().iter().map(|fault| fault.words()).collect(),
        })
    }

    fn words(&self) -> String {
        let mut text = format!("ledger     {}, begun {}\n", self.path, self.begun);
        for model in &self.models {
            text += &format!("asks       {model} of each release\n");
        }
        if self.releases.is_empty() {
            text += "releases   none in this chain\n";
        }
        for shown in &self.releases {
            text += &format!(
                "release {}  {}  {} records, {} classes  {}  ({})\n",
                shown.number, shown.at, shown.rows, shown.classes, shown.path, shown.files
            );
            for model in &shown.models {
                text += &format!("           held {model}\n");
            }
            if let Some(recipient) = &shown.recipient {
                text += &format!("           given to {recipient}\n");
            }
        }
        for fault in &self.faults {
            text += &format!("warning    {fault}\n");
        }
        text + &format!("head       {}\n", self.head)
    }
}

impl Show {
    fn run(self) -> Result<u8> {
        let overview = Overview::of(&File::open(&self.ledger)?)?;
        match self.json {
            true => print(&(to_json(&overview)? + "\n"))?,
            false => print_words(&overview.words())?,
        }
        Ok(0)
    }
}

impl Check {
    fn run(self) -> Result<u8> {
        let ledger = File::open(&self.ledger)?;
        let overview = Overview::of(&ledger)?;
        let named = named(&self.hierarchy)?;
        let found = self.judge(&ledger, &named)?;
        let holds = found.iter().all(|found| found.holds);
        let shown: Vec<_> = found
            .iter()
            .map(|found| shown_guarantee(found, "judged on what the ledger recorded"))
            .collect();
        match self.json {
            true => {
                let mut json = serde_json::to_value(&overview).map_err(told)?;
                json["guarantees"] = serde_json::to_value(&shown).map_err(told)?;
                json["holds"] = holds.into();
                print(&(to_json(&json)? + "\n"))?;
            }
            false => {
                let nothing = "nothing    no model about earlier releases is recorded or asked\n";
                let words = match shown.is_empty() {
                    true => nothing.to_string(),
                    false => guarantee_words(&shown),
                };
                print_words(&(overview.words() + &words))?;
            }
        }
        Ok(if holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    /// Judge the models of the ledger, of its releases and of the command on all releases together.
    fn judge(&self, ledger: &File, named: &[(String, Call)]) -> Result<Vec<Guarantee>> {
        let releases = ledger.releases();
        let Some(last) = releases.last() else { return Ok(Vec::new()) };
        let of_ledger = ledger.begun()?.models.iter();
        let mut models: Vec<String> = of_ledger.chain(&last.models).cloned().collect();
        models.extend(self.model.iter().cloned());
        models.sort();
        models.dedup();
        let first: Published = serde_json::from_value(last.facts.clone()).map_err(told)?;
        let bound = models.iter().map(|model| recall::bind_about_earlier(model));
        let bound: Vec<_> = bound.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let joins = recall::asked_joins(bound.iter().map(|asked| asked.as_ref()));
        let releases = match joins.is_empty() {
            true => recall::of_ledger(ledger, &first.columns)?,
            false => recall::as_recorded(ledger, &first.columns)?,
        };
        let has = |name: &String| releases.iter().any(|release| release.columns.contains(name));
        if let Some((column, _)) = named.iter().find(|(name, _)| !has(name)) {
            return Err(Error::params(format!("'{column}' is no quasi column of the releases"))
                .hint(format!("they have: {}", first.columns.join(", "))));
        }
        let mut found = Vec::new();
        let mut chain: Option<Chain> = None;
        for asked in bound.iter().filter(|asked| asked.scope() == Scope::Earlier) {
            if chain.is_none() {
                let meanings = recall::meanings(&releases, named)?;
                let own = releases.first().map_or(&[][..], |first| &first.columns);
                let elsewhere = recall::noted_elsewhere(&releases, own, named)?;
                let (releases, asked) = (releases.clone(), joins.clone());
                let past = Past { releases, meanings, asked, elsewhere, ..Past::default() };
                chain = Some(past.chain()?);
            }
            found.extend(asked.judge_chain(chain.as_ref().unwrap_or(&Chain::default()))?);
        }
        Ok(found)
    }
}

/// Hierarchies by the columns whose labels they explain.
fn named(given: &[String]) -> Result<Vec<(String, Call)>> {
    let pair = |given: &String| {
        let (column, how) = given.split_once('=').ok_or_else(|| {
            Error::params(format!("--hierarchy '{given}' names no column"))
                .hint("write COLUMN=FILE")
        })?;
        Ok((column.trim().to_string(), sfumato_table::flags::hierarchy(how.trim())?))
    };
    given.iter().map(pair).collect()
}

fn told(error: serde_json::Error) -> Error {
    Error::input(format!("what the ledger recorded can't be read: {error}"))
}

impl Propose {
    fn run(self, context: &Context) -> Result<u8> {
        let mut job = self.flags.job(&self.input, &[])?;
        File::open(&self.beside)?;
        // Everything is done beside a copy, which nobody keeps: nothing is published or recorded.
        let folder = tempfile::Builder::new().prefix("sfumato-propose-").tempdir();
        let folder = folder.map_err(|error| {
            Error::new(ErrorKind::Io, format!("there is no place for a copy: {error}"))
        })?;
        let copy = folder.path().join("ledger");
        std::fs::copy(&self.beside, &copy)
            .map_err(|error| Error::io(&self.beside, "copy", &error))?;
        job.set("ledger", "path", copy.display().to_string());
        job.set("output", "path", folder.path().join("release.csv").display().to_string());
        run_job(&job, self.json, false, context)?;
        context.say(
            "proposed   nothing was published or recorded: 'sfumato anonymize' with the same \
             flags, --ledger and -o does both",
        );
        Ok(0)
    }
}

impl Verify {
    fn verify(self) -> Result<u8> {
        let ledger = File::open(&self.ledger)?;
        let mut words = format!(
            "ledger     {} lines, each the one that was written behind the one before\n",
            ledger.entries().len()
        );
        for fault in ledger.faults() {
            words += &format!("warning    {}\n", fault.words());
        }
        words += &format!(
            "head       {}\n           \
             note it elsewhere: a ledger that was cut short has another\n",
            ledger.head()
        );
        print_words(&words)?;
        Ok(0)
    }

    fn new_chain(self, context: &Context) -> Result<u8> {
        let (mut ledger, notes) = File::lock(&self.ledger)?;
        notes.iter().for_each(|note| context.say(note));
        ledger.new_chain()?;
        let before = ledger.entries().iter().filter(|entry| matches!(entry, Entry::Done { .. }));
        context.say(&format!(
            "ledger     another chain: the {} releases so far aren't looked at any more, so no \
             record of theirs may be published in it",
            before.count()
        ));
        Ok(0)
    }
}
