//! Privacy models: a requirement is a predicate over a mergeable summary of a group.

use crate::chain::Chain;
use crate::dataset::{Column, Domain, Hierarchy, Table};
use crate::error::{Error, Result};
use crate::facts::{Fact, Hiding};
use crate::group::{Guarantee, Sampling, Summary, Tally};
use crate::joined::JoinAsked;
use crate::population::{Among, Presence};
use crate::registry::{Info, Params};

/// The tolerance of promises that depend on logarithms or sums of fractions (entropy, earth mover's
/// distance). Algorithm and verifier share it; counts and products of integers never use it.
pub const TOLERANCE: f64 = 1e-9;

/// What a promise is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Each class on its own, compared with the distribution of the whole release.
    Class,
    /// Every group that agrees on some of the quasi columns, for each of these subsets of columns.
    Projection(Vec<Vec<usize>>),
    /// The published records that an original record matches, for each original record. To check
    /// such a promise the original is needed. A class is such a group for each of its records, so a
    /// promise that holds in classes holds.
    Matches,
    /// This release beside those of the same people before it. No class says anything about it:
    /// [`Requirement::judge_chain`] does.
    Earlier,
    /// The people of a population. No class says anything about them: it is judged by
    /// [`Requirement::judge_presence`].
    Population,
    /// All rows of a person together, for each of those who have several.
    Owners,
}

impl Scope {
    /// The name of the scope, for messages and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Scope::Class => "class",
            Scope::Projection(_) => "projection",
            Scope::Matches => "linked",
            Scope::Earlier => "earlier",
            Scope::Population => "population",
            Scope::Owners => "owners",
        }
    }
    /// Whether it is enough to look at classes one by one.
    pub fn is_met_by_classes(&self) -> bool {
        matches!(self, Scope::Class | Scope::Matches)
    }
}

/// Whether a larger number is a stronger promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The achieved value must be at least the required one; the worst group has the smallest
    /// value.
    AtLeast,
    /// The achieved value must be at most the required one; the worst group has the largest value.
    AtMost,
    /// The achieved value must be below the required one.
    Below,
}

impl Direction {
    /// The worse of two achieved values.
    pub fn worse(self, a: f64, b: f64) -> f64 {
        match self {
            Direction::AtLeast => a.min(b),
            Direction::AtMost | Direction::Below => a.max(b),
        }
    }
}

/// A quantity that a requirement bounds, such as the `k` of k-anonymity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// The symbol in the literature: `k`, `l`, `t`, `alpha`.
    pub name: &'static str,
    /// The required bound.
    pub required: f64,
    /// The direction of the bound.
    pub direction: Direction,
}

/// A model with its parameters, bound to the columns of one table or file.
pub trait Requirement: Send + Sync {
    /// The model's name with its parameters, as a user would write it.
    fn describe(&self) -> String;
    /// The model's name.
    fn model(&self) -> &'static str;
    /// What the promise is about.
    fn scope(&self) -> Scope {
        Scope::Class
    }
    /// Whether merging groups that satisfy it always gives a group that satisfies it. Algorithms
    /// that stop early rely on this.
    fn is_monotone(&self) -> bool;
    /// Whether a group that satisfies it still does after any other group joins it, so that
    /// generalizing never makes a group fail. This is stronger than monotone: entropy falls when a
    /// group of low entropy joins one of high entropy. Searches that suppress rely on it.
    fn is_absorbing(&self) -> bool {
        false
    }
    /// The sensitive columns whose histograms it reads, by their places among the sensitive columns
    /// and guards.
    fn histograms(&self) -> Vec<usize> {
        Vec::new()
    }
    /// The fact that it is judged on.
    fn fact(&self) -> Fact {
        match self.scope() {
            Scope::Class if self.histograms().is_empty() => Fact::Classes,
            Scope::Class => Fact::SensitiveValues,
            Scope::Projection(_) => Fact::Projections,
            Scope::Matches => Fact::Hiding(Hiding::Matches),
            Scope::Earlier => Fact::Earlier,
            Scope::Population => Fact::Population,
            Scope::Owners => Fact::Owners,
        }
    }
    /// Whether it asks who is who in releases, beside what these publish.
    fn asks_who_is_who(&self) -> bool {
        false
    }
    /// Whether a promise about earlier releases asks something of the first release of a chain that
    /// no class says.
    fn judges_first(&self) -> bool {
        false
    }
    /// What it asks of the join of releases with different columns, if it asks that.
    fn asks_join(&self) -> Option<&JoinAsked> {
        None
    }
    /// Judge a promise about earlier releases on the chain that ends with this one. Only promises
    /// with [`Scope::Earlier`] are asked.
    fn judge_chain(&self, _: &Chain) -> Result<Vec<Guarantee>> {
        Err(Error::internal(format!("{} isn't about earlier releases", self.model())))
    }
    /// Judge a promise about a population. Only promises with [`Scope::Population`] are asked.
    fn judge_presence(&self, _: &Presence) -> Result<Vec<Guarantee>> {
        Err(Error::internal(format!("{} isn't about a population", self.model())))
    }
    /// How many owners must have the same rows. Only promises with [`Scope::Owners`] are asked.
    fn owners(&self) -> u64 {
        1
    }
    /// Whether rows may be published alike that may be about so many people of a population, and
    /// about nobody else. If two such groups may, their union may, too.
    fn holds_among(&self, _: Among) -> bool {
        true
    }
    /// Whether a group may be published. Exact where the model is about counts.
    fn holds(&self, group: &Summary, release: &Summary) -> bool;
    /// Whether a sample of a group, which is one of `n_parts` parts of a split, shows with high
    /// confidence that the group may be published in a release, whose summary is that of all its
    /// records. By default the group must hold in proportion to the sample, and also if its most
    /// frequent values are more frequent, and the others less, by the error of the sample. This is
    /// never a promise: every decision made by it is checked again.
    fn likely(
        &self,
        sample: &Summary,
        release: &Summary,
        sampling: &Sampling,
        n_parts: usize,
    ) -> bool {
        sampling.enough(sample, self.min_people(), n_parts)
            && self.holds(&sampling.scaled(sample), release)
            && (sampling.is_naive() || self.holds(&sampling.skewed(sample, n_parts), release))
    }
    /// The quantities that the requirement bounds.
    fn measures(&self) -> Vec<Measure>;
    /// The quantities of one group, in the order of `measures`.
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64>;
    /// The smallest number of people with which a group can satisfy it: a fast filter, never the
    /// whole check.
    fn min_people(&self) -> u64 {
        1
    }
    /// Whether `holds` is just `people >= min_people()`, so that no histogram needs to be counted.
    fn is_count_only(&self) -> bool {
        false
    }
}

/// What a model sees of the table or file to which it is bound.
#[derive(Debug, Clone, Default)]
pub struct Bind<'a> {
    /// The names of the quasi columns, in file order.
    pub quasi: Vec<&'a str>,
    /// The sensitive columns and the guards, in file order.
    pub sensitive: Vec<SensitiveColumn<'a>>,
}

/// A sensitive column as a model sees it.
#[derive(Debug, Clone, Copy)]
pub struct SensitiveColumn<'a> {
    /// The name of the column.
    pub name: &'a str,
    /// The values of the column. The code `domain.missing()` stands for a missing value, which
    /// counts as a value of its own.
    pub domain: &'a Domain,
    /// The hierarchy of the column, if one was given.
    pub hierarchy: Option<&'a Hierarchy>,
    /// Whether the column is a guard, which isn't published: it says what people asked to keep from
    /// being learnt, and only models that ask for it see it.
    pub is_guard: bool,
}

impl<'a> Bind<'a> {
    /// The sensitive columns that a model is about: the column that its parameter `on` names, or
    /// all of them.
    pub fn on(&self, params: &Params, model: &Info) -> Result<Vec<usize>> {
        let own: Vec<usize> =
            (0..self.sensitive.len()).filter(|place| !self.sensitive[*place].is_guard).collect();
        let names =
            || own.iter().map(|place| self.sensitive[*place].name).collect::<Vec<_>>().join(", ");
        match params.text("on") {
            Some(name) => match own.iter().find(|place| self.sensitive[**place].name == name) {
                Some(index) => Ok(vec![*index]),
                None => Err(Error::params(format!(
                    "{}: '{name}' is not a sensitive column",
                    model.name
                ))
                .hint(if own.is_empty() {
                    format!("give '{name}' the role sensitive")
                } else {
                    format!("sensitive columns are {}", names())
                })),
            },
            None if own.is_empty() => {
                Err(Error::params(format!("{} needs a sensitive column", model.name))
                    .hint("name one with --sensitive COLUMN or role = \"sensitive\""))
            }
            None => Ok(own),
        }
    }

    /// The places of quasi columns, found by their names.
    pub fn quasi_named(&self, names: &[String], model: &Info) -> Result<Vec<usize>> {
        names
            .iter()
            .map(|name| {
                self.quasi.iter().position(|quasi| quasi == name).ok_or_else(|| {
                    Error::params(format!("{}: '{name}' is not a quasi column", model.name))
                        .hint(format!("quasi columns are {}", self.quasi.join(", ")))
                })
            })
            .collect()
    }

    /// The codes of sensitive values, found by their texts.
    pub fn codes_of(&self, column: usize, values: &[String], model: &Info) -> Result<Vec<u32>> {
        let SensitiveColumn { name, domain, .. } = self.sensitive[column];
        values
            .iter()
            .map(|value| {
                domain
                    .labels()
                    .position(|label| label == *value)
                    .map(|code| code as u32)
                    .ok_or_else(|| {
                        Error::params(format!(
                            "{}: '{value}' is not a value of column '{name}'",
                            model.name
                        ))
                    })
            })
            .collect()
    }
}

/// A privacy model: an entry of the registry.
pub trait Model: Sync {
    /// The name, summary and parameters of the model.
    fn info(&self) -> &'static Info;
    /// The requirements of the model on a table or file: one per sensitive column or
    /// quasi-identifier.
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>>;
}

/// All requirements of a run together.
pub struct Requirements {
    list: Vec<Box<dyn Requirement>>,
    /// Which requirements are about classes. This is asked once, since a scope may be a list of
    /// thousands of subsets, and there are many classes.
    about_classes: Vec<bool>,
    min_people: u64,
}

impl Requirements {
    /// Make the list from bound requirements.
    pub fn new(list: Vec<Box<dyn Requirement>>) -> Self {
        let about_classes: Vec<bool> = list.iter().map(|r| r.scope().is_met_by_classes()).collect();
        let least = list
            .iter()
            .zip(&about_classes)
            .filter(|(_, about)| **about)
            .map(|(r, _)| r.min_people());
        let min_people = least.max().unwrap_or(1);
        Requirements { list, about_classes, min_people }
    }
    /// The requirements, one by one.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Requirement> + '_ {
        self.list.iter().map(|requirement| requirement.as_ref())
    }
    /// Whether a class satisfies all requirements about classes.
    pub fn holds(&self, class: &Summary, release: &Summary) -> bool {
        class.people >= self.min_people
            && self
                .list
                .iter()
                .zip(&self.about_classes)
                .all(|(r, about)| !about || r.holds(class, release))
    }
    /// Whether a sample of a class says with high confidence that it satisfies all requirements
    /// about classes.
    pub fn likely(
        &self,
        sample: &Summary,
        release: &Summary,
        sampling: &Sampling,
        n_parts: usize,
    ) -> bool {
        sampling.enough(sample, self.min_people, n_parts)
            && self
                .list
                .iter()
                .zip(&self.about_classes)
                .all(|(r, about)| !about || r.likely(sample, release, sampling, n_parts))
    }
    /// The smallest number of people with which a class can satisfy all requirements.
    pub fn min_people(&self) -> u64 {
        self.min_people
    }
    /// Whether the size of a class decides all requirements.
    pub fn is_count_only(&self) -> bool {
        self.iter().all(|r| r.is_count_only())
    }
    /// Whether all requirements are monotone.
    pub fn is_monotone(&self) -> bool {
        self.iter().all(|r| r.is_monotone())
    }
    /// Whether all requirements are absorbing.
    pub fn is_absorbing(&self) -> bool {
        self.iter().all(|r| r.is_absorbing())
    }
    /// The tally of the columns of a table that the requirements need.
    pub fn tally<'a>(&self, table: &'a Table) -> Tally<'a> {
        let sensitive = table.counted();
        let needed = self.needed_histograms(sensitive.len());
        let counted = |(column, needed): (&&'a Column, bool)| {
            needed.then_some((&column.codes, column.domain.len() + 1))
        };
        Tally {
            sensitive: sensitive.iter().zip(needed).map(counted).collect(),
            subject: table.subject.as_ref(),
        }
    }
    /// For each of `n_sensitive` sensitive columns and guards, whether a model reads its histogram.
    pub fn needed_histograms(&self, n_sensitive: usize) -> Vec<bool> {
        let mut needed = vec![false; n_sensitive];
        self.iter().flat_map(|r| r.histograms()).for_each(|column| needed[column] = true);
        needed
    }
}
