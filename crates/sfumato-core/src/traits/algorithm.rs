//! Algorithms: they find a recoding that meets requirements they know nothing about.

use crate::chain::Earlier;
use crate::dataset::Table;
use crate::error::{Error, Result};
use crate::group::{Summary, Tally};
use crate::observer::Observer;
use crate::population::Population;
use crate::recoding::Recoding;
use crate::registry::{Info, Params};
use crate::traits::model::{Requirements, Scope};
use crate::traits::objective::{Effort, Objective};
use crate::workload::Workload;

/// The task of an algorithm.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The data.
    pub table: &'a Table,
    /// What every class must satisfy.
    pub requirements: &'a Requirements,
    /// How many records may be suppressed.
    pub max_suppressed: u64,
    /// The loss to minimize.
    pub objective: &'a Objective<'a>,
    /// What the recipient will do with the release, if that is known.
    pub workload: Option<&'a Workload>,
    /// The summary of all records, if the table holds only some of them.
    pub reference: Option<&'a Summary>,
    /// How long to look for something better.
    pub effort: Effort,
    /// The seed of random choices: the same seed gives the same recoding.
    pub seed: u64,
    /// The key of protecting random choices, on which a promise rests. It comes from the operating
    /// system unless the job has a seed.
    pub key: [u8; 32],
    /// What was published of the same people before, if the job has a ledger.
    pub earlier: Option<&'a dyn Earlier>,
    /// The population that models are about, if the job names one.
    pub population: Option<&'a Population>,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

impl<'a> Task<'a> {
    /// A task without suppression or workload, with normal effort, seed 0, a key of zeros and no
    /// observer.
    pub fn new(
        table: &'a Table,
        requirements: &'a Requirements,
        objective: &'a Objective<'a>,
    ) -> Self {
        let (effort, observer) = (Effort::Normal, &crate::observer::Unobserved);
        Task {
            table,
            requirements,
            max_suppressed: 0,
            objective,
            workload: None,
            reference: None,
            effort,
            seed: 0,
            key: [0; 32],
            earlier: None,
            population: None,
            observer,
        }
    }

    /// The tally of the columns that the requirements need.
    pub fn tally(&self) -> Tally<'a> {
        self.requirements.tally(self.table)
    }

    /// The summary of all records, which is the reference while nothing is suppressed.
    pub fn whole(&self) -> Summary {
        self.reference.cloned().unwrap_or_else(|| self.tally().of_range(0..self.table.n_rows))
    }
}

/// An anonymization algorithm: an entry of the registry. It decides; it doesn't apply, verify or
/// write.
pub trait Algorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find a recoding.
    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>>;

    /// Refuse models that the algorithm can't serve while records may be suppressed.
    fn check_suppression(&self, requirements: &Requirements, max_suppressed: u64) -> Result<()> {
        if max_suppressed == 0 || !self.info().capabilities.needs_absorbing_to_suppress {
            return Ok(());
        }
        match requirements.iter().find(|requirement| !requirement.is_absorbing()) {
            None => Ok(()),
            Some(requirement) => Err(Error::unsupported(format!(
                "{} can't serve {} while records may be suppressed: a class that may be published \
                    can stop being so when others join it",
                self.info().name,
                requirement.model()
            ))
            .hint("use full-domain, which looks at every node then, or allow no suppression")),
        }
    }

    /// Refuse, by name, a model that the algorithm can't serve.
    fn check_requirements(&self, requirements: &Requirements) -> Result<()> {
        let capabilities = &self.info().capabilities;
        for requirement in requirements.iter() {
            let scope = requirement.scope();
            // What was published before, and all rows of an owner together, are looked at by the
            // verifier, whoever decides.
            if matches!(scope, Scope::Earlier | Scope::Owners) {
                continue;
            }
            if !capabilities.can_serve(requirement.fact()) {
                let (name, model) = (self.info().name, requirement.model());
                return Err(match scope {
                    Scope::Class => Error::unsupported(format!(
                        "{name} can't serve {model}: it publishes no classes"
                    ))
                    .hint(
                        "take another algorithm, such as mondrian, or ask for a model about \
                            matches, such as nonreciprocal-k-anonymity",
                    ),
                    Scope::Population => Error::unsupported(format!(
                        "{name} can't serve {model}: that model is about the people of a \
                            population, and {name} looks at the records alone"
                    ))
                    .hint("take mpalm or spalm, or leave --algorithm out"),
                    _ if capabilities.draws => Error::unsupported(format!(
                        "{name} can't serve {model}: that model is about every {} of the release, \
                            and {name} draws matches",
                        scope.name()
                    ))
                    .hint("take a global recoding, such as full-domain or top-down-specialization"),
                    _ => Error::unsupported(format!(
                        "{name} can't serve {model}: that model is about every {} of the release, \
                            and {name} looks at one class at a time",
                        scope.name()
                    ))
                    .hint(
                        "take a global recoding, such as full-domain or top-down-specialization, \
                        or ask for a model about classes, such as alpha-k-anonymity over all quasi \
                        columns",
                    ),
                });
            }
            if capabilities.needs_monotone && !requirement.is_monotone() {
                return Err(Error::unsupported(format!(
                    "{} can't serve {}: that model isn't monotone",
                    self.info().name,
                    requirement.model()
                )));
            }
        }
        Ok(())
    }
}
