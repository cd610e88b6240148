//! Guarantees: what was required, what was achieved, and what the claim rests on.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// One requirement, and what the release achieves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Guarantee {
    /// The model's name in the catalogue, without parameters (`k-anonymity`).
    pub model: String,
    /// The parameters of the model by name, as users write them (`{"k": 10}`).
    pub params: Value,
    /// What is measured, in plain words (`smallest class`).
    pub measure: String,
    /// Whether the requirement is a lower or an upper bound of the measure.
    #[serde(default)]
    pub bound: Bound,
    /// The required value. `None` if the requirement isn't a number.
    pub required: Option<Number>,
    /// The achieved value. `None` if it isn't a number.
    pub achieved: Option<Number>,
    /// Whether the requirement is met.
    pub holds: bool,
    /// What the promise is about: `class`, `projection`, `release` or `linked`.
    pub scope: String,
    /// What the claim rests on, in words. It may name columns and files and stays in the private
    /// report.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

/// Which side of the required value is the safe one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The measure has to reach the value (k, l).
    #[default]
    AtLeast,
    /// The measure must not exceed the value (t, epsilon, delta).
    AtMost,
}

impl Bound {
    /// The words `at least` or `at most`.
    pub fn words(self) -> &'static str {
        match self {
            Bound::AtLeast => "at least",
            Bound::AtMost => "at most",
        }
    }
}

/// A JSON number for `required` and `achieved`: whole values without a decimal point. `None` if it
/// isn't finite.
pub fn figure(value: f64) -> Option<Number> {
    // Beyond 2^53 a float doesn't stand for one integer any more, so it stays a float.
    if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}

/// What the claims of the report rest on, and how much was checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The kind of evidence.
    #[serde(rename = "evidence", default)]
    pub kind: EvidenceKind,
    /// The number of rows read back from the finished file.
    #[serde(rename = "evidence_rows", default)]
    pub rows: u64,
    /// The number of cells compared with their original.
    #[serde(rename = "evidence_cells", default)]
    pub cells: u64,
    /// The models checked, with parameters.
    #[serde(rename = "evidence_models", default)]
    pub models: Vec<String>,
    /// For [`EvidenceKind::ByConstruction`]: the mechanism and its budget.
    #[serde(rename = "evidence_mechanism", default, skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<String>,
    /// Anything else that is worth knowing about the check.
    #[serde(rename = "evidence_note", default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How a claim is supported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// The finished file was read back and every model checked on it.
    Checked,
    /// The finished file was read back, every model was checked on it, and every published record
    /// was compared with the original.
    CheckedAgainstOriginal,
    /// The claim follows from the mechanism (noise, differential privacy) and can't be seen in the
    /// file.
    ByConstruction,
    /// Nothing is promised about the release.
    #[default]
    NoPromise,
}

impl EvidenceKind {
    /// The kind in a sentence without its final period.
    pub fn words(self) -> &'static str {
        match self {
            EvidenceKind::Checked => {
                "the finished file was read back and every requirement checked on it"
            }
            EvidenceKind::CheckedAgainstOriginal => {
                "the finished file was read back, every requirement checked on it and every \
                    published cell \
                 compared with the original"
            }
            EvidenceKind::ByConstruction => {
                "it follows from the mechanism and its budget; the file alone can't show it"
            }
            EvidenceKind::NoPromise => "nothing is promised",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_whole_where_they_can_be() {
        assert_eq!(figure(10.0).unwrap().to_string(), "10");
        assert_eq!(figure(2.5).unwrap().to_string(), "2.5");
        assert_eq!(figure(1e300).unwrap().as_f64(), Some(1e300));
        assert_eq!((figure(f64::NAN), figure(f64::INFINITY)), (None, None));
    }

    #[test]
    fn kinds_are_kebab_case() {
        let json = serde_json::to_string(&EvidenceKind::CheckedAgainstOriginal).unwrap();
        assert_eq!(json, r#""checked-against-original""#);
        assert_eq!(serde_json::to_string(&Bound::AtMost).unwrap(), r#""at-most""#);
    }
}
