//! The classes of a release that don't meet a requirement: how many there are, how many people are
//! in them, and which columns single them out.

use serde::Serialize;
use sfumato_core::FastMap;
use sfumato_core::column::Dictionary;
use sfumato_core::group::{ClassTable, Summary};
use sfumato_core::traits::{Requirement, Requirements};

/// How many classes are listed, the smallest first.
const LISTED: usize = 10;

/// The classes that don't meet one requirement.
#[derive(Debug, Clone, Serialize, PartialEq)]
pub struct Failing {
    /// The requirement, with its parameters.
    pub requirement: String,
    /// The number of classes that don't meet it.
    pub classes: u64,
    /// The number of all classes.
    pub of_classes: u64,
    /// The number of people in them.
    pub people: u64,
    /// For each quasi column, how many of these classes would meet it if the column weren't
    /// published; most first, and none that would help no class.
    pub singled_out_by: Vec<(String, u64)>,
    /// Some of the classes as they are published, the smallest first.
    pub listed: Vec<FailingClass>,
}

/// A class that doesn't meet a requirement.
#[derive(Debug, Clone, Serialize, PartialEq)]
pub struct FailingClass {
    /// The number of people.
    pub people: u64,
    /// What is published of them: column and text.
    pub published: Vec<(String, String)>,
}

/// The classes that fail each requirement about classes.
pub(super) fn failing(
    requirements: &Requirements,
    classes: &ClassTable,
    labels: &[(String, Dictionary)],
) -> Vec<Failing> {
    let about_classes = requirements.iter().filter(|one| one.scope().is_met_by_classes());
    about_classes.filter_map(|one| of_one(one, classes, labels)).collect()
}

fn of_one(
    requirement: &dyn Requirement,
    classes: &ClassTable,
    labels: &[(String, Dictionary)],
) -> Option<Failing> {
    let fails = |class: &usize| !requirement.holds(&classes.summaries[*class], &classes.release);
    let mut failed: Vec<usize> = (0..classes.summaries.len()).filter(fails).collect();
    if failed.is_empty() {
        return None;
    }
    let mut singled_out_by: Vec<(String, u64)> = (0..labels.len())
        .map(|column| (labels[column].0.clone(), mended(requirement, classes, &failed, column)))
        .filter(|(_, mended)| *mended > 0)
        .collect();
    singled_out_by.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let people = |class: usize| classes.summaries[class].people;
    let total = failed.iter().map(|class| people(*class)).sum();
    failed.sort_by_key(|class| (people(*class), *class));
    let text = |column: usize, class: usize| {
        let (name, texts) = &labels[column];
        (name.clone(), texts.get(classes.keys[column][class]).to_string())
    };
    let shown = |class: &usize| FailingClass {
        people: people(*class),
        published: (0..labels.len()).map(|column| text(column, *class)).collect(),
    };
    Some(Failing {
        requirement: requirement.describe(),
        classes: failed.len() as u64,
        of_classes: classes.summaries.len() as u64,
        people: total,
        singled_out_by,
        listed: failed.iter().take(LISTED).map(shown).collect(),
    })
}

/// How many of the failed classes would meet the requirement together with the classes that differ
/// from them in one column only.
fn mended(
    requirement: &dyn Requirement,
    classes: &ClassTable,
    failed: &[usize],
    without: usize,
) -> u64 {
    let key = |class: usize| -> Vec<u32> {
        let others = classes.keys.iter().enumerate().filter(|(column, _)| *column != without);
        others.map(|(_, keys)| keys[class]).collect()
    };
    let mut merged: FastMap<Vec<u32>, Option<Summary>> = FastMap::default();
    failed.iter().for_each(|class| {
        merged.insert(key(*class), None);
    });
    for (class, summary) in classes.summaries.iter().enumerate() {
        if let Some(all) = merged.get_mut(&key(class)) {
            match all {
                Some(all) => all.merge(summary),
                None => *all = Some(summary.clone()),
            }
        }
    }
    let holds = |class: &&usize| {
        let all = merged.get(&key(**class)).and_then(Option::as_ref);
        all.is_some_and(|all| requirement.holds(all, &classes.release))
    };
    failed.iter().filter(holds).count() as u64
}
