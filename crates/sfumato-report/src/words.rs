//! The sentences that the pages and the terminal share: the verdict, a model as it's typed, the command that checks
//! the file again.

use serde_json::Value;

use crate::numbers;
use crate::{EvidenceKind, Guarantee};

/// Whether the release keeps its promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Every requirement is met.
    Holds,
    /// At least one requirement isn't met.
    Fails,
    /// There is nothing to meet.
    NoPromise,
}

/// The first thing a reader should see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the release keeps its promises.
    pub standing: Standing,
    /// One plain sentence without its final period.
    pub headline: String,
}

/// Judges a release by its guarantees. `smallest` is the size of its smallest class, where it has classes; 0 means
/// that it has no record.
pub fn verdict(guarantees: &[Guarantee], evidence: EvidenceKind, smallest: Option<u64>) -> Verdict {
    let failed: Vec<&Guarantee> = guarantees.iter().filter(|g| !g.holds).collect();
    if !failed.is_empty() {
        let reasons: Vec<String> =
            failed.iter().map(|g| format!("{}: {}", model_spec(g), reached(g))).collect();
        let headline = format!("Does not hold: {}", reasons.join("; "));
        return Verdict { standing: Standing::Fails, headline };
    }
    if guarantees.is_empty() || evidence == EvidenceKind::NoPromise {
        let headline = "No promise: nothing shows that people can't be singled out in this release".into();
        return Verdict { standing: Standing::NoPromise, headline };
    }
    let headline = match smallest {
        Some(0) => "Holds: no record is published".into(),
        Some(1) => "Holds: every requirement is met, though some records are published like no other".into(),
        Some(2) => "Holds: every record is published like at least one other".into(),
        Some(size) => {
            format!("Holds: every record is published like at least {} others", numbers::count(size - 1))
        }
        None if evidence == EvidenceKind::ByConstruction => "Holds by construction of the mechanism".into(),
        None => "Holds: every requirement is met".into(),
    };
    Verdict { standing: Standing::Holds, headline }
}

/// A guarantee's model as it is typed: `l-diversity-entropy(l=3, on=disease)`.
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
    if params.is_empty() { guarantee.model.clone() } else { format!("{}({params})", guarantee.model) }
}

/// What a guarantee reaches against what was asked: `smallest class 12, asked for at least 10`.
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

/// A JSON number for people. Integers aren't sent through a float.
pub(crate) fn number(value: &serde_json::Number) -> String {
    match value.as_u64() {
        Some(whole) => numbers::count(whole),
        None => numbers::quantity(value.as_f64().unwrap_or(f64::NAN)),
    }
}

/// The command that measures `file` again, ready for a shell. With `original` it also compares every record.
pub fn audit_command(
    file: &str,
    original: Option<&str>,
    quasi: &[&str],
    sensitive: &[&str],
    guarantees: &[Guarantee],
) -> String {
    let mut words = vec!["sfumato".to_string(), "audit".to_string(), quote(&operand(file))];
    let mut option = |flag: &str, value: &str| words.extend([flag.to_string(), quote(value)]);
    if let Some(original) = original {
        option("--original", &operand(original));
    }
    if !quasi.is_empty() {
        option("--qi", &list(quasi));
    }
    if !sensitive.is_empty() {
        option("--sensitive", &list(sensitive));
    }
    for guarantee in guarantees {
        option("--model", &model_spec(guarantee));
    }
    words.join(" ")
}

/// The options that say how the original is to be read, from the job: what means missing, and the hierarchies of columns, a file by its path, others
/// as they are called.
pub(crate) fn original_options(job: &serde_json::Value, names: &[&str]) -> String {
    let mut options = String::new();
    for token in job["input"]["missing"].as_array().into_iter().flatten().filter_map(|token| token.as_str()) {
        options += &format!(" --missing {}", quote(token));
    }
    let columns = &job["columns"];
    for name in names {
        let Some((builder, parameters)) =
            columns[*name]["hierarchy"].as_object().and_then(|hierarchy| hierarchy.iter().next())
        else {
            continue;
        };
        let plain =
            |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        let how = match (builder.as_str(), &parameters["path"]) {
            ("file", serde_json::Value::String(path)) => path.clone(),
            _ => {
                let parameters = parameters.as_object().into_iter().flatten();
                let parameters: Vec<String> =
                    parameters.map(|(name, value)| format!("{name}={}", plain(value))).collect();
                format!("{builder}({})", parameters.join(", "))
            }
        };
        options += &format!(" --hierarchy {}", quote(&format!("{name}={how}")));
    }
    options
}

/// The same for baskets. `original` is where the original lies, and how; `form` is that of the release, but for linked files, which say it
/// themselves.
pub(crate) fn basket_audit_command(
    file: &str,
    original: Option<(&str, &str)>,
    form: Option<&str>,
    sensitive: &[&str],
    missing: &[String],
    guarantees: &[&Guarantee],
) -> String {
    let mut words = vec!["sfumato".to_string(), "audit".to_string(), quote(&operand(file))];
    let mut option = |flag: &str, value: &str| words.extend([flag.to_string(), quote(value)]);
    if let Some(form) = form {
        option("--baskets", form);
    }
    if let Some((original, its_form)) = original {
        option("--original", &operand(original));
        if Some(its_form) != form {
            option("--original-baskets", its_form);
        }
    }
    if !sensitive.is_empty() && form.is_some() {
        option("--sensitive-items", &list(sensitive));
    }
    missing.iter().for_each(|token| option("--missing", token));
    // A model that counts two things is two guarantees.
    let mut models: Vec<String> = guarantees.iter().map(|guarantee| model_spec(guarantee)).collect();
    models.dedup();
    models.iter().for_each(|model| option("--model", model));
    words.join(" ")
}

/// The same for a bucket release of a form: the files say by themselves what linked tables are.
pub(crate) fn bucket_audit_command(
    file: &str,
    original: Option<&str>,
    form: &str,
    group: &str,
    sensitive: &[&str],
    guarantees: &[Guarantee],
) -> String {
    let mut words = vec!["sfumato".to_string(), "audit".to_string(), quote(&operand(file))];
    let mut option = |flag: &str, value: &str| words.extend([flag.to_string(), quote(value)]);
    if let Some(original) = original {
        option("--original", &operand(original));
    }
    if form == "permuted" {
        option("--group", group);
        option("--sensitive", &list(sensitive));
    }
    let mut models: Vec<String> = guarantees.iter().map(model_spec).collect();
    models.dedup();
    models.iter().for_each(|model| option("--model", model));
    words.join(" ")
}

/// Column names as a flag takes them: one with a comma or a quote in double quotes.
fn list(names: &[&str]) -> String {
    let name = |name: &&str| match name.contains([',', '"']) || name.trim() != *name {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => (*name).to_string(),
    };
    names.iter().map(name).collect::<Vec<_>>().join(",")
}

/// A name in plain words: known measures by their usual name, others with spaces for underscores.
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

/// What the parts of a record are called.
pub(crate) fn cells(is_baskets: bool) -> &'static str {
    if is_baskets { "items" } else { "cells" }
}

/// What metrics are about: loss, or for baskets what is kept.
pub(crate) fn cost(is_baskets: bool) -> &'static str {
    if is_baskets { "Kept" } else { "Loss" }
}

/// Text without control characters: nothing from the data may move a terminal's cursor or break a page.
pub(crate) fn tame(text: &str) -> String {
    let odd = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if odd(c) { '\u{fffd}' } else { c }).collect()
}

/// A JSON value as it is typed in a parameter list.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(bare).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// A path that can't be mistaken for a flag.
fn operand(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.into() }
}

/// Quotes a word for a POSIX shell where it needs quoting.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
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
    fn hierarchies_are_named_as_they_are_typed() {
        let columns = serde_json::json!({
            "age": { "role": "quasi", "hierarchy": { "interval": { "width": 5, "levels": 4 } } },
            "job": { "role": "quasi", "hierarchy": { "file": { "path": "my job.csv" } } },
            "sex": { "role": "quasi" },
        });
        let job = serde_json::json!({ "input": { "missing": ["NA"] }, "columns": columns });
        let expected =
            " --missing NA --hierarchy 'age=interval(width=5, levels=4)' --hierarchy 'job=my job.csv'";
        assert_eq!(original_options(&job, &["age", "sex", "job"]), expected);
    }

    #[test]
    fn verdicts_are_plain() {
        let checked = EvidenceKind::Checked;
        let say = |g: &[Guarantee], evidence, smallest| verdict(g, evidence, smallest).headline;
        let good = [k_anonymity(10.0)];
        let promise = "Holds: every record is published like at least 9 others";
        assert_eq!(say(&good, checked, Some(10)), promise);
        assert_eq!(say(&good, checked, Some(2)), "Holds: every record is published like at least one other");
        assert_eq!(say(&good, checked, Some(0)), "Holds: no record is published");
        assert!(say(&good, checked, Some(1)).contains("like no other"));
        assert_eq!(say(&good, EvidenceKind::ByConstruction, None), "Holds by construction of the mechanism");
        let bad = "Does not hold: k-anonymity(k=10): smallest class 4, asked for at least 10";
        assert_eq!(say(&[k_anonymity(12.0), k_anonymity(4.0)], checked, Some(4)), bad);
        assert_eq!(verdict(&[], checked, Some(9)).standing, Standing::NoPromise);
        assert_eq!(verdict(&good, EvidenceKind::NoPromise, Some(9)).standing, Standing::NoPromise);
    }

    #[test]
    fn failure_wins_over_missing_evidence() {
        assert_eq!(verdict(&[k_anonymity(4.0)], EvidenceKind::NoPromise, None).standing, Standing::Fails);
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
    fn specs_and_commands_can_be_pasted() {
        let mut g = k_anonymity(12.0);
        assert_eq!(model_spec(&g), "k-anonymity(k=10)");
        let command = audit_command("-odd name.csv", Some("a.csv"), &["age", "zip"], &["it's"], &[g.clone()]);
        let expected = "sfumato audit './-odd name.csv' --original a.csv --qi age,zip --sensitive 'it'\\''s' --model \
                        'k-anonymity(k=10)'";
        assert_eq!(command, expected);
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
