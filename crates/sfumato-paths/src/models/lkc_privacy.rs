//! LKC-privacy of paths: whoever knows up to L steps of somebody's path finds at least K paths, of
//! which a share of at most C has the same sensitive value.

use sfumato_core::combinations::{PartOf, Share};
use sfumato_core::facts::{Fact, Facts, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::sequences::{AskedSequences, Knows};
use sfumato_core::traits::{Direction, Measure};
use sfumato_core::{Error, Result};

use super::{PathModel, PathRequirement};

/// The model.
pub struct LkcPrivacy;

static INFO: Info = Info {
    name: "lkc-privacy",
    summary: "every sequence of at most l steps that a published path has is in at least k of \
              them, and a share of at most c of these has the same sensitive value",
    papers: &[
        Paper {
            authors: "N. Mohammed, B. C. M. Fung, M. Debbabi",
            title: "Walking in the crowd: anonymizing trajectory data for pattern analysis",
            venue: "CIKM",
            year: 2009,
        },
        Paper {
            authors: "B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu",
            title: "Introduction to privacy-preserving data publishing, chapter 14",
            venue: "CRC Press",
            year: 2010,
        },
    ],
    params: &[
        ParamSpec::required(
            "l",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "how many steps of somebody's path an attacker may know",
        ),
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of paths that have what is known",
        ),
        ParamSpec::with_default(
            "c",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "1",
            "the largest share of these paths that may have the same sensitive value",
        ),
        ParamSpec::optional(
            "values",
            ParamKind::List,
            "the sensitive values that count; without it all values of all sensitive columns do",
        ),
        ParamSpec::with_default(
            "knows",
            ParamKind::Choice(&Knows::NAMES),
            "points",
            "what is known of a step: place and time (points), the place in its order (places), \
             or the time alone (times)",
        ),
    ],
    doc: "\
## What it promises

Whoever knows up to `l` steps of somebody's path, each with its place and time, and has the \
release, finds no path with all of them or at least `k`, and no sensitive value is in more than a \
share of `c` of these. Where paths have no times, such as pages one after the other, a step is a \
place in its order.

Without sensitive columns only `k` is asked for.

## Against whom it does not hold

- Somebody who knows more than `l` steps, or that somebody was not at a place.
- Somebody who knows only places or only times, as far as `c` goes: more paths have the places \
than have the points, but the share of a sensitive value among them may be larger. Of `k` that is \
true. Ask for `knows=places` or `knows=times` as well where such an attacker is to be feared; \
models can be asked for together.
- Somebody who knows what else the file says beside the path, unless these columns are named with \
`--qi`: then everything holds for whoever knows them as well, also without any step, among the \
paths \
with the same values.
- Somebody who knows how the release was made and that a path would have been published otherwise \
if its sensitive value were another (minimality).

## Checking

In the written file alone. All lengths from 1 to `l` are looked at: that a share is small enough \
for a sequence doesn't make it so for its parts. Shares are compared as fractions of whole \
numbers. A sequence is looked at only if its parts pass, so that what is counted as failing are \
the minimal violating sequences.

## Cost

The number of different sequences of `l` steps that paths have: for `l` up to 3 and paths of some \
dozen steps that is no more than reading them.
",
    about: About {
        asks: &[Fact::Sequences],
        limits: &[Disclosure::Identity, Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

/// The model with its parameters.
struct Requirement {
    asked: AskedSequences,
    text: String,
}

impl PathModel for LkcPrivacy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn PathRequirement>> {
        let length = usize::try_from(params.count("l")).map_err(|_| {
            Error::params(format!("{}: l is larger than this machine counts", INFO.name))
        })?;
        let knows = params.text("knows").and_then(Knows::of_word).unwrap_or(Knows::Points);
        let asked = AskedSequences {
            length,
            required: params.count("k"),
            most: Share::of_decimal(params.number("c"))?,
            values: params.list("values"),
            knows,
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
        let AskedSequences { length, required, most, knows, .. } = &self.asked;
        format!(
            "at least {required} paths with every sequence of up to {length} {}, a share of at \
             most {} of them with the same sensitive value",
            knows.name(),
            most.value()
        )
    }
    fn sequences(&self) -> Option<&AskedSequences> {
        Some(&self.asked)
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let sequences = facts
            .sequences()
            .ok_or_else(|| cannot_state(INFO.name, Fact::Sequences.describe(), facts))?;
        let found = sequences.count(&self.asked)?;
        let promise = (INFO.name, self.describe());
        let support =
            Guarantee::at_least(promise, ("k", "sequence"), self.asked.required, found.support);
        let mut all = vec![support];
        if found.share.is_some() || found.breaches > 0 {
            all.push(Guarantee {
                model: INFO.name,
                requirement: self.describe(),
                scope: "sequence",
                measure: Measure {
                    name: "c",
                    required: self.asked.most.value(),
                    direction: Direction::AtMost,
                },
                achieved: found.share.map_or(0.0, PartOf::value),
                holds: found.breaches == 0,
                violations: found.breaches,
            });
        }
        Ok(all)
    }
}
