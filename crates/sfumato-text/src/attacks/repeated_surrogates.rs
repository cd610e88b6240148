//! Surrogates that repeat: who a made-up name is, by how often it occurs.

use std::collections::BTreeMap;
use std::path::Path;

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TextStage;
use crate::data::fold;
use crate::detectors::Chosen;

/// The attack `repeated-surrogates`, an entry of the registry.
pub struct RepeatedSurrogates;

static INFO: Info = Info {
    name: "repeated-surrogates",
    summary: "tells whom a made-up name stands for by how often it occurs",
    doc: "\
The attacker knows in how many documents each person, place or number occurs, and counts in how many \
documents each surrogate of that class does: the same
for the same means that both occur equally often. Among the originals that occur as often as a \
surrogate the attacker guesses; a surrogate that occurs
in more documents than any other is told at once.

Which parts were replaced is found by the detectors of this program in originals, and only where what \
stands before and after them is still there. The
baseline is a guess among all originals of the class. Releases with marks have no surrogates, and the \
attack isn't played on them.
",
    ..Info::DEFAULT
};

/// How many characters before and after a part must be as they were.
const AROUND: usize = 12;

/// A class, what was written, and what is written now.
type Pair = (String, String, String);

/// What took the place of parts of a document, found by what stands around them.
fn pairs(chosen: &Chosen, before: &str, after: &str) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let (mut from, mut last_end) = (0, 0);
    let spans = chosen.find(before);
    for (at, span) in spans.iter().enumerate() {
        let next = spans.get(at + 1).map_or(before.len(), |next| next.start);
        let cut = |start: usize, end: usize| before.get(start..end).unwrap_or("");
        let mut start = span.start.saturating_sub(AROUND).max(last_end);
        while !before.is_char_boundary(start) {
            start += 1;
        }
        let mut end = (span.end + AROUND).min(next);
        while !before.is_char_boundary(end) {
            end -= 1;
        }
        let (left, right) = (cut(start, span.start), cut(span.end, end));
        last_end = span.end;
        let Some(begin) = after[from..].find(left).map(|at| from + at + left.len()) else {
            continue;
        };
        let found = match right.is_empty() {
            true => Some(after.len()),
            false => after[begin..].find(right).map(|at| begin + at),
        };
        let Some(end) = found.filter(|end| *end > begin) else { continue };
        from = end;
        let now = &after[begin..end];
        let was = &before[span.start..span.end];
        if !now.starts_with('[') && fold(now) != fold(was) {
            pairs.push((span.class.to_string(), fold(was), fold(now)));
        }
    }
    pairs.sort();
    pairs.dedup();
    pairs
}

/// All that took the place of something, by document.
fn all_pairs(stage: &TextStage) -> Result<Vec<Vec<Pair>>> {
    let chosen = Chosen::new(&["default".to_string()], Path::new(""))?;
    let documents = stage.original.documents.iter().zip(&stage.published.documents);
    Ok(documents.map(|(before, after)| pairs(&chosen, &before.text, &after.text)).collect())
}

impl Attack<TextStage> for RepeatedSurrogates {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["redacted"]
    }
    fn lacks(&self, _: &Params, stage: &TextStage) -> Option<String> {
        let is_any = all_pairs(stage).is_ok_and(|all| all.iter().any(|pairs| !pairs.is_empty()));
        (!is_any).then(|| "something made up in place of something (--replace surrogate)".into())
    }
    fn play(&self, _: &Params, stage: &TextStage, _: &mut Chance) -> Result<Outcome> {
        let mut originals: BTreeMap<(String, String), u64> = BTreeMap::new();
        let mut surrogates: BTreeMap<(String, String), (u64, String, usize)> = BTreeMap::new();
        for (at, pairs) in all_pairs(stage)?.into_iter().enumerate() {
            for (class, was, now) in pairs {
                *originals.entry((class.clone(), was.clone())).or_insert(0) += 1;
                surrogates.entry((class, now)).or_insert((0, was, at)).0 += 1;
            }
        }
        // How many originals of a class there are, and how many that occur so often.
        let mut alike: BTreeMap<(&str, Option<u64>), u64> = BTreeMap::new();
        for ((class, _), n) in &originals {
            *alike.entry((class.as_str(), Some(*n))).or_insert(0) += 1;
            *alike.entry((class.as_str(), None)).or_insert(0) += 1;
        }
        let (mut score, mut worst, mut guess) = (Score::default(), Vec::new(), 0.0);
        for ((class, _), (n, was, at)) in &surrogates {
            let is_it = originals.get(&(class.clone(), was.clone())) == Some(n);
            let among = alike.get(&(class.as_str(), Some(*n))).copied().unwrap_or(0);
            let chance = if is_it && among > 0 { 1.0 / among as f64 } else { 0.0 };
            guess += 1.0 / alike.get(&(class.as_str(), None)).copied().unwrap_or(1).max(1) as f64;
            score.add(chance);
            worst.push(Worst { record: *at as u64 + 1, chance });
        }
        Ok(Outcome {
            score,
            baseline: guess / surrogates.len().max(1) as f64,
            everybody: true,
            worst: Outcome::worst_of(worst.into_iter()),
            ..Outcome::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrogates_are_found_by_what_stands_around_them() {
        let chosen = Chosen::new(&["person".to_string()], Path::new("")).unwrap();
        let before = "Today Anna Berg met Peter in town. Then Anna Berg left.";
        let after = "Today Vera Holt met Timo in town. Then Vera Holt left.";
        let found = pairs(&chosen, before, after);
        let pair = |was: &str, now: &str| ("PERSON".to_string(), was.to_string(), now.to_string());
        assert_eq!(found, [pair("anna berg", "vera holt"), pair("peter", "timo")]);
        assert!(pairs(&chosen, before, &before.replace("Peter", "[PERSON]")).is_empty());
    }
}
