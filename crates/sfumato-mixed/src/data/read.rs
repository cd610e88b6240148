//! Reads mixed records: the columns of a file, and the items of one of them.

use sfumato_core::column::RawTable;
use sfumato_core::observer::Observer;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_io::{BasketLayout, BasketOptions, ReadOptions, read_baskets};
use sfumato_sets::data::item_tree::ItemTree;
use sfumato_sets::data::read::split;
use sfumato_sets::data::{ItemRole, Items};
use sfumato_table::data::read::options_of;

use super::cells::sets_of;
use super::units::Units;
use crate::job::{Job, SEPARATOR};

/// A file as it was read: its columns without the one with the items, and the items.
pub struct RawRecords {
    /// The other columns. Its header has the names of all.
    pub table: RawTable,
    /// The names of the items.
    pub names: Vec<String>,
    /// The items of each row.
    pub sets: Transactions,
    /// The character between items. `None` if the column has lists.
    pub separator: Option<char>,
    /// How often an item was in its row again.
    pub repeated: u64,
}

/// Mixed records of a job.
pub struct MixedData {
    /// The columns without the one with the items. Its header has the names of all.
    pub table: RawTable,
    /// The name of the column with the items.
    pub items_name: String,
    /// The character between items. `None` if the column has lists.
    pub separator: Option<char>,
    /// The items.
    pub items: Items,
    /// The items of each record that an attacker may know.
    pub quasi: Transactions,
    /// The items of each record that an attacker wants to learn, numbered among these.
    pub sensitive: Option<Transactions>,
    /// The hierarchy of items, if they are generalized.
    pub tree: Option<ItemTree>,
    /// What may be published of items.
    pub units: Units,
    /// How often an item was in its row again.
    pub repeated: u64,
}

impl MixedData {
    /// How many records there are.
    pub fn len(&self) -> usize {
        self.quasi.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.quasi.is_empty()
    }
}

/// Read a file: columns, and the items of one of them.
pub fn read_raw(
    path: &str,
    options: &ReadOptions,
    (items_name, separator): (&str, Option<char>),
    missing: &[String],
    observer: &dyn Observer,
) -> Result<RawRecords> {
    if path == "-" {
        return Err(Error::unsupported("a column with items is read after the others")
            .hint("name a file instead of standard input"));
    }
    let mut others = |header: &[String]| match header.iter().any(|name| name == items_name) {
        true => Ok(header.iter().map(|name| name != items_name).collect()),
        false => Err(Error::input(format!("there is no column '{items_name}'")).in_file(path)),
    };
    let table = sfumato_io::read(path, options, &mut others, observer)?;
    if table.n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(path));
    }
    let is_typed = ["parquet", "arrow"].iter().any(|typed| table.source.format.contains(typed));
    if is_typed && separator.is_none() {
        let layout = BasketLayout::List { column: items_name.into(), key: None };
        let dropped = table.header.iter().filter(|name| *name != items_name).cloned().collect();
        let options = BasketOptions {
            file: options.clone(),
            missing: missing.to_vec(),
            dropped,
            keep_keys: false,
            records: None,
        };
        let read = read_baskets(path, &layout, &options, observer).map_err(|error| {
            error.hint("of a column of texts, say with --item-separator what is between items")
        })?;
        let (names, sets, repeated) = (read.names, read.sets, read.repeated);
        return Ok(RawRecords { table, names, sets, separator: None, repeated });
    }
    let mut own = |header: &[String]| Ok(header.iter().map(|name| name == items_name).collect());
    let column = sfumato_io::read(path, options, &mut own, observer)?;
    let separator = separator.unwrap_or(SEPARATOR);
    let (names, sets, repeated) = sets_of(&column.columns[0], column.n_rows, separator);
    Ok(RawRecords { table, names, sets, separator: Some(separator), repeated })
}

/// How the files of a job are read, with columns in their plain form.
pub fn options(job: &Job, path: &str) -> Result<ReadOptions> {
    let mut table = job.of_table(path, Vec::new());
    table.columns = job.columns.clone();
    let written = options_of(&table)?.written;
    let said = read_options(&job.input)?;
    // Columns are named, so that there is a header; cells with several items make a file look like
    // one of baskets.
    Ok(ReadOptions { written, header: said.header.or(Some(true)), ..said })
}

/// Read the records of a job from a path.
pub fn read(job: &Job, path: &str, observer: &dyn Observer) -> Result<MixedData> {
    let (items_name, separator) = (job.items_column()?, job.separator()?);
    let (options, missing) = (options(job, path)?, &job.input.missing);
    let raw = read_raw(path, &options, (&items_name, separator), missing, observer)?;
    let mut items = Items::named(raw.names);
    let code = |name: &String| {
        let found = items.names.iter().position(|known| known == name);
        found.ok_or_else(|| {
            Error::params(format!("no record has the item '{name}' that the job names"))
                .in_file(path)
        })
    };
    let sensitive = job.baskets.sensitive.iter().map(code).collect::<Result<Vec<_>>>()?;
    let drop = job.baskets.drop.iter().map(code).collect::<Result<Vec<_>>>()?;
    if sensitive.iter().any(|item| drop.contains(item)) {
        return Err(Error::params("an item can't be sensitive and left out"));
    }
    sensitive.iter().for_each(|item| items.roles[*item] = ItemRole::Sensitive);
    let drop: Vec<u32> = drop.into_iter().map(|item| item as u32).collect();
    let (quasi, secret) = split(raw.sets, &items.roles, &drop);
    let tree = match &job.baskets.hierarchy {
        None => None,
        Some(how) => Some(ItemTree::read(how, &job.base, &items, &quasi.counts())?),
    };
    let units = Units::of(&items, tree.as_ref());
    let sensitive = secret.map(|secret| among_sensitive(&units, &secret));
    Ok(MixedData {
        table: raw.table,
        items_name,
        separator: raw.separator,
        items,
        quasi,
        sensitive,
        tree,
        units,
        repeated: raw.repeated,
    })
}

/// Sensitive items, numbered among these.
fn among_sensitive(units: &Units, secret: &Transactions) -> Transactions {
    let of = |record: usize| -> Vec<u32> {
        secret.set(record).into_iter().filter_map(|item| units.of_sensitive(item)).collect()
    };
    Transactions::from_sets(units.sensitive_names().len(), (0..secret.len()).map(of))
}
