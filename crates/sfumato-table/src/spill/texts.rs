//! Texts that wait in files: columns that are published as they are and have too many different
//! values to hold. A row keeps the place of its text; a partition reads the texts of its rows.

use std::sync::Mutex;

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::dataset::{Column, Domain, Labels, ValueKind};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::hash::hash_text;
use sfumato_io::LocalCells;
use sfumato_io::spill::{SpillFolder, TextFile, TextWriter, Tuples, text_bytes};

use super::layout::{Encoder, Layout};
use crate::data::encode::is_missing;
use crate::data::tuples::Cells;
use crate::job::Job;

/// The files of texts of an input. Whoever first reads all columns writes them.
#[derive(Debug)]
pub struct TextFiles {
    folder: SpillFolder,
    /// The places of the columns in the frame, and the file of each once it is written.
    columns: Mutex<Vec<(usize, Option<String>)>>,
}

impl TextFiles {
    /// No file is written yet.
    pub fn new(folder: &SpillFolder, layout: &Layout) -> Self {
        let waits = |place: &usize| matches!(layout.encoders[*place], Encoder::Texts { .. });
        let columns = (0..layout.encoders.len()).filter(waits).map(|place| (place, None));
        TextFiles { folder: folder.clone(), columns: Mutex::new(columns.collect()) }
    }

    /// Begin to read a column.
    pub fn begin(&self, place: usize) -> Result<PlaceOfTexts> {
        let columns = self.columns.lock().map_err(|_| poisoned())?;
        let is_written = columns.iter().any(|(known, name)| *known == place && name.is_some());
        Ok(match is_written {
            true => PlaceOfTexts::Known(0),
            false => PlaceOfTexts::Written(Box::new(TextWriter::create(&self.folder)?)),
        })
    }

    /// All rows of a column were read.
    pub fn end(&self, place: usize, texts: PlaceOfTexts) -> Result<()> {
        let PlaceOfTexts::Written(writer) = texts else { return Ok(()) };
        let name = writer.finish(true)?;
        let mut columns = self.columns.lock().map_err(|_| poisoned())?;
        columns.iter_mut().filter(|(known, _)| *known == place).for_each(|(_, file)| {
            *file = Some(name.clone());
        });
        Ok(())
    }

    /// The files, with the place of the column of each.
    pub fn names(&self) -> Result<Vec<(usize, String)>> {
        let columns = self.columns.lock().map_err(|_| poisoned())?;
        let unwritten = || Error::internal("texts were never written");
        let name = |(place, name): &(usize, Option<String>)| {
            Ok((*place, name.clone().ok_or_else(unwritten)?))
        };
        columns.iter().map(name).collect()
    }
}

fn poisoned() -> Error {
    Error::internal("a thread that wrote texts panicked")
}

/// Where the texts of a column are while it is read: they are written, or were written before in
/// the same order, so that their places are known.
#[derive(Debug)]
pub enum PlaceOfTexts {
    /// The place of the next text.
    Known(u64),
    /// The file to which the next text is appended.
    Written(Box<TextWriter>),
}

impl PlaceOfTexts {
    fn push(&mut self, text: &str) -> Result<u64> {
        match self {
            PlaceOfTexts::Written(writer) => writer.push(text),
            PlaceOfTexts::Known(next) => {
                let place = *next;
                *next += text_bytes(text.len());
                Ok(place)
            }
        }
    }

    /// The words of the cells of a block. A text that occurs several times in it is written once.
    pub fn fill(
        &mut self,
        job: &Job,
        (missing, passes): (u64, bool),
        cells: &LocalCells<'_>,
        words: &mut Vec<u64>,
    ) -> Result<()> {
        words.clear();
        match cells {
            LocalCells::Texts { codes, texts, null } => {
                let mut places: Vec<Option<u64>> = vec![None; texts.len()];
                for code in *codes {
                    let place = match places[*code as usize] {
                        Some(place) => place,
                        None => {
                            let text = texts.get(*code);
                            let is_missing =
                                Some(*code) == *null || (!passes && is_missing(job, text));
                            if is_missing { missing } else { self.push(text)? }
                        }
                    };
                    places[*code as usize] = Some(place);
                    words.push(place);
                }
            }
            LocalCells::Integers { values, is_null } => {
                for (row, value) in values.iter().enumerate() {
                    let text = value.to_string();
                    let is_missing = is_null.is_some_and(|nulls| nulls[row])
                        || (!passes && is_missing(job, &text));
                    words.push(if is_missing { missing } else { self.push(&text)? });
                }
            }
        }
        Ok(())
    }
}

/// The files of texts from which partitions are loaded, by the place of their columns.
pub type TextColumns = FastMap<usize, TextFile>;

/// Open the files that a manifest names.
pub fn open_texts(folder: &SpillFolder, names: &[(usize, String)]) -> TextColumns {
    names.iter().map(|(place, name)| (*place, TextFile::open(folder, name))).collect()
}

/// The column of some rows, with the texts of these rows as its domain.
pub fn load_texts(
    tuples: &dyn Tuples,
    (place, template, cells): (usize, &Column, Cells),
    file: &TextFile,
) -> Result<Column> {
    let Cells::Texts { n_bytes } = cells else {
        return Err(Error::internal("a column without texts was looked up in a file"));
    };
    let mut words: Vec<u64> = Vec::with_capacity(tuples.n_rows() as usize);
    tuples.scan(&[place], &mut |batch| {
        words.extend_from_slice(&batch.columns[place]);
        Ok(())
    })?;
    if words.len() as u64 != tuples.n_rows() {
        return Err(Error::internal("the columns of tuples have different lengths"));
    }
    // In the order of the file, so that it is read from its beginning to its end.
    let mut rows: Vec<u32> = (0..words.len() as u32).collect();
    if !words.is_sorted() {
        rows.sort_by_key(|row| words[*row as usize]);
    }
    let present = rows.partition_point(|row| words[*row as usize] < n_bytes);
    let mut texts = Dictionary::new();
    let mut codes = vec![u32::MAX; words.len()];
    // Texts with equal hashes are compared; where two of them differ, the later ones stay apart.
    let mut known: FastMap<u64, u32> = FastMap::default();
    let places = rows[..present].iter().map(|row| words[*row as usize]);
    let mut next = rows[..present].iter();
    file.read(places, |text| {
        let code = match known.get(&hash_text(text)) {
            Some(code) if texts.get(*code) == text => *code,
            _ => {
                let code = texts.push(text);
                known.entry(hash_text(text)).or_insert(code);
                code
            }
        };
        if let Some(row) = next.next() {
            codes[*row as usize] = code;
        }
        Ok(())
    })?;
    let missing = texts.len() as u32;
    let codes = Codes::from_iter(texts.len() + 1, codes.into_iter().map(|code| code.min(missing)));
    let domain = Domain { kind: ValueKind::Text, labels: Labels::Texts(texts), keys: Vec::new() };
    Ok(Column { codes, domain, ..template.clone() })
}
