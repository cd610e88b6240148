//! Columns with codes that are local to a block. Workers decode the next block while the sink
//! receives the one before.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use sfumato_core::memory::{Accountant, Reservation};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::decoder::guarded;
use crate::local::LocalSink;
use crate::readers::arrow::encode::Encoder;
use crate::readers::arrow::too_long;
use crate::readers::blocks::BLOCKS;
use crate::readers::lend::{Lent, OwnedBlock, OwnedCells};
use crate::readers::merge::Read;
use crate::scan::check_cancelled;
use crate::weight::Weight;

struct Column {
    encoder: Encoder,
    /// The rest of an array that the last block didn't use because another column was shorter.
    rest: Option<ArrayRef>,
}

impl Column {
    /// The next array and its cells. `None` at the end.
    fn next<S>(
        &mut self,
        source: &mut S,
        next: &(impl Fn(&mut S) -> Result<Option<ArrayRef>> + Sync),
    ) -> Result<Option<(ArrayRef, OwnedCells)>> {
        loop {
            let array = match self.rest.take() {
                Some(rest) => Some(rest),
                None => next(source)?,
            };
            match array {
                Some(array) if array.is_empty() => {}
                Some(array) => return Ok(Some((array.clone(), self.encode(&array)?))),
                None => return Ok(None),
            }
        }
    }

    fn encode(&mut self, array: &ArrayRef) -> Result<OwnedCells> {
        use DataType::*;
        match array.data_type() {
            Int64 => Ok(OwnedCells::integers(array.as_primitive::<Int64Type>().clone())),
            Int8 | Int16 | Int32 | UInt8 | UInt16 | UInt32 => {
                let wide = cast(array, &Int64).map_err(|e| {
                    Error::internal(format!("widening column '{}': {e}", self.encoder.name))
                })?;
                Ok(OwnedCells::integers(wide.as_primitive::<Int64Type>().clone()))
            }
            _ => {
                let codes = self.encoder.encode(array)?;
                let (texts, null) = self.encoder.take();
                Ok(OwnedCells::Texts { codes, texts, null })
            }
        }
    }
}

/// All selected columns, with dictionaries that live as long as a block.
pub(crate) struct LocalColumns<'a> {
    columns: Vec<Column>,
    sink: Lent<'a>,
    /// The block that the sink receives while the next one is decoded.
    ready: Option<OwnedBlock>,
    /// The memory of that block, and of what was decoded for it.
    memory: Reservation,
}

impl<'a> LocalColumns<'a> {
    pub(super) fn new(
        names: impl Iterator<Item = String>,
        sink: &'a mut dyn LocalSink,
        memory: &Accountant,
    ) -> Self {
        let column = |name| Column { encoder: Encoder::new(name), rest: None };
        LocalColumns {
            columns: names.map(column).collect(),
            sink: Lent::new(sink),
            ready: None,
            memory: memory.book(BLOCKS, 0),
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
        let mut decoded: Vec<Result<Option<(ArrayRef, OwnedCells)>>> = Vec::new();
        decoded.resize_with(self.columns.len(), || Ok(None));
        let (ready, sink, columns) = (self.ready.take(), &mut self.sink, &mut self.columns);
        rayon::in_place_scope(|scope| {
            for ((column, source), decoded) in columns.iter_mut().zip(sources).zip(&mut decoded) {
                let next = &next;
                scope.spawn(move |_| *decoded = guarded(|| column.next(source, next)));
            }
            hand_over(sink, ready, observer)
        })?;
        // The first column's error is told, not the fastest one's.
        let decoded = decoded.into_iter().collect::<Result<Vec<_>>>()?;
        let length = |cells: &Option<(ArrayRef, OwnedCells)>| {
            cells.as_ref().map_or(0, |(array, _)| array.len())
        };
        let n_rows = decoded.iter().map(length).min().unwrap_or(0);
        if n_rows == 0 {
            return match decoded.iter().position(|cells| length(cells) > 0) {
                Some(long) => Err(too_long(&self.columns[long].encoder.name)),
                None => Ok(false),
            };
        }
        let arrays = decoded.iter().flatten().map(|(array, _)| array.get_array_memory_size());
        let arrays = arrays.sum::<usize>() as u64;
        let mut cells = Vec::with_capacity(decoded.len());
        for (column, (array, whole)) in self.columns.iter_mut().zip(decoded.into_iter().flatten()) {
            cells.push(if array.len() == n_rows {
                whole
            } else {
                column.rest = Some(array.slice(n_rows, array.len() - n_rows));
                guarded(|| column.encode(&array.slice(0, n_rows)))?
            });
        }
        let ready = self.ready.insert(OwnedBlock { n_rows, columns: cells });
        // While a block is received the next one is decoded.
        self.memory.rebook(arrays + 2 * ready.bytes());
        Ok(true)
    }

    /// Pass on the last block.
    pub(super) fn finish(mut self, observer: &dyn Observer) -> Result<Read> {
        hand_over(&mut self.sink, self.ready, observer)?;
        Ok(self.sink.finish())
    }
}

fn hand_over(
    sink: &mut Lent<'_>,
    block: Option<OwnedBlock>,
    observer: &dyn Observer,
) -> Result<()> {
    let Some(block) = block else { return Ok(()) };
    let n_rows = block.n_rows as u64;
    sink.hand_over(block, None)?;
    observer.advance(n_rows);
    Ok(())
}
