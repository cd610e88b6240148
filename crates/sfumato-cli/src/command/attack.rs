//! `sfumato attack RELEASE --original DATA`: plays the adversaries and counts what they learn.

use clap::Args;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_engine::Job;
use sfumato_engine::attack::AttackAsked;
use sfumato_engine::entry::Request;
use sfumato_engine::flags::About;

use super::flags::{self, Described, Flags};
use super::run::load;
use super::{Context, print, print_words, set_threads, to_json};

#[derive(Args)]
pub struct Attack {
    /// The release: a file, or the folder of a release of several files.
    #[arg(value_name = "RELEASE")]
    file: String,
    /// The job that the release was made by: says what columns are and what labels mean.
    #[arg(long, value_name = "release.toml")]
    job: Option<String>,
    #[command(flatten)]
    flags: Flags<flags::Attack>,
    /// The data that the release was made from: they judge whether an attacker is right.
    #[arg(long, value_name = "DATA")]
    original: String,
    /// People of whom some are in the data, such as a voter list: what an attacker links with.
    #[arg(long, value_name = "DATA")]
    population: Option<String>,
    /// People of the same kind who aren't in the data: the same attacks on them show what follows
    /// from the release as a whole.
    #[arg(long, value_name = "DATA")]
    control: Option<String>,
    /// Another release of the same people, for attacks that put two together.
    #[arg(long, value_name = "RELEASE")]
    other: Option<String>,
    /// An attack, such as 'record-linkage(known=3)'; all that the form offers without it. May be
    /// given again.
    #[arg(long, value_name = "NAME")]
    attack: Vec<String>,
    /// The highest rate allowed, such as 0.1 or 10%: if an attack is above it, or found too few
    /// queries to tell, the command ends with exit code 3.
    #[arg(long, value_name = "RATE", value_parser = rate)]
    max_rate: Option<f64>,
    /// Where random choices of attackers start from.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Say a key of a section otherwise, as a job would: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print what attackers learn to standard output as one JSON object. It names records: keep it
    /// private.
    #[arg(long)]
    json: bool,
}

impl Attack {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let learnt = sfumato_kinds::RELEASES.attack(&self.request()?, &context.progress)?;
        if self.json {
            print(&(to_json(&learnt)? + "\n"))?;
        } else {
            print_words(&learnt.words())?;
        }
        Ok(if learnt.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn request(&self) -> Result<Request> {
        let own_job = self.job.as_ref().map(|path| load(path)).transpose()?;
        let Described { release, original } = match &own_job {
            None => self.flags.described(&self.file, Some(&self.original), &self.set)?,
            Some(own) => Described {
                release: self.flags.by_job(own, &self.file, true, &self.set)?,
                original: Some(self.flags.by_job(own, &self.original, false, &self.set)?),
            },
        };
        let reading = |path: &Option<String>, about: &[About]| -> Result<Option<Job>> {
            let is_release = !about.contains(&About::Original);
            let job = |path: &String| match &own_job {
                None => self.flags.reading(&self.file, path, about, &self.set),
                Some(own) => self.flags.by_job(own, path, is_release, &self.set),
            };
            path.as_ref().map(job).transpose()
        };
        let of_original: &[About] = &[About::Data, About::Original];
        Ok(Request {
            job: release,
            original,
            attack: AttackAsked {
                attacks: self.attack.clone(),
                population: reading(&self.population, of_original)?,
                control: reading(&self.control, of_original)?,
                other: reading(&self.other, &[About::Data])?,
                max_rate: self.max_rate,
                seed: self.seed,
            },
            ..Request::default()
        })
    }
}

/// A share: `0.1` or `10%`.
fn rate(text: &str) -> Result<f64, String> {
    let (number, of) = match text.strip_suffix('%') {
        Some(percent) => (percent, 100.0),
        None => (text, 1.0),
    };
    let rate = number.trim().parse::<f64>().ok().map(|number| number / of);
    rate.filter(|rate| (0.0..=1.0).contains(rate))
        .ok_or_else(|| Error::params("a rate is from 0 to 1, or from 0% to 100%").message)
}
