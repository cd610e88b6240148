//! Iyengar's genetic algorithm: cuts as chromosomes of splits, bred by Whitley's steady-state
//! scheme until the work allowed is done.

mod breed;
mod population;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Effort, Task};

use super::cut_search::check_size;
use super::cut_search::class::SplitsOutcome;
use super::cut_search::items::Items;
use super::cut_search::records::Records;
use crate::algorithms::global::shared::publish::publish;
use crate::algorithms::shared::progress::Progress;
use population::Population;
use sfumato_kernels::seeded::Seeded;

/// The number of offspring bred from one population before any of them joins it. It is fixed, so
/// that the result doesn't depend on the number of threads.
const BATCH: usize = 16;

/// The algorithm `genetic`, an entry of the registry.
pub struct Genetic;

static INFO: Info = Info {
    name: "genetic",
    summary: "breeds cuts: two parents by rank, crossover, mutation, and the offspring takes the \
        place of the worst",
    papers: &[
        Paper {
            authors: "V. S. Iyengar",
            title: "Transforming data to satisfy privacy constraints",
            venue: "KDD",
            year: 2002,
        },
        Paper {
            authors: "D. Whitley",
            title: "The GENITOR algorithm and selection pressure: why rank-based allocation of \
                reproductive trials is best",
            venue: "ICGA",
            year: 1989,
        },
    ],
    params: &[ParamSpec::with_default(
        "population",
        ParamKind::Integer { min: 2, max: 10_000 },
        "60",
        "how many chromosomes live at a time",
    )],
    doc: include_str!("genetic.md"),
    capabilities: Capabilities { serves: Fact::OF_CLASSES, anytime: true, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl Algorithm for Genetic {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        check_size(task, INFO.name)?;
        let size = params.integer("population") as usize;
        let records = Records::new(task, task.max_suppressed);
        let mut progress = Progress::begin(task);
        let (best, steps) = evolve(&records, size, &mut progress)?;
        progress.reach(task.table.n_rows)?;
        let findings = vec![Finding { name: "steps", value: steps as f64 }];
        Ok(Box::new(publish(task, records.choices.cuts(&best), findings)?))
    }
}

/// The number of offspring: fewer if each takes long.
fn n_steps(records: &Records<'_>) -> usize {
    let (work, least, most) = match records.task.effort {
        Effort::Low => (100_000_000, 200, 1_000),
        Effort::Normal => (1_500_000_000, 1_000, 6_000),
        Effort::High => (30_000_000_000, 10_000, 100_000),
    };
    let each = (records.len() * records.values.len()).max(1);
    (work / each).clamp(least, most).next_multiple_of(BATCH)
}

/// The fittest set of splits, and the number of offspring.
fn evolve(
    records: &Records<'_>,
    size: usize,
    progress: &mut Progress<'_>,
) -> Result<(Items, usize)> {
    let mut random = Seeded::new(records.task.seed);
    let choices = &records.choices;
    let first: Vec<Items> = (0..size)
        .map(|place| breed::scattered(choices, place as f64 / size as f64, &mut random))
        .collect();
    let mut population = Population::new(evaluate(records, first));
    if choices.is_empty() {
        return Ok((population.fittest().clone(), 0));
    }
    let steps = n_steps(records);
    for batch in 0..steps / BATCH {
        progress.reach(0)?;
        if population.is_feasible() && progress.enough() {
            return Ok((population.fittest().clone(), batch * BATCH));
        }
        let offspring: Vec<Items> = (0..BATCH)
            .map(|_| {
                let (one, other) = population.parents(&mut random);
                let mut child = breed::cross(one, other, choices.len(), &mut random);
                breed::mutate(choices, &mut child, &mut random);
                choices.repair(&mut child, 0..choices.len() as u32);
                child
            })
            .collect();
        let new: Vec<Items> =
            offspring.into_iter().filter(|child| !population.has(child)).collect();
        for (child, outcome) in evaluate(records, new) {
            population.insert(child, outcome);
        }
    }
    Ok((population.fittest().clone(), steps))
}

fn evaluate(records: &Records<'_>, chromosomes: Vec<Items>) -> Vec<(Items, SplitsOutcome)> {
    let outcomes: Vec<SplitsOutcome> =
        chromosomes.par_iter().map(|child| records.evaluate(child)).collect();
    chromosomes.into_iter().zip(outcomes).collect()
}
