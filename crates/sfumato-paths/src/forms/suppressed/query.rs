//! Answers over suppressed paths: how many paths have a sequence of steps.
//!
//! `count where c@5 -> f@6` counts paths with both points in their order, `count where c -> f`
//! those that visit both places, and `count where c -> f and diagnosis = Flu` those of them with a
//! value beside the path.

use sfumato_core::observer::Observer;
use sfumato_core::sequences::Knows;
use sfumato_core::{Error, Result};
use sfumato_engine::query::{Answer, Answers, QueryRequest};

use super::NAME;
use crate::data::PathData;
use crate::data::sequences::contains;
use crate::forms::release_file::{ReleaseFile, load_original};
use crate::job::Job;

/// A question: a sequence of steps in words, and values beside the path.
#[derive(Debug, PartialEq, Eq)]
struct Question {
    steps: Vec<String>,
    values: Vec<(String, String)>,
}

/// Answer queries.
pub fn query(request: &QueryRequest<Job>, observer: &dyn Observer) -> Result<Answers> {
    let is_own_job = request.own_job.is_some();
    let manifest = request.manifest.as_ref();
    let release = ReleaseFile::of(NAME, &request.job, is_own_job, manifest)?.load(observer)?.data;
    let original = match &request.original {
        None => None,
        Some(original) => Some(load_original(original, &request.job, observer)?.data),
    };
    // Only of global suppression it is known that what is left was left alone.
    let is_global = manifest.is_some_and(|found| found.detail("suppression") == Ok("global"));
    let answer = |text: &String| {
        let question = parse(text)?;
        let (found, all_published) = count(&release, &question)?;
        let truth = match &original {
            Some(original) => Some(count(original, &question)?.0),
            None => None,
        };
        let error = truth.map(|truth| truth.abs_diff(found) as f64);
        Ok(Answer {
            query: text.clone(),
            estimate: Some(found.into()),
            lower: Some(found.into()),
            upper: (is_global && all_published).then(|| found.into()),
            truth: truth.map(Into::into),
            error,
            relative_error: error.zip(truth.filter(|n| *n > 0)).map(|(error, n)| error / n as f64),
            imprecision: None,
        })
    };
    let not_released = original
        .as_ref()
        .map(|original| (original.paths.len() as u64).saturating_sub(release.paths.len() as u64));
    Ok(Answers {
        path: request.job.input.path.clone(),
        rows: release.paths.len() as u64,
        not_released,
        answers: request.queries.iter().map(answer).collect::<Result<_>>()?,
        warnings: Vec::new(),
    })
}

fn parse(text: &str) -> Result<Question> {
    let wrong = || {
        Error::params(format!("can't read '{text}'"))
            .hint("ask 'count', 'count where c@5 -> f@6' or 'count where c and diagnosis = Flu'")
    };
    let rest = text.trim().strip_prefix("count").ok_or_else(wrong)?.trim();
    let mut question = Question { steps: Vec::new(), values: Vec::new() };
    if rest.is_empty() {
        return Ok(question);
    }
    for part in rest.strip_prefix("where ").ok_or_else(wrong)?.split(" and ") {
        match part.split_once('=') {
            Some((column, value)) => {
                question.values.push((column.trim().into(), value.trim().into()));
            }
            None if !question.steps.is_empty() => return Err(wrong()),
            None => question.steps = part.split("->").map(|step| step.trim().into()).collect(),
        }
    }
    match question.steps.iter().any(String::is_empty) {
        true => Err(wrong()),
        false => Ok(question),
    }
}

/// How many paths there are, and whether all steps that are asked about are published somewhere.
fn count(data: &PathData, question: &Question) -> Result<(u64, bool)> {
    let mut wanted: Vec<(usize, &str)> = Vec::new();
    for (column, value) in &question.values {
        let place = data.sensitive.iter().position(|known| known.name == *column);
        let place = place.ok_or_else(|| {
            Error::params(format!("there is no column '{column}' beside the paths"))
                .hint("name it with --sensitive")
        })?;
        wanted.push((place, value));
    }
    let has_values = |record: usize| {
        wanted.iter().all(|(column, value)| {
            let column = &data.sensitive[*column];
            column.values[column.of_record[record] as usize] == *value
        })
    };
    // With times a step is a point if all are; else only places are asked about.
    let is_timed = data.is_timed() && question.steps.iter().all(|step| step.contains('@'));
    let knows = if is_timed || !data.is_timed() { Knows::Points } else { Knows::Places };
    let view = data.view(knows);
    let counts = view.of(&data.paths).counts(view.n_codes);
    let code = |step: &String| {
        let is_it = |code: &u32| data.name_in(knows, *code) == *step;
        (0..view.n_codes as u32).find(is_it).filter(|code| counts[*code as usize] > 0)
    };
    let codes: Option<Vec<u32>> = question.steps.iter().map(code).collect();
    let Some(codes) = codes else { return Ok((0, false)) };
    let seen = view.of(&data.paths);
    let is_in = |(record, path): &(usize, &[u32])| contains(path, &codes) && has_values(*record);
    Ok((seen.iter().enumerate().filter(is_in).count() as u64, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Paths, Step};

    #[test]
    fn sequences_and_values_are_counted() {
        let data = PathData {
            quasi: Vec::new(),
            places: ["a", "b"].map(String::from).to_vec(),
            times: ["1", "2"].map(String::from).to_vec(),
            steps: vec![
                Step { time: 0, place: 0 },
                Step { time: 0, place: 1 },
                Step { time: 1, place: 0 },
                Step { time: 1, place: 1 },
            ],
            paths: [vec![0, 3], vec![1, 2], vec![0]].into_iter().collect::<Paths>(),
            sensitive: Vec::new(),
        };
        let ask = |text: &str| count(&data, &parse(text).unwrap()).unwrap();
        assert_eq!(ask("count"), (3, true));
        assert_eq!(ask("count where a@1"), (2, true));
        assert_eq!(ask("count where a@1 -> b@2"), (1, true));
        assert_eq!(ask("count where b -> a"), (1, true));
        assert_eq!(ask("count where a"), (3, true));
        assert_eq!(ask("count where c"), (0, false));
        assert!(parse("how many").is_err() && parse("count where a ->").is_err());
        assert!(count(&data, &parse("count where ill = yes").unwrap()).is_err());
    }
}
