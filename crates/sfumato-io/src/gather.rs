//! Stands between readers and whoever receives rows: joins several files into one table, and brings
//! dates and numbers into their plain form. Work is done for each distinct text, not for each row.

use sfumato_core::column::Dictionary;
use sfumato_core::dataset::Written;
use sfumato_core::{Error, FastMap, Result};

use crate::intern;
use crate::local::{LocalBlock, LocalCells, LocalSink};
use crate::options::ReadOptions;
use crate::scan::{Coded, Consumer};

/// How the selected columns are written, and which texts mean missing there.
pub(crate) struct Plainer<'a> {
    options: &'a ReadOptions,
    names: Vec<String>,
    forms: Vec<Option<&'a Written>>,
}

impl<'a> Plainer<'a> {
    pub(crate) fn new(options: &'a ReadOptions) -> Self {
        Plainer { options, names: Vec::new(), forms: Vec::new() }
    }

    /// Say which columns are selected.
    pub(crate) fn select(&mut self, names: Vec<String>) {
        let form = |name: &String| {
            self.options.written.iter().find(|(column, _)| column == name).map(|(_, form)| form)
        };
        self.forms = names.iter().map(form).collect();
        self.names = names;
    }

    fn is_unchanged(&self, column: usize) -> bool {
        self.forms.get(column).is_none_or(Option::is_none)
    }

    /// The text in its plain form, or `None` if it isn't written as the column is.
    fn plain(&self, column: usize, text: &str) -> Option<String> {
        match self.forms.get(column).copied().flatten() {
            Some(form) if !self.is_missing(text) => form.plain(text),
            _ => Some(text.to_string()),
        }
    }

    fn is_missing(&self, text: &str) -> bool {
        text.is_empty() || self.options.missing.iter().any(|word| word == text)
    }

    /// The error about a text in a row, counted from 0 in its block: by its line, or by its number
    /// where rows have no lines of their own.
    fn wrong(&self, column: usize, row: u64, block: (u64, Option<u64>)) -> Error {
        let form = self.forms.get(column).copied().flatten();
        let expected = form.map(ToString::to_string).unwrap_or_default();
        let name = self.names.get(column).map_or("", String::as_str);
        let (first_row, first_line) = block;
        let error = match first_line {
            Some(line) => {
                let message = format!("the value of column '{name}' isn't written as {expected}");
                Error::input(message).at_line(line + row)
            }
            None => Error::input(format!(
                "row {} of column '{name}' isn't written as {expected}",
                first_row + row + 1
            )),
        };
        error.hint(
            "correct the row or how the column is written, or name what means missing with \
             --missing",
        )
    }
}

/// Receives the rows of one file after the other, with codes of all of them.
pub(crate) struct Gathered<'a, 'b> {
    pub(crate) inner: &'a mut dyn Consumer,
    pub(crate) plainer: &'a std::cell::RefCell<Plainer<'b>>,
    pub(crate) dictionaries: Vec<Dictionary>,
    pub(crate) nulls: Vec<Option<u32>>,
    codes: Vec<FastMap<String, u32>>,
    /// For each column, the final code of each code of the current file.
    tables: Vec<Vec<u32>>,
    n_rows: u64,
    rows_before: u64,
}

impl<'a, 'b> Gathered<'a, 'b> {
    pub(crate) fn new(
        inner: &'a mut dyn Consumer,
        plainer: &'a std::cell::RefCell<Plainer<'b>>,
    ) -> Self {
        Gathered {
            inner,
            plainer,
            dictionaries: Vec::new(),
            nulls: Vec::new(),
            codes: Vec::new(),
            tables: Vec::new(),
            n_rows: 0,
            rows_before: 0,
        }
    }

    /// The next file begins: its codes are its own.
    pub(crate) fn next_file(&mut self) {
        self.rows_before = self.n_rows;
        self.tables.iter_mut().for_each(Vec::clear);
    }
}

impl Consumer for Gathered<'_, '_> {
    fn block(&mut self, block: &Coded<'_>) -> Result<()> {
        let n = block.columns.len();
        self.dictionaries.resize_with(n, Dictionary::new);
        self.nulls.resize(n, None);
        self.codes.resize_with(n, FastMap::default);
        self.tables.resize_with(n, Vec::new);
        let plainer = self.plainer.borrow();
        for column in 0..n {
            let (from, table) = (&block.dictionaries[column], &mut self.tables[column]);
            for code in table.len() as u32..from.len() as u32 {
                if block.nulls[column] == Some(code) {
                    let null = match self.nulls[column] {
                        Some(null) => null,
                        None => intern::push(&mut self.dictionaries[column], "")?,
                    };
                    self.nulls[column] = Some(null);
                    table.push(null);
                    continue;
                }
                let Some(text) = plainer.plain(column, from.get(code)) else {
                    let (local, file) = block.columns[column];
                    let is_it = |local: &u32| file[*local as usize] == code;
                    let row = local.iter().position(is_it).unwrap_or(0) as u64;
                    return Err(plainer.wrong(column, row, (block.first_row, block.first_line)));
                };
                let known = self.codes[column].get(&text).copied();
                let known = match known {
                    Some(known) => known,
                    None => {
                        let new = intern::push(&mut self.dictionaries[column], &text)?;
                        self.codes[column].insert(text, new);
                        new
                    }
                };
                table.push(known);
            }
        }
        let composed: Vec<Vec<u32>> = block
            .columns
            .iter()
            .zip(&self.tables)
            .map(|((_, file), table)| file.iter().map(|code| table[*code as usize]).collect())
            .collect();
        let columns: Vec<(&[u32], &[u32])> = block
            .columns
            .iter()
            .zip(&composed)
            .map(|((local, _), all)| (*local, &all[..]))
            .collect();
        self.inner.block(&Coded {
            first_row: self.rows_before + block.first_row,
            first_line: block.first_line,
            n_rows: block.n_rows,
            columns: &columns,
            dictionaries: &self.dictionaries,
            nulls: &self.nulls,
        })?;
        self.n_rows += block.n_rows as u64;
        Ok(())
    }
}

/// Receives blocks with texts of their own, of one file after the other.
pub(crate) struct GatheredLocal<'a, 'b> {
    pub(crate) inner: &'a mut dyn LocalSink,
    pub(crate) plainer: &'a std::cell::RefCell<Plainer<'b>>,
    n_rows: u64,
    rows_before: u64,
}

impl<'a, 'b> GatheredLocal<'a, 'b> {
    pub(crate) fn new(
        inner: &'a mut dyn LocalSink,
        plainer: &'a std::cell::RefCell<Plainer<'b>>,
    ) -> Self {
        GatheredLocal { inner, plainer, n_rows: 0, rows_before: 0 }
    }

    /// The next file begins.
    pub(crate) fn next_file(&mut self) {
        self.rows_before = self.n_rows;
    }
}

impl LocalSink for GatheredLocal<'_, '_> {
    fn block(&mut self, block: &LocalBlock<'_>) -> Result<()> {
        let plainer = self.plainer.borrow();
        let mut plain: Vec<Option<Dictionary>> = Vec::with_capacity(block.columns.len());
        for (column, cells) in block.columns.iter().enumerate() {
            let LocalCells::Texts { codes, texts, null } = cells else {
                plain.push(None);
                continue;
            };
            if plainer.is_unchanged(column) {
                plain.push(None);
                continue;
            }
            let mut all = Dictionary::new();
            for code in 0..texts.len() as u32 {
                let is_used = || codes.iter().position(|used| *used == code);
                let text = match Some(code) == *null {
                    true => Some(String::new()),
                    false => plainer.plain(column, texts.get(code)),
                };
                // A reader may know texts that no row of the block has.
                match (text, is_used) {
                    (Some(text), _) => all.push(&text),
                    (None, is_used) => match is_used() {
                        Some(row) => {
                            let place = (block.first_row, block.first_line);
                            return Err(plainer.wrong(column, row as u64, place));
                        }
                        None => all.push(""),
                    },
                };
            }
            plain.push(Some(all));
        }
        let columns: Vec<LocalCells<'_>> = block
            .columns
            .iter()
            .zip(&plain)
            .map(|(cells, plain)| match (cells, plain) {
                (LocalCells::Texts { codes, null, .. }, Some(texts)) => {
                    LocalCells::Texts { codes, texts, null: *null }
                }
                _ => *cells,
            })
            .collect();
        self.inner.block(&LocalBlock {
            first_row: self.rows_before + block.first_row,
            first_line: block.first_line,
            n_rows: block.n_rows,
            columns: &columns,
        })?;
        self.n_rows += block.n_rows as u64;
        Ok(())
    }
}
