//! What will run: models, an algorithm, detectors, and what takes the place of what is found.

use sfumato_core::facts::Together;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;

use super::Plan;
use super::replacement::Replacement;
use crate::algorithms;
use crate::data::Entities;
use crate::detectors::Chosen;
use crate::job::{Job, Layout, Level};
use crate::models;

/// What a plan calls the algorithm where no model must hold: detectors alone decide.
const DETECTORS: &str = "detectors";

/// Refuse what doesn't go together, before anything is read.
pub fn check(job: &Job) -> Result<()> {
    let layout = job.layout()?;
    if job.text.level == Some(Level::Statistical) {
        return Err(Error::unsupported("a model of what people share is kept in a table").hint(
            "say what columns are with --qi and --sensitive, or what the text says with --view, \
             and -k",
        ));
    }
    let requirements = models::bind(&job.privacy.models)?;
    if requirements.0.is_empty() && job.text.detect.is_empty() {
        return Err(Error::params("there is nothing to look for in the text").hint(
            "say --detect default, or --model 'k-safety(k=2)' with --entities and --protected",
        ));
    }
    if requirements.0.is_empty() != job.text.entities.is_none() {
        return Err(Error::params("a model of text and a file of entities go together")
            .hint("say both --model 'k-safety(k=2)' and --entities FILE, or neither"));
    }
    if job.text.protected.is_some() && job.text.entities.is_none() {
        return Err(Error::params("protected entities are named, and no entities")
            .hint("say --entities FILE too"));
    }
    let is_by_detectors = job.recode.algorithm == DETECTORS;
    if is_by_detectors && !requirements.0.is_empty() {
        return Err(Error::params("detectors keep no model").hint("leave the algorithm out"));
    }
    if job.recode.algorithm != "auto" && !is_by_detectors && requirements.0.is_empty() {
        return Err(Error::params("an algorithm keeps a model, and none is asked for")
            .hint("say --model 'k-safety(k=2)', or leave the algorithm out"));
    }
    let how = Replacement::of(job.text.replace.as_deref());
    if how == Replacement::Surrogate && !requirements.0.is_empty() {
        return Err(Error::unsupported("surrogates would be read as terms of documents")
            .hint("say --replace tag where a model must hold"));
    }
    let is_of_subject = requirements.0.iter().any(|one| one.over == Together::Subject);
    if is_of_subject && !matches!(layout, Layout::Field { subject: Some(_), .. }) {
        return Err(Error::params("which documents are about one person isn't said")
            .hint("name the field that says it: --text 'field=NAME, subject=ID'"));
    }
    Ok(())
}

/// Bind the models and find the algorithm and the detectors.
pub fn make(job: &Job) -> Result<Plan> {
    let mut requirements = models::bind(&job.privacy.models)?;
    // What holds for documents alone also holds when more is taken out of them.
    requirements.0.sort_by_key(|requirement| requirement.over);
    let entities = match &job.text.entities {
        None => None,
        Some(path) => {
            let protected = job.text.protected.as_deref().map(|path| resolve(&job.base, path));
            Some(Entities::read(&resolve(&job.base, path), protected.as_deref())?)
        }
    };
    let algorithm = match job.recode.algorithm.as_str() {
        "auto" | DETECTORS => None,
        text => {
            let call: Call = text.parse()?;
            let found = algorithms::find(&call.name)?;
            Params::check(found.info(), &call.args)?;
            Some(found)
        }
    };
    let chosen = match job.text.detect.is_empty() {
        true => None,
        false => {
            let chosen = Chosen::new(&job.text.detect, &job.base)?;
            Some(match job.text.level {
                Some(Level::Partial) => chosen.without(&Level::QUASI),
                _ => chosen,
            })
        }
    };
    let how = Replacement::of(job.text.replace.as_deref());
    Ok(Plan { requirements, algorithm, chosen, entities, how })
}
