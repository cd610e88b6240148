//! A run that records its release: it holds the ledger from before it reads until the release has
//! its name, so that nothing is published meanwhile that it doesn't know of.

use std::path::Path;

use sfumato_core::{Error, Result};
use sfumato_io::Sink;

use super::file::Ledger;
use super::line::{Entry, Recorded, RecordedFile};
use crate::kind::KindJob;
use crate::manifest::Manifest;
use crate::paths::resolve;
use crate::stopwatch::now;
use crate::verify::Checked;

/// A ledger that a run holds.
pub struct Recording {
    ledger: Ledger,
    /// Where the release goes.
    path: String,
    /// What was found when the ledger was opened.
    pub notes: Vec<String>,
}

impl Recording {
    /// Hold the ledger of a job, if it names one.
    pub fn begin<J: KindJob>(job: &J) -> Result<Option<Self>> {
        let common = job.common();
        let Some(path) = job.ledger() else { return Ok(None) };
        let place = resolve(common.base, common.output);
        let sink = Sink::of(&place);
        if sink.path().is_none() {
            return Err(Error::unsupported("what a ledger records is a file")
                .hint("name the release with -o FILE"));
        }
        let (ledger, notes) = Ledger::lock(Path::new(&resolve(common.base, path)))?;
        let absolute = std::path::absolute(&place)
            .map_err(|error| Error::io(Path::new(&place), "find", &error))?;
        Ok(Some(Recording { ledger, path: absolute.display().to_string(), notes }))
    }

    /// Refuse a release for which a model of the ledger wasn't judged.
    pub fn check_models(&self, models: &[String]) -> Result<()> {
        let asked = &self.ledger.begun()?.models;
        match asked.iter().find(|asked| !models.contains(asked)) {
            None => Ok(()),
            Some(model) => Err(Error::params(format!(
                "the ledger asks for {model} of each release, and the job doesn't"
            ))
            .in_file(self.ledger.path().display().to_string())
            .hint(format!("say --model '{model}'"))),
        }
    }

    /// Announce the release. `facts` is what later releases are judged beside.
    pub fn announce(
        &mut self,
        manifest: &Manifest,
        checked: &Checked,
        facts: Option<serde_json::Value>,
    ) -> Result<()> {
        let facts = facts.ok_or_else(|| {
            Error::unsupported(format!(
                "a release of the form {} can't be recorded: nothing is known that later ones \
                 could be judged beside",
                manifest.form
            ))
            .hint("publish generalized cells, or leave the ledger out")
        })?;
        let file = |file: &crate::manifest::ManifestFile| RecordedFile {
            path: file.path.clone(),
            sha256: file.sha256.clone(),
        };
        let mut models = checked.models().to_vec();
        models.dedup();
        self.ledger.append(Entry::Intent(Recorded {
            at: now(),
            path: self.path.clone(),
            kind: manifest.kind.clone(),
            form: manifest.form.clone(),
            rows: manifest.rows,
            models,
            recipient: None,
            files: manifest.files.iter().map(file).collect(),
            facts,
        }))
    }

    /// The release has its name, or never got it.
    pub fn end(&mut self, is_published: bool) -> Result<()> {
        let (at, recovered) = (now(), false);
        self.ledger.append(match is_published {
            true => Entry::Done { at, recovered },
            false => Entry::Void { at, recovered },
        })
    }
}

impl Ledger {
    /// Record a release that was published before, or elsewhere.
    pub fn add(&mut self, recorded: Recorded) -> Result<()> {
        self.append(Entry::Intent(recorded))?;
        self.append(Entry::Done { at: now(), recovered: false })
    }

    /// Begin another chain: the releases so far aren't looked at any more.
    pub fn new_chain(&mut self) -> Result<()> {
        self.append(Entry::NewChain { at: now() })
    }
}
