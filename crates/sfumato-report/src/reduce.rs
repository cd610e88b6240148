//! The report of `reduce`: what it did, and what it doesn't promise.

use std::fmt::Write as _;

use serde::Serialize;

use crate::EvidenceKind;
use crate::numbers::{count, quantity};
use crate::words::tame;

/// A table that was multiplied by a random matrix.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reduction {
    /// Version of the program.
    pub version: String,
    /// The data, as the user named them.
    pub input: String,
    /// The path of the output.
    pub output: String,
    /// The number of records.
    pub rows: u64,
    /// The columns that were normalized and multiplied.
    pub columns: Vec<String>,
    /// The number of columns that were written.
    pub dimensions: u64,
    /// How the matrix was drawn.
    pub entries: String,
    /// The factor by which distances of the output are multiplied to estimate those of the
    /// normalized original.
    pub scale: f64,
    /// Squared errors of distances divided by squared distances of the original. `None` if all
    /// records are the same.
    pub stress: Option<StressOf>,
    /// Squared errors of distances divided by squared distances of the output, which is what the
    /// text of the book says literally.
    pub stress_by_reduced: Option<StressOf>,
    /// Whether the matrix came from a seed, so that anybody who knows the seed knows the matrix.
    pub is_seeded: bool,
    /// The evidence for a promise, which is none.
    pub evidence: EvidenceKind,
}

/// A stress, and how it was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StressOf {
    /// The stress: 0 if all distances were kept.
    pub value: f64,
    /// The number of pairs of records.
    pub pairs: u64,
    /// Whether these were all pairs.
    pub is_exact: bool,
}

/// What everybody who publishes the output should have read.
pub const NOT_PROMISED: [&str; 4] = [
    "nothing is promised: every record stands alone, and no privacy model was checked or holds",
    "who knows some records and finds them in the output can solve for the matrix, and then learns \
        about all others",
    "who knows how the columns are distributed or correlated can estimate the matrix without \
        knowing any record",
    "distances are kept, so outliers stay outliers, and people can be found by their distances to \
        others that are known",
];

impl Reduction {
    /// The report as one JSON object, indented, without a final newline.
    pub fn to_json(&self) -> String {
        let mut value = serde_json::to_value(self).expect("every key is a string");
        value["not_promised"] = NOT_PROMISED.to_vec().into();
        serde_json::to_string_pretty(&value).expect("writing to memory can't fail")
    }
}

/// A few lines, each ending with a newline.
pub fn words(reduction: &Reduction) -> String {
    let mut text = String::new();
    let mut say = |label: &str, words: &str| {
        let _ = writeln!(text, "{label:<10} {}", tame(words));
    };
    say("data", &format!("{} ({} records)", reduction.input, count(reduction.rows)));
    say("columns", &reduction.columns.join(", "));
    say(
        "written",
        &format!(
            "{}: {} dimensions in place of {} columns, {} entries, in random order",
            reduction.output,
            count(reduction.dimensions),
            count(reduction.columns.len() as u64),
            reduction.entries
        ),
    );
    say(
        "distances",
        &format!("times {} are about those of the normalized original", quantity(reduction.scale)),
    );
    let of = |stress: &Option<StressOf>| match stress {
        None => "none: all records are the same".to_string(),
        Some(s) if s.is_exact => quantity(s.value),
        Some(s) => format!("{} over {} random pairs", quantity(s.value), count(s.pairs)),
    };
    say("stress", &format!("{} relative to the original distances", of(&reduction.stress)));
    say(
        "stress",
        &format!("{} relative to the reduced distances", of(&reduction.stress_by_reduced)),
    );
    if reduction.is_seeded {
        say("warning", "a seed was given: not for release, whoever knows it knows the matrix");
    }
    for line in NOT_PROMISED {
        say("evidence", line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_promised_and_that_is_said() {
        let stress = Some(StressOf { value: 0.25, pairs: 10, is_exact: true });
        let reduction = Reduction {
            columns: vec!["a".into()],
            stress,
            is_seeded: true,
            ..Reduction::default()
        };
        let text = words(&reduction);
        for expected in [
            "evidence   nothing is promised",
            "stress     0.25 relative to the original",
            "not for release",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        let json: serde_json::Value = serde_json::from_str(&reduction.to_json()).unwrap();
        assert_eq!(json["evidence"], "no-promise");
        assert_eq!(json["not_promised"].as_array().unwrap().len(), 4);
    }
}
