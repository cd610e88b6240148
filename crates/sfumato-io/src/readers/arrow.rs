//! Arrow arrays to codes: each distinct value is rendered once, and primitives are told apart by their bits, not by
//! their text. The Parquet and the Arrow IPC reader share this.

use std::str::FromStr;

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::{Array, ArrayRef, UInt32Array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_cast::{can_cast_types, cast};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use rayon::prelude::*;
use sfumato_core::column::Dictionary;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};

use crate::intern::{Index, hash_text, push};
use crate::scan::{Coded, Consumer, check_cancelled};

/// How instants in a named time zone are rendered: zone rules aren't needed to keep an instant.
pub(crate) const UTC: &str = "+00:00";

/// Whether the columns of a type can be read.
fn readable(data_type: &DataType) -> bool {
    use DataType::*;
    match data_type {
        Dictionary(_, values) => readable(values),
        Binary | LargeBinary | BinaryView | FixedSizeBinary(_) | RunEndEncoded(..) => false,
        other => !other.is_nested() && can_cast_types(other, &Utf8),
    }
}

/// The type to write a column back with, if a text of it can be read as that type again.
fn native_type(data_type: &DataType) -> Option<String> {
    match data_type {
        DataType::Dictionary(_, values) => native_type(values),
        other => {
            let name = other.to_string();
            let again = DataType::from_str(&name).is_ok_and(|parsed| parsed == *other);
            (again && can_cast_types(&DataType::Utf8, other)).then_some(name)
        }
    }
}

/// Encodes one column, batch after batch.
struct Encoder {
    name: String,
    index: Index,
    /// Code of each value seen, by its bits.
    bits: FastMap<u64, u32>,
    dictionary: Dictionary,
    null: Option<u32>,
    /// Codes that were encoded but not handed over yet.
    pending: Vec<u32>,
    done: bool,
}

impl Encoder {
    fn error(&self, doing: &str, e: &ArrowError) -> Error {
        Error::input(format!("column '{}': {doing}: {e}", self.name))
    }

    fn null(&mut self) -> Result<u32> {
        match self.null {
            Some(code) => Ok(code),
            None => Ok(*self.null.insert(push(&mut self.dictionary, "")?)),
        }
    }

    fn text(&mut self, text: &str) -> Result<u32> {
        self.index.intern(&mut self.dictionary, text.as_bytes(), hash_text(text.as_bytes()))
    }

    /// The code of each value of an array.
    fn encode(&mut self, array: &ArrayRef) -> Result<Vec<u32>> {
        use DataType::*;
        match array.data_type() {
            Null => Ok(if array.is_empty() { Vec::new() } else { vec![self.null()?; array.len()] }),
            Utf8 => self.texts(array.as_string::<i32>().iter()),
            LargeUtf8 => self.texts(array.as_string::<i64>().iter()),
            Utf8View => self.texts(array.as_string_view().iter()),
            Dictionary(..) => self.dictionary(array),
            Timestamp(unit, Some(zone)) if Tz::from_str(zone).is_err() => {
                let utc = Timestamp(*unit, Some(UTC.into()));
                let array = retype(array, &utc).map_err(|e| self.error("changing its zone", &e))?;
                self.primitives(&array)
            }
            other => match other.primitive_width() {
                Some(1 | 2 | 4 | 8) => self.primitives(array),
                _ => {
                    let texts = cast(array, &Utf8).map_err(|e| self.error("rendering it", &e))?;
                    self.texts(texts.as_string::<i32>().iter())
                }
            },
        }
    }

    fn texts<'a>(&mut self, texts: impl Iterator<Item = Option<&'a str>>) -> Result<Vec<u32>> {
        texts
            .map(|text| match text {
                Some(text) => self.text(text),
                None => self.null(),
            })
            .collect()
    }

    /// Only values that a row uses are encoded, in the order of the rows; null takes its turn with them.
    fn dictionary(&mut self, array: &ArrayRef) -> Result<Vec<u32>> {
        let dictionary = array.as_any_dictionary();
        let n_values = dictionary.values().len();
        let mut keys = dictionary.normalized_keys();
        let mut place = vec![u32::MAX; n_values + 1];
        let mut used = Vec::new();
        for (row, key) in keys.iter_mut().enumerate() {
            if array.is_null(row) {
                *key = n_values;
            }
            if place[*key] == u32::MAX {
                place[*key] = used.len() as u32;
                used.push((*key < n_values).then_some(*key as u32));
            }
        }
        let values = arrow_select::take::take(dictionary.values(), &UInt32Array::from(used), None)
            .map_err(|e| self.error("reading its dictionary", &e))?;
        let codes = self.encode(&values)?;
        Ok(keys.iter().map(|&key| codes[place[key] as usize]).collect())
    }

    /// Values of at most eight bytes: equal bits, equal code; only new bits are rendered.
    fn primitives(&mut self, array: &ArrayRef) -> Result<Vec<u32>> {
        let data = array.to_data();
        let width = array.data_type().primitive_width().unwrap_or(8);
        let bytes = &data.buffers()[0].as_slice()[data.offset() * width..][..data.len() * width];
        let options = FormatOptions::default().with_display_error(false);
        let shown = ArrayFormatter::try_new(array.as_ref(), &options);
        let formatter = shown.map_err(|e| self.error("rendering it", &e))?;
        let mut codes = Vec::with_capacity(array.len());
        for (row, value) in bytes.chunks_exact(width).enumerate() {
            if array.is_null(row) {
                codes.push(self.null()?);
                continue;
            }
            let mut word = [0; 8];
            word[..width].copy_from_slice(value);
            let bits = u64::from_le_bytes(word);
            let code = match self.bits.get(&bits) {
                Some(&code) => code,
                None => {
                    let text = formatter.value(row).try_to_string();
                    let text = text.map_err(|e| self.error("a value has no text", &e))?;
                    let code = self.text(&text)?;
                    self.bits.insert(bits, code);
                    code
                }
            };
            codes.push(code);
        }
        Ok(codes)
    }
}

/// The same bits under another type of the same layout.
pub(crate) fn retype(array: &ArrayRef, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    let data = array.to_data().into_builder().data_type(data_type.clone()).build()?;
    Ok(arrow_array::make_array(data))
}

/// All selected columns of a file.
pub(crate) struct Encoders {
    encoders: Vec<Encoder>,
    native_types: Vec<Option<String>>,
    n_rows: u64,
    /// 0, 1, 2, ...: consumers take local codes and a table, and here the codes are global already.
    identity: Vec<u32>,
}

/// What is known after the last row.
pub(crate) struct Encoded {
    pub(crate) dictionaries: Vec<Dictionary>,
    pub(crate) nulls: Vec<Option<u32>>,
    pub(crate) native_types: Vec<Option<String>>,
    pub(crate) n_rows: usize,
}

impl Encoders {
    /// Encoders of the selected columns of a schema; columns that aren't plain values are refused by name.
    pub(crate) fn new(schema: &SchemaRef, selected: &[usize]) -> Result<Self> {
        let mut encoders = Vec::new();
        let mut native_types = Vec::new();
        for &column in selected {
            let field = schema.field(column);
            if !readable(field.data_type()) {
                let message = format!("column '{}' has type {}", field.name(), field.data_type());
                return Err(Error::input(message + ", which isn't one plain value per row")
                    .hint("leave the column out, or turn it into text or numbers before"));
            }
            native_types.push(native_type(field.data_type()));
            encoders.push(Encoder {
                name: field.name().clone(),
                index: Index::default(),
                bits: FastMap::default(),
                dictionary: Dictionary::new(),
                null: None,
                pending: Vec::new(),
                done: false,
            });
        }
        Ok(Encoders { encoders, native_types, n_rows: 0, identity: Vec::new() })
    }

    /// Encode one step of every column in parallel: `next` gives the next array of a column, `None` at its end.
    /// Columns may come in pieces of different lengths. False when there was nothing left.
    pub(crate) fn step<S: Send>(
        &mut self,
        sources: &mut [S],
        next: impl Fn(&mut S) -> Result<Option<ArrayRef>> + Sync,
        consumer: &mut dyn Consumer,
        observer: &dyn Observer,
    ) -> Result<bool> {
        check_cancelled(observer)?;
        let steps = self.encoders.par_iter_mut().zip(sources).map(|(encoder, source)| {
            while encoder.pending.is_empty() && !encoder.done {
                match next(source)? {
                    Some(array) => encoder.pending = encoder.encode(&array)?,
                    None => encoder.done = true,
                }
            }
            Ok(())
        });
        // The first column's error is told, not the fastest one's.
        steps.collect::<Vec<Result<()>>>().into_iter().collect::<Result<()>>()?;
        let rows = self.encoders.iter().map(|e| e.pending.len()).min().unwrap_or(0);
        if rows == 0 {
            return match self.encoders.iter().find(|e| !e.pending.is_empty()) {
                Some(long) => Err(Error::input(format!("column '{}' is longer than others", long.name))),
                None => Ok(false),
            };
        }
        self.hand_over(rows, consumer)?;
        observer.advance(rows as u64);
        Ok(true)
    }

    fn hand_over(&mut self, rows: usize, consumer: &mut dyn Consumer) -> Result<()> {
        let dictionaries: Vec<Dictionary> =
            self.encoders.iter_mut().map(|e| std::mem::take(&mut e.dictionary)).collect();
        let nulls: Vec<Option<u32>> = self.encoders.iter().map(|e| e.null).collect();
        let longest = dictionaries.iter().map(Dictionary::len).max().unwrap_or(0);
        self.identity.extend(self.identity.len() as u32..longest as u32);
        let columns: Vec<(&[u32], &[u32])> =
            self.encoders.iter().map(|e| (&e.pending[..rows], &self.identity[..])).collect();
        let result = consumer.block(&Coded {
            first_row: self.n_rows,
            n_rows: rows,
            columns: &columns,
            dictionaries: &dictionaries,
            nulls: &nulls,
        });
        for (encoder, dictionary) in self.encoders.iter_mut().zip(dictionaries) {
            encoder.dictionary = dictionary;
            encoder.pending.drain(..rows);
        }
        self.n_rows += rows as u64;
        result
    }

    /// Everything known when the last row has been read; `n_rows` counts when no column was selected.
    pub(crate) fn finish(self, n_rows: Option<usize>) -> Encoded {
        let n_rows = n_rows.unwrap_or(self.n_rows as usize);
        let (dictionaries, nulls) = self.encoders.into_iter().map(|e| (e.dictionary, e.null)).unzip();
        Encoded { dictionaries, nulls, native_types: self.native_types, n_rows }
    }
}
