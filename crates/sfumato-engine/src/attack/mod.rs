//! The adversary: attacks that are played on a release beside its original, for every kind and
//! form.
//!
//! A kind lists its attacks, one file each, over a stage of its own: the release as an attacker
//! reads it, with what the attacker and the judge know. Everything else is written once: who plays,
//! how success is counted, what is above the rate allowed, and what reports say.

mod chance;
mod outcome;
mod play;
mod section;

pub use chance::Chance;
pub use outcome::{CONFIDENCE, FEWEST_QUERIES, Outcome, Score, Worst};
pub use play::{AttackAsked, AttackRequest, Attacks, Played, Skipped, Verdict, attack};
pub(crate) use play::{check_spec, play_on_draft};

use sfumato_core::registry::{self, Info, Params};
use sfumato_core::{Error, Result};

/// An attack on releases that were opened as an `S`: an entry of the registry.
pub trait Attack<S>: Sync {
    /// The name, summary and parameters of the attack. Parameters say what the attacker knows.
    fn info(&self) -> &'static Info;
    /// The names of the forms of release that it can be played on.
    fn forms(&self) -> &'static [&'static str];
    /// What is missing for it to be played here, in words: `a sensitive column (--sensitive)`.
    /// An attack that lacks something is never played, and so never passed.
    fn lacks(&self, _params: &Params, _stage: &S) -> Option<String> {
        None
    }
    /// Play it: ask about people, and count how often the attacker is right.
    fn play(&self, params: &Params, stage: &S, chance: &mut Chance) -> Result<Outcome>;
}

/// A release that was opened for attacks, without knowing the type of its stage.
pub trait Stage {
    /// What is missing for an attack to be played here.
    fn lacks(&self, attack: &str, params: &Params) -> Result<Option<String>>;
    /// Play an attack.
    fn play(&self, attack: &str, params: &Params, chance: &mut Chance) -> Result<Outcome>;
}

/// A stage of a kind, with the attacks that are played on it.
pub struct Staged<S: 'static> {
    /// What attacks look at.
    pub stage: S,
    /// The attacks of the kind.
    pub attacks: &'static [&'static dyn Attack<S>],
}

impl<S: 'static> Staged<S> {
    fn find(&self, name: &str) -> Result<&'static dyn Attack<S>> {
        registry::find("attack", self.attacks, |attack| attack.info(), name)
    }
}

impl<S: 'static> Stage for Staged<S> {
    fn lacks(&self, attack: &str, params: &Params) -> Result<Option<String>> {
        Ok(self.find(attack)?.lacks(params, &self.stage))
    }
    fn play(&self, attack: &str, params: &Params, chance: &mut Chance) -> Result<Outcome> {
        self.find(attack)?.play(params, &self.stage, chance)
    }
}

/// The attacks of a list that can be played on a form.
pub fn offered<S: 'static>(all: &[&'static dyn Attack<S>], form: &str) -> Vec<&'static Info> {
    let is_played = |attack: &&&'static dyn Attack<S>| attack.forms().contains(&form);
    all.iter().filter(is_played).map(|attack| attack.info()).collect()
}

/// The error for a form that no attack can be played on yet.
pub(crate) fn no_attacks(form: &str) -> Error {
    Error::unsupported(format!("there is no attack on {form}"))
        .hint("'sfumato list' shows which families of attacks there are")
}
