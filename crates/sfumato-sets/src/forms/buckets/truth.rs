//! Compares a bucket release with its alleged original, without knowing which row belongs to which
//! record.

use sfumato_core::observer::Observer;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};

use crate::data::read::load;
use crate::job::{BasketSpec, InputSpec};

use super::linked::Linked;

/// The sensitive items of all records with the same harmless items.
#[derive(Default)]
struct Alike {
    records: u32,
    /// How many of these records have each sensitive item.
    having: FastMap<u32, u32>,
}

/// Check that rows and records have the same sets of harmless items equally often, and that every
/// count of every group is possible for its rows.
pub fn check_against(
    linked: &Linked,
    input: &InputSpec,
    spec: &BasketSpec,
    folder: &str,
    observer: &dyn Observer,
) -> Result<()> {
    let wrong = |what: &str| Err(Error::input(what).in_file(folder));
    // What the counts speak of is sensitive, whatever the caller says.
    let spec = BasketSpec { sensitive: linked.sensitive.clone(), utilities: None, ..spec.clone() };
    let original = load(input, &spec, None, false, observer)?.baskets;
    let Some(sensitive) = &original.sensitive else {
        return wrong("no sensitive item is in the original");
    };
    let names = &original.items.names;
    let code_of: FastMap<&str, u32> =
        linked.sensitive.iter().map(String::as_str).zip(0..).collect();
    let mut all: FastMap<Vec<&str>, Alike> = FastMap::default();
    for record in 0..original.quasi.len() {
        let alike = all.entry(texts(&original.quasi, names, record)).or_default();
        alike.records += 1;
        for item in sensitive.set(record) {
            *alike.having.entry(code_of[names[item as usize].as_str()]).or_default() += 1;
        }
    }
    let mut rows: FastMap<Vec<&str>, u32> = FastMap::default();
    (0..linked.quasi.len())
        .for_each(|row| *rows.entry(texts(&linked.quasi, &linked.names, row)).or_default() += 1);
    if rows.len() != all.len()
        || rows.iter().any(|(set, n)| all.get(set).is_none_or(|alike| alike.records != *n))
    {
        return wrong("the harmless items of its rows aren't those of the original's records");
    }
    let (offsets, members) = linked.groups.members();
    for group in 0..linked.groups.len() {
        // What the group may have at least and at most of each item.
        let mut of_set: FastMap<Vec<&str>, u32> = FastMap::default();
        for row in &members[offsets[group]..offsets[group + 1]] {
            *of_set.entry(texts(&linked.quasi, &linked.names, *row as usize)).or_default() += 1;
        }
        let mut bounds: FastMap<u32, (u32, u32)> = FastMap::default();
        for (set, n) in &of_set {
            let Some(alike) = all.get(set) else { continue };
            for (item, having) in &alike.having {
                let (least, most) = bounds.entry(*item).or_default();
                *least += n.saturating_sub(alike.records - having);
                *most += (*n).min(*having);
            }
        }
        let published = linked.counts.of_group(group);
        let may_be = |item: u32, n: u32| {
            let (least, most) = bounds.get(&item).copied().unwrap_or_default();
            (least..=most).contains(&n)
        };
        let all_may_be = published.iter().all(|(item, n)| may_be(*item, *n));
        let none_lacks =
            bounds.iter().all(|(item, (least, _))| *least <= linked.counts.of_fact(group, *item));
        if !all_may_be || !none_lacks {
            return wrong("a group has a count that its records can't have");
        }
    }
    // In all, there must be as many of each item as in the original.
    let totals = sensitive.counts();
    for (item, name) in names.iter().enumerate().filter(|(item, _)| totals[*item] > 0) {
        let code = code_of[name.as_str()];
        let published: u64 = (0..linked.groups.len())
            .map(|group| u64::from(linked.counts.of_fact(group, code)))
            .sum();
        if published != totals[item] {
            return wrong(
                "a sensitive item is counted more or less often than the original has it",
            );
        }
    }
    Ok(())
}

fn texts<'a>(sets: &Transactions, names: &'a [String], row: usize) -> Vec<&'a str> {
    let mut texts: Vec<&str> =
        sets.set(row).into_iter().map(|item| names[item as usize].as_str()).collect();
    texts.sort_unstable();
    texts
}
