//! Reads baskets of any layout.

use sfumato_core::column::{Dictionary, Provenance};
use sfumato_core::observer::Observer;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};

use crate::baskets::{BasketLayout, lines, list, long, queries, table};
use crate::options::ReadOptions;

/// How to read baskets.
#[derive(Debug, Clone, Default)]
pub struct BasketOptions {
    /// How to read the file.
    pub file: ReadOptions,
    /// Texts that mean a missing value, besides the empty text: they are no items.
    pub missing: Vec<String>,
    /// Columns of a table that are neither items nor keys. A column that isn't mentioned at all is
    /// an error.
    pub dropped: Vec<String>,
    /// Whether keys are kept. Otherwise they are never in memory all at once.
    pub keep_keys: bool,
    /// For the long layout: ids are the numbers from 1 to this one, and a number without rows is a
    /// record without items. Releases are written like this.
    pub records: Option<u64>,
}

/// Baskets as they were read.
#[derive(Debug, Clone)]
pub struct ReadBaskets {
    /// The names of items by code: ascending by number if all are whole numbers, or else by their
    /// bytes.
    pub names: Vec<String>,
    /// The items of each record, in file order.
    pub sets: Transactions,
    /// The key of each record, if keys were asked for and the layout has them.
    pub keys: Option<Dictionary>,
    /// The utility of each item, if the layout has utilities. `None` for an item whose rows have
    /// none.
    pub utilities: Option<Vec<Option<f64>>>,
    /// How many repetitions of items within records were removed.
    pub repeated: u64,
    /// How many items were missing.
    pub missing: u64,
    /// Whether items are numbers of a typed format, to be written as numbers.
    pub numeric: bool,
    /// The layout of a release of these records, in which it is also read back: without keys, with
    /// every column named, and with ranges as their labels.
    pub release_layout: BasketLayout,
    /// The file that they were read from, with its size and hash.
    pub source: Provenance,
}

impl ReadBaskets {
    /// The sets with the codes of other names, such as those of the original if this is its
    /// release. An item that isn't among these names is an error.
    pub fn with_names(self, names: &[String]) -> Result<Transactions> {
        if self.names == names {
            return Ok(self.sets);
        }
        let codes: FastMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
        let code_of = |name: &String| {
            codes.get(name.as_str()).copied().ok_or_else(|| {
                Error::input("an item isn't one of the original's")
                    .in_file(self.source.path.clone())
                    .about_values(format!("'{name}'"))
            })
        };
        let table = self.names.iter().map(code_of).collect::<Result<Vec<u32>>>()?;
        // Both orders are the same unless numbers met names, so that sets nearly always stay
        // sorted.
        if table.is_sorted() {
            let (offsets, codes) = self.sets.into_parts();
            return Ok(Transactions::from_parts(
                offsets,
                codes.remap(&table, names.len()),
                names.len(),
            ));
        }
        let recode = |i| self.sets.set(i).into_iter().map(|code| table[code as usize]).collect();
        Ok(Transactions::from_sets(names.len(), (0..self.sets.len()).map(recode)))
    }
}

/// Read baskets. The path `-` is standard input.
pub fn read_baskets(
    path: &str,
    layout: &BasketLayout,
    options: &BasketOptions,
    observer: &dyn Observer,
) -> Result<ReadBaskets> {
    layout.check()?;
    match layout {
        BasketLayout::Lines { separator, key } => {
            lines::read(path, *separator, *key, options, observer)
        }
        BasketLayout::Long { id, item, utility } => {
            long::read(path, id, item, utility.as_deref(), options, observer)
        }
        BasketLayout::List { column, key } => {
            list::read(path, column, key.as_deref(), options, observer)
        }
        BasketLayout::Queries { user, query } => {
            queries::read(path, user, query, options, observer)
        }
        BasketLayout::Table { columns, rest, key } => {
            table::read(path, columns, *rest, key.as_deref(), options, observer)
        }
    }
}
