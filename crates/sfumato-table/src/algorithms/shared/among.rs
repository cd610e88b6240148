//! What algorithms ask of a population: whether rows that are published alike may be about so many
//! of its people.

use std::borrow::Cow;

use sfumato_core::dataset::{Column, Missing, ROOT_LABEL};
use sfumato_core::population::{Among, Population};
use sfumato_core::recoding::Value;
use sfumato_core::traits::{Requirements, Task};
use sfumato_core::{Error, FastMap, Result};

/// The population of a task. Without one it is the people of the data: nobody else is known.
pub fn population_of<'a>(task: &Task<'a>) -> Cow<'a, Population> {
    match task.population {
        Some(population) => Cow::Borrowed(population),
        None => Cow::Owned(Population::of_table(task.table)),
    }
}

/// Whether all requirements allow rows that may be about so many people.
pub fn holds_among(requirements: &Requirements, among: Among) -> bool {
    requirements.iter().all(|requirement| requirement.holds_among(among))
}

/// Whether a published value may be about a missing one, by its text: `*` may be about anything.
pub fn says_anything(value: Value, column: &Column) -> bool {
    value == Value::Any || value.render(column) == ROOT_LABEL
}

/// Refuse columns in which classes that the algorithm keeps apart may be about the same person:
/// missing values that are published as suppressed, and labels that say nothing definite.
pub fn check_columns(task: &Task<'_>, algorithm: &str) -> Result<()> {
    // Without a population there is nobody besides the records, whose classes are known.
    if task.population.is_none() {
        return Ok(());
    }
    check_missing(task, algorithm)?;
    for column in task.table.quasi() {
        let Some(tree) = &column.hierarchy else { continue };
        let mut codes_of: FastMap<&str, (u32, u32)> = FastMap::default();
        for node in 0..tree.n_nodes() as u32 {
            let codes = (tree.lo(node), tree.hi(node));
            if *codes_of.entry(tree.label(node)).or_insert(codes) != codes {
                return Err(Error::unsupported(format!(
                    "{algorithm} needs labels that each stand for one node: in the hierarchy of \
                     column '{}' two nodes with different values are labelled alike",
                    column.name
                ))
                .hint("give the nodes labels of their own"));
            }
        }
    }
    Ok(())
}

fn check_missing(task: &Task<'_>, algorithm: &str) -> Result<()> {
    let hides = |column: &&Column| {
        let missing = column.domain.missing();
        column.missing == Missing::Suppressed && column.codes.iter().any(|code| code == missing)
    };
    match task.table.quasi().into_iter().find(hides) {
        None => Ok(()),
        Some(column) => Err(Error::unsupported(format!(
            "{algorithm} needs missing values of column '{}' as a value of their own: published \
             as suppressed they may be about anybody",
            column.name
        ))
        .hint("leave --suppress-missing out for it")),
    }
}

/// The error for a table that can't be published even as one class.
pub fn infeasible(requirements: &Requirements, whole: Among) -> Error {
    let text = requirements.iter().find(|requirement| !requirement.holds_among(whole));
    let text = text.map_or_else(String::new, |requirement| requirement.describe());
    Error::infeasible(format!(
        "{text} can't be met: published as one class, {} records are among {} people of the \
         population",
        whole.rows, whole.people
    ))
    .hint("ask for less, or name a population table that has everybody of the data and more")
}
