//! Plays attacks: on a release beside its original, and on a draft before it becomes one.

use std::path::Path;

use serde::Serialize;
use sfumato_core::registry::{self, Call, Info, Params};
use sfumato_core::{Error, Result};

use super::outcome::{Outcome, Worst};
use super::{Chance, FEWEST_QUERIES, Stage};
use crate::audit::AuditRequest;
use crate::context::Context;
use crate::draft::Draft;
use crate::entry::Request;
use crate::form::Form;
use crate::job::{AttackSpec, Job};
use crate::kind::{Kind, KindJob};
use crate::manifest::Manifest;
use crate::reports::params_json;

/// What an attack is asked beside the release and its original, before the kind is known.
#[derive(Debug, Clone, Default)]
pub struct AttackAsked {
    /// The attacks with their parameters; all of the form without any.
    pub attacks: Vec<String>,
    /// The job that reads a population: people of whom some are in the data.
    pub population: Option<Job>,
    /// The job that reads people of the same kind who aren't in the data.
    pub control: Option<Job>,
    /// The job that reads another release of the same people.
    pub other: Option<Job>,
    /// The highest rate allowed.
    pub max_rate: Option<f64>,
    /// Where random choices of the attacker start from.
    pub seed: u64,
}

/// What a form opens for attacks.
#[derive(Debug, Clone)]
pub struct AttackRequest<J> {
    /// The release and its original, as an audit reads them. The original is always given.
    pub release: AuditRequest<J>,
    /// People of whom some are in the data.
    pub population: Option<J>,
    /// People of the same kind who aren't in the data.
    pub control: Option<J>,
    /// Another release of the same people.
    pub other: Option<J>,
}

impl<J> AttackRequest<J> {
    /// The job that reads the original.
    pub fn original(&self) -> Result<&J> {
        self.release.original.as_ref().ok_or_else(no_original)
    }
}

fn no_original() -> Error {
    Error::params("an attack is judged by the original, which wasn't named")
        .hint("say what the release was made from with --original DATA")
}

/// Whether an attack is above the rate allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Its rate is at most what is allowed.
    Within,
    /// Its rate is above what is allowed.
    Above,
    /// It found too few queries to tell. It isn't passed.
    TooFewQueries,
}

/// An attack that was played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Played {
    /// Its name.
    pub attack: &'static str,
    /// Its parameters: what the attacker knows.
    pub params: serde_json::Value,
    /// How often the attacker was right about people in the release; null without any query.
    pub rate: Option<f64>,
    /// The lower end of the 95 % interval of the rate.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The rate of an attacker who guesses without the release.
    pub baseline: f64,
    /// The same attacker's rate on people who aren't in the release; null where none were given.
    pub control: Option<f64>,
    /// The lower end of the interval of the control rate.
    pub control_low: Option<f64>,
    /// The upper end of the interval of the control rate.
    pub control_high: Option<f64>,
    /// How many queries the attacker posed.
    pub queries: u64,
    /// How many queries the attacker looked for.
    pub sought: u64,
    /// Whether there were too few queries to say anything.
    pub too_few: bool,
    /// Whether it is above the rate allowed; null where none was said.
    pub verdict: Option<Verdict>,
    /// What a reader of the figures should know.
    pub remarks: Vec<String>,
    /// The records about which the attacker is most often right. Never public.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub worst: Vec<Worst>,
}

impl Played {
    fn of(info: &'static Info, params: &Params, outcome: Outcome, max_rate: Option<f64>) -> Self {
        let (rate, interval) = (outcome.score.rate(), outcome.score.interval());
        let of_control = outcome.control.as_ref().and_then(|control| control.interval());
        let too_few = outcome.is_too_few();
        let verdict = max_rate.map(|most| match rate {
            Some(rate) if rate > most && !too_few => Verdict::Above,
            // Nothing is above 1: there is nothing to be unsure about.
            _ if too_few && most < 1.0 => Verdict::TooFewQueries,
            _ => Verdict::Within,
        });
        Played {
            attack: info.name,
            params: params_json(params),
            rate,
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            baseline: outcome.baseline,
            control: outcome.control.as_ref().and_then(|control| control.rate()),
            control_low: of_control.map(|(low, _)| low),
            control_high: of_control.map(|(_, high)| high),
            queries: outcome.score.queries,
            sought: outcome.sought.unwrap_or(outcome.score.queries),
            too_few,
            verdict,
            remarks: outcome.remarks,
            worst: outcome.worst,
        }
    }

    /// What is wrong with it, in words: it is above the rate allowed, or found too few queries.
    pub fn fault(&self, max_rate: f64) -> Option<String> {
        match self.verdict? {
            Verdict::Within => None,
            Verdict::Above => Some(format!(
                "the attack {} is right in {:.4} of {} queries, and at most {max_rate} is allowed",
                self.attack,
                self.rate.unwrap_or(1.0),
                self.queries
            )),
            Verdict::TooFewQueries => Some(format!(
                "the attack {} found {} of {} queries, too few to tell ({FEWEST_QUERIES} or \
                 everybody)",
                self.attack, self.queries, self.sought
            )),
        }
    }
}

/// An attack that wasn't played, because something was missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Its name.
    pub attack: &'static str,
    /// What is missing.
    pub needs: String,
}

/// What attackers learn from a release.
#[derive(Debug, Clone, Serialize)]
pub struct Attacks {
    /// The path of the file or folder that was attacked.
    pub path: String,
    /// The name of the kind of its records.
    pub kind: &'static str,
    /// The name of the form in which the records are published.
    pub form: &'static str,
    /// Where random choices of the attackers started from.
    pub seed: u64,
    /// The highest rate allowed.
    pub max_rate: Option<f64>,
    /// The attacks that were played.
    pub attacks: Vec<Played>,
    /// The attacks that weren't played, with what is missing. None of them is passed.
    pub skipped: Vec<Skipped>,
    /// Whether every attack that was played is within the rate allowed; true if none was said.
    pub holds: bool,
}

/// An attack with its parameters.
type Chosen = (&'static Info, Params);

/// The attacks that were asked for, or all of the form.
fn chosen(offered: &[&'static Info], form: &str, asked: &[String]) -> Result<Vec<Chosen>> {
    if offered.is_empty() {
        return Err(super::no_attacks(form));
    }
    let named = |call: &Call| {
        let info = registry::find("attack", offered, |info| find_static(offered, info), &call.name);
        Ok((info?, call.args.clone()))
    };
    let mut calls = Vec::new();
    for text in asked {
        calls.push(named(&text.parse::<Call>()?)?);
    }
    if asked.is_empty() {
        calls.extend(offered.iter().map(|info| (*info, Default::default())));
    }
    calls.into_iter().map(|(info, args)| Ok((info, Params::check(info, &args)?))).collect()
}

/// The entry itself, so that the finder can hand out `'static`.
fn find_static(offered: &[&'static Info], info: &Info) -> &'static Info {
    let known = offered.iter().find(|known| known.name == info.name);
    known.expect("the finder looks among these entries")
}

/// Play attacks on a release: the same steps for every kind and form.
pub fn attack<K: Kind, F: Form<K>>(
    kind: &K,
    form: &F,
    request: &Request,
    context: &Context<'_>,
) -> Result<Attacks> {
    let asked = &request.attack;
    check_rate(asked.max_rate)?;
    let chosen = chosen(&form.attacks(), form.name(), &asked.attacks)?;
    let job = |job: &Option<Job>| job.as_ref().map(Job::without_output).transpose();
    let opened = AttackRequest {
        release: AuditRequest {
            manifest: Manifest::find(Path::new(&request.job.input_path()))?,
            job: request.job.without_output()?,
            original: Some(request.original.as_ref().ok_or_else(no_original)?.without_output()?),
            memory: None,
            spill: None,
        },
        population: job(&asked.population)?,
        control: job(&asked.control)?,
        other: job(&asked.other)?,
    };
    let stage = form.stage(&opened, context)?;
    let (max_rate, seed) = (asked.max_rate, asked.seed);
    let must = !asked.attacks.is_empty();
    let (attacks, skipped) = play(stage.as_ref(), chosen, (max_rate, seed), must)?;
    Ok(Attacks {
        path: request.job.input_path(),
        kind: kind.name(),
        form: form.name(),
        seed,
        max_rate,
        holds: attacks.iter().all(is_passed),
        attacks,
        skipped,
    })
}

fn is_passed(played: &Played) -> bool {
    matches!(played.verdict, None | Some(Verdict::Within))
}

/// Play attacks, one after the other. Where they were asked for by name, one that lacks something
/// is an error; else it is skipped and listed as such.
fn play(
    stage: &dyn Stage,
    chosen: Vec<Chosen>,
    (max_rate, seed): (Option<f64>, u64),
    must: bool,
) -> Result<(Vec<Played>, Vec<Skipped>)> {
    let (mut played, mut skipped) = (Vec::new(), Vec::new());
    for (info, params) in chosen {
        match stage.lacks(info.name, &params)? {
            Some(needs) if must => {
                let message = format!("the attack {} can't be played here", info.name);
                return Err(Error::params(message).hint(format!("it needs {needs}")));
            }
            Some(needs) => skipped.push(Skipped { attack: info.name, needs }),
            None => {
                // Anew for each, so that it gives the same alone and among others.
                let mut chance = Chance::new(seed);
                let outcome = stage.play(info.name, &params, &mut chance)?;
                played.push(Played::of(info, &params, outcome, max_rate));
            }
        }
    }
    Ok((played, skipped))
}

fn check_rate(max_rate: Option<f64>) -> Result<()> {
    match max_rate.is_none_or(|rate| (0.0..=1.0).contains(&rate)) {
        true => Ok(()),
        false => Err(Error::params("the highest rate allowed must be from 0 to 1")),
    }
}

/// Refuse a section `[attack]` that can't be followed, before anything is read.
pub(crate) fn check_spec<K: Kind, F: Form<K>>(form: &F, spec: Option<&AttackSpec>) -> Result<()> {
    let Some(spec) = spec else { return Ok(()) };
    check_rate(Some(rate_of(spec)?))?;
    chosen(&form.attacks(), form.name(), &spec.attacks).map(|_| ())
}

fn rate_of(spec: &AttackSpec) -> Result<f64> {
    spec.max_rate.ok_or_else(|| {
        Error::params("[attack] doesn't say the highest rate allowed")
            .hint("write max_rate = 0.1 under [attack]")
    })
}

/// Play the attacks of a job on a draft. An attack that is above the rate allowed, or that can't
/// tell, is an error: nothing is written.
pub(crate) fn play_on_draft<K: Kind, F: Form<K>>(
    (kind, form): (&K, &F),
    job: &K::Job,
    (draft, manifest): (&Draft, &Manifest),
    context: &Context<'_>,
) -> Result<Option<Attacks>> {
    let Some(spec) = job.attack() else { return Ok(None) };
    let max_rate = rate_of(spec)?;
    let reading = |path: &str| -> Result<K::Job> {
        let mut other = Job::from_kind(job);
        other.remove("attack");
        other.set("input", "path", path);
        other.without_output()
    };
    draft.describe(manifest)?;
    // A name in memory isn't a path: nothing is put before it.
    let path = match draft.path()? {
        path if path.exists() => std::path::absolute(path)
            .map_err(|error| Error::io(path, "find", &error))?
            .display()
            .to_string(),
        path => path.display().to_string(),
    };
    let request = AttackRequest {
        release: AuditRequest {
            job: {
                let mut release = Job::from_kind(job);
                release.remove("attack");
                release.set("input", "path", path.as_str());
                // How the original is written says nothing of the release.
                let keys = ["format", "delimiter", "header", "encoding"];
                keys.iter().for_each(|key| release.unset("input", key));
                release.without_output()?
            },
            manifest: Some(manifest.clone()),
            original: Some(job.clone()),
            memory: None,
            spill: None,
        },
        population: spec.population.as_deref().map(reading).transpose()?,
        control: spec.control.as_deref().map(reading).transpose()?,
        other: spec.other.as_deref().map(reading).transpose()?,
    };
    let chosen = chosen(&form.attacks(), form.name(), &spec.attacks)?;
    let stage = form.stage(&request, context)?;
    let seed = job.common().run.seed.unwrap_or(0);
    let must = !spec.attacks.is_empty();
    let (attacks, skipped) = play(stage.as_ref(), chosen, (Some(max_rate), seed), must)?;
    if let Some(fault) = attacks.iter().find_map(|played| played.fault(max_rate)) {
        return Err(Error::infeasible(format!("{fault}; nothing was written")).hint(
            "ask for a stronger model, or allow a higher max_rate under [attack] if this attacker \
             knows more than yours",
        ));
    }
    Ok(Some(Attacks {
        path,
        kind: kind.name(),
        form: form.name(),
        seed,
        max_rate: Some(max_rate),
        holds: true,
        attacks,
        skipped,
    }))
}
