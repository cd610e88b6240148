//! Tables whose columns become items.

mod bucket;

use std::cell::RefCell;

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastSet, Result};

use crate::baskets::pieces::{Meaning, NONE, Piece, Pieces};
use crate::baskets::{BasketLayout, BasketOptions, ItemColumn, ItemKind, ReadBaskets, columns};
use crate::scan::{Block, scan};

/// Read a table whose columns become items.
pub(crate) fn read(
    path: &str,
    wanted: &[ItemColumn],
    rest: Option<ItemKind>,
    key: Option<&str>,
    options: &BasketOptions,
    observer: &dyn Observer,
) -> Result<ReadBaskets> {
    let missing: FastSet<&str> = options.missing.iter().map(String::as_str).chain([""]).collect();
    // What is selected is known before the first row, and rows are only handed over after that.
    let reader =
        RefCell::new(Reader { pieces: Pieces::new(), columns: Vec::new(), key: None, missing });
    let mut select = |header: &[String]| {
        let chosen = resolve(header, wanted, rest, key, options)?;
        reader.borrow_mut().begin(header, chosen, key.filter(|_| options.keep_keys))
    };
    let mut sink = |block: &Block<'_>| reader.borrow_mut().block(block);
    let in_this_file = |mut error: Error| {
        error.place.file.get_or_insert_with(|| crate::input::display_name(path).to_owned());
        error
    };
    let scanned =
        scan(path, &options.file, &mut select, &mut sink, observer).map_err(in_this_file)?;
    let Reader { pieces, columns, key, .. } = reader.into_inner();
    let joined = pieces.finish().map_err(in_this_file)?;
    let label =
        |kind| if let ItemKind::Bucket { .. } = kind { ItemKind::Categorical } else { kind };
    let columns =
        columns.into_iter().map(|c| ItemColumn { name: c.name, kind: label(c.kind) }).collect();
    Ok(ReadBaskets {
        names: joined.names,
        sets: joined.sets,
        keys: key.map(|_| joined.keys),
        utilities: None,
        repeated: joined.repeated,
        missing: joined.missing,
        numeric: false,
        release_layout: BasketLayout::Table { columns, rest: None, key: None },
        source: scanned.source,
    })
}

/// Find the columns that become items, in file order.
fn resolve(
    header: &[String],
    wanted: &[ItemColumn],
    rest: Option<ItemKind>,
    key: Option<&str>,
    options: &BasketOptions,
) -> Result<Vec<ItemColumn>> {
    columns::check_dropped(header, &options.dropped)?;
    let mut chosen: Vec<ItemColumn> = Vec::new();
    for name in header {
        let known = wanted.iter().find(|column| column.name == *name).map(|column| column.kind);
        let free = key != Some(name) && !options.dropped.contains(name);
        if let Some(kind) = known.or(rest.filter(|_| free)) {
            chosen.push(ItemColumn { name: name.clone(), kind });
        }
    }
    let named = wanted.iter().chain(&chosen).map(|column| column.name.as_str()).chain(key);
    columns::select(header, named, &options.dropped)?;
    if chosen.is_empty() {
        return Err(Error::params("no column becomes an item"));
    }
    check_names(&chosen)?;
    Ok(chosen)
}

/// Refuse names of columns that make it unclear to which column an item belongs.
pub(crate) fn check_names(columns: &[ItemColumn]) -> Result<()> {
    let valued: FastSet<&str> =
        columns.iter().filter(|c| c.kind != ItemKind::OneHot).map(|c| c.name.as_str()).collect();
    for column in columns {
        for (at, _) in column.name.match_indices('=') {
            if let Some(other) = valued.get(&column.name[..at]) {
                let message = format!(
                    "items of the columns '{other}' and '{}' can't be told apart",
                    column.name
                );
                return Err(Error::input(message).hint("rename one of them, without '='"));
            }
        }
    }
    Ok(())
}

/// A column, and the item of each of its codes so far.
struct Column {
    name: String,
    kind: ItemKind,
    items: Vec<u32>,
}

struct Reader<'a> {
    pieces: Pieces,
    columns: Vec<Column>,
    /// The place of the column of keys among the selected columns.
    key: Option<usize>,
    missing: FastSet<&'a str>,
}

impl Reader<'_> {
    /// Start reading when the columns are known. Returns which of them are wanted.
    fn begin(
        &mut self,
        header: &[String],
        chosen: Vec<ItemColumn>,
        key: Option<&str>,
    ) -> Result<Vec<bool>> {
        let mut wanted = vec![false; header.len()];
        let mut chosen = chosen.into_iter().peekable();
        let mut n = 0;
        for (wanted, name) in wanted.iter_mut().zip(header) {
            if let Some(ItemColumn { name, kind }) = chosen.next_if(|column| column.name == *name) {
                if kind == ItemKind::OneHot {
                    // An item even where no record has it: a release has its column, too.
                    self.pieces.item(&name)?;
                }
                self.columns.push(Column { name, kind, items: Vec::new() });
                *wanted = true;
            } else if key == Some(name) {
                self.key = Some(n);
                *wanted = true;
            }
            n += usize::from(*wanted);
        }
        Ok(wanted)
    }

    fn block(&mut self, block: &Block<'_>) -> Result<()> {
        let places: Vec<usize> =
            (0..block.columns.len()).filter(|place| Some(*place) != self.key).collect();
        let row_of = |place: usize, code: u32| {
            let row = block.columns[place].iter().position(|other| *other == code).unwrap_or(0);
            block.first_row + row as u64 + 1
        };
        for (column, &place) in self.columns.iter_mut().zip(&places) {
            let dictionary = &block.dictionaries[place];
            for code in column.items.len() as u32..dictionary.len() as u32 {
                let text = dictionary.get(code);
                let absent = block.nulls[place] == Some(code) || self.missing.contains(text);
                let item =
                    if absent { Ok(None) } else { item_name(&column.name, column.kind, text) };
                let item = item.map_err(|message| {
                    let row = row_of(place, code);
                    Error::input(format!("row {row}: {message} in column '{}'", column.name))
                })?;
                column.items.push(match item {
                    Some(name) => self.pieces.item(&name)?,
                    // Absence is said by a value in one kind of column, and is a missing value in
                    // the others.
                    None => NONE,
                });
            }
        }
        let mut keys = Dictionary::new();
        if let Some(place) = self.key {
            for (row, code) in (block.first_row + 1..).zip(&block.columns[place]) {
                let key = block.dictionaries[place].get(*code);
                if block.nulls[place] == Some(*code) || key.is_empty() {
                    return Err(Error::input(format!("row {row} has no key")));
                }
                keys.push(key);
            }
        }
        let (mut codes, mut lengths) = (Vec::new(), Vec::with_capacity(block.n_rows));
        let mut missing = 0;
        for row in 0..block.n_rows {
            let before = codes.len();
            for (column, &place) in self.columns.iter().zip(&places) {
                match column.items[block.columns[place][row] as usize] {
                    NONE => missing += u64::from(column.kind != ItemKind::OneHot),
                    item => codes.push(item),
                }
            }
            lengths.push((codes.len() - before) as u32);
        }
        let codes = Codes::from_iter(self.pieces.n_items(), codes.into_iter());
        self.pieces.add(Piece {
            codes,
            lengths,
            meaning: Meaning::Items,
            keys,
            repeated: 0,
            missing,
        })
    }
}

/// The item that a value stands for. `None` if the value means that there is no item.
fn item_name(column: &str, kind: ItemKind, text: &str) -> Result<Option<String>, &'static str> {
    match kind {
        ItemKind::Categorical => Ok(Some(format!("{column}={text}"))),
        ItemKind::Bucket { width } => Ok(Some(format!("{column}={}", bucket::label(text, width)?))),
        ItemKind::OneHot => match text {
            "1" | "1.0" => Ok(Some(column.to_owned())),
            "0" | "0.0" => Ok(None),
            _ if text.eq_ignore_ascii_case("true") => Ok(Some(column.to_owned())),
            _ if text.eq_ignore_ascii_case("false") => Ok(None),
            _ => Err("a cell is neither 0 nor 1, true nor false"),
        },
    }
}
