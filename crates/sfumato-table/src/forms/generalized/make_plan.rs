//! Decides what will run: models bound to the table, the algorithm and its parameters. A plan is
//! plain data, which `explain` shows.

use std::sync::Arc;

use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::population::Population;
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{
    Algorithm, Bind, Effort, Requirement, Requirements, Scope, SensitiveColumn,
};
use sfumato_core::workload::Workload;
use sfumato_core::{Error, Result};

use crate::forms::generalized::statistics::{self, Forms};
use crate::job::Job;
use crate::over_time::Past;
use crate::over_time::recall::{asked_joins, recall};
use sfumato_engine::random::key;

/// What will run.
pub struct Plan {
    /// What every class must satisfy.
    pub requirements: Requirements,
    /// The algorithm that decides.
    pub algorithm: &'static dyn Algorithm,
    /// Its parameters.
    pub params: Params,
    /// Whether the job left the choice of the algorithm to us.
    pub is_auto: bool,
    /// What the recipient will do with the release.
    pub workload: Workload,
    /// How many records may be suppressed.
    pub max_suppressed: u64,
    /// The metric to minimize.
    pub metric: String,
    /// How long to look for something better.
    pub effort: Effort,
    /// The seed of the algorithm's random choices: the job's seed, or a random one.
    pub seed: u64,
    /// The key of the algorithm's protecting random choices.
    pub key: [u8; 32],
    /// The largest k asked for, if any model has one.
    pub k: Option<u64>,
    /// The statistics that regions publish.
    pub forms: Forms,
    /// What was published of the same people before, if the job says so.
    pub earlier: Option<Past>,
    /// The population among whom the people of the table are, if the job names one.
    pub population: Option<Arc<Population>>,
}

/// Make the plan of a job for its table.
pub fn make_plan(job: &Job, table: &Table) -> Result<Plan> {
    plan_by(job, table, None)
}

/// Make the plan of a job for a table of so many rows that is larger than memory, by a sample.
pub fn make_plan_by_sample(job: &Job, sample: &Table, n_rows: u64) -> Result<Plan> {
    plan_by(job, sample, Some(n_rows))
}

/// Make the plan of a job for a table in memory, or for a sample of a table of so many rows.
fn plan_by(job: &Job, table: &Table, sampled: Option<u64>) -> Result<Plan> {
    let requirements = bind_models(&job.privacy.models, &bind_table(table))?;
    let workload = crate::workloads::bind(&job.workload.tasks, table)?;
    let earlier = recall(job, table, asked_joins(requirements.iter()))?;
    check_earlier(&requirements, earlier.as_ref())?;
    check_population(job, &requirements, table)?;
    check_owners(&requirements, table)?;
    let is_beside = earlier.as_ref().is_some_and(|past| !past.releases.is_empty());
    let is_auto = job.recode.algorithm == "auto";
    let needs_chain = (is_beside && requirements.iter().any(is_about_earlier))
        || (earlier.is_some() && requirements.iter().any(|asked| asked.judges_first()));
    let asks_who = requirements.iter().any(|asked| asked.asks_who_is_who());
    let call: Call = match (is_auto, sampled) {
        (true, None) if asks_who => "m-invariant".parse()?,
        (true, None)
            if is_beside && requirements.iter().any(|asked| asked.asks_join().is_some()) =>
        {
            "tds4sa".parse()?
        }
        (true, None) if needs_chain => "bcf-anonymizer".parse()?,
        (true, None) if requirements.iter().any(is_about_population) => "mpalm".parse()?,
        (true, None) if is_blind_possible(job, table, &requirements, &workload) => {
            "veiled-mondrian".parse()?
        }
        (true, None) => choose(table, &requirements, &workload).parse()?,
        // The only one that goes on where memory ends.
        (true, Some(_)) => "mondrian".parse()?,
        (false, _) => job.recode.algorithm.parse()?,
    };
    let algorithm = crate::algorithms::find(&call.name)?;
    let params = Params::check(algorithm.info(), &call.args)?;
    algorithm.check_requirements(&requirements)?;
    check_draws(job, algorithm)?;
    crate::metrics::find(&job.recode.metric)?;
    let k = asked_k(&requirements);
    let forms = statistics::resolve(job, table, &workload, &requirements)?;
    check_statistics(&requirements, &forms)?;
    Ok(Plan {
        requirements,
        algorithm,
        params,
        is_auto,
        workload,
        max_suppressed: job
            .privacy
            .max_suppression
            .of(sampled.map_or(table.n_rows, |n_rows| n_rows as usize)),
        metric: job.recode.metric.clone(),
        effort: job.recode.effort,
        seed: match job.run.seed {
            Some(seed) => seed,
            None => getrandom::u64().map_err(|error| {
                Error::resources(format!("the operating system gave no random numbers: {error}"))
            })?,
        },
        key: key(job.run.seed)?,
        k,
        forms,
        earlier,
        population: None,
    })
}

/// Whether a requirement is about what was published before.
pub fn is_about_earlier(requirement: &dyn Requirement) -> bool {
    requirement.scope() == Scope::Earlier
}

/// Refuse models about earlier releases where a job doesn't say where these are.
fn check_earlier(requirements: &Requirements, earlier: Option<&Past>) -> Result<()> {
    match (requirements.iter().find(|asked| is_about_earlier(*asked)), earlier) {
        (Some(asked), None) => Err(Error::unsupported(format!(
            "{} is about what was published of the same people before, and the job doesn't say \
             where that is",
            asked.model()
        ))
        .hint("begin a ledger with 'sfumato ledger init LEDGER' and name it with --ledger LEDGER")),
        _ => Ok(()),
    }
}

/// Whether a requirement is about the people of a population.
fn is_about_population(requirement: &dyn Requirement) -> bool {
    requirement.scope() == Scope::Population
}

/// Refuse models about a population where a job doesn't name one, or counts people by subjects:
/// a population has a row for each person.
fn check_population(job: &Job, requirements: &Requirements, table: &Table) -> Result<()> {
    let Some(asked) = requirements.iter().find(|asked| is_about_population(*asked)) else {
        return Ok(());
    };
    let model = asked.model();
    if job.population.is_none() {
        return Err(Error::unsupported(format!(
            "{model} is about the people of a population, and the job doesn't say who these are"
        ))
        .hint("name their table with --population-table FILE, or path under [population]"));
    }
    match &table.subject {
        None => Ok(()),
        Some(_) => Err(Error::unsupported(format!(
            "{model} counts rows of the data among people of a population: it can't be asked of \
             data with several rows for a person"
        ))
        .hint("make one row of each person, and leave the subject column out")),
    }
}

/// Refuse models about all rows of a person where nobody says which these are.
fn check_owners(requirements: &Requirements, table: &Table) -> Result<()> {
    match requirements.iter().find(|asked| asked.scope() == Scope::Owners) {
        Some(asked) if table.subject.is_none() => Err(Error::unsupported(format!(
            "{} is about all rows of a person together, and the job has no subject column",
            asked.model()
        ))
        .hint("name the column that says which rows belong to one person with --subject COLUMN")),
        _ => Ok(()),
    }
}

/// Refuse statistics beside models about a population, whose people nobody compares with them.
fn check_statistics(requirements: &Requirements, forms: &Forms) -> Result<()> {
    match requirements.iter().find(|asked| is_about_population(*asked)) {
        Some(asked) if !forms.is_plain() => Err(Error::unsupported(format!(
            "statistics of regions say more of people than the regions, and {} is judged by these",
            asked.model()
        ))
        .hint("publish intervals alone: leave --publish out")),
        _ => Ok(()),
    }
}

/// Refuse what would reveal a random draw, or can't be made with one.
fn check_draws(job: &Job, algorithm: &dyn Algorithm) -> Result<()> {
    let name = algorithm.info().name;
    if algorithm.info().capabilities.draws && job.output.keep_order {
        return Err(Error::unsupported(format!(
            "what {name} publishes can't leave in the order of the input: it would say which \
                published record is whose"
        ))
        .hint("leave --keep-order out"));
    }
    if algorithm.info().capabilities.draws && job.output.recoding.is_some() {
        return Err(Error::unsupported(format!(
            "{name} has no recoding to save: each region is one record's, and says nothing of \
                other rows"
        ))
        .hint("leave --save-recoding out, or take mondrian or peel"));
    }
    Ok(())
}

/// Refuse an algorithm that makes no classes, for commands that measure classes.
pub fn needs_classes(algorithm: &dyn Algorithm) -> Result<()> {
    match algorithm.info().capabilities.draws {
        false => Ok(()),
        true => Err(Error::unsupported(format!(
            "{} makes no classes, and this command looks at classes",
            algorithm.info().name
        ))
        .hint("name another algorithm, such as mondrian: classes serve models about matches too")),
    }
}

/// The largest number of records for which `peel` is worth its time; Mondrian takes a hundredth of
/// it.
const PEEL_ROWS: usize = 500_000;
/// The largest number of records for which `full-domain` is used if promises are about some of the
/// columns, since it then judges by rows.
const FULL_DOMAIN_ROWS: usize = 200_000;

/// Whether regions can be cut by counts alone where a model looks at sensitive values, so that they
/// don't tell what narrower ones would have broken (minimality). Not in a bucket release, which has
/// no regions; not for a workload, which may be about these values; not where joining two classes
/// that hold may give one that doesn't, or one class of all records fails already: then it may be
/// that only some cuts hold, and counts don't find them.
fn is_blind_possible(
    job: &Job,
    table: &Table,
    requirements: &Requirements,
    workload: &Workload,
) -> bool {
    let is_about_classes = requirements.iter().all(|asked| asked.scope().is_met_by_classes());
    let is_free = job.output.buckets.is_none() && !workload.guides_splits();
    if !looks_at_values(requirements) || !is_about_classes || !is_free {
        return false;
    }
    let whole = requirements.tally(table).of_range(0..table.n_rows);
    requirements.is_monotone() && requirements.holds(&whole, &whole)
}

/// Whether a model looks at sensitive values, rather than at numbers of people alone.
pub fn looks_at_values(requirements: &Requirements) -> bool {
    requirements.iter().any(|asked| !asked.histograms().is_empty())
}

/// The algorithm that loses least in reasonable time: `peel` where every quasi column has a
/// hierarchy, `mondrian` for numbers without hierarchies and for large tables. Promises about some
/// of the columns need a global recoding: `full-domain`, or `top-down-refinement` for large tables.
/// Where only matches are asked for, `nonreciprocal-boxes`. A workload needs an algorithm that
/// looks at it. Where a model is about sensitive values, `veiled-mondrian` was taken before if it
/// could be; `peel` isn't: its regions follow these values, from which an attacker who knows it
/// learns more than the model says.
/// `docs/algorithms.md` has the measurements.
fn choose(table: &Table, requirements: &Requirements, workload: &Workload) -> &'static str {
    let quasi = table.quasi();
    let is_orderly =
        |column: &&Column| column.hierarchy.is_some() || column.domain.kind.is_ordered();
    let has_levels = quasi.iter().all(is_orderly);
    let about_matches = |requirement: &dyn Requirement| {
        requirement.scope() == Scope::Matches && requirement.is_count_only()
    };
    let is_free = table.subject.is_none() && !workload.guides_splits();
    if has_levels && is_free && requirements.iter().all(about_matches) {
        return "nonreciprocal-boxes";
    }
    let is_about_some = |asked: &dyn Requirement| matches!(asked.scope(), Scope::Projection(_));
    if requirements.iter().any(is_about_some) {
        return if has_levels && table.n_rows <= FULL_DOMAIN_ROWS {
            "full-domain"
        } else {
            "top-down-refinement"
        };
    }
    if workload.guides_splits() {
        return "mondrian";
    }
    let has_hierarchies =
        !quasi.is_empty() && quasi.iter().all(|column| column.hierarchy.is_some());
    let may_peel = requirements.is_count_only() && table.n_rows <= PEEL_ROWS;
    if has_hierarchies && may_peel { "peel" } else { "mondrian" }
}

/// What models may see of a table.
pub fn bind_table(table: &Table) -> Bind<'_> {
    Bind {
        quasi: table.quasi().iter().map(|column| column.name.as_str()).collect(),
        sensitive: table
            .counted()
            .iter()
            .map(|column| SensitiveColumn {
                name: &column.name,
                domain: &column.domain,
                hierarchy: column.hierarchy.as_ref(),
                is_guard: column.role == Role::Guard,
            })
            .collect(),
    }
}

/// Bind models, written as `name(param=value)`, to a table or file.
pub fn bind_models(models: &[String], bind: &Bind<'_>) -> Result<Requirements> {
    if models.is_empty() {
        return Err(Error::params("no privacy model was asked for").hint(
            "say -k 10, or --model 'l-diversity-entropy(l=3, on=disease)'; 'sfumato list models' \
                shows all",
        ));
    }
    let mut list: Vec<Box<dyn Requirement>> = Vec::new();
    for text in models {
        let call: Call = text.parse()?;
        let model = crate::models::find(&call.name)?;
        list.extend(model.bind(&Params::check(model.info(), &call.args)?, bind)?);
    }
    Ok(Requirements::new(list))
}

fn asked_k(requirements: &Requirements) -> Option<u64> {
    let k = requirements
        .iter()
        .flat_map(|requirement| requirement.measures())
        .filter(|measure| measure.name == "k")
        .map(|measure| measure.required as u64);
    k.max()
}
