//! Privacy models: a requirement is a predicate over a mergeable summary of a group.

use crate::dataset::{Column, Domain, Hierarchy, Table};
use crate::error::{Error, Result};
use crate::facts::{Fact, Hiding};
use crate::group::{Sampling, Summary, Tally};
use crate::registry::{Info, Params};

/// Slack for promises that hang on logarithms or sums of fractions (entropy, earth mover's
/// distance). Algorithm and verifier share it; counts and products of integers never use it.
pub const TOLERANCE: f64 = 1e-9;

/// What a promise is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Each class by itself, against the distribution of the whole release.
    Class,
    /// Every group that agrees on some of the quasi columns, for each of these subsets of columns.
    Projection(Vec<Vec<usize>>),
    /// The published records that an original one matches, for each original record: a promise
    /// against the original. A class is such a group for each of its records, so whoever keeps it
    /// in classes keeps it.
    Matches,
}

impl Scope {
    /// A word for messages and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Scope::Class => "class",
            Scope::Projection(_) => "projection",
            Scope::Matches => "linked",
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
    /// The achieved value must be at least the required one; the worst group has the least.
    AtLeast,
    /// The achieved value must be at most the required one; the worst group has the most.
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
    /// The bound asked for.
    pub required: f64,
    /// Which way the bound goes.
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
    /// Whether merging groups that satisfy it always gives a group that does. Algorithms that stop
    /// early rely on it.
    fn is_monotone(&self) -> bool;
    /// Whether a group that satisfies it still does whatever joins it, so that generalizing never
    /// makes a group fail that didn't before. Stronger than monotone: entropy falls when a poor
    /// group joins a rich one. Searches that suppress rely on it.
    fn is_absorbing(&self) -> bool {
        false
    }
    /// The sensitive columns (by their place among the sensitive ones and guards) whose histograms
    /// it reads.
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
        }
    }
    /// Whether a group may be published. Exact where the model is about counts.
    fn holds(&self, group: &Summary, release: &Summary) -> bool;
    /// Whether a sample of a group, one of so many parts of a split, says with high confidence that
    /// the group may be published in a release, whose summary is that of all its records. The rule
    /// for models without a test of their own: in proportion to the sample it may, and also when
    /// the most frequent values are more frequent and the others less by the error of the sample.
    /// Never a promise: what was decided by it is checked again.
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
    /// The quantities it bounds.
    fn measures(&self) -> Vec<Measure>;
    /// The quantities of one group, in the order of `measures`.
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64>;
    /// No smaller group can satisfy it: a fast filter, never the whole check.
    fn min_people(&self) -> u64 {
        1
    }
    /// Whether `holds` says nothing but `people >= min_people()`: then no histogram need be
    /// counted.
    fn is_count_only(&self) -> bool {
        false
    }
}

/// What a model can see of the table or file that it is bound to.
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
    /// Its name.
    pub name: &'a str,
    /// Its values. The code `domain.missing()` stands for a missing value, which counts as a value
    /// of its own.
    pub domain: &'a Domain,
    /// Its tree, if one was given.
    pub hierarchy: Option<&'a Hierarchy>,
    /// Whether it isn't published: it says what people asked to keep from being learnt, and only
    /// models that ask for it see it.
    pub is_guard: bool,
}

impl<'a> Bind<'a> {
    /// The sensitive columns a model is about: the one named by its parameter `on`, or all of them.
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

    /// The places of quasi columns by name.
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

    /// The codes of sensitive values by their texts.
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
    /// What it is.
    fn info(&self) -> &'static Info;
    /// The requirements it stands for on a table or file: one per sensitive column or
    /// quasi-identifier.
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>>;
}

/// All requirements of a run together.
pub struct Requirements {
    list: Vec<Box<dyn Requirement>>,
    /// Which are about classes. Asked once: a scope may be a list of thousands of subsets, and
    /// classes are many.
    about_classes: Vec<bool>,
    min_people: u64,
}

impl Requirements {
    /// From bound requirements.
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
    /// Each of them.
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
    /// No smaller class can satisfy all.
    pub fn min_people(&self) -> u64 {
        self.min_people
    }
    /// Whether the size of a class says all.
    pub fn is_count_only(&self) -> bool {
        self.iter().all(|r| r.is_count_only())
    }
    /// Whether all are monotone.
    pub fn is_monotone(&self) -> bool {
        self.iter().all(|r| r.is_monotone())
    }
    /// Whether all are absorbing.
    pub fn is_absorbing(&self) -> bool {
        self.iter().all(|r| r.is_absorbing())
    }
    /// The counting of a table that they need.
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
    /// For each of so many sensitive columns and guards, whether a model reads its histogram.
    pub fn needed_histograms(&self, n_sensitive: usize) -> Vec<bool> {
        let mut needed = vec![false; n_sensitive];
        self.iter().flat_map(|r| r.histograms()).for_each(|column| needed[column] = true);
        needed
    }
}
