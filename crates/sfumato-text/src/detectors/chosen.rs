//! The detectors that a job asked for: by the name of a preset, of a detector, or of a file that
//! holds a trained tagger.

use std::path::Path;

use sfumato_core::registry;
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve as resolve_path;

use super::pipe::{PREFIX, Pipe};
use super::tagger::Tagger;
use super::{ALL, Detector, Scan, Strength, resolve};
use crate::data::Span;

/// A preset: its name, what it is for, and which detectors it has.
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it is for.
    pub summary: &'static str,
    /// The names of its detectors; all where there is none.
    pub detectors: &'static [&'static str],
    /// Whether it has the tagger that comes with the program.
    pub has_tagger: bool,
}

/// Every preset.
pub static PRESETS: &[Preset] = &[
    Preset {
        name: "default",
        summary: "all detectors, and the tagger that comes with the program",
        detectors: &[],
        has_tagger: true,
    },
    Preset {
        name: "patterns",
        summary: "what patterns and check digits find: no names, no places",
        detectors: &[
            "email",
            "url",
            "ip-address",
            "credit-card",
            "iban",
            "us-ssn",
            "vehicle",
            "record-number",
            "date",
            "age",
            "zip-code",
            "street-address",
            "phone",
        ],
        has_tagger: false,
    },
    Preset {
        name: "safe-harbor",
        summary: "the identifiers that the Safe Harbor rule of HIPAA lists, if text can have them",
        detectors: &[
            "email",
            "url",
            "ip-address",
            "credit-card",
            "iban",
            "us-ssn",
            "vehicle",
            "record-number",
            "date",
            "age",
            "zip-code",
            "street-address",
            "phone",
            "person",
            "place",
        ],
        has_tagger: true,
    },
];

/// The detectors of a job.
pub struct Chosen {
    detectors: Vec<&'static dyn Detector>,
    taggers: Vec<Tagger>,
    pipes: Vec<Pipe>,
    /// Classes that are passed over.
    skipped: &'static [&'static str],
}

impl Chosen {
    /// Find detectors by what a job says. Paths of taggers start from `base`.
    pub fn new(names: &[String], base: &Path) -> Result<Chosen> {
        let mut chosen =
            Chosen { detectors: Vec::new(), taggers: Vec::new(), pipes: Vec::new(), skipped: &[] };
        for name in names {
            if let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) {
                let is_in = |detector: &&&'static dyn Detector| {
                    let own = detector.info().name;
                    preset.detectors.is_empty() || preset.detectors.contains(&own)
                };
                ALL.iter().filter(is_in).for_each(|detector| chosen.add(*detector));
                if preset.has_tagger {
                    chosen.taggers.push(Tagger::shipped()?);
                }
                continue;
            }
            if let Some(command) = name.strip_prefix(PREFIX) {
                chosen.pipes.push(Pipe::start(command)?);
                continue;
            }
            let path = resolve_path(base, name);
            if Path::new(&path).is_file() {
                chosen.taggers.push(Tagger::read(&path)?);
                continue;
            }
            let found = registry::find("detector", ALL, |one| one.info(), name);
            let hint = format!(
                "a detector, a preset ({}), a file that 'sfumato text train' made or \
                 'pipe:COMMAND'; detectors are {}",
                PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", "),
                ALL.iter().map(|one| one.info().name).collect::<Vec<_>>().join(", ")
            );
            chosen.add(found.map_err(|error| Error::params(error.message).hint(hint))?);
        }
        Ok(chosen)
    }

    /// The same with another tagger.
    #[must_use]
    pub fn with(mut self, tagger: Tagger) -> Chosen {
        self.taggers.push(tagger);
        self
    }

    /// The same without some classes.
    #[must_use]
    pub fn without(mut self, classes: &'static [&'static str]) -> Chosen {
        self.skipped = classes;
        self
    }

    fn add(&mut self, detector: &'static dyn Detector) {
        if !self.detectors.iter().any(|known| known.info().name == detector.info().name) {
            self.detectors.push(detector);
        }
    }

    /// The names of the detectors, for reports.
    pub fn names(&self) -> Vec<String> {
        let taggers = self.taggers.iter().map(|tagger| format!("tagger {}", tagger.name));
        let pipes = self.pipes.iter().map(|pipe| format!("{PREFIX}{}", pipe.command));
        let own = self.detectors.iter().map(|one| one.info().name.to_string());
        own.chain(taggers).chain(pipes).collect()
    }

    /// The taggers, which may know how well they find what they look for.
    pub fn taggers(&self) -> &[Tagger] {
        &self.taggers
    }

    /// Refuse to go on where a detector of somebody else's failed: what it didn't look through may
    /// not be published.
    pub fn check(&self) -> Result<()> {
        self.pipes.iter().find_map(Pipe::failure).map_or(Ok(()), Err)
    }

    /// What is found in a text, in order and without overlaps.
    pub fn find(&self, text: &str) -> Vec<Span> {
        let scan = Scan::new(text);
        let mut all = Vec::new();
        let mut found = Vec::new();
        for detector in &self.detectors {
            detector.find(&scan, &mut found);
            all.extend(found.drain(..).map(|span| (detector.strength(), span)));
        }
        for tagger in &self.taggers {
            let spans = tagger.find(text);
            all.extend(spans.into_iter().map(|span| (Strength::Learned, span)));
        }
        for pipe in &self.pipes {
            all.extend(pipe.find(text).into_iter().map(|span| (Strength::Learned, span)));
        }
        let mut found = resolve(all);
        found.retain(|span| !self.skipped.contains(&span.class.as_ref()));
        found
    }
}
