//! Words that the pages and the terminal share: the verdict, a model as users write it, and a
//! form's names for its records and cells.

use serde_json::Value;

use crate::numbers;
use crate::{EvidenceKind, Guarantee};

/// A form's names for its records and cells. By default those of a table. They are fixed at compile
/// time, so that no figure of the original can get into the public report through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// What promises and class sizes count: `records`, or `people` if several records may belong to
    /// one person.
    pub counted: &'static str,
    /// The name for the parts of a record.
    pub cells: &'static str,
    /// Whether records or their parts can be suppressed at all.
    pub suppresses: bool,
    /// What metrics measure, capitalized: the loss, or what is retained.
    pub cost: &'static str,
    /// What metrics measure, in words for a recipient of the release.
    pub cost_note: &'static str,
    /// How many metrics the summary shows, from the first on.
    pub cost_shown: usize,
    /// What happens to a quasi-identifier.
    pub quasi: &'static str,
    /// Whether each published record is true of a real one, in a sentence. Empty where the form
    /// doesn't say.
    pub truthful: &'static str,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            counted: "records",
            cells: "cells",
            suppresses: true,
            cost: "Loss",
            cost_note: "What the protection cost, over the whole release. Smaller is better unless \
                        the metric says otherwise.",
            cost_shown: 3,
            quasi: "so it is blurred",
            truthful: "",
        }
    }
}

/// A list of names for a sentence: the first ones, and how many more there are.
pub fn some_of<S: AsRef<str>>(names: &[S]) -> String {
    const NAMED: usize = 10;
    let first: Vec<&str> = names.iter().take(NAMED).map(AsRef::as_ref).collect();
    match names.len() {
        // One more takes no more room than to say so.
        n if n > NAMED + 1 => {
            format!("{} and {} more", first.join(", "), numbers::count((n - NAMED) as u64))
        }
        _ => names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "),
    }
}

/// Whether the release keeps its promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Every requirement is met.
    Holds,
    /// At least one requirement isn't met.
    Fails,
    /// There are no requirements.
    NoPromise,
}

/// The verdict about a release, which a reader should see first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the release keeps its promises.
    pub standing: Standing,
    /// One plain sentence without its final period.
    pub headline: String,
}

/// Judge a release by its guarantees. `smallest` is the size of its smallest class, if it has
/// classes; 0 means that it has no record.
pub fn verdict(guarantees: &[Guarantee], evidence: EvidenceKind, smallest: Option<u64>) -> Verdict {
    let failed: Vec<&Guarantee> = guarantees.iter().filter(|g| !g.holds).collect();
    if !failed.is_empty() {
        let reasons: Vec<String> =
            failed.iter().map(|g| format!("{}: {}", model_spec(g), reached(g))).collect();
        let headline = format!("Does not hold: {}", reasons.join("; "));
        return Verdict { standing: Standing::Fails, headline };
    }
    if guarantees.is_empty() && evidence == EvidenceKind::ByConstruction {
        let headline = "Not judged: the mechanism promises privacy by construction, which no file \
                        can show"
            .into();
        return Verdict { standing: Standing::NoPromise, headline };
    }
    if guarantees.is_empty() || evidence == EvidenceKind::NoPromise {
        let headline =
            "No promise: nothing shows that people can't be singled out in this release".into();
        return Verdict { standing: Standing::NoPromise, headline };
    }
    let headline = match smallest {
        Some(0) => "Holds: no record is published".into(),
        Some(1) => {
            "Holds: every requirement is met, though some records are published like no other"
                .into()
        }
        Some(2) => "Holds: every record is published like at least one other".into(),
        Some(size) => {
            format!(
                "Holds: every record is published like at least {} others",
                numbers::count(size - 1)
            )
        }
        None if evidence == EvidenceKind::ByConstruction => {
            "Holds by construction of the mechanism".into()
        }
        None => "Holds: every requirement is met".into(),
    };
    Verdict { standing: Standing::Holds, headline }
}

/// A guarantee's model as users write it: `l-diversity-entropy(l=3, on=disease)`.
pub fn model_spec(guarantee: &Guarantee) -> String {
    let params = match &guarantee.params {
        Value::Null => String::new(),
        Value::Object(map) => {
            let pairs: Vec<String> =
                map.iter().map(|(name, value)| format!("{name}={}", bare(value))).collect();
            pairs.join(", ")
        }
        other => bare(other),
    };
    if params.is_empty() {
        guarantee.model.clone()
    } else {
        format!("{}({params})", guarantee.model)
    }
}

/// What was achieved compared with what was required: `smallest class 12, asked for at least 10`.
pub(crate) fn reached(guarantee: &Guarantee) -> String {
    let measure = if guarantee.measure.is_empty() { "measured" } else { &guarantee.measure };
    match (&guarantee.achieved, &guarantee.required) {
        (Some(achieved), Some(required)) => {
            let bound = guarantee.bound.words();
            format!("{measure} {}, asked for {bound} {}", number(achieved), number(required))
        }
        (Some(achieved), None) => format!("{measure} {}", number(achieved)),
        (None, _) if guarantee.holds => format!("{measure}: met"),
        (None, _) => format!("{measure}: not met"),
    }
}

/// A JSON number for people. Integers aren't converted to floats.
pub(crate) fn number(value: &serde_json::Number) -> String {
    match value.as_u64() {
        Some(whole) => numbers::count(whole),
        None => numbers::quantity(value.as_f64().unwrap_or(f64::NAN)),
    }
}

/// A name in plain words: known measures by their usual name, others with spaces instead of
/// underscores.
pub(crate) fn label(name: &str) -> String {
    let known = match name {
        "prosecutor_max" => "Prosecutor, highest",
        "prosecutor_mean" => "Prosecutor, mean",
        "journalist" => "Journalist, highest",
        "journalist_mean" => "Journalist, mean",
        "marketer" => "Marketer",
        "uniques" => "Alone in their class",
        "share_at_risk" => "In a class smaller than 5",
        "records_at_risk" => "Records at risk",
        other => return other.replace('_', " "),
    };
    known.into()
}

/// Text without control characters, so that nothing in the data can move a terminal's cursor or
/// break a page.
pub(crate) fn tame(text: &str) -> String {
    let odd =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if odd(c) { '\u{fffd}' } else { c }).collect()
}

/// The same of a text of several lines, whose ends stay.
pub fn tame_lines(text: &str) -> String {
    text.split('\n').map(tame).collect::<Vec<String>>().join("\n")
}

/// A JSON value as users write it in a parameter list.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(bare).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Bound, figure};

    fn k_anonymity(achieved: f64) -> Guarantee {
        Guarantee {
            model: "k-anonymity".into(),
            params: json!({"k": 10}),
            measure: "smallest class".into(),
            required: figure(10.0),
            achieved: figure(achieved),
            holds: achieved >= 10.0,
            ..Guarantee::default()
        }
    }

    #[test]
    fn verdicts_are_plain() {
        let checked = EvidenceKind::Checked;
        let say = |g: &[Guarantee], evidence, smallest| verdict(g, evidence, smallest).headline;
        let good = [k_anonymity(10.0)];
        let promise = "Holds: every record is published like at least 9 others";
        assert_eq!(say(&good, checked, Some(10)), promise);
        assert_eq!(
            say(&good, checked, Some(2)),
            "Holds: every record is published like at least one other"
        );
        assert_eq!(say(&good, checked, Some(0)), "Holds: no record is published");
        assert!(say(&good, checked, Some(1)).contains("like no other"));
        assert_eq!(
            say(&good, EvidenceKind::ByConstruction, None),
            "Holds by construction of the mechanism"
        );
        let bad = "Does not hold: k-anonymity(k=10): smallest class 4, asked for at least 10";
        assert_eq!(say(&[k_anonymity(12.0), k_anonymity(4.0)], checked, Some(4)), bad);
        assert_eq!(verdict(&[], checked, Some(9)).standing, Standing::NoPromise);
        let mechanism = verdict(&[], EvidenceKind::ByConstruction, None);
        assert_eq!(mechanism.standing, Standing::NoPromise);
        assert!(mechanism.headline.starts_with("Not judged: the mechanism promises"));
        assert_eq!(verdict(&good, EvidenceKind::NoPromise, Some(9)).standing, Standing::NoPromise);
    }

    #[test]
    fn failure_wins_over_missing_evidence() {
        assert_eq!(
            verdict(&[k_anonymity(4.0)], EvidenceKind::NoPromise, None).standing,
            Standing::Fails
        );
    }

    #[test]
    fn ceilings_say_at_most() {
        let t = Guarantee {
            bound: Bound::AtMost,
            required: figure(0.2),
            achieved: figure(0.15),
            measure: "largest distance".into(),
            ..Guarantee::default()
        };
        assert_eq!(reached(&t), "largest distance 0.15, asked for at most 0.2");
    }

    #[test]
    fn specs_are_as_typed() {
        let mut g = k_anonymity(12.0);
        assert_eq!(model_spec(&g), "k-anonymity(k=10)");
        g.params = json!({});
        assert_eq!(model_spec(&g), "k-anonymity");
        g.params = json!({"on": ["a", "b"], "strict": true});
        assert_eq!(model_spec(&g), "k-anonymity(on=[a, b], strict=true)");
    }

    #[test]
    fn control_characters_are_tamed() {
        assert_eq!(tame("a\u{1b}[2Jb\u{202e}c"), "a\u{fffd}[2Jb\u{fffd}c");
    }
}
