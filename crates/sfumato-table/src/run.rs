//! Runs jobs about tables with an algorithm or hierarchies that no job can name.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_core::traits::Algorithm;
use sfumato_engine::context::Context;
use sfumato_engine::pipeline;
use sfumato_report::Report;

use crate::data::encode::SavedLevels;
use crate::forms::buckets::Buckets;
use crate::forms::generalized::{Generalized, Say};
use crate::forms::perturbed::Perturbed;
use crate::forms::synthetic::Synthetic;
use crate::forms::tabulated::TableOfCells;
use crate::job::Job;
use crate::kind::Tables;

/// Run a job in the form that it asks for.
pub fn run(job: &Job, observer: &dyn Observer) -> Result<Report> {
    use sfumato_engine::form::Form;
    let (tables, context) = (Tables { saved: None }, Context::new(observer));
    for form in [Perturbed::VALUES, Perturbed::GROUPS] {
        if Form::<Tables<'_>>::takes(&form, job)? {
            return pipeline::run(&tables, &form, job, None, &context);
        }
    }
    if Form::<Tables<'_>>::takes(&Synthetic, job)? {
        return pipeline::run(&tables, &Synthetic, job, None, &context);
    }
    if Form::<Tables<'_>>::takes(&TableOfCells, job)? {
        return pipeline::run(&tables, &TableOfCells, job, None, &context);
    }
    match Form::<Tables<'_>>::takes(&Buckets, job)? {
        true => pipeline::run(&tables, &Buckets, job, None, &context),
        false => pipeline::run(&tables, &Generalized::default(), job, None, &context),
    }
}

/// Run a job in memory with another algorithm than the plan's (a saved recoding, or a test's
/// algorithm that gives wrong answers) and with saved hierarchies.
pub fn run_with(
    job: &Job,
    stand_in: Option<&dyn Algorithm>,
    saved: &SavedLevels,
    observer: &dyn Observer,
) -> Result<Report> {
    run_saying(job, stand_in, saved, &|_| (), observer)
}

/// Run a job in memory with another algorithm and saved hierarchies. `say` adds to the report what
/// only the caller knows, before the report is written.
pub fn run_saying(
    job: &Job,
    stand_in: Option<&dyn Algorithm>,
    saved: &SavedLevels,
    say: Say<'_>,
    observer: &dyn Observer,
) -> Result<Report> {
    if job.output.buckets.is_some() {
        return Err(sfumato_core::Error::unsupported(
            "this way of running a job publishes no buckets",
        )
        .hint("leave --buckets out"));
    }
    let form = Generalized { stand_in, say: Some(say) };
    pipeline::run(&Tables { saved: Some(saved) }, &form, job, None, &Context::new(observer))
}
