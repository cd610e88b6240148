//! mu-Argus (Hundepool and Willenborg): every combination of values in up to three columns must
//! occur often enough, by generalizing and, if few records are left, by suppressing cells.
//! Combinations of all columns aren't checked, which is its known weakness.

mod cells;
mod count;
mod projection;
mod recode;
mod suppress;

use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Boxes, BoxesBuilder, Finding, Recoding, SUPPRESSED, Value};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, Result};

use super::cut_search::check_size;
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;
use cells::Cells;
use projection::project;

/// The algorithm `mu-argus`, an entry of the registry.
pub struct MuArgus;

static INFO: Info = Info {
    name: "mu-argus",
    summary: "generalizes and suppresses cells until every combination of three columns is \
        frequent; says nothing about more columns",
    papers: &[Paper {
        authors: "A. J. Hundepool, L. C. R. J. Willenborg",
        title: "mu- and tau-ARGUS: software for statistical disclosure control",
        venue: "International Seminar on Statistical Confidentiality",
        year: 1996,
    }],
    params: &[
        ParamSpec::with_default(
            "combinations",
            ParamKind::Integer { min: 1, max: 8 },
            "3",
            "of how many columns values are combined",
        ),
        ParamSpec::with_default(
            "outliers",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.05",
            "generalizes until at most this share of the records is unsafe; cells of those are \
                suppressed",
        ),
    ],
    doc: include_str!("mu_argus.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CUTS,
        keeps_promises: false,
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for MuArgus {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        check_size(task, INFO.name)?;
        let k = threshold(task)?;
        let (n_rows, n_columns) = (task.table.n_rows, task.table.quasi().len());
        if n_rows == 0 || n_columns == 0 {
            let mut builder = BoxesBuilder::new(n_columns);
            if n_rows > 0 {
                builder.push(&[])?;
            }
            return Ok(Box::new(builder.finish(vec![0; n_rows])));
        }
        if task.whole().people < k {
            return Err(infeasible(task));
        }
        let mut progress = Progress::begin(task);
        let mut cells = Cells::new(task, k, params.integer("combinations") as usize);
        let outliers = (params.number("outliers") * n_rows as f64) as u64;
        let recoded = recode::recode(&mut cells, outliers, &mut progress)?;
        let suppressed = suppress::suppress(&mut cells, task.max_suppressed, &mut progress)?;
        progress.reach(n_rows)?;
        let (boxes, smallest) = boxes(task, &cells)?;
        let finding = |name, value: u64| Finding { name, value: value as f64 };
        Ok(Box::new(boxes.with_findings(vec![
            finding("unsafe_combinations", recoded.unsafe_combinations),
            finding("generalizations", recoded.steps),
            finding("suppressed_cells", suppressed),
            finding("smallest_class", smallest),
        ])))
    }
}

/// How often each combination must occur.
fn threshold(task: &Task<'_>) -> Result<u64> {
    let k = task.requirements.iter().map(|requirement| requirement.min_people()).max().unwrap_or(1);
    match k > 1 || task.requirements.iter().any(|requirement| requirement.is_count_only()) {
        true => Ok(k),
        false => Err(Error::unsupported("mu-argus needs a model that asks for a number of people")
            .hint("add k-anonymity(k=...) for how often each combination of values must occur")),
    }
}

/// One region for each distinct published record, and the number of records of the rarest. Rare
/// ones aren't repaired: the verifier shall see them.
fn boxes(task: &Task<'_>, cells: &Cells<'_>) -> Result<(Boxes, u64)> {
    let n_columns = task.table.quasi().len();
    let published: Vec<(Vec<u32>, Vec<Value>)> =
        (0..n_columns).map(|column| cells.published(column)).collect();
    let n_values: Vec<usize> = published.iter().map(|(_, values)| values.len()).collect();
    let (keys, values): (Vec<Vec<u32>>, Vec<Vec<Value>>) = published.into_iter().unzip();
    let (group_of, n_groups) = project(&keys, &n_values, &(0..n_columns).collect::<Vec<_>>());
    let mut class_of = vec![SUPPRESSED; n_groups];
    let mut sizes: Vec<u64> = Vec::new();
    let mut builder = BoxesBuilder::new(n_columns);
    let mut class_of_row = vec![SUPPRESSED; group_of.len()];
    for (row, &group) in group_of.iter().enumerate().filter(|(row, _)| cells.is_kept(*row)) {
        let class = &mut class_of[group as usize];
        if *class == SUPPRESSED {
            let region: Vec<Value> =
                keys.iter().zip(&values).map(|(keys, values)| values[keys[row] as usize]).collect();
            *class = builder.push(&region)?;
            sizes.push(0);
        }
        class_of_row[row] = *class;
        sizes[*class as usize] += 1;
    }
    Ok((builder.finish(class_of_row), sizes.into_iter().min().unwrap_or(0)))
}
