//! What a job would do, without doing it: a form gives the facts of its plan, and the text is
//! written here, so that every form says the same things in the same order.

use std::fmt::Write as _;

use serde::Serialize;
use sfumato_report::numbers::{bytes, count, duration};

use crate::kind::Common;
use crate::plan::Plan;

/// How often data are read and written, where nothing is spilled.
pub const ONE_PASS: &str =
    "the input is read once, the release written once and read back once to verify it";

/// What a form says of its plan. Sizes and times are those of the data at hand.
#[derive(Debug, Clone, Default, Serialize)]
pub struct PlanFacts {
    /// What is read.
    pub read: ReadFacts,
    /// What must hold, a line each.
    pub requires: Vec<String>,
    /// What is published that isn't what the form always publishes, a line each.
    pub publishes: Vec<String>,
    /// Who decides, and why.
    pub algorithm: AlgorithmFacts,
    /// What becomes of records that can't be published like the others.
    pub suppresses: String,
    /// How often data are read and written, a line each.
    pub passes: Vec<String>,
    /// How much memory it takes.
    pub memory: Estimate,
    /// How long it takes, in milliseconds.
    pub time: Estimate,
    /// How much is written to disk for a while, where something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<Estimate>,
}

/// What is read.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ReadFacts {
    /// The records.
    pub records: u64,
    /// What a record is called, in the plural.
    pub called: &'static str,
    /// The bytes of the file.
    pub bytes: u64,
    /// What else goes into the first line.
    #[serde(skip)]
    pub besides: String,
    /// What is known of columns or items, a line each.
    pub about: Vec<String>,
}

/// Who decides, and why.
#[derive(Debug, Clone, Default, Serialize)]
pub struct AlgorithmFacts {
    /// The algorithm with all its parameters, as a job would name it; never `auto`.
    pub call: String,
    /// Why this one; empty if the job named it.
    pub why: String,
    /// What it does.
    pub summary: String,
    /// What else is to be known of it on these data, a line each.
    pub notes: Vec<String>,
}

/// A figure that is expected, or that isn't known.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Estimate {
    /// The figure: bytes, or milliseconds. None where nobody can tell.
    pub about: Option<f64>,
    /// Whether it is a bound that is kept instead of an estimate.
    pub is_bound: bool,
    /// What it rests on, and what it leaves out.
    pub words: String,
}

impl Estimate {
    /// An estimate of about this figure.
    pub fn about(figure: f64, words: impl Into<String>) -> Self {
        Estimate { about: Some(figure), is_bound: false, words: words.into() }
    }
    /// At most so much.
    pub fn at_most(figure: f64, words: impl Into<String>) -> Self {
        Estimate { about: Some(figure), is_bound: true, words: words.into() }
    }
    /// Nobody can tell; the words say what is known.
    pub fn unknown(words: impl Into<String>) -> Self {
        Estimate { about: None, is_bound: false, words: words.into() }
    }

    fn line(&self, spell: impl Fn(f64) -> String) -> String {
        let figure = match (self.about, self.is_bound) {
            (None, _) => "not estimated".to_string(),
            (Some(figure), false) => format!("about {}", spell(figure)),
            (Some(figure), true) => format!("{} at most", spell(figure)),
        };
        match self.words.is_empty() {
            true => figure,
            false => format!("{figure}: {}", self.words),
        }
    }
}

/// What the reading of the data told of the time that a run takes.
pub fn only_reading(read_ms: f64) -> Estimate {
    let took = duration(read_ms);
    Estimate::unknown(format!("reading took {took}, and the rest depends on the algorithm"))
}

/// What would be written where.
#[derive(Debug, Clone, Serialize)]
pub struct Destination {
    /// What it is: `release`, `private report`, `public report`.
    pub what: &'static str,
    /// The path, as the job says it.
    pub path: String,
}

/// The plan of a job.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// The data, as the job names them.
    pub input: String,
    /// What would run, as plain data: it can be saved and bound to a job again.
    pub plan: Plan,
    /// The facts that the form gave.
    #[serde(flatten)]
    pub facts: PlanFacts,
    /// What would be written.
    pub writes: Vec<Destination>,
}

impl Explanation {
    /// Put together what the form gave and what the job says.
    pub fn new(names: (&str, &str), facts: PlanFacts, job: &Common<'_>) -> Explanation {
        let destination =
            |what, path: Option<&str>| Some(Destination { what, path: path?.to_string() });
        let writes = [
            destination("release", Some(job.output)),
            destination("private report", job.report),
            destination("public report", job.public_report),
        ];
        let writes = writes.into_iter().flatten().collect();
        let plan = Plan::new(names, job, facts.algorithm.call.clone());
        Explanation { input: job.input.path.clone(), plan, facts, writes }
    }

    /// The plan for people: the same lines in the same order for every kind and form.
    pub fn words(&self) -> String {
        let PlanFacts { read, requires, publishes, algorithm, passes, .. } = &self.facts;
        let mut lines = Lines::default();
        let besides = match read.besides.is_empty() {
            true => String::new(),
            false => format!("{}, ", read.besides),
        };
        lines.add(
            "read",
            format!(
                "{}: {} {}, {besides}{}",
                self.input,
                count(read.records),
                read.called,
                bytes(read.bytes)
            ),
        );
        read.about.iter().for_each(|line| lines.below(line));
        lines.add("kind", format!("{}, published as {}", self.plan.kind, self.plan.form));
        match requires.is_empty() {
            true => lines.add("require", "nothing: this form makes no promise".into()),
            false => requires.iter().for_each(|line| lines.add("require", line.clone())),
        }
        publishes.iter().for_each(|line| lines.add("publish", line.clone()));
        let why = match algorithm.why.is_empty() {
            true => String::new(),
            false => format!(", {}", algorithm.why),
        };
        lines.add("anonymize", format!("{}{why}: {}", algorithm.call, algorithm.summary));
        algorithm.notes.iter().for_each(|line| lines.add("", line.clone()));
        lines.add("suppress", self.facts.suppresses.clone());
        for (place, line) in passes.iter().enumerate() {
            lines.add(if place == 0 { "passes" } else { "" }, line.clone());
        }
        lines.add("memory", self.facts.memory.line(|figure| bytes(figure as u64)));
        if let Some(disk) = &self.facts.disk {
            lines.add("disk", disk.line(|figure| bytes(figure as u64)));
        }
        lines.add("time", self.facts.time.line(duration));
        for Destination { what, path } in &self.writes {
            lines.add("write", format!("{path} ({what})"));
        }
        lines.text
    }
}

/// Lines of a label and its words, one below the other.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn add(&mut self, label: &str, words: String) {
        let _ = writeln!(self.text, "{label:<10} {words}");
    }
    fn below(&mut self, words: &str) {
        let _ = writeln!(self.text, "  {words}");
    }
}
