//! Flags of jobs on the command line, built from what the engine and the kinds state: nothing here
//! knows any flag.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::LazyLock;

use clap::{Arg, ArgAction, ArgMatches, FromArgMatches};
use sfumato_core::{Error, Result};
use sfumato_engine::flags::{About, Command, Offered, Said, Takes};
use sfumato_engine::manifest::Manifest;
use sfumato_engine::{Job, Releases};
use sfumato_io::guess_encoding;

use super::run::{from_here, load};

/// A command that has flags of jobs, and the kinds of data that it takes.
pub trait Taking {
    /// Its flags as the command line offers them; they last as long as the program.
    fn offered() -> &'static [Offered];
    /// The command.
    const COMMAND: Command;
    /// The kinds that it takes.
    fn releases() -> &'static Releases {
        &sfumato_kinds::RELEASES
    }
}

/// Declare the commands that have flags of jobs.
macro_rules! taking {
    ($($(#[$doc:meta])* $name:ident $(= $releases:expr)?;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl Taking for $name {
            fn offered() -> &'static [Offered] {
                static ALL: LazyLock<Vec<Offered>> =
                    LazyLock::new(|| $name::releases().flags($name::COMMAND));
                &ALL
            }
            const COMMAND: Command = Command::$name;
            $(fn releases() -> &'static Releases {
                const TAKEN: Releases = $releases;
                &TAKEN
            })?
        }
    )*};
}

taking! {
    /// `anonymize`.
    Anonymize;
    /// `explain`.
    Explain;
    /// `run`.
    Run;
    /// `explore`.
    Explore;
    /// `evaluate` and `cluster`: studies of tables.
    Study = Releases(&[sfumato_table::RELEASES]);
    /// `audit`.
    Audit;
    /// `attack`.
    Attack;
    /// `query`.
    Query;
    /// `init` and `reduce`: a file is read, and nothing else is known of it.
    Read = Releases(&[sfumato_table::RELEASES]);
    /// `serve-sets`: baskets.
    Serve = Releases(&[sfumato_sets::RELEASES]);
}

/// The flags of jobs that a command was given.
pub struct Flags<C> {
    said: Said,
    command: PhantomData<C>,
}

impl<C: Taking> clap::Args for Flags<C> {
    fn augment_args(command: clap::Command) -> clap::Command {
        C::offered().iter().fold(command, |command, offered| command.arg(argument(offered)))
    }
    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl<C: Taking> FromArgMatches for Flags<C> {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let values = |offered: &Offered| {
            let name = offered.flag.name;
            match offered.flag.takes {
                Takes::Nothing => matches.get_flag(name).then(Vec::new),
                Takes::Whole(_) => matches.get_one::<u64>(name).map(|n| vec![n.to_string()]),
                _ => matches.get_many::<String>(name).map(|all| all.cloned().collect()),
            }
        };
        let given = C::offered().iter().filter_map(|o| Some((o.flag.name, values(o)?)));
        let said = Said { flags: given.collect(), sections: Vec::new() };
        Ok(Flags { said, command: PhantomData })
    }
    fn update_from_arg_matches(
        &mut self,
        matches: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A flag as an argument of the command line.
fn argument(offered: &'static Offered) -> Arg {
    let flag = offered.flag;
    let help = offered.help.trim_end_matches('.');
    let argument = Arg::new(flag.name)
        .help(help)
        .long_help(help)
        .requires_all(flag.requires)
        .conflicts_with_all(flag.conflicts);
    let argument = match offered.heading.as_deref() {
        Some(heading) => argument.help_heading(heading),
        None => argument,
    };
    let argument = match flag.name.chars().next() {
        Some(letter) if flag.is_short() => argument.short(letter),
        _ => argument.long(flag.name),
    };
    match flag.takes {
        Takes::Nothing => argument.action(ArgAction::SetTrue),
        Takes::One(name) => argument.value_name(name),
        Takes::Many(name) => argument.value_name(name).action(ArgAction::Append),
        Takes::OneOf(name, words) => argument.value_name(name).value_parser(words.to_vec()),
        Takes::Whole(name) => argument.value_name(name).value_parser(whole),
    }
}

/// A whole number that a job can hold.
pub fn whole(text: &str) -> std::result::Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number <= i64::MAX as u64);
    number.ok_or_else(|| "a whole number is needed, such as 10".into())
}

/// What `audit`, `attack` and `query` read: a release, and what it was made from.
pub struct Described {
    /// The release as the input of a job.
    pub release: Job,
    /// The original as the input of a job.
    pub original: Option<Job>,
}

impl<C: Taking> Flags<C> {
    /// The job of data that flags describe. `set` says keys otherwise.
    pub fn job(&self, input: &str, set: &[String]) -> Result<Job> {
        let mut job = Job::default();
        job.set("input", "path", input);
        self.add(&mut job, None, &[About::Data, About::Goal], set)?;
        Ok(job)
    }

    /// The job of a release.toml, or of data that flags describe. Beside a release.toml flags say
    /// only what to aim for and how to run.
    pub fn job_of(&self, input: &str, set: &[String]) -> Result<Job> {
        if !input.ends_with(".toml") {
            return self.job(input, set);
        }
        if let Some(flag) = self.said.first_of_data(C::releases(), C::COMMAND) {
            return Err(Error::params(format!("{flag} doesn't go with a release.toml"))
                .hint("change the release.toml, or name the data instead"));
        }
        let mut job = load(input)?;
        let kind = C::releases().kind_of_job(&job)?;
        self.add(&mut job, kind, &[About::Goal], set)?;
        Ok(job)
    }

    /// A release and its original, as flags or the manifest describe them.
    pub fn described(
        &self,
        release: &str,
        original: Option<&str>,
        set: &[String],
    ) -> Result<Described> {
        let mut of_release = self.reading(release, release, &[About::Data, About::Goal], set)?;
        // An encoding is said of what needs one. What Sfumato wrote is UTF-8.
        let is_other = |path: &str| Ok::<_, Error>(guess_encoding(path)?.is_some());
        let is_said = of_release.get("input", "encoding").is_some() && !Path::new(release).is_dir();
        if is_said && original.is_some() && !is_other(release)? {
            of_release.unset("input", "encoding");
        }
        Ok(Described {
            release: of_release,
            original: original
                .map(|path| self.reading(release, path, &[About::Data, About::Original], set))
                .transpose()?,
        })
    }

    /// The job that reads a file as flags describe it, or as the manifest of a release does.
    pub fn reading(
        &self,
        release: &str,
        path: &str,
        about: &[About],
        set: &[String],
    ) -> Result<Job> {
        let manifest = Manifest::find(Path::new(release))?;
        let kind = manifest.as_ref().map(|manifest| manifest.kind.as_str());
        let mut job = Job::default();
        job.set("input", "path", path);
        self.add(&mut job, kind, about, set)?;
        Ok(job)
    }

    /// The job that made a release, changed so that it reads the release, or another file like its
    /// input.
    pub fn by_job(&self, own: &Job, path: &str, is_release: bool, set: &[String]) -> Result<Job> {
        let mut job = own.clone();
        job.set("input", "path", from_here(path, own.base())?);
        job.remove("attack");
        if is_release {
            // How the original is written says nothing of the release.
            let keys = ["format", "delimiter", "header", "encoding"];
            keys.iter().for_each(|key| job.unset("input", key));
        }
        let kind = C::releases().kind_of_job(&job)?;
        self.add(&mut job, kind, &[About::Data, About::Goal], set)?;
        Ok(job)
    }

    /// Say in a job what was given. `known` is the kind where no flag says it.
    pub fn add(
        &self,
        job: &mut Job,
        known: Option<&str>,
        about: &[About],
        set: &[String],
    ) -> Result<()> {
        let mut said = self.said.clone();
        said.sections = set.iter().filter_map(|key| Some(key.split_once('.')?.0.into())).collect();
        let kind = C::releases().kind_of_flags(C::COMMAND, &said, known)?;
        C::releases().apply_flags(C::COMMAND, &said, kind, about, job)?;
        set_keys(job, set)
    }
}

/// Say keys of a job otherwise: `section.key=value`, the value as TOML or as a plain text.
fn set_keys(job: &mut Job, keys: &[String]) -> Result<()> {
    for given in keys {
        let wrong = || {
            Error::params(format!("--set {given}: this isn't section.key=value"))
                .hint("such as --set privacy.max_suppression=2%")
        };
        let (path, value) = given.split_once('=').ok_or_else(wrong)?;
        let (section, key) = path.trim().split_once('.').ok_or_else(wrong)?;
        let parsed = toml::from_str::<toml::Table>(&format!("value = {value}"));
        let value = parsed.ok().and_then(|mut table| table.remove("value"));
        job.set(section, key, value.unwrap_or_else(|| given[path.len() + 1..].into()));
    }
    Ok(())
}

/// The job of a command that takes tables and nothing else.
pub fn table_job<C: Taking>(flags: &Flags<C>, input: &str) -> Result<sfumato_table::Job> {
    if input.ends_with(".toml") {
        refuse_other_kinds(&load(input)?)?;
        return C::releases().expand(&flags.job_of(input, &[])?)?.of_kind();
    }
    C::releases().expand(&flags.job_of(input, &[])?)?.without_output()
}

/// Refuse a job of another kind than a table.
fn refuse_other_kinds(job: &Job) -> Result<()> {
    let others = sfumato_kinds::RELEASES.all().filter(|entry| entry.kind() != "table");
    match others.map(|entry| entry.section()).find(|section| job.has(section)) {
        None => Ok(()),
        Some(section) => Err(Error::unsupported(format!(
            "this command is for tables, and the job has a section [{section}]"
        ))
        .hint("run, anonymize, explain, explore, audit and query take every kind of data")),
    }
}
