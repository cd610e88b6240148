//! The input as tuples: it is read again each time, and every cell becomes a word.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use sfumato_core::dataset::{Canonical, ValueKind};
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, ErrorKind, FastMap, Result};
use sfumato_io::spill::{Batch, Tuples};
use sfumato_io::{LocalBlock, LocalCells, ReadOptions, scan_local};

use super::layout::{Encoder, Layout};
use super::survey::{Sample, SampledCells, missing_numbers, with_tokens};
use super::texts::{PlaceOfTexts, TextFiles};
use sfumato_engine::hash::hash_text;

use crate::data::encode::is_missing;
use crate::job::Job;

/// The input of a job as tuples.
pub struct InputTuples<'a> {
    /// The job.
    pub job: &'a Job,
    /// The file.
    pub path: String,
    /// How to read it.
    pub options: ReadOptions,
    /// The columns of the tuples, and what their words mean.
    pub layout: &'a Layout,
    /// Is told how far the reading is.
    pub observer: &'a dyn Observer,
    /// How often it was read.
    pub passes: AtomicU64,
    /// The files of texts that aren't in memory.
    pub texts: TextFiles,
}

impl InputTuples<'_> {
    /// How often it was read.
    pub fn passes(&self) -> u64 {
        self.passes.load(Ordering::Relaxed)
    }
}

impl Tuples for InputTuples<'_> {
    fn n_rows(&self) -> u64 {
        self.layout.n_rows
    }

    fn scan(
        &self,
        wanted: &[usize],
        visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>,
    ) -> Result<()> {
        self.passes.fetch_add(1, Ordering::Relaxed);
        let layout = self.layout;
        let mut select = |header: &[String]| {
            let is_wanted =
                |place: &usize| wanted.iter().any(|column| layout.places[*column] == *place);
            Ok((0..header.len()).map(|place| is_wanted(&place)).collect())
        };
        // Blocks have the wanted columns in file order.
        let mut in_file_order: Vec<usize> = wanted.to_vec();
        in_file_order.sort_unstable_by_key(|column| layout.places[*column]);
        in_file_order.dedup();
        let mut words: Vec<Vec<u64>> = vec![Vec::new(); layout.encoders.len()];
        let mut n_rows = 0;
        let words_of = Words::new(self.job);
        let waits = |place: &&usize| matches!(layout.encoders[**place], Encoder::Texts { .. });
        let begin = |place: &usize| Ok((*place, self.texts.begin(*place)?));
        let mut texts =
            in_file_order.iter().filter(waits).map(begin).collect::<Result<Vec<_>>>()?;
        let mut sink = |block: &LocalBlock<'_>| {
            let mut slots: Vec<(&mut Vec<u64>, usize)> = Vec::with_capacity(in_file_order.len());
            let mut rest: Vec<Option<&mut Vec<u64>>> = words.iter_mut().map(Some).collect();
            for column in &in_file_order {
                slots.extend(rest[*column].take().map(|words| (words, *column)));
            }
            let mut texts: FastMap<usize, &mut PlaceOfTexts> =
                texts.iter_mut().map(|(place, texts)| (*place, texts)).collect();
            let slots: Vec<_> = slots
                .into_iter()
                .map(|(words, column)| (words, column, texts.remove(&column)))
                .collect();
            slots
                .into_par_iter()
                .zip(block.columns)
                .map(|((words, column, texts), cells)| match (&layout.encoders[column], texts) {
                    (Encoder::Texts { missing, passes }, Some(texts)) => {
                        texts.fill(self.job, (*missing, *passes), cells, words)
                    }
                    (encoder, _) => words_of.fill(encoder, cells, words),
                })
                .collect::<Vec<Result<()>>>()
                .into_iter()
                .collect::<Result<()>>()?;
            n_rows += block.n_rows as u64;
            visit(&Batch { first_row: block.first_row, n_rows: block.n_rows, columns: &words })
        };
        let observer = Renamed { step: "read again", inner: self.observer };
        scan_local(&self.path, &self.options, &mut select, &mut sink, &observer)?;
        if n_rows != layout.n_rows {
            return Err(changed());
        }
        texts.into_iter().try_for_each(|(place, texts)| self.texts.end(place, texts))
    }
}

fn changed() -> Error {
    Error::new(ErrorKind::Io, "the input changed while it was read")
        .hint("start again when nobody writes to it")
}

/// The sampled rows as words, per column of the frame.
pub fn sampled_words(
    job: &Job,
    layout: &Layout,
    read: &[usize],
    sample: &Sample,
) -> Result<Vec<Vec<u64>>> {
    let words_of = Words::new(job);
    let column = |(place, encoder): (&usize, &Encoder)| -> Result<Vec<u64>> {
        let mut words = Vec::with_capacity(sample.len());
        let cells =
            read.iter().position(|read| read == place).and_then(|at| sample.columns[at].as_ref());
        match cells {
            Some(SampledCells::Integers(values, nulls)) => {
                let cells = LocalCells::Integers { values, is_null: Some(nulls) };
                words_of.fill(encoder, &cells, &mut words)?;
            }
            Some(SampledCells::Texts(texts, nulls)) => {
                let mut texts = texts.clone();
                let null = texts.push("");
                let code =
                    |(row, is_null): (usize, &bool)| if *is_null { null } else { row as u32 };
                let codes: Vec<u32> = nulls.iter().enumerate().map(code).collect();
                let cells = LocalCells::Texts { codes: &codes, texts: &texts, null: Some(null) };
                words_of.fill(encoder, &cells, &mut words)?;
            }
            None => {}
        }
        Ok(words)
    };
    layout.places.iter().zip(&layout.encoders).map(column).collect()
}

/// Turns cells into words.
struct Words<'a> {
    job: &'a Job,
    tokens: Vec<i64>,
}

impl<'a> Words<'a> {
    fn new(job: &'a Job) -> Self {
        Words { job, tokens: missing_numbers(job) }
    }

    /// The words of the cells of a block.
    fn fill(&self, encoder: &Encoder, cells: &LocalCells<'_>, words: &mut Vec<u64>) -> Result<()> {
        words.clear();
        match cells {
            LocalCells::Texts { codes, texts, null } => {
                let word = |(code, text): (u32, &str)| match Some(code) == *null {
                    true => Ok(encoder.null()),
                    false => self.word(encoder, text),
                };
                let table = (0..).zip(texts.iter()).map(word).collect::<Result<Vec<u64>>>()?;
                words.extend(codes.iter().map(|code| table[*code as usize]));
            }
            LocalCells::Integers { values, is_null }
                if self.tokens.is_empty() || encoder.passes() =>
            {
                numbers(encoder, values, *is_null, words)?;
            }
            LocalCells::Integers { values, is_null } => {
                let is_null = with_tokens(values, *is_null, &self.tokens);
                numbers(encoder, values, Some(&is_null), words)?;
            }
        }
        Ok(())
    }

    fn word(&self, encoder: &Encoder, text: &str) -> Result<u64> {
        match encoder {
            // Only a sensitive column of numbers can have a blank text here, which means missing.
            Encoder::Keys { missing, .. }
                if is_missing(self.job, text) || is_missing(self.job, text.trim()) =>
            {
                Ok(*missing)
            }
            Encoder::Keys { kind, least, missing, .. } => {
                let key = kind.parse(text).ok_or_else(changed)?;
                let word = key.wrapping_sub(*least) as u64;
                if word < *missing { Ok(word) } else { Err(changed()) }
            }
            Encoder::Codes { of_text, .. } => {
                of_text.get(text).map(|code| u64::from(*code)).ok_or_else(changed)
            }
            Encoder::Texts { missing, passes: false } if is_missing(self.job, text) => Ok(*missing),
            // A sample isn't read back: its texts are only compared with each other.
            Encoder::Texts { missing, .. } => Ok(hash_text(text) % *missing),
            Encoder::Subject(canonical) => Ok(subject(*canonical, text)),
        }
    }
}

impl Encoder {
    /// Whether numbers that mean missing stay what they are.
    fn passes(&self) -> bool {
        match self {
            Encoder::Keys { passes, .. }
            | Encoder::Codes { passes, .. }
            | Encoder::Texts { passes, .. } => *passes,
            Encoder::Subject(_) => true,
        }
    }

    fn null(&self) -> u64 {
        match self {
            Encoder::Keys { missing, .. } | Encoder::Texts { missing, .. } => *missing,
            Encoder::Codes { null, .. } => u64::from(*null),
            Encoder::Subject(_) => 0,
        }
    }
}

/// The word of a person: their number, or a hash of their name. Two people with the same hash would
/// count as one, which promises less, never more.
pub(super) fn subject(canonical: Canonical, text: &str) -> u64 {
    let text = canonical.of(text);
    match ValueKind::Integer.parse(&text) {
        Some(key) => key as u64,
        None => hash_text(&text),
    }
}

fn numbers(
    encoder: &Encoder,
    values: &[i64],
    is_null: Option<&[bool]>,
    words: &mut Vec<u64>,
) -> Result<()> {
    match encoder {
        Encoder::Keys { least, missing, .. } => {
            words.extend(values.iter().map(|value| value.wrapping_sub(*least) as u64));
            if let Some(nulls) = is_null {
                words
                    .iter_mut()
                    .zip(nulls)
                    .filter(|(_, null)| **null)
                    .for_each(|(word, _)| *word = *missing);
            }
            if words.iter().any(|word| word > missing) {
                return Err(changed());
            }
        }
        Encoder::Codes { of_number, null, .. } => {
            for (row, value) in values.iter().enumerate() {
                let is_null = is_null.is_some_and(|nulls| nulls[row]);
                let code = if is_null { Some(null) } else { of_number.get(value) };
                words.push(u64::from(*code.ok_or_else(changed)?));
            }
        }
        Encoder::Texts { missing, .. } => {
            for (row, value) in values.iter().enumerate() {
                let is_null = is_null.is_some_and(|nulls| nulls[row]);
                let hash = hash_text(&value.to_string()) % *missing;
                words.push(if is_null { *missing } else { hash });
            }
        }
        Encoder::Subject(_) => words.extend(values.iter().map(|value| *value as u64)),
    }
    Ok(())
}
