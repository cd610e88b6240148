//! Blocks with texts of their own. Workers make them, the sink receives them in file order, and
//! they are freed after that.

use arrow_array::Array;
use arrow_array::types::Int64Type;
use sfumato_core::Result;
use sfumato_core::column::Dictionary;

use crate::local::{LocalBlock, LocalCells, LocalSink};
use crate::readers::blocks::Lines;
use crate::readers::merge::{ParsedBlock, Read};
use crate::weight::Weight;

/// The cells of one column.
pub(crate) enum OwnedCells {
    Texts {
        codes: Vec<u32>,
        texts: Dictionary,
        null: Option<u32>,
    },
    /// Numbers in the buffer into which they were decoded, and which of them are null.
    Integers {
        values: arrow_array::PrimitiveArray<Int64Type>,
        is_null: Option<Vec<bool>>,
    },
}

impl OwnedCells {
    pub(crate) fn integers(values: arrow_array::PrimitiveArray<Int64Type>) -> Self {
        let nulls = values.nulls().filter(|nulls| nulls.null_count() > 0);
        let is_null = nulls.map(|nulls| nulls.iter().map(|valid| !valid).collect());
        OwnedCells::Integers { values, is_null }
    }

    fn bytes(&self) -> u64 {
        let bytes = match self {
            OwnedCells::Texts { codes, texts, .. } => {
                codes.capacity() * size_of::<u32>() + texts.bytes()
            }
            OwnedCells::Integers { values, is_null } => {
                values.get_buffer_memory_size() + is_null.as_ref().map_or(0, Vec::capacity)
            }
        };
        bytes as u64
    }

    fn lend(&self) -> LocalCells<'_> {
        match self {
            OwnedCells::Texts { codes, texts, null } => {
                LocalCells::Texts { codes, texts, null: *null }
            }
            OwnedCells::Integers { values, is_null } => {
                LocalCells::Integers { values: values.values(), is_null: is_null.as_deref() }
            }
        }
    }
}

/// Some rows.
pub(crate) struct OwnedBlock {
    pub(crate) n_rows: usize,
    pub(crate) columns: Vec<OwnedCells>,
}

impl Weight for OwnedBlock {
    fn bytes(&self) -> u64 {
        self.columns.iter().map(OwnedCells::bytes).sum()
    }
}

/// The texts of a parsed block, copied from its bytes.
pub(crate) fn own(bytes: &[u8], block: ParsedBlock) -> OwnedBlock {
    let columns = block.columns.into_iter().map(|column| {
        // What isn't UTF-8 never gets out: the whole block is refused where its bytes are checked.
        let texts = column.spans().iter().map(|&(start, end)| {
            let text = &bytes[start as usize..end as usize];
            std::str::from_utf8(text).unwrap_or_default()
        });
        OwnedCells::Texts { texts: texts.collect(), null: column.null, codes: column.codes }
    });
    OwnedBlock { n_rows: block.n_rows, columns: columns.collect() }
}

/// A sink, and how many rows it received.
pub(crate) struct Lent<'a> {
    sink: &'a mut dyn LocalSink,
    n_rows: u64,
}

impl<'a> Lent<'a> {
    pub(crate) fn new(sink: &'a mut dyn LocalSink) -> Self {
        Lent { sink, n_rows: 0 }
    }

    /// Pass a block to the sink.
    pub(crate) fn hand_over(&mut self, block: OwnedBlock, lines: Option<Lines>) -> Result<()> {
        let columns: Vec<LocalCells<'_>> = block.columns.iter().map(OwnedCells::lend).collect();
        self.sink.block(&LocalBlock {
            first_row: self.n_rows,
            first_line: lines.and_then(|lines| lines.first_of(block.n_rows)),
            n_rows: block.n_rows,
            columns: &columns,
        })?;
        self.n_rows += block.n_rows as u64;
        Ok(())
    }

    /// The result of the reading, which here is only the number of rows.
    pub(crate) fn finish(self) -> Read {
        Read { dictionaries: Vec::new(), nulls: Vec::new(), n_rows: self.n_rows as usize }
    }
}
