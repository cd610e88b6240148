//! What can still be told from each part of a release: a column, an item.
//!
//! A share of loss says little to a person. Here it gets a word, a sentence about what is published
//! in its place, and the distribution before and after.

use serde::{Deserialize, Serialize};

use crate::numbers::percent;

/// What a release keeps of one part of the records, such as a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The name of the part.
    pub part: String,
    /// How much of it is lost, from 0 (nothing) to 1 (everything).
    pub lost: f64,
    /// What is published of it, in words.
    pub told: String,
    /// Whether no value is published beside a wider one that includes it or that it overlaps.
    /// Common tools take such values for different ones: the data exploration problem.
    pub exclusive: bool,
    /// How far the distribution moved: the share of records that would have to change their value
    /// to turn one into the other. `None` if it wasn't estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<f64>,
    /// The distribution, as far as it is shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distribution: Vec<Bar>,
}

/// A value or a range of values, with its share of the records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// The value or the range.
    pub label: String,
    /// Its share in the original.
    pub before: f64,
    /// Its share in the release, where a published value stands evenly for all that it covers.
    pub after: f64,
}

impl Kept {
    /// One word for how much is kept.
    pub fn word(&self) -> &'static str {
        word(self.lost)
    }

    /// How far the distribution moved, computed from its bars.
    pub fn distance(bars: &[Bar]) -> f64 {
        bars.iter().map(|bar| (bar.before - bar.after).abs()).sum::<f64>() / 2.0
    }
}

/// One word for how much is kept of what lost a share.
pub fn word(lost: f64) -> &'static str {
    match lost {
        lost if lost <= 0.0 => "all",
        lost if lost < 0.02 => "nearly all",
        lost if lost < 0.1 => "most",
        lost if lost < 0.3 => "a good deal",
        lost if lost < 0.6 => "roughly half",
        lost if lost < 0.9 => "little",
        lost if lost < 1.0 => "almost nothing",
        _ => "nothing",
    }
}

/// What a release keeps, in a sentence: its parts by how much is kept of them.
pub fn sentence(kept: &[Kept]) -> Option<String> {
    /// More names than this are counted.
    const NAMED: usize = 6;
    let mut words: Vec<(&'static str, Vec<&str>)> = Vec::new();
    let mut sorted: Vec<&Kept> = kept.iter().collect();
    sorted.sort_by(|a, b| a.lost.total_cmp(&b.lost));
    for one in sorted {
        match words.last_mut().filter(|(word, _)| *word == one.word()) {
            Some((_, names)) => names.push(&one.part),
            None => words.push((one.word(), vec![&one.part])),
        }
    }
    let said = |(word, names): &(&str, Vec<&str>)| match names.len() {
        n if n > NAMED => format!("{word} of {n} columns"),
        _ => format!("{word} of {}", names.join(", ")),
    };
    let said: Vec<String> = words.iter().map(said).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// What shares of exact, blurred and suppressed cells mean, in words. `blur` says how wide blurred
/// cells are.
pub fn told(exact: f64, suppressed: f64, blur: &str) -> String {
    let blurred = (1.0 - exact - suppressed).max(0.0);
    // What rounding leaves isn't worth a word.
    const NONE: f64 = 1e-9;
    let mut parts = Vec::new();
    match () {
        () if exact >= 1.0 - NONE => return "every value is published as it was".into(),
        () if suppressed >= 1.0 - NONE => return "published as * in every record".into(),
        () => {}
    }
    if exact > NONE {
        parts.push(format!("{} of the records have their value", percent(exact)));
    }
    if blurred > NONE {
        parts.push(format!("{} {blur}", percent(blurred)));
    }
    if suppressed > NONE {
        parts.push(format!("{} nothing", percent(suppressed)));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loss_has_a_word_and_parts_are_told_by_it() {
        let kept = |part: &str, lost| Kept { part: part.into(), lost, ..Kept::default() };
        assert_eq!(sentence(&[]), None);
        let all = [kept("zip", 1.0), kept("age", 0.05), kept("sex", 0.0), kept("job", 0.04)];
        let told = sentence(&all).unwrap();
        assert_eq!(told, "all of sex; most of job, age; nothing of zip");
        let many: Vec<Kept> = (0..500).map(|n| kept(&n.to_string(), 0.99)).collect();
        assert_eq!(sentence(&many).unwrap(), "almost nothing of 500 columns");
    }

    #[test]
    fn shares_are_told_in_words() {
        assert_eq!(told(1.0, 0.0, "x"), "every value is published as it was");
        assert_eq!(told(0.0, 1.0, "x"), "published as * in every record");
        let mixed = told(0.25, 0.5, "a range of about 5");
        let expected =
            "25 % of the records have their value, 25 % a range of about 5, 50 % nothing";
        assert_eq!(mixed, expected);
        let bars = [
            Bar { label: "a".into(), before: 0.75, after: 0.5 },
            Bar { label: "b".into(), before: 0.25, after: 0.5 },
        ];
        assert_eq!(Kept::distance(&bars), 0.25);
    }
}
