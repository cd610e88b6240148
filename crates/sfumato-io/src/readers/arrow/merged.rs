//! Columns with codes of the whole file.

use arrow_array::ArrayRef;
use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::column::Dictionary;
use sfumato_core::observer::Observer;

use crate::decoder::guarded;
use crate::readers::arrow::encode::Encoder;
use crate::readers::arrow::too_long;
use crate::readers::merge::Read;
use crate::scan::{Coded, Consumer, check_cancelled};

struct Column {
    encoder: Encoder,
    /// Codes that were encoded but not passed on yet.
    pending: Vec<u32>,
    done: bool,
}

/// All selected columns, with dictionaries that only grow.
pub(crate) struct MergedColumns<'a> {
    columns: Vec<Column>,
    consumer: &'a mut dyn Consumer,
    n_rows: u64,
    /// The numbers 0, 1, 2, ... Consumers receive local codes and a table that translates them, and
    /// here the codes are global already.
    identity: Vec<u32>,
}

impl<'a> MergedColumns<'a> {
    pub(super) fn new(names: impl Iterator<Item = String>, consumer: &'a mut dyn Consumer) -> Self {
        let column =
            |name| Column { encoder: Encoder::new(name), pending: Vec::new(), done: false };
        MergedColumns {
            columns: names.map(column).collect(),
            consumer,
            n_rows: 0,
            identity: Vec::new(),
        }
    }

    /// See [`Columns::step`](super::Columns::step).
    pub(super) fn step<S: Send>(
        &mut self,
        sources: &mut [S],
        next: impl Fn(&mut S) -> Result<Option<ArrayRef>> + Sync,
        observer: &dyn Observer,
    ) -> Result<bool> {
        check_cancelled(observer)?;
        let steps = self.columns.par_iter_mut().zip(sources).map(|(column, source)| {
            while column.pending.is_empty() && !column.done {
                // What is decoded is only looked at while it is encoded.
                let codes = guarded(|| match next(source)? {
                    Some(array) => column.encoder.encode(&array).map(Some),
                    None => Ok(None),
                })?;
                match codes {
                    Some(codes) => column.pending = codes,
                    None => column.done = true,
                }
            }
            Ok(())
        });
        // The first column's error is told, not the fastest one's.
        steps.collect::<Vec<Result<()>>>().into_iter().collect::<Result<()>>()?;
        let rows = self.columns.iter().map(|c| c.pending.len()).min().unwrap_or(0);
        if rows == 0 {
            return match self.columns.iter().find(|c| !c.pending.is_empty()) {
                Some(long) => Err(too_long(&long.encoder.name)),
                None => Ok(false),
            };
        }
        self.hand_over(rows)?;
        observer.advance(rows as u64);
        Ok(true)
    }

    fn hand_over(&mut self, rows: usize) -> Result<()> {
        let dictionaries: Vec<Dictionary> =
            self.columns.iter_mut().map(|c| std::mem::take(&mut c.encoder.dictionary)).collect();
        let nulls: Vec<Option<u32>> = self.columns.iter().map(|c| c.encoder.null).collect();
        let longest = dictionaries.iter().map(Dictionary::len).max().unwrap_or(0);
        self.identity.extend(self.identity.len() as u32..longest as u32);
        let columns: Vec<(&[u32], &[u32])> =
            self.columns.iter().map(|c| (&c.pending[..rows], &self.identity[..])).collect();
        let result = self.consumer.block(&Coded {
            first_row: self.n_rows,
            first_line: None,
            n_rows: rows,
            columns: &columns,
            dictionaries: &dictionaries,
            nulls: &nulls,
        });
        for (column, dictionary) in self.columns.iter_mut().zip(dictionaries) {
            column.encoder.dictionary = dictionary;
            column.pending.drain(..rows);
        }
        self.n_rows += rows as u64;
        result
    }

    pub(super) fn finish(self) -> Read {
        let (dictionaries, nulls) =
            self.columns.into_iter().map(|c| (c.encoder.dictionary, c.encoder.null)).unzip();
        Read { dictionaries, nulls, n_rows: self.n_rows as usize }
    }
}
