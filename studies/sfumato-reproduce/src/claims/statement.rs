//! A sentence of a paper with the rule that decides it, and what experiments found about it.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::gauge::{Gauge, Measured};
use super::interval::Interval;
use super::rule::Rule;
use super::verdict::Verdict;

/// Where a sentence is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A line of the paper's text, as it is passed on to us.
    Line(u32),
    /// Not the paper's: something that we say of our own algorithms.
    Ours,
}

impl Origin {
    /// As a word for tables.
    pub fn word(self) -> String {
        match self {
            Origin::Line(line) => format!("L{line}"),
            Origin::Ours => "ours".into(),
        }
    }
}

/// A sentence that states a result, in our words, and its rule. Only [`Statement::new`] makes one,
/// and it takes a control.
///
/// A control that is empty doesn't compile where a statement is a constant:
///
/// ```compile_fail
/// use sfumato_reproduce::claims::{Gauge, Origin, Rule, Statement};
/// const EMPTY: Statement = Statement::new(
///     Origin::Ours,
///     "anything",
///     Gauge::Custom { measure: "a number", control: "" },
///     Rule::Above(0.0),
/// );
/// # let _ = EMPTY;
/// ```
///
/// The same with a control does:
///
/// ```
/// use sfumato_reproduce::claims::{Gauge, Origin, Rule, Statement};
/// const WITH: Statement = Statement::new(
///     Origin::Ours,
///     "anything",
///     Gauge::Custom { measure: "a number", control: "the same of shuffled labels" },
///     Rule::Above(0.0),
/// );
/// # let _ = WITH;
/// ```
///
/// And there is no other way:
///
/// ```compile_fail
/// use sfumato_reproduce::claims::{Gauge, Origin, Rule, Statement};
/// let statement = Statement {
///     origin: Origin::Ours,
///     sentence: "anything",
///     gauge: Gauge::Trend,
///     rule: Rule::Above(0.0),
/// };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statement {
    origin: Origin,
    sentence: &'static str,
    gauge: Gauge,
    rule: Rule,
}

impl Statement {
    /// A sentence with its rule.
    ///
    /// # Panics
    /// If the sentence, the measure or the control is empty; in constants while compiling.
    pub const fn new(origin: Origin, sentence: &'static str, gauge: Gauge, rule: Rule) -> Self {
        assert!(!sentence.is_empty(), "a statement needs a sentence");
        assert!(!gauge.measure().is_empty(), "a statement needs a measure");
        assert!(!gauge.control().is_empty(), "a statement needs a control that must fail it");
        Statement { origin, sentence, gauge, rule }
    }

    /// The claim with what a seed measured. `about` says of what: a data set, a learner, or
    /// nothing.
    pub fn claim(&self, about: &str, measured: Measured) -> Claim {
        Claim {
            statement: *self,
            about: about.to_string(),
            ours: vec![measured.ours()],
            control: vec![measured.control()],
            words: measured.into_words(),
        }
    }

    /// What is measured, and how the control is made.
    pub fn gauge(&self) -> Gauge {
        self.gauge
    }
}

/// A sentence of a paper that can't be tested here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Untested {
    /// The line of the paper's text.
    pub line: u32,
    /// The sentence, in our words.
    pub sentence: &'static str,
    /// Why it can't be tested.
    pub why: &'static str,
}

/// A statement with what was measured, seed by seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    statement: Statement,
    about: String,
    ours: Vec<f64>,
    control: Vec<f64>,
    words: String,
}

impl Claim {
    /// The sentence, and what it is about here.
    pub fn text(&self) -> String {
        match self.about.is_empty() {
            true => self.statement.sentence.to_string(),
            false => format!("{} ({})", self.statement.sentence, self.about),
        }
    }

    /// Where the sentence is from.
    pub fn origin(&self) -> Origin {
        self.statement.origin
    }

    /// The rule in words: what is measured, and how large it must be.
    pub fn rule(&self) -> String {
        format!("{}: {}", self.statement.gauge.measure(), self.statement.rule)
    }

    /// How the control is made, in words.
    pub fn control_is(&self) -> &'static str {
        self.statement.gauge.control()
    }

    /// What was measured, seed by seed.
    pub fn values(&self) -> &[f64] {
        &self.ours
    }

    /// What the control gave, seed by seed.
    pub fn control_values(&self) -> &[f64] {
        &self.control
    }

    /// More about what the first seed measured, in words; empty if there is no more to say.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Whether it is about the same as another.
    pub fn is_same(&self, other: &Claim) -> bool {
        self.statement == other.statement && self.about == other.about
    }

    /// Add what other seeds measured.
    pub fn add(&mut self, other: &Claim) {
        self.ours.extend(&other.ours);
        self.control.extend(&other.control);
    }

    /// What follows from the rule.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.statement.rule, &self.ours, &self.control)
    }
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Claim", 12)?;
        out.serialize_field("origin", &self.statement.origin)?;
        out.serialize_field("text", &self.text())?;
        out.serialize_field("measure", self.statement.gauge.measure())?;
        out.serialize_field("rule", &self.statement.rule)?;
        out.serialize_field("control_is", self.control_is())?;
        out.serialize_field("measured", &self.ours)?;
        out.serialize_field("interval", &Interval::of(&self.ours))?;
        out.serialize_field("control", &self.control)?;
        out.serialize_field("control_interval", &Interval::of(&self.control))?;
        out.serialize_field("words", &self.words)?;
        let verdict = self.verdict();
        out.serialize_field("verdict", verdict.word())?;
        out.serialize_field("reason", verdict.reason())?;
        out.end()
    }
}
