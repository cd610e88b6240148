//! Bottom-up generalization: every value begins exact, and one set of siblings after the other
//! becomes its parent until all groups may be published.

mod choose;
mod tea;

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Role};
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Cut, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Objective, Task};
use sfumato_core::{Error, Result};

use crate::algorithms::global::cuts::specialise::marginal::{Marginal, Target, info_gain};
use crate::algorithms::global::shared::groups::Groups;
use crate::algorithms::global::shared::publish::{judge, publish};
use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};
use crate::algorithms::shared::progress::Progress;
use choose::State;

/// The algorithm `bottom-up-generalization`, an entry of the registry.
pub struct BottomUpGeneralization;

static INFO: Info = Info {
    name: "bottom-up-generalization",
    summary: "starts from exact values and generalizes siblings to their parent, by what is lost \
        for each unit of privacy gained",
    papers: &[Paper {
        authors: "K. Wang, P. S. Yu, S. Chakraborty",
        title: "Bottom-up generalization: a data mining solution to privacy protection",
        venue: "IEEE International Conference on Data Mining (ICDM)",
        year: 2004,
    }],
    params: &[],
    doc: include_str!("bottom_up_generalization.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        needs_monotone: true,
        needs_hierarchies: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for BottomUpGeneralization {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let quasi = task.table.quasi();
        if let Some(column) =
            quasi.iter().find(|c| c.hierarchy.is_none() && c.domain.kind.is_ordered())
        {
            return Err(Error::unsupported(format!(
                "{} needs a hierarchy for the quasi column '{}': it goes up a tree, and ranges \
                    have none",
                INFO.name, column.name
            ))
            .hint(
                "give the column a hierarchy of intervals, or use top-down-specialization, which \
                    grows one",
            ));
        }
        let mut progress = Progress::begin(task);
        let trees: Vec<Taxonomy> = quasi.par_iter().map(|column| Taxonomy::new(column)).collect();
        let losses = losses(task, &quasi, &trees);
        let exact = exact_groups(&quasi, task.table.n_rows);
        let mut state = State::new(task, &quasi, &trees, &losses, &exact);
        let mut steps = 0u32;
        let finish = |cuts: Vec<Cut>, steps: u32| -> Result<Box<dyn Recoding>> {
            let findings = vec![Finding { name: "generalizations", value: f64::from(steps) }];
            Ok(Box::new(publish(task, cuts, findings)?))
        };
        loop {
            let failing = state.failing_rows();
            progress.reach(task.table.n_rows - failing as usize)?;
            if failing <= task.max_suppressed && is_enough(task, &quasi, &state.cuts()) {
                return finish(state.cuts(), steps);
            }
            let Some((column, to)) = state.best() else { return finish(state.cuts(), steps) };
            state.generalize(column, to);
            steps += 1;
        }
    }
}

/// Whether the groups that fail can be suppressed within the limit. Suppression may make other
/// groups fail, so that counting isn't enough.
fn is_enough(task: &Task<'_>, quasi: &[&Column], cuts: &[Cut]) -> bool {
    let groups = Groups::new(quasi, cuts, task.table.n_rows);
    let verdict = judge(task, cuts, &groups);
    verdict.suppressed <= task.max_suppressed
        && (verdict.suppressed == 0 || verdict.kept.contains(&true))
}

/// The groups of rows that are alike in all quasi columns.
fn exact_groups(quasi: &[&Column], n_rows: usize) -> Groups {
    let most = quasi.iter().map(|column| column.domain.len() + 1).max().unwrap_or(1);
    let same: Vec<u32> = (0..most as u32).collect();
    let columns = quasi.iter().map(|column| {
        let n = column.domain.len() + 1;
        (&column.codes, &same[..n], n)
    });
    Groups::of_columns(n_rows, columns)
}

/// The loss of generalizing to each node: the information about the target that its children have,
/// in bits per record. Without a target it is the additional cost of the cells by the task's
/// objective.
fn losses(task: &Task<'_>, quasi: &[&Column], trees: &[Taxonomy]) -> Vec<Vec<f64>> {
    let target = task.table.of_role(Role::Target).next().map(Target::new);
    // An objective that doesn't look at cells says nothing about values.
    let stand_in = task.objective.ignores_cells().then(|| Objective::ncp(task.table));
    let objective = stand_in.as_ref().unwrap_or(task.objective);
    let of_column = |(place, (column, tree)): (usize, (&&Column, &Taxonomy))| {
        let marginal = Marginal::new(&column.codes, tree.n_codes(), target.as_ref());
        let loss = |node: Node| {
            let children = tree.children(node);
            if target.is_some() {
                let classes = |node: Node| marginal.classes(tree.lo(node), tree.hi(node));
                let parts: Vec<Vec<u64>> = children.iter().map(|&child| classes(child)).collect();
                return info_gain(&classes(node), &parts);
            }
            let price = |node: Node| objective.cell(place, tree.value(node));
            let rows = |node: Node| marginal.rows(tree.lo(node), tree.hi(node)) as f64;
            children.iter().map(|&child| rows(child) * (price(node) - price(child))).sum()
        };
        (0..tree.len() as Node).map(loss).collect()
    };
    quasi.par_iter().zip(trees).enumerate().map(of_column).collect()
}
