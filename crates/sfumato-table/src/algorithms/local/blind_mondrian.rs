//! Mondrian by counts alone: where regions are cut doesn't depend on sensitive values, so that no
//! region tells what a narrower one would have broken.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Boxes, Finding, Recoding, SUPPRESSED};
use sfumato_core::registry::{
    Argument, Capabilities, Info, Paper, ParamKind, ParamSpec, Params, PerEffort,
};
use sfumato_core::traits::{Algorithm, Objective, Requirements, Task};
use sfumato_core::{Error, ErrorKind, Result};

use super::mondrian::{INFO as MONDRIAN, below};
use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::space::Space;
use crate::forms::generalized::make_plan::{bind_models, bind_table, looks_at_values};

/// The algorithm `blind-mondrian`, an entry of the registry.
pub struct BlindMondrian;

static INFO: Info = Info {
    name: "blind-mondrian",
    summary: "splits the records by how many there are, and looks at sensitive values only to \
        accept or refuse all classes together",
    papers: &[Paper {
        authors: "R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei",
        title: "Minimality attack in privacy preserving data publishing",
        venue: "International Conference on Very Large Data Bases",
        year: 2007,
    }],
    params: &[
        ParamSpec::optional(
            "size",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "how many people each class has at least; by default as many as the models ask for",
        ),
        ParamSpec::with_default(
            "grow",
            ParamKind::Flag,
            "true",
            "double the size until all classes satisfy the models; otherwise the run ends where \
             one doesn't",
        ),
        ParamSpec::with_default(
            "hide",
            ParamKind::Flag,
            "true",
            "where models look at sensitive values, go on doubling at random, each time with \
             chance 1/2, so that a size doesn't tell for certain that half of it failed",
        ),
        ParamSpec::with_default(
            "leftovers",
            ParamKind::Choice(&["none", "keep", "lend"]),
            "lend",
            "what becomes of children of a node that are too few, as mondrian does it",
        ),
    ],
    doc: include_str!("blind_mondrian.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        cuts_blindly: true,
        ignores: &["max_suppression", "metric"],
        nanoseconds_per_cell: Some(PerEffort::same(40.0)),
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for BlindMondrian {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let least = task.requirements.min_people().max(1);
        let said = params.optional_integer("size").map(|size| size.unsigned_abs());
        let mut size = said.unwrap_or(least).max(least);
        let all = (task.table.n_rows as u64).max(1);
        let hides = params.flag("hide") && params.flag("grow");
        let mut more = match hides && looks_at_values(task.requirements) {
            true => doublings(task.key),
            false => 0,
        };
        // Whatever is asked for, the last try is one class.
        let (mut tries, mut held) = (0u32, None);
        loop {
            tries += 1;
            let boxes = by_counts(params, task, size.min(all))?;
            let holds = all_hold(task, &boxes);
            if holds {
                held = Some((boxes, size.min(all)));
            }
            if (holds && more == 0) || size >= all || !params.flag("grow") {
                break;
            }
            more -= u32::from(holds);
            size = size.saturating_mul(2);
        }
        if let Some((boxes, size)) = held {
            let found = |name, value| Finding { name, value };
            let findings = vec![
                found("sizes tried", f64::from(tries)),
                found("people in a class at least", size as f64),
            ];
            return Ok(Box::new(boxes.with_findings(findings)));
        }
        Err(Error::infeasible(format!("with {size} people in each class some break the models"))
            .hint("say a larger size, or leave grow=false out; or ask for weaker models"))
    }
}

/// How often the size is doubled beyond the first that holds: each time with chance 1/2.
fn doublings(key: [u8; 32]) -> u32 {
    ChaCha20Rng::from_seed(key).next_u64().trailing_ones()
}

/// Classes of at least so many people, whatever they have.
fn by_counts(params: &Params, task: &Task<'_>, size: u64) -> Result<Boxes> {
    let models = [format!("k-anonymity(k={})", size.max(1))];
    let counts: Requirements = bind_models(&models, &bind_table(task.table))?;
    let word = |name: &str, value: &str| (name.to_string(), Argument::Word(value.into()));
    let leftovers = params.text("leftovers").unwrap_or("lend");
    let args = [word("leftovers", leftovers), word("workload", "false")];
    let own = Params::check(&MONDRIAN, &args.into())?;
    // A metric or a workload may be about sensitive values.
    let objective = Objective::ncp(task.table);
    let task = Task {
        requirements: &counts,
        objective: &objective,
        workload: None,
        max_suppressed: 0,
        reference: None,
        ..*task
    };
    match below(&own, &task, None) {
        // There are fewer people than rows.
        Err(error) if error.kind == ErrorKind::Infeasible => {
            let space = Space::new(&task, INFO.name)?;
            let rows: Vec<u32> = (0..task.table.n_rows as u32).collect();
            let region = space.values(&space.around(&rows));
            Boxes::new(space.n_columns(), std::iter::once(region), vec![0; rows.len()])
        }
        found => found,
    }
}

/// Whether all classes may be published.
fn all_hold(task: &Task<'_>, boxes: &Boxes) -> bool {
    let judge = Judge::new(task);
    let mut classes: Vec<Vec<u32>> = vec![Vec::new(); boxes.n_classes()];
    for (row, class) in boxes.class_of_row().iter().enumerate() {
        if *class == SUPPRESSED {
            return false;
        }
        classes[*class as usize].push(row as u32);
    }
    classes.iter().filter(|rows| !rows.is_empty()).all(|rows| judge.holds(rows))
}
