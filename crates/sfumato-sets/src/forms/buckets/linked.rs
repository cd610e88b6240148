//! Reads a bucket release from its two files, and checks everything: ids must match, sizes must be
//! as stated, every count must be a number, and nothing may be stated twice.

use std::path::Path;

use sfumato_core::column::{Dictionary, Provenance, RawColumn};
use sfumato_core::observer::Observer;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, FastSet, Result};
use sfumato_io::{BasketLayout, BasketOptions, ReadOptions, read, read_baskets};

use super::files::COUNTS;
use crate::data::{BasketData, ItemRole, Items};
use crate::data::{FactCounts, Groups};

/// A bucket release as its recipient sees it.
pub struct Linked {
    /// The names of the harmless items.
    pub names: Vec<String>,
    /// The harmless items of each row.
    pub quasi: Transactions,
    /// The group of each row.
    pub groups: Groups,
    /// The names of the sensitive items, by their number in `counts`.
    pub sensitive: Vec<String>,
    /// How often each group has each sensitive item.
    pub counts: FactCounts,
    /// The file of the records.
    pub quasi_source: Provenance,
    /// The file of the counts, and its number of rows.
    pub sensitive_source: (Provenance, u64),
}

/// Read the files of a folder.
pub fn read_linked(
    folder: &Path,
    (quasi, sensitive): (&str, &str),
    layout: &BasketLayout,
    group: &str,
    observer: &dyn Observer,
) -> Result<Linked> {
    let path = |name: &str| folder.join(name).display().to_string();
    let options = BasketOptions { keep_keys: true, ..BasketOptions::default() };
    let rows = read_baskets(&path(quasi), layout, &options, observer)?;
    let keys =
        rows.keys.ok_or_else(|| Error::internal("records were read without their groups"))?;
    let (groups, ids) = grouped(&keys);
    let table =
        read(&path(sensitive), &ReadOptions::default(), &mut sfumato_io::select_all, observer)?;
    let wrong = |what: String| Error::input(what).in_file(path(sensitive));
    if table.header.first().map(String::as_str) != Some(group) || table.header[1..] != COUNTS {
        return Err(wrong(format!("the columns aren't {group}, {}", COUNTS.join(", "))));
    }
    let [group, records, item, count] = [0, 1, 2, 3].map(|column| &table.columns[column]);
    let mut facts: Vec<(u32, u32, u32)> = Vec::with_capacity(table.n_rows);
    let mut seen: FastSet<(u32, u32)> = FastSet::default();
    for row in 0..table.n_rows {
        let at = |error: Error| error.at_line(row as u64 + 2);
        let id = text(group, row);
        let Some(&number) = ids.get(id) else {
            return Err(at(wrong(format!("group '{id}' has counts and no records"))));
        };
        let size = groups.sizes()[number as usize];
        if whole(text(records, row)) != Some(size) {
            return Err(at(wrong(format!(
                "group '{id}' is said to have other than its {size} records"
            ))));
        }
        let code = item.codes.get(row);
        match whole(text(count, row)) {
            Some(n) if n > 0 && n <= size => facts.push((number, code, n)),
            _ => {
                return Err(at(wrong(format!(
                    "the count isn't a number from 1 to {size}, the records of the group"
                ))));
            }
        }
        if !seen.insert((number, code)) {
            return Err(at(wrong(format!("group '{id}' has a second count of the same item"))));
        }
    }
    Ok(Linked {
        names: rows.names,
        quasi: rows.sets,
        counts: FactCounts::from_rows(groups.len(), facts),
        groups,
        sensitive: item.values.iter().map(String::from).collect(),
        quasi_source: rows.source,
        sensitive_source: (table.source, table.n_rows as u64),
    })
}

/// A release in one file, whose keys are groups and whose sensitive items were permuted within
/// them. It states the same as two files.
pub fn of_permuted(
    baskets: BasketData,
    keys: Option<Dictionary>,
    source: Provenance,
) -> Result<Linked> {
    let keys = keys.ok_or_else(|| {
        Error::params("the layout of the file doesn't say where groups are")
            .hint("say so with a key, as in lines(key=true) or list(column=items, key=group)")
    })?;
    let (groups, _) = grouped(&keys);
    let sensitive = baskets.sensitive.ok_or_else(|| {
        Error::params("no sensitive items are named").hint("name them with --sensitive-items A,B")
    })?;
    let Items { names, roles, .. } = baskets.items;
    let is_sensitive = |item: &usize| roles[*item] == ItemRole::Sensitive;
    let items: Vec<usize> = (0..names.len()).filter(is_sensitive).collect();
    let mut number = vec![0; names.len()];
    items.iter().zip(0..).for_each(|(item, n)| number[*item] = n);
    let renumbered =
        |record| sensitive.set(record).into_iter().map(|item| number[item as usize]).collect();
    let facts = Transactions::from_sets(items.len(), (0..sensitive.len()).map(renumbered));
    Ok(Linked {
        counts: FactCounts::of(&groups, &facts),
        sensitive: items.into_iter().map(|item| names[item].clone()).collect(),
        names,
        quasi: baskets.quasi,
        groups,
        quasi_source: source,
        sensitive_source: Default::default(),
    })
}

/// The groups of rows by their ids, and the number of each id.
fn grouped(keys: &Dictionary) -> (Groups, FastMap<String, u32>) {
    let mut ids: FastMap<String, u32> = FastMap::default();
    let labels: Vec<u32> = keys
        .iter()
        .map(|key| match ids.get(key) {
            Some(number) => *number,
            None => {
                let number = ids.len() as u32;
                ids.insert(key.to_string(), number);
                number
            }
        })
        .collect();
    (Groups::from_labels(&labels), ids)
}

fn text(column: &RawColumn, row: usize) -> &str {
    column.values.get(column.codes.get(row))
}

fn whole(text: &str) -> Option<u32> {
    text.trim().parse().ok()
}
