//! Encodes one column of Arrow arrays: each distinct value is formatted once, and primitives are
//! compared by their bits, not by their text.

use std::str::FromStr;

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, UInt32Array};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType};
use sfumato_core::column::Dictionary;
use sfumato_core::{Error, FastMap, Result};

use crate::intern::{Index, hash_text, push};
use crate::readers::arrow::{UTC, retype};

/// Encodes one column, batch after batch.
#[derive(Default)]
pub(super) struct Encoder {
    pub(super) name: String,
    index: Index,
    /// The code of each value seen so far, by its bits.
    bits: FastMap<u64, u32>,
    pub(super) dictionary: Dictionary,
    pub(super) null: Option<u32>,
}

impl Encoder {
    /// Make the encoder of a column with this name.
    pub(super) fn new(name: String) -> Self {
        Encoder { name, ..Encoder::default() }
    }

    /// Forget all values, and return their texts and the code of null.
    pub(super) fn take(&mut self) -> (Dictionary, Option<u32>) {
        self.index = Index::default();
        self.bits.clear();
        (std::mem::take(&mut self.dictionary), self.null.take())
    }

    fn error(&self, doing: &str, e: &ArrowError) -> Error {
        Error::input(format!("column '{}': {doing}: {e}", self.name))
    }

    /// The error for a value that can't be formatted, such as a date beyond all calendars. What
    /// Arrow says about it holds the value.
    fn no_text(&self, row: usize, e: &ArrowError) -> Error {
        Error::input(format!(
            "column '{}': the value in row {} of a batch has no text: it is out of the range of \
             its type",
            self.name,
            row + 1
        ))
        .hint("correct the value, or write the column as text or numbers")
        .about_values(e.to_string())
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

    /// Encode an array: one code per value.
    pub(super) fn encode(&mut self, array: &ArrayRef) -> Result<Vec<u32>> {
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

    /// Encode a dictionary array. Only values that a row uses are encoded, in the order of the
    /// rows, and so is null.
    fn dictionary(&mut self, array: &ArrayRef) -> Result<Vec<u32>> {
        let dictionary = array.as_any_dictionary();
        let n_values = dictionary.values().len();
        if n_values == 0 {
            // Keys of no value: every row is null.
            return Ok(if array.is_empty() { Vec::new() } else { vec![self.null()?; array.len()] });
        }
        // Null has a key of its own, behind the others.
        let mut keys: Vec<u32> = match dictionary.keys().as_primitive_opt::<Int32Type>() {
            Some(keys) => keys.values().iter().map(|&key| key as u32).collect(),
            None => dictionary.normalized_keys().into_iter().map(|key| key as u32).collect(),
        };
        if let Some(nulls) = dictionary.keys().nulls() {
            let rows = keys.iter_mut().zip(nulls.iter());
            rows.filter(|(_, valid)| !valid).for_each(|(key, _)| *key = n_values as u32);
        }
        let mut place = vec![u32::MAX; n_values + 1];
        let mut used = Vec::new();
        for key in &mut keys {
            let place = &mut place[*key as usize];
            if *place == u32::MAX {
                *place = used.len() as u32;
                used.push((*key < n_values as u32).then_some(*key));
            }
            *key = *place;
        }
        let values = arrow_select::take::take(dictionary.values(), &UInt32Array::from(used), None)
            .map_err(|e| self.error("reading its dictionary", &e))?;
        let codes = self.encode(&values)?;
        keys.iter_mut().for_each(|key| *key = codes[*key as usize]);
        Ok(keys)
    }

    /// Encode values of at most eight bytes: equal bits get equal codes, and only new bits are
    /// formatted.
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
                    let text = text.map_err(|e| self.no_text(row, &e))?;
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
