//! Compares releases of the same data: what each of them keeps, measured from its bytes, and how
//! well each answers the same questions.

use sfumato_core::{Error, Result};
use sfumato_report::compare::{Answered, Side};
use sfumato_report::{Classes, Kept, Ordered};

use crate::audit::AuditRequest;
use crate::context::Context;
use crate::form::Form;
use crate::kind::{Kind, KindJob as _};
use crate::query::{Answer, QueryRequest};

/// A question about data, which every release of them is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// The part of the records that it is about, such as a column.
    pub about: String,
    /// The question in the language of the kind.
    pub query: String,
}

/// What a release keeps of its original, as far as its bytes say that.
#[derive(Debug, Clone, Default)]
pub struct Utility {
    /// The number of its records.
    pub rows: Option<u64>,
    /// Its classes, if it has classes.
    pub classes: Option<Classes>,
    /// Metrics that can be measured without knowing which record became which.
    pub metrics: Ordered<Option<f64>>,
    /// What is kept of each part.
    pub kept: Vec<Kept>,
    /// What couldn't be measured, and why.
    pub remarks: Vec<String>,
}

/// An answer that is off by this share of the records counts as much as one that is off by all of
/// them: errors of rare things would be all that a mean is made of.
const LEAST_TRUTH: f64 = 0.01;

/// One of the releases of a comparison.
pub fn side<K: Kind, F: Form<K>>(
    form: &F,
    request: &AuditRequest<K::Job>,
    own_job: Option<K::Job>,
    questions: &[Question],
    context: &Context<'_>,
) -> Result<Side> {
    let common = request.job.common();
    let mut utility = form.utility(request, context)?;
    let mut answers = None;
    if questions.is_empty() {
        utility.remarks.push("there are no questions for this kind of data".into());
    } else {
        let asked = QueryRequest {
            job: request.job.clone(),
            own_job,
            manifest: request.manifest.clone(),
            queries: questions.iter().map(|question| question.query.clone()).collect(),
            original: request.original.clone(),
        };
        match form.query(&asked, context) {
            Err(error) => {
                utility.remarks.push(format!("it answers no questions: {}", error.message))
            }
            Ok(found) => {
                utility.rows = utility.rows.or(Some(found.rows));
                let records = found.rows + found.not_released.unwrap_or(0);
                let errors: Vec<(String, Option<f64>)> = questions
                    .iter()
                    .zip(&found.answers)
                    .map(|(question, answer)| (question.about.clone(), error(answer, records)))
                    .collect();
                if errors.len() != questions.len() {
                    return Err(Error::internal("not every question has an answer"));
                }
                match found.answers.iter().any(|answer| answer.truth.is_some()) {
                    true => answers = Some(Answered::of(&errors)),
                    false => {
                        let remark = "it isn't known how far answers are off: this form doesn't \
                                      count the truth";
                        utility.remarks.push(remark.into());
                    }
                }
            }
        }
    }
    let of_manifest = request.manifest.as_ref().map(|manifest| manifest.rows);
    Ok(Side {
        path: common.input.path.clone(),
        form: form.name().into(),
        rows: utility.rows.or(of_manifest).unwrap_or_default(),
        classes: utility.classes,
        metrics: utility.metrics,
        kept: utility.kept,
        answers,
        remarks: utility.remarks,
    })
}

/// How far an answer is from the truth, as a share of the truth or of some of the records.
fn error(answer: &Answer, records: u64) -> Option<f64> {
    let truth = answer.truth.as_ref()?.as_f64()?;
    let estimate = answer.estimate.as_ref()?.as_f64()?;
    let base = truth.abs().max(LEAST_TRUTH * records as f64).max(1.0);
    Some((estimate - truth).abs() / base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_shares_of_the_truth_or_of_some_records() {
        let answer = |truth: f64, estimate: f64| Answer {
            query: String::new(),
            estimate: Some(estimate.into()),
            lower: None,
            upper: None,
            truth: Some(truth.into()),
            error: None,
            relative_error: None,
            imprecision: None,
        };
        assert_eq!(error(&answer(100.0, 150.0), 1000), Some(0.5));
        assert_eq!(error(&answer(0.0, 5.0), 1000), Some(0.5));
        assert_eq!(error(&Answer { truth: None, ..answer(1.0, 1.0) }, 9), None);
    }
}
