//! The traits of models and algorithms for baskets: what may be promised about published sets, and
//! how it is achieved.

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::facts::{Fact, Facts, Hiding, Promises, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Info, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, ErrorKind, Result};

use crate::data::{Items, PublishedSets};
use crate::metrics::frequent::Patterns;

/// A model with its parameters: for every record, each of some counts must be at least a number.
pub trait SetRequirement: Send + Sync {
    /// The model's name with its parameters, as a user would write it.
    fn describe(&self) -> String;
    /// The model's name.
    fn model(&self) -> &'static str;
    /// The counts that an algorithm must provide, and how large each must be for the promise to be
    /// kept.
    fn asks(&self) -> Vec<(Hiding, u64)>;
    /// What is promised about combinations of items, if that is what the model is about. An
    /// algorithm that looks at combinations needn't provide the counts of `asks`.
    fn combinations(&self) -> Result<Option<AskedCombinations>> {
        Ok(None)
    }
    /// Below which factor the amplification of a mechanism must stay, if that is what the model is
    /// about. No algorithm that looks at records alone can keep such a promise.
    fn amplification(&self) -> Option<f64> {
        None
    }
    /// Judge the promise on the facts of a release. By default each count that is asked for is
    /// compared; a count that the release can't state is an error.
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let judged = |(hiding, required): (Hiding, u64)| match facts.least(hiding, required)? {
            None => Err(cannot_state(self.model(), hiding.describe(), facts)),
            Some(found) => {
                let scope = if hiding.needs_original() { "linked" } else { "class" };
                let promise = (self.model(), self.describe());
                Ok(Guarantee::at_least(promise, (hiding.measure(), scope), required, found))
            }
        };
        self.asks().into_iter().map(judged).collect()
    }
}

/// A privacy model for baskets: an entry of the registry.
pub trait SetModel: Sync {
    /// The name, summary and parameters of the model.
    fn info(&self) -> &'static Info;
    /// Bind the model to its parameters.
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>>;
}

/// All requirements for a release.
#[derive(Default)]
pub struct SetRequirements {
    /// The requirements, one by one.
    pub all: Vec<Box<dyn SetRequirement>>,
}

impl Promises for SetRequirements {
    fn describe(&self) -> Vec<String> {
        self.all.iter().map(|requirement| requirement.describe()).collect()
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let judged: Vec<Vec<Guarantee>> =
            self.all.iter().map(|requirement| requirement.judge(facts)).collect::<Result<_>>()?;
        Ok(judged.into_iter().flatten().collect())
    }
}

impl SetRequirements {
    /// The largest number that any requirement asks of a count. `None` if no requirement asks for
    /// this count.
    pub fn at_least(&self, hiding: Hiding) -> Option<u64> {
        let asked = self.all.iter().flat_map(|requirement| requirement.asks());
        asked.filter(|(what, _)| *what == hiding).map(|(_, k)| k).max()
    }
    /// The largest number of all.
    pub fn k(&self) -> u64 {
        let asked = self.all.iter().flat_map(|requirement| requirement.asks());
        let counts = asked.map(|(_, k)| k).max().unwrap_or(1);
        // A question that can't be asked is an error where it is asked.
        let combinations = self.combinations().unwrap_or_default();
        combinations.iter().map(|asked| asked.required).chain([counts]).max().unwrap_or(1)
    }
    /// What is promised about combinations of items.
    pub fn combinations(&self) -> Result<Vec<AskedCombinations>> {
        let all: Vec<Option<AskedCombinations>> =
            self.all.iter().map(|requirement| requirement.combinations()).collect::<Result<_>>()?;
        Ok(all.into_iter().flatten().collect())
    }
    /// Whether a model can't be served by counts, only by an algorithm that looks at combinations.
    pub fn needs_combinations(&self) -> bool {
        self.all.iter().any(|requirement| requirement.asks().is_empty())
    }
}

/// The task of an algorithm for baskets.
#[derive(Clone, Copy)]
pub struct SetTask<'a> {
    /// The records.
    pub sets: &'a Transactions,
    /// How many records each of them stands for. `None` if each stands for one. Only given to
    /// algorithms that take weights.
    pub weights: Option<&'a [u32]>,
    /// What an instance of each item is worth.
    pub utilities: &'a [f64],
    /// How many must hide each other, in the sense of the first fact that the algorithm serves;
    /// never more than the records there are.
    pub k: u64,
    /// What is promised about combinations of items. Algorithms that don't serve combinations
    /// needn't look at it.
    pub combinations: &'a [AskedCombinations],
    /// The private items of each record, which promises about combinations may be about.
    pub private: Option<&'a Transactions>,
    /// The seed of random choices: the same seed gives the same result.
    pub seed: u64,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

impl<'a> SetTask<'a> {
    /// A task with seed 0 and no observer.
    pub fn new(sets: &'a Transactions, utilities: &'a [f64], k: u64) -> Self {
        SetTask {
            sets,
            weights: None,
            utilities,
            k,
            combinations: &[],
            private: None,
            seed: 0,
            observer: &sfumato_core::observer::Unobserved,
        }
    }
    /// Return an error if the user asked to stop.
    pub fn check_cancelled(&self) -> Result<()> {
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }
}

/// An anonymization algorithm for baskets: an entry of the registry. It decides; it doesn't apply,
/// verify or write.
pub trait SetAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find a published set for each record: a subset of its own, such that at least `task.k`
    /// records hide it.
    fn anonymize(&self, params: &Params, task: &SetTask<'_>) -> Result<PublishedSets>;

    /// Refuse, by name, a model that the algorithm can't serve.
    fn check_requirements(&self, requirements: &SetRequirements) -> Result<()> {
        let capabilities = &self.info().capabilities;
        for requirement in &requirements.all {
            let is_combinations = requirement.combinations()?.is_some();
            if is_combinations && capabilities.can_serve(Fact::Combinations) {
                continue;
            }
            if requirement.asks().is_empty() {
                return Err(Error::unsupported(format!(
                    "{} can't serve {}: it looks at no combinations of items",
                    self.info().name,
                    requirement.model(),
                ))
                .hint("take an algorithm that does, such as item-suppression"));
            }
            let is_served = |what: Hiding| capabilities.can_serve(Fact::Hiding(what));
            let unserved = requirement.asks().into_iter().find(|(what, _)| !is_served(*what));
            if let Some((what, _)) = unserved {
                let counts = capabilities.serves.first().map_or("nothing", |fact| fact.describe());
                return Err(Error::unsupported(format!(
                    "{} can't serve {}: it counts {counts}, and that model {}",
                    self.info().name,
                    requirement.model(),
                    what.describe()
                ))
                .hint(
                    "take an algorithm for k-anonymity, such as set-mondrian, or ask for \
                    k1-anonymity",
                ));
            }
        }
        Ok(())
    }
}

/// What a metric for baskets sees: how often each item occurs in the original and in the release.
#[derive(Clone, Copy)]
pub struct SetView<'a> {
    /// The items.
    pub items: &'a Items,
    /// The number of instances of each item in the original.
    pub before: &'a [u64],
    /// The number of instances of each item in the release.
    pub after: &'a [u64],
    /// The number of all records.
    pub records: u64,
    /// The number of records with items that are published without any item.
    pub emptied: u64,
    /// What is learnt of combinations of quasi items. `None` if only counts are known.
    pub patterns: Option<&'a Patterns<'a>>,
}

/// A utility metric for baskets: an entry of the registry.
pub trait SetMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure a release. `None` if the metric isn't defined for it.
    fn measure(&self, view: &SetView<'_>) -> Option<f64>;
}
