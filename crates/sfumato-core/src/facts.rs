//! The facts that a release can state about itself, and how promises are judged on them.
//!
//! Models see a release only through its facts. A release states the facts that its form has and no
//! others. A promise that needs a fact which the release can't state is refused by name; it never
//! holds. A new fact is one more method with a default, so that no form has to be edited for it.

use crate::candidates::CandidateFacts;
use crate::chain::Chain;
use crate::combinations::{AskedCombinations, CountedCombinations};
use crate::error::{Error, Result};
use crate::group::Guarantee;
use crate::population::Presence;
use crate::sequences::{AskedSequences, CountedSequences};
use crate::traits::{Direction, Measure, Requirement, Requirements, Scope};

/// What a record or a published set hides among. A model promises that there are at least k of
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hiding {
    /// Published records with the same set (k-anonymity).
    Copies,
    /// Original records that contain the published set ((k,1)-anonymity).
    Supporters,
    /// Published records whose set an original record contains ((1,k)-anonymity).
    Images,
    /// Records of a group for each of them that has a sensitive item (privacy degree). Bucket
    /// releases promise this.
    Bystanders,
    /// Published records that an original record matches in as many disjoint assignments
    /// (nonreciprocal k-anonymity). Bitmap releases promise this.
    Matches,
    /// Different labels of the published records that an original record matches (nonreciprocal
    /// l-diversity).
    Labels,
    /// People who asked a query that can be read (k-anonymous queries). Logs promise this.
    Askers,
}

impl Hiding {
    /// A description for reports.
    pub fn describe(self) -> &'static str {
        match self {
            Hiding::Copies => "published records with the same set",
            Hiding::Supporters => "original records that contain a published set",
            Hiding::Images => "published records whose set an original record contains",
            Hiding::Bystanders => "records of a group for each that has a sensitive item",
            Hiding::Matches => "published records that an original record matches",
            Hiding::Labels => {
                "different sensitive items among the published records that an original record \
                    matches"
            }
            Hiding::Askers => "people who asked a query that can be read",
        }
    }
    /// Whether the original is needed to count it.
    pub fn needs_original(self) -> bool {
        matches!(self, Hiding::Supporters | Hiding::Images | Hiding::Matches | Hiding::Labels)
    }
    /// The symbol in the literature, which also says how far counting goes.
    pub fn measure(self) -> &'static str {
        match self {
            Hiding::Copies => "k",
            Hiding::Supporters => "supporters (counted up to k)",
            Hiding::Images => "images (counted up to k)",
            Hiding::Bystanders => "p",
            Hiding::Matches => "matches",
            Hiding::Labels => "l",
            Hiding::Askers => "askers",
        }
    }
}

/// One thing that a release may be able to state: what models ask for, what algorithms serve and
/// what forms state are lists of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// Classes of records that are published alike, and how many people are in each.
    Classes,
    /// The sensitive values of each class or group, with their numbers.
    SensitiveValues,
    /// Groups that agree on some of the quasi columns, with their summaries.
    Projections,
    /// How often combinations occur together.
    Combinations,
    /// Which nodes of a graph can't be told apart by what is known of their place in it.
    Candidates,
    /// The labels of nodes that can't be told apart.
    CandidateLabels,
    /// How sure somebody can be that two nodes are joined or near each other.
    Links,
    /// How many edges are published that must not be known.
    SensitiveEdges,
    /// Functions that map a graph to itself, and each node to others.
    Automorphisms,
    /// How many nodes are published as one supernode.
    Supernodes,
    /// How often sequences of steps occur in paths.
    Sequences,
    /// Which tracks stay close to each other all the time.
    Tracks,
    /// Which published records fit what an attacker knows of each person.
    AttackGraph,
    /// Among how many a record hides.
    Hiding(Hiding),
    /// How much likelier one record than another makes what a mechanism publishes.
    Amplification,
    /// How many others have everything that documents say of a protected entity.
    Covers,
    /// What was published of the same people before, beside this release.
    Earlier,
    /// Which people of a population each published row may be about.
    Population,
    /// How many owners of several rows have the same published ones.
    Owners,
}

/// Which documents an attacker reads together, because they are about one person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Together {
    /// Each document alone.
    None,
    /// All documents of one subject.
    Subject,
    /// All documents.
    All,
}

impl Fact {
    /// What is known of a release that was made class by class: the classes with their sensitive
    /// values, and for each record the class that it is in, which it matches.
    pub const OF_CLASSES: &'static [Fact] =
        &[Fact::Classes, Fact::SensitiveValues, Fact::Hiding(Hiding::Matches)];
    /// What is known of a release in which a value is published alike in every record.
    pub const OF_CUTS: &'static [Fact] =
        &[Fact::Classes, Fact::SensitiveValues, Fact::Projections, Fact::Hiding(Hiding::Matches)];
    /// What is known of sets of which each is published often enough: whoever has copies has
    /// supporters and images too.
    pub const OF_COPIES: &'static [Fact] = &[
        Fact::Hiding(Hiding::Copies),
        Fact::Hiding(Hiding::Supporters),
        Fact::Hiding(Hiding::Images),
    ];

    /// What it is, for pages and messages.
    pub fn describe(self) -> &'static str {
        match self {
            Fact::Classes => "classes of records that are published alike",
            Fact::SensitiveValues => "the sensitive values of each class or group",
            Fact::Projections => "groups of records that agree on some of the quasi columns",
            Fact::Combinations => "how often combinations of items occur",
            Fact::Candidates => "nodes that can't be told apart by their place in the graph",
            Fact::CandidateLabels => "the labels of nodes that can't be told apart",
            Fact::Links => "how sure somebody can be that two nodes are near each other",
            Fact::SensitiveEdges => "how many sensitive edges are published",
            Fact::Automorphisms => "functions that map the graph to itself",
            Fact::Supernodes => "how many nodes are published as one supernode",
            Fact::Sequences => "how often sequences of steps occur in paths",
            Fact::Tracks => "which tracks stay close to each other all the time",
            Fact::AttackGraph => "which published records fit what is known of each person",
            Fact::Hiding(hiding) => hiding.describe(),
            Fact::Amplification => {
                "how much likelier one record than another makes what is published"
            }
            Fact::Covers => "other entities that have all that documents say of a protected one",
            Fact::Earlier => "what was published of the same people before",
            Fact::Population => "which people of a population a published row may be about",
            Fact::Owners => "how many owners of several rows have the same published ones",
        }
    }
    /// Whether it can be stated only beside the original.
    pub fn needs_original(self) -> bool {
        match self {
            Fact::AttackGraph | Fact::SensitiveEdges => true,
            Fact::Hiding(hiding) => hiding.needs_original(),
            _ => false,
        }
    }
}

/// The least of some counts, and how many of them are below the number that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Least {
    /// The smallest count.
    pub least: u64,
    /// How many counts are too small.
    pub violations: u64,
}

/// The classes of a release with their summaries: records that are published alike, or groups.
pub trait ClassFacts {
    /// What the classes achieve, for all requirements in their order.
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>>;
}

/// How often combinations of items, columns or places occur together.
pub trait SubsetFacts {
    /// Count the combinations that any published record contains, the empty one included, up to the
    /// size that is asked about. An error where that would take more work than allowed, or where
    /// private items are asked about and the release doesn't say which these are.
    fn count(&self, asked: &AskedCombinations) -> Result<CountedCombinations>;
}

/// How often sequences of steps occur in published paths.
pub trait SequenceFacts {
    /// Count the sequences that any published path has. An error where that would take more work
    /// or memory than allowed, or where a sensitive value is asked about that no path has.
    fn count(&self, asked: &AskedSequences) -> Result<CountedSequences>;
}

/// Which published tracks stay close to each other.
pub trait TrackFacts {
    /// Among how many tracks each is that are pairwise never further apart than a distance, itself
    /// included, counted up to the number asked for. An error where finding them would take more
    /// work than allowed.
    fn together(&self, required: u64, distance: f64) -> Result<Least>;
}

/// What an attack graph says: people on one side, published records on the other, and an edge where
/// a record fits everything that is known of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedMatches {
    /// How many records fit what is known of a person, for the person with the fewest.
    pub fitting: Least,
    /// The same of records that are the person's in at least one way to assign all records to
    /// people whom they fit.
    pub possible: Least,
    /// How many edges have no mirror: the record of one person fits another, and not the other way
    /// round. `None` if it isn't known which record is whose.
    pub unmirrored: Option<u64>,
}

/// Which published records fit what an attacker knows of each person.
pub trait AttackGraphFacts {
    /// Count edges of the attack graph, where each person should have at least `required`. An
    /// error where the records can't be those of the people.
    fn matches(&self, required: u64) -> Result<CountedMatches>;
}

/// The facts that a release can state. `None` means that the release can't state a fact.
pub trait Facts {
    /// What is published, for messages: `a release of subsets`.
    fn release(&self) -> &'static str;
    /// The classes with their summaries.
    fn classes(&self) -> Option<&dyn ClassFacts> {
        None
    }
    /// How many others a record hides among, in one of the senses of [`Hiding`], where at least
    /// `required` are asked for.
    fn least(&self, _hiding: Hiding, _required: u64) -> Result<Option<Least>> {
        Ok(None)
    }
    /// How often combinations occur.
    fn subsets(&self) -> Option<&dyn SubsetFacts> {
        None
    }
    /// The largest factor by which one original record makes what is published of it likelier than
    /// another one: a property of the mechanism that drew the release. Infinite where something can
    /// be published of one record and not of another.
    fn amplification(&self) -> Option<f64> {
        None
    }
    /// Which nodes can't be told apart.
    fn candidates(&self) -> Option<&dyn CandidateFacts> {
        None
    }
    /// How many other entities have everything that documents say of a protected one, where at
    /// least `required` are asked for and these documents are read together.
    fn covers(&self, _together: Together, _required: u64) -> Result<Option<Least>> {
        Ok(None)
    }
    /// How often sequences occur.
    fn sequences(&self) -> Option<&dyn SequenceFacts> {
        None
    }
    /// Which tracks stay close to each other.
    fn tracks(&self) -> Option<&dyn TrackFacts> {
        None
    }
    /// Which published records fit what is known of each person.
    fn attack_graph(&self) -> Option<&dyn AttackGraphFacts> {
        None
    }
    /// What was published of the same people before, with this release at the end.
    fn earlier(&self) -> Option<&Chain> {
        None
    }
    /// Whom of a population each published row may be about.
    fn presence(&self) -> Option<&Presence> {
        None
    }
    /// Among how many owners each hides whose published rows are the same, where at least
    /// `required` are asked for.
    fn owners(&self, _required: u64) -> Option<Least> {
        None
    }
}

impl<F: Facts + ?Sized> Facts for &F {
    fn release(&self) -> &'static str {
        (**self).release()
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        (**self).classes()
    }
    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        (**self).least(hiding, required)
    }
    fn subsets(&self) -> Option<&dyn SubsetFacts> {
        (**self).subsets()
    }
    fn amplification(&self) -> Option<f64> {
        (**self).amplification()
    }
    fn candidates(&self) -> Option<&dyn CandidateFacts> {
        (**self).candidates()
    }
    fn covers(&self, together: Together, required: u64) -> Result<Option<Least>> {
        (**self).covers(together, required)
    }
    fn sequences(&self) -> Option<&dyn SequenceFacts> {
        (**self).sequences()
    }
    fn tracks(&self) -> Option<&dyn TrackFacts> {
        (**self).tracks()
    }
    fn attack_graph(&self) -> Option<&dyn AttackGraphFacts> {
        (**self).attack_graph()
    }
    fn earlier(&self) -> Option<&Chain> {
        (**self).earlier()
    }
    fn presence(&self) -> Option<&Presence> {
        (**self).presence()
    }
    fn owners(&self, required: u64) -> Option<Least> {
        (**self).owners(required)
    }
}

/// The error for a release that can't state what a model asks for.
pub fn cannot_state(model: &str, what: &str, facts: &dyn Facts) -> Error {
    let release = facts.release();
    Error::unsupported(format!("{model} can't be judged here: {release} doesn't state {what}"))
        .hint(
            "ask for a model that this form of release can state, or name the data with --original",
        )
}

/// The error for a promise about earlier releases where none were named.
fn no_earlier(requirement: &dyn Requirement, facts: &dyn Facts) -> Error {
    let (model, release) = (requirement.model(), facts.release());
    Error::unsupported(format!(
        "{model} can't be judged here: it is about what was published of the same people before, \
         and nothing is known of that beside {release}"
    ))
    .hint(
        "name the earlier releases first, as in 'sfumato audit R1.csv R2.csv', or their ledger \
         with --ledger",
    )
}

/// The error for a promise about the rows of an owner where nobody says whose rows are whose.
fn no_owners(requirement: &dyn Requirement, facts: &dyn Facts) -> Error {
    let (model, release) = (requirement.model(), facts.release());
    Error::unsupported(format!(
        "{model} can't be judged here: it is about all rows of a person together, and {release} \
         doesn't say which these are"
    ))
    .hint("name the column that links the rows of a person with --subject COLUMN")
}

/// The error for a promise about a population where none was named.
fn no_population(requirement: &dyn Requirement, facts: &dyn Facts) -> Error {
    let (model, release) = (requirement.model(), facts.release());
    Error::unsupported(format!(
        "{model} can't be judged here: it is about the people of a population, and {release} \
         doesn't say who these are"
    ))
    .hint("name the table of the population with --population-table FILE")
}

/// Everything that is promised about one release.
pub trait Promises {
    /// Each promise with its parameters, in the order in which they were asked for.
    fn describe(&self) -> Vec<String>;
    /// Judge every promise on the facts. Each promise gives at least one guarantee. A missing fact
    /// is an error, never a promise that holds.
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>>;
}

impl Promises for Requirements {
    fn describe(&self) -> Vec<String> {
        self.iter().map(|requirement| requirement.describe()).collect()
    }

    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let mut found = match (facts.classes(), self.iter().next()) {
            (_, None) => return Ok(Vec::new()),
            (Some(classes), _) => classes.evaluate(self)?,
            (None, Some(first)) => {
                return Err(cannot_state(first.model(), Fact::Classes.describe(), facts));
            }
        };
        for requirement in self.iter().filter(|asked| asked.scope() == Scope::Earlier) {
            let chain = facts.earlier().ok_or_else(|| no_earlier(requirement, facts))?;
            found.extend(requirement.judge_chain(chain)?);
        }
        for requirement in self.iter().filter(|asked| asked.scope() == Scope::Population) {
            let presence = facts.presence().ok_or_else(|| no_population(requirement, facts))?;
            found.extend(requirement.judge_presence(presence)?);
        }
        for requirement in self.iter().filter(|asked| asked.scope() == Scope::Owners) {
            let required = requirement.owners();
            let alike = facts.owners(required).ok_or_else(|| no_owners(requirement, facts))?;
            let about = (requirement.model(), requirement.describe());
            found.push(Guarantee::at_least(about, ("k", Scope::Owners.name()), required, alike));
        }
        Ok(found)
    }
}

impl Guarantee {
    /// Make the guarantee that a count is at least a number.
    pub fn at_least(
        (model, requirement): (&'static str, String),
        (measure, scope): (&'static str, &'static str),
        required: u64,
        found: Least,
    ) -> Self {
        Guarantee {
            model,
            requirement,
            scope,
            measure: Measure {
                name: measure,
                required: required as f64,
                direction: Direction::AtLeast,
            },
            achieved: found.least as f64,
            holds: found.violations == 0,
            violations: found.violations,
        }
    }
}

#[cfg(test)]
mod stated;

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;
    impl Facts for Nothing {
        fn release(&self) -> &'static str {
            "a release of nothing"
        }
    }

    #[test]
    fn without_facts_nothing_is_stated() {
        let all = [Hiding::Copies, Hiding::Supporters, Hiding::Images, Hiding::Bystanders];
        for hiding in all.into_iter().chain([Hiding::Matches, Hiding::Labels, Hiding::Askers]) {
            assert_eq!(Nothing.least(hiding, 1), Ok(None));
        }
        assert!(Nothing.classes().is_none() && Nothing.subsets().is_none());
        assert!(Nothing.amplification().is_none());
        assert!(Nothing.candidates().is_none());
        assert_eq!(Nothing.covers(Together::All, 1), Ok(None));
        assert!(Nothing.sequences().is_none() && Nothing.tracks().is_none());
        assert!(Nothing.earlier().is_none() && Nothing.presence().is_none());
        assert_eq!(Nothing.owners(2), None);
        let error = cannot_state("k-anonymity", "classes", &Nothing);
        assert_eq!(error.kind.exit_code(), 2);
        assert!(error.message.contains("a release of nothing doesn't state classes"));
    }
}
