//! What a published text may stand for, if a column's values aren't all in memory: read from the
//! text alone, and compared with the original in the codes of a partition.

use std::ops::Range;

use sfumato_core::column::{Code, Dictionary};
use sfumato_core::dataset::{Column, Domain, ROOT_LABEL, Role};
use sfumato_core::with_codes;
use sfumato_io::LocalCells;

use crate::data::tuples::{Cells, TupleColumn};
use crate::forms::generalized::cover::{Cover, TextCovers};

/// Checks the cells of one column, partition after partition.
pub struct ColumnCover<'a> {
    column: &'a TupleColumn,
    /// The labels of a column whose values are all in memory.
    labels: Option<TextCovers<'a>>,
}

impl<'a> ColumnCover<'a> {
    /// A check for a column of tuples.
    pub fn new(column: &'a TupleColumn) -> Self {
        let labels = (column.cells == Cells::Codes).then(|| TextCovers::new(&column.column));
        ColumnCover { column, labels }
    }

    /// The first cell of a block that doesn't cover its original: `rows` of the partition's column
    /// `original`, `cells` of the file.
    pub fn first_uncovered(
        &self,
        original: &Column,
        rows: Range<usize>,
        cells: &LocalCells<'_>,
        from: usize,
    ) -> Option<usize> {
        if matches!(self.column.cells, Cells::Texts { .. }) {
            return first_other(original, rows, cells, from);
        }
        match cells {
            LocalCells::Texts { codes, texts, null } => {
                let covers = self.covers(original, texts, *null);
                let published = &codes[from..from + rows.len()];
                with_codes!(&original.codes, codes => {
                    published
                        .iter()
                        .zip(&codes[rows])
                        .position(|(published, code)| !covers[*published as usize]
                            .has(code.widen()))
                })
            }
            LocalCells::Integers { values, is_null } => {
                let missing = original.domain.missing();
                let mut last: Option<(i64, Cover)> = None;
                let mut covers = |place: usize, code: u32| {
                    if is_null.is_some_and(|nulls| nulls[from + place]) {
                        return code == missing;
                    }
                    let value = values[from + place];
                    if last.as_ref().is_none_or(|(known, _)| *known != value) {
                        last = Some((value, self.of_text(original, &value.to_string())));
                    }
                    last.as_ref().is_some_and(|(_, cover)| cover.has(code))
                };
                with_codes!(&original.codes, codes => {
                    codes[rows].iter().enumerate()
                        .position(|(place, code)| !covers(place, code.widen()))
                })
            }
        }
    }

    /// What a text may stand for; `None` is null.
    pub fn of(&self, original: &Column, text: Option<&str>) -> Cover {
        match text {
            None => Cover::missing(original.domain.missing()),
            Some(text) => self.of_text(original, text),
        }
    }

    fn covers(&self, original: &Column, texts: &Dictionary, null: Option<u32>) -> Vec<Cover> {
        let cover =
            |(code, text): (u32, &str)| self.of(original, (Some(code) != null).then_some(text));
        (0..).zip(texts.iter()).map(cover).collect()
    }

    fn of_text(&self, original: &Column, text: &str) -> Cover {
        match &self.labels {
            Some(labels) => labels.of_text(text),
            None => self.of_key_text(&original.domain, text),
        }
    }

    /// A number, a date or a range of them, as an interval of ranks.
    fn of_key_text(&self, domain: &Domain, text: &str) -> Cover {
        let column = &self.column.column;
        let missing = domain.missing();
        let mut cover =
            if text == column.missing_text { Cover::missing(missing) } else { Cover::nothing() };
        let is_quasi = column.role == Role::Quasi;
        let rank_of = |key: i64| {
            let lo = domain.keys.partition_point(|other| *other < key) as u32;
            (lo, domain.keys.partition_point(|other| *other <= key) as u32)
        };
        if let Some(key) = domain.kind.parse(text) {
            let (lo, hi) = rank_of(key);
            // What passes through must be written as it was.
            if is_quasi || (lo < hi && domain.label(lo) == text) {
                cover.add(lo, hi);
            }
        } else if is_quasi && text == ROOT_LABEL {
            cover.add(0, missing);
            cover = cover.or_missing(missing);
        } else if is_quasi
            && let Some((from, to)) = range(text)
            && let (Some(from), Some(to)) = (domain.kind.parse(from), domain.kind.parse(to))
        {
            cover.add(rank_of(from).0, rank_of(to).1);
        }
        cover
    }
}

/// The first cell of a block that isn't the text of its original.
fn first_other(
    original: &Column,
    rows: Range<usize>,
    cells: &LocalCells<'_>,
    from: usize,
) -> Option<usize> {
    let missing = original.domain.missing();
    let is_its_own = |text: Option<&str>, code: u32| match text {
        None => code == missing,
        Some(text) if code == missing => text == original.missing_text,
        Some(text) => original.domain.label(code) == text,
    };
    let is_other = |place: usize, code: u32| match cells {
        LocalCells::Texts { codes, texts, null } => {
            let published = codes[from + place];
            !is_its_own((Some(published) != *null).then(|| texts.get(published)), code)
        }
        LocalCells::Integers { values, is_null } => {
            let is_null = is_null.is_some_and(|nulls| nulls[from + place]);
            let text = values[from + place].to_string();
            !is_its_own((!is_null).then_some(text.as_str()), code)
        }
    };
    with_codes!(&original.codes, codes => {
        codes[rows].iter().enumerate().position(|(place, code)| is_other(place, code.widen()))
    })
}

/// The ends of `[a..b]`.
fn range(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.strip_suffix(']')?.split_once("..")
}
