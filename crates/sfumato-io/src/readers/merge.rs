//! Translates blocks of local codes into codes of the whole file, in file order.
//!
//! Columns are merged in parallel when they have many new texts. The order of codes is the order in
//! which texts were first seen, whatever the threads and the blocks.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::column::Dictionary;

use crate::intern::{self, Index, LocalColumn, Seed};
use crate::readers::blocks::Lines;
use crate::scan::{Coded, Consumer};
use crate::weight::Weight;

/// The parsed rows of a block.
pub(crate) struct ParsedBlock {
    pub(crate) n_rows: usize,
    pub(crate) columns: Vec<LocalColumn>,
}

impl Weight for ParsedBlock {
    fn bytes(&self) -> u64 {
        self.columns.iter().map(LocalColumn::bytes).sum()
    }
}

/// What workers may know about each column before they begin a block.
pub(crate) struct Seeds(Vec<Mutex<Option<Arc<Seed>>>>);

/// The largest number of texts of a seed. Beyond that, its table costs more cache than it saves.
const SEED: usize = 1 << 19;
/// The size up to which a seed is made again for every new text.
const SMALL_SEED: usize = 1 << 10;

impl Seeds {
    pub(crate) fn new(n_columns: usize) -> Self {
        Seeds((0..n_columns).map(|_| Mutex::new(None)).collect())
    }

    /// The seed of a column, if there is one by now.
    pub(crate) fn get(&self, column: usize) -> Option<Arc<Seed>> {
        self.0[column].lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Everything about one column of the file.
#[derive(Default)]
struct Merged {
    index: Index,
    /// The final code of each local code of the current block. The first `identical` codes stay the
    /// same.
    table: Vec<u32>,
    identical: usize,
    /// The number of texts of the last seed, and of texts merged since then.
    seeded: usize,
    unknown: usize,
}

/// The dictionaries of the whole file, grown block by block.
pub(crate) struct Merger {
    columns: Vec<Merged>,
    dictionaries: Vec<Dictionary>,
    nulls: Vec<Option<u32>>,
    n_rows: u64,
}

/// The result of reading, after the last row. It has no dictionaries if only blocks were wanted.
pub(crate) struct Read {
    pub(crate) dictionaries: Vec<Dictionary>,
    pub(crate) nulls: Vec<Option<u32>>,
    pub(crate) n_rows: usize,
}

/// The number of texts to merge in a block from which on merging its columns in parallel pays.
const MANY: usize = 1 << 14;

impl Merger {
    pub(crate) fn new(n_columns: usize) -> Self {
        Merger {
            columns: (0..n_columns).map(|_| Merged::default()).collect(),
            dictionaries: vec![Dictionary::new(); n_columns],
            nulls: vec![None; n_columns],
            n_rows: 0,
        }
    }

    /// Number the texts of a block and pass its rows on.
    pub(crate) fn merge(
        &mut self,
        (bytes, lines): (&[u8], Lines),
        block: &ParsedBlock,
        seeds: &Seeds,
        consumer: &mut dyn Consumer,
    ) -> Result<()> {
        let texts: usize = block.columns.iter().map(|c| c.spans().len()).sum();
        self.columns
            .par_iter_mut()
            .zip(&mut self.dictionaries)
            .zip(&mut self.nulls)
            .zip(block.columns.par_iter().zip(&seeds.0))
            .with_min_len(if texts < MANY { block.columns.len().max(1) } else { 1 })
            .map(|(((merged, dictionary), null), (local, seed))| {
                merged.merge(bytes, local, dictionary, null)?;
                merged.sow(dictionary, *null, seed, block.n_rows);
                Ok(())
            })
            .collect::<Vec<Result<()>>>()
            .into_iter()
            .collect::<Result<()>>()?;
        let tables = self.columns.iter().map(|merged| &merged.table[..]);
        let coded: Vec<_> = block.columns.iter().map(|c| &c.codes[..]).zip(tables).collect();
        consumer.block(&Coded {
            first_row: self.n_rows,
            first_line: lines.first_of(block.n_rows),
            n_rows: block.n_rows,
            columns: &coded,
            dictionaries: &self.dictionaries,
            nulls: &self.nulls,
        })?;
        self.n_rows += block.n_rows as u64;
        Ok(())
    }

    /// The result of the merging.
    pub(crate) fn finish(self) -> Read {
        Read { dictionaries: self.dictionaries, nulls: self.nulls, n_rows: self.n_rows as usize }
    }
}

impl Merged {
    fn merge(
        &mut self,
        bytes: &[u8],
        local: &LocalColumn,
        dictionary: &mut Dictionary,
        null: &mut Option<u32>,
    ) -> Result<()> {
        let base = local.base();
        self.table.truncate(self.identical.min(base as usize));
        self.table.extend(self.table.len() as u32..base);
        self.identical = base as usize;
        for (code, (&(start, end), &hash)) in (base..).zip(local.spans().iter().zip(&local.hashes))
        {
            let global = if local.null == Some(code) {
                match *null {
                    Some(global) => global,
                    None => *null.insert(intern::push(dictionary, "")?),
                }
            } else {
                self.index.intern(dictionary, &bytes[start as usize..end as usize], hash)?
            };
            self.table.push(global);
        }
        Ok(())
    }

    /// Give the workers a new seed when merging texts that they didn't know has cost as much as
    /// making one. A column in which all texts are new gets no seed.
    fn sow(
        &mut self,
        dictionary: &Dictionary,
        null: Option<u32>,
        seed: &Mutex<Option<Arc<Seed>>>,
        n_rows: usize,
    ) {
        let merged = self.table.len() - self.identical;
        let hopeless = dictionary.len() > 4 * SEED || merged * 4 > n_rows * 3;
        let wanted = dictionary.len().min(SEED);
        if hopeless || wanted == self.seeded {
            return;
        }
        self.unknown += merged;
        if (wanted <= SMALL_SEED || self.unknown >= wanted)
            && let Some(new) = Seed::new(dictionary, wanted, null)
        {
            self.seeded = wanted;
            self.unknown = 0;
            *seed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(new));
        }
    }
}
