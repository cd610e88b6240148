//! k-anonymity of moving objects: whoever knows where somebody was at their own known times finds
//! at
//! least k tracks that may be theirs.

use sfumato_core::facts::{Fact, Facts, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Direction, Measure};
use sfumato_core::{Error, Result};

use super::{PathModel, PathRequirement};

/// The model.
pub struct MobKAnonymity;

static INFO: Info = Info {
    name: "mob-k-anonymity",
    summary: "of everybody at least k published tracks may be theirs, for whoever knows where they \
              were at their known times",
    papers: &[Paper {
        authors: "R. Yarovoy, F. Bonchi, L. V. S. Lakshmanan, W. H. Wang",
        title: "Anonymizing moving objects: how to hide a MOB in a crowd?",
        venue: "EDBT",
        year: 2009,
    }],
    params: &[
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of published tracks that may be somebody's",
        ),
        ParamSpec::optional(
            "known",
            ParamKind::Text,
            "a file of two columns, id and time: when an attacker knows where each person was; \
             all times if not said",
        ),
        ParamSpec::with_default(
            "checker",
            ParamKind::Choice(&["matching", "strict"]),
            "matching",
            "what is counted: tracks that are somebody's in an assignment of all tracks to people \
             (matching), or all that fit, where whoever fits another is fitted by them (strict)",
        ),
    ],
    doc: "\
## What it promises

Every person has times at which an attacker may know where they were, their quasi-identifier: \
other \
people may have other times. A published track fits a person if its region has the person's \
position at each of these times. The attack graph has an edge from each person to each track that \
fits. Of every person at least `k` tracks must remain for an attacker who also knows that every \
track is somebody's, and so strikes out edges that are in no assignment of all tracks to people.

## Checkers

- `matching`, the default, counts the edges that are left: exactly what that attacker can't rule \
out.
- `strict` is the definition as it was published: at least k tracks fit everybody, and if the \
track \
of one person fits another, the other's track fits the first. Releases of the published algorithms \
fail it, the one in the paper too, though nobody can be found in them: the second half is not \
needed. It asks which track is whose, and so can't be audited from files.

## Against whom it does not hold

- Whoever knows where somebody was at another time. At times that aren't known, positions are \
published as they were.
- Edges of boxes are positions of people unless the algorithm is told to `snap` them.
- Nothing is said of columns beside the track, which are left out.

## Checking

Beside the original, which says where people were. Positions are compared as they are published.
",
    about: About { asks: &[Fact::AttackGraph], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

/// What is asked of regions.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedRegions {
    /// How many tracks may be somebody's.
    pub k: u64,
    /// The file that says what is known of whom.
    pub known: Option<String>,
    /// Whether edges must have mirrors.
    pub is_strict: bool,
}

struct Requirement {
    asked: AskedRegions,
    text: String,
}

impl PathModel for MobKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn PathRequirement>> {
        let asked = AskedRegions {
            k: params.count("k"),
            known: params.text("known").map(String::from),
            is_strict: params.text("checker") == Some("strict"),
        };
        Ok(Box::new(Requirement { asked, text: params.describe() }))
    }
}

impl PathRequirement for Requirement {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn words(&self) -> String {
        let known = match &self.asked.known {
            Some(file) => format!("the times in {file}"),
            None => "all times".into(),
        };
        format!("at least {} tracks that may be somebody's, by {known}", self.asked.k)
    }
    fn regions(&self) -> Option<&AskedRegions> {
        Some(&self.asked)
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let graph = facts
            .attack_graph()
            .ok_or_else(|| cannot_state(INFO.name, Fact::AttackGraph.describe(), facts))?;
        let found = graph.matches(self.asked.k)?;
        let promise = || (INFO.name, self.describe());
        if !self.asked.is_strict {
            return Ok(vec![Guarantee::at_least(
                promise(),
                ("k", "person"),
                self.asked.k,
                found.possible,
            )]);
        }
        let unmirrored = found.unmirrored.ok_or_else(|| {
            Error::unsupported(format!(
                "{} can't be judged here by checker=strict: which track is whose isn't known",
                INFO.name
            ))
            .hint("ask for checker=matching")
        })?;
        Ok(vec![
            Guarantee::at_least(promise(), ("k", "person"), self.asked.k, found.fitting),
            Guarantee {
                model: INFO.name,
                requirement: self.describe(),
                scope: "edge",
                measure: Measure {
                    name: "edges without mirror",
                    required: 0.0,
                    direction: Direction::AtMost,
                },
                achieved: unmirrored as f64,
                holds: unmirrored == 0,
                violations: unmirrored,
            },
        ])
    }
}
