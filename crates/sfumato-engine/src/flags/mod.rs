//! Flags as plain data: a kind states those that describe its data, the engine those of every job.
//!
//! Whoever has a command line builds it from these lists, so that a new kind brings its flags with
//! its crate. A flag only writes keys of a job; what they mean is read where a release.toml is
//! read.

mod choose;
mod common;
pub mod shared;
pub mod values;

pub use choose::{Offered, Said};
pub use common::COMMON;

use sfumato_core::Result;

use crate::job::Job;

/// The commands that take flags of these lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Data to a release.
    Anonymize,
    /// The plan of that.
    Explain,
    /// A release.toml to a release.
    Run,
    /// Many k and algorithms over the same data.
    Explore,
    /// A study of one kind of data, above the pipeline.
    Study,
    /// What a release promises.
    Audit,
    /// What attackers learn from a release.
    Attack,
    /// Answers over a release.
    Query,
    /// Reads a file and knows nothing else of it.
    Read,
    /// Hands out parts of the data, one at a time.
    Serve,
}

/// One flag.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    /// Its name, without dashes. A single letter is a short flag.
    pub name: &'static str,
    /// What follows it on the command line.
    pub takes: Takes,
    /// What it is for, in one or two sentences.
    pub help: &'static str,
    /// Which commands have it.
    pub commands: &'static [Command],
    /// What it speaks about.
    pub about: About,
    /// Which keys of the job it writes.
    pub sets: Sets,
    /// Flags without which it means nothing.
    pub requires: &'static [&'static str],
    /// Flags that say the same otherwise.
    pub conflicts: &'static [&'static str],
}

/// What follows a flag. Each text is the placeholder that help shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing: it is there or not.
    Nothing,
    /// One text, once.
    One(&'static str),
    /// A text, and the flag may be given again.
    Many(&'static str),
    /// A whole number that a release.toml can hold.
    Whole(&'static str),
    /// One of these words.
    OneOf(&'static str, &'static [&'static str]),
}

/// What a flag speaks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// What the data are and how they are published. It goes for a release and its original alike,
    /// and isn't given beside a release.toml, which says it already.
    Data,
    /// The original of a release, and not the release.
    Original,
    /// What must hold and how to get there. It may be given beside a release.toml.
    Goal,
}

/// How what was given becomes keys of a job.
#[derive(Debug, Clone, Copy)]
pub enum Sets {
    /// The key of a section is the text.
    Text(&'static str, &'static str),
    /// The key of a section is the whole number.
    Whole(&'static str, &'static str),
    /// The key of a section is true.
    Yes(&'static str, &'static str),
    /// The key of a section is a list of names, which are separated by commas.
    Names(&'static str, &'static str),
    /// The list under the key of a section gets these texts at its end.
    Texts(&'static str, &'static str),
    /// What takes reading: what a release.toml says instead, for hints, and who reads the values in
    /// the order in which they were given.
    By(&'static str, fn(&mut Job, &[String]) -> Result<()>),
}

impl Flag {
    /// A flag that speaks about the data.
    pub const fn new(
        name: &'static str,
        takes: Takes,
        help: &'static str,
        commands: &'static [Command],
        sets: Sets,
    ) -> Flag {
        let (requires, conflicts): (&[&str], &[&str]) = (&[], &[]);
        Flag { name, takes, help, commands, about: About::Data, sets, requires, conflicts }
    }

    /// It speaks about what must hold and how to get there.
    pub const fn goal(mut self) -> Flag {
        self.about = About::Goal;
        self
    }

    /// It speaks about the original of a release.
    pub const fn original(mut self) -> Flag {
        self.about = About::Original;
        self
    }

    /// It means nothing without these.
    pub const fn requires(mut self, names: &'static [&'static str]) -> Flag {
        self.requires = names;
        self
    }

    /// These say the same otherwise.
    pub const fn conflicts(mut self, names: &'static [&'static str]) -> Flag {
        self.conflicts = names;
        self
    }

    /// How it is written: `-k`, `--qi`.
    pub fn spelling(&self) -> String {
        let dashes = if self.is_short() { "-" } else { "--" };
        format!("{dashes}{}", self.name)
    }

    /// Whether a command has it. To attack a release one says of the data what an audit of it says.
    pub fn is_of(&self, command: Command) -> bool {
        let as_audited = command == Command::Attack
            && self.about != About::Goal
            && self.commands.contains(&Command::Audit);
        as_audited || self.commands.contains(&command)
    }

    /// What a release.toml says instead.
    pub fn in_job(&self) -> String {
        match self.sets {
            Sets::Text(section, key)
            | Sets::Whole(section, key)
            | Sets::Yes(section, key)
            | Sets::Names(section, key)
            | Sets::Texts(section, key) => format!("{key} in [{section}]"),
            Sets::By(words, _) => words.into(),
        }
    }

    /// Whether its name is a single letter.
    pub fn is_short(&self) -> bool {
        self.name.chars().count() == 1
    }

    /// Write into a job what was given.
    pub fn set(&self, job: &mut Job, values: &[String]) -> Result<()> {
        match self.sets {
            Sets::Text(section, key) => {
                if let Some(text) = values.last() {
                    job.set(section, key, text.clone());
                }
            }
            Sets::Whole(section, key) => {
                if let Some(text) = values.last() {
                    job.set(section, key, values::whole(self, text)?);
                }
            }
            Sets::Yes(section, key) => job.set(section, key, true),
            Sets::Names(section, key) => {
                let names = values::names(values);
                if !names.is_empty() {
                    job.set(section, key, names);
                }
            }
            Sets::Texts(section, key) => {
                let mut texts = job.list(section, key);
                // What the job says already isn't said twice.
                let new: Vec<String> =
                    values.iter().filter(|value| !texts.contains(value)).cloned().collect();
                texts.extend(new);
                if !texts.is_empty() {
                    job.set(section, key, texts);
                }
            }
            Sets::By(_, read) => read(job, values)?,
        }
        Ok(())
    }
}

/// The flags of a kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct KindFlags {
    /// The flags, in the order in which they are shown and write into a job.
    pub list: &'static [Flag],
    /// What to do for whoever gave a flag of another kind to data of this one.
    pub hint: &'static str,
}
