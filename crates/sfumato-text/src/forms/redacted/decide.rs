//! Decides what is replaced: first what detectors find, then the terms that would single out a
//! protected entity.

use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_engine::random::generator;

use super::replacement::Replacer;
use super::{Decision, Plan};
use crate::algorithms::problem::Problems;
use crate::algorithms::{self, SEARCHED, TermAlgorithm, solve};
use crate::data::{Class, Corpus, Entities, REDACTED, Reason, Replaced, replace};
use crate::job::Job;
use crate::models::CoverRequirement;

/// The class of a term that is taken out.
pub const TERM: &str = "TERM";

/// Decide what is replaced in each document.
pub fn decide(job: &Job, plan: &Plan, corpus: &Corpus) -> Result<Decision> {
    let mut replaced = vec![Vec::new(); corpus.documents.len()];
    if let Some(chosen) = &plan.chosen {
        let found: Vec<_> =
            corpus.documents.par_iter().map(|document| chosen.find(&document.text)).collect();
        chosen.check()?;
        let mut replacer = Replacer::new(plan.how, generator(job.run.seed)?);
        for ((document, spans), replaced) in corpus.documents.iter().zip(found).zip(&mut replaced) {
            for span in spans {
                let text = replacer.replace(&span.class, &document.text[span.start..span.end])?;
                let reason = Reason::Detected;
                let (start, end, class) = (span.start, span.end, span.class);
                replaced.push(Replaced { start, end, class, text, reason });
            }
        }
    }
    let mut algorithms = BTreeSet::new();
    if let Some(entities) = &plan.entities {
        for requirement in &plan.requirements.0 {
            algorithms.extend(keep(plan, entities, requirement, corpus, &mut replaced)?);
        }
    }
    Ok(Decision { replaced, algorithms })
}

/// The algorithm for a document with so many terms.
pub fn algorithm_for(plan: &Plan, terms: usize) -> Result<&'static dyn TermAlgorithm> {
    match plan.algorithm {
        Some(algorithm) => Ok(algorithm),
        None if terms <= SEARCHED => algorithms::find("best-first"),
        None => algorithms::find("fast-btop"),
    }
}

/// Take terms out until a model holds. Returns the names of the algorithms that chose them.
fn keep(
    plan: &Plan,
    entities: &Entities,
    requirement: &CoverRequirement,
    corpus: &Corpus,
    replaced: &mut [Vec<Replaced>],
) -> Result<BTreeSet<&'static str>> {
    let texts: Vec<String> = corpus
        .documents
        .par_iter()
        .zip(replaced.par_iter())
        .map(|(document, replaced)| replace(&document.text, replaced))
        .collect();
    let groups = corpus.groups(requirement.over);
    let solved: Vec<(Vec<u32>, &str)> = groups
        .par_iter()
        .map_init(
            || Problems::new(entities),
            |problems, group| {
                let of = |document: &u32| entities.terms_of(&texts[*document as usize]);
                let mut terms: Vec<u32> = group.iter().flat_map(of).collect();
                terms.sort_unstable();
                terms.dedup();
                let problem = problems.of(&terms, requirement.k);
                let algorithm = algorithm_for(plan, terms.len())?;
                let kept = solve(algorithm, &problem)?;
                let gone = (0..terms.len()).filter(|at| !kept.has(*at)).map(|at| terms[at]);
                Ok((gone.collect(), algorithm.info().name))
            },
        )
        .collect::<Result<_>>()?;
    let names = solved.iter().map(|(_, name)| *name).collect();
    let gone = solved.into_iter().map(|(gone, _)| gone);
    for (group, gone) in groups.iter().zip(gone).filter(|(_, gone)| !gone.is_empty()) {
        for document in group {
            let text = &texts[*document as usize];
            let found = entities.terms.find(text).into_iter();
            let found = found.filter(|one| gone.binary_search(&one.term).is_ok());
            let ranges: Vec<Range<usize>> = found.map(|one| one.start..one.end).collect();
            if !ranges.is_empty() {
                let replaced = &mut replaced[*document as usize];
                *replaced = take_out(std::mem::take(replaced), &ranges, text.len());
            }
        }
    }
    Ok(names)
}

/// Take parts out of a text that has replacements in it already. Ranges are those of the text with
/// its replacements; a replacement that a range touches becomes the mark.
pub fn take_out(
    mut replaced: Vec<Replaced>,
    ranges: &[Range<usize>],
    length: usize,
) -> Vec<Replaced> {
    // Pieces of the text as it is now: where each begins, and what it is in the original.
    let mut taken: Vec<Range<usize>> = Vec::new();
    let (mut now, mut original) = (0, 0);
    let mut is_touched = vec![false; replaced.len()];
    let mut piece = |piece: Range<usize>, original: usize| {
        for range in ranges {
            let (start, end) = (range.start.max(piece.start), range.end.min(piece.end));
            if start < end {
                let by = original + start - piece.start;
                taken.push(by..by + (end - start));
            }
        }
    };
    for (one, is_touched) in replaced.iter().zip(&mut is_touched) {
        let kept = one.start - original;
        piece(now..now + kept, original);
        now += kept;
        let end = now + one.text.len();
        *is_touched = ranges.iter().any(|range| range.start < end && now < range.end);
        (now, original) = (end, one.end);
    }
    piece(now..length, original);
    for (one, _) in replaced.iter_mut().zip(is_touched).filter(|(_, is_touched)| *is_touched) {
        one.text = REDACTED.into();
    }
    taken.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in taken {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    replaced.extend(merged.into_iter().map(|range| Replaced {
        start: range.start,
        end: range.end,
        class: Class::Borrowed(TERM),
        text: REDACTED.into(),
        reason: Reason::Term,
    }));
    replaced.sort_by_key(|one| (one.start, one.end));
    join(replaced)
}

/// Parts that were taken out and touch become one: nobody need see how many there were.
fn join(replaced: Vec<Replaced>) -> Vec<Replaced> {
    let mut joined: Vec<Replaced> = Vec::new();
    for one in replaced {
        match joined.last_mut() {
            Some(last)
                if last.end == one.start
                    && last.reason == Reason::Term
                    && one.reason == Reason::Term =>
            {
                last.end = one.end;
            }
            _ => joined.push(one),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(start: usize, end: usize, text: &str) -> Replaced {
        let (class, text) = (Class::Borrowed("X"), text.to_string());
        Replaced { start, end, class, text, reason: Reason::Detected }
    }

    #[test]
    fn parts_are_taken_out_around_replacements() {
        let original = "one two three four";
        let before = vec![replaced(4, 7, "[XX]"), replaced(14, 18, "")];
        let text = replace(original, &before);
        assert_eq!(text, "one [XX] three ");
        // A word before, one across a replacement, and nothing else.
        let after = take_out(before.clone(), &[0..3, 5..14], text.len());
        assert_eq!(replace(original, &after), "[REDACTED] [REDACTED][REDACTED] ");
        let after = take_out(before, &[9..12, 11..14], text.len());
        assert_eq!(replace(original, &after), "one [XX] [REDACTED] ");
        assert_eq!(after.len(), 3);
    }
}
