//! Checks a recoding in memory: the classes a recipient would see hold what was asked, every
//! published value covers its original, no more is suppressed than was allowed.
//!
//! It trusts nothing of the algorithm. A release on disk is verified from its bytes instead.

use rayon::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::group::{ClassTable, Summary, evaluate};
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::traits::Requirements;

/// What a recoding must keep to.
pub struct Asked<'a> {
    /// What must hold.
    pub requirements: &'a Requirements,
    /// How many records may be suppressed.
    pub max_suppressed: u64,
}

/// Check a recoding against what was asked. Gives the sizes of the classes in people, or what is
/// wrong.
pub fn check(
    table: &Table,
    asked: &Asked<'_>,
    recoding: &dyn Recoding,
) -> Result<Vec<u64>, String> {
    let published = check_published(table, asked, recoding)?;
    Ok(published.classes.summaries.iter().map(|summary| summary.people).collect())
}

/// Check a recoding against what was asked. Gives the classes that a recipient sees, or what is
/// wrong.
pub fn check_published(
    table: &Table,
    asked: &Asked<'_>,
    recoding: &dyn Recoding,
) -> Result<PublishedClasses, String> {
    let quasi = table.quasi();
    let class_of_row = recoding.class_of_row();
    if class_of_row.len() != table.n_rows || recoding.n_columns() != quasi.len() {
        return Err("the decision isn't about this table".into());
    }
    let n_classes = recoding.n_classes() as u32;
    if class_of_row.iter().any(|class| *class != SUPPRESSED && *class >= n_classes) {
        return Err("a record is in a class that isn't there".into());
    }
    let suppressed = class_of_row.iter().filter(|class| **class == SUPPRESSED).count() as u64;
    if suppressed > asked.max_suppressed {
        return Err(format!(
            "{suppressed} records are suppressed, {} may be",
            asked.max_suppressed
        ));
    }
    let uncovered = quasi
        .par_iter()
        .enumerate()
        .find_first(|(index, column)| !covers(column, *index, recoding));
    if let Some((_, column)) = uncovered {
        return Err(format!("a value of column '{}' doesn't cover its original", column.name));
    }
    let published = PublishedClasses::new(table, asked.requirements, recoding);
    if let Some(broken) = evaluate(asked.requirements, &published.classes).iter().find(|g| !g.holds)
    {
        return Err(format!(
            "{} doesn't hold in {} groups ({} is {}, required {})",
            broken.requirement,
            broken.violations,
            broken.measure.name,
            broken.achieved,
            broken.measure.required
        ));
    }
    Ok(published)
}

fn covers(column: &Column, index: usize, recoding: &dyn Recoding) -> bool {
    let recoded = recoding.column(index);
    let rows = recoding.class_of_row().iter().zip(column.codes.iter());
    let mut published = rows.filter(|(class, _)| **class != SUPPRESSED);
    published.all(|(class, code)| {
        recoded.values[recoded.of_class[*class as usize] as usize].covers(column, code)
    })
}

/// The classes of a recoding as a recipient sees them: those whose texts are the same in all quasi
/// columns are one.
pub struct PublishedClasses {
    /// The classes that have records.
    pub classes: ClassTable,
    /// For each class of the recoding its published one; classes without records have none.
    pub of_class: Vec<Option<u32>>,
}

impl PublishedClasses {
    /// Group the classes of a recoding by their texts and summarize what the requirements ask
    /// about.
    pub fn new(table: &Table, requirements: &Requirements, recoding: &dyn Recoding) -> Self {
        let quasi = table.quasi();
        let texts: Vec<Vec<u32>> = quasi
            .iter()
            .enumerate()
            .map(|(index, column)| same_texts(column, index, recoding))
            .collect();
        let mut sizes = vec![0u64; recoding.n_classes()];
        let kept = || {
            recoding.class_of_row().iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
        };
        kept().for_each(|(_, class)| sizes[*class as usize] += 1);

        let mut found: FastMap<Vec<u32>, u32> = FastMap::default();
        let mut keys: Vec<Vec<u32>> = vec![Vec::new(); quasi.len()];
        let mut of_class = vec![None; sizes.len()];
        for (class, _) in sizes.iter().enumerate().filter(|(_, size)| **size > 0) {
            let key: Vec<u32> = (0..quasi.len())
                .map(|index| texts[index][recoding.column(index).of_class[class] as usize])
                .collect();
            let next = found.len() as u32;
            let published = *found.entry(key).or_insert_with_key(|key| {
                keys.iter_mut().zip(key).for_each(|(column, text)| column.push(*text));
                next
            });
            of_class[class] = Some(published);
        }
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); found.len()];
        for (row, class) in kept() {
            let published = of_class[*class as usize].expect("a class with a record was published");
            members[published as usize].push(row as u32);
        }
        let tally = requirements.tally(table);
        let summaries: Vec<Summary> = members.par_iter().map(|rows| tally.of_rows(rows)).collect();
        let all: Vec<u32> = kept().map(|(row, _)| row as u32).collect();
        PublishedClasses {
            classes: ClassTable { keys, summaries, release: tally.of_rows(&all) },
            of_class,
        }
    }
}

/// For each published value of a column a number that values with the same text share.
fn same_texts(column: &Column, index: usize, recoding: &dyn Recoding) -> Vec<u32> {
    let mut numbers: FastMap<String, u32> = FastMap::default();
    let values = recoding.column(index).values.iter();
    values
        .map(|value| {
            let next = numbers.len() as u32;
            *numbers.entry(value.render(column)).or_insert(next)
        })
        .collect()
}
