//! The decision about one partition on disk: its regions and the class of each record. It is
//! written at once, so that it needn't stay in memory, and so that a resumed run needn't make it
//! again.

use sfumato_core::recoding::{Boxes, Recoding as _, Value};
use sfumato_core::{Error, ErrorKind, FastMap, Result};
use sfumato_io::spill::{Run, RunWriter, SpillFolder};

use crate::forms::generalized::anonymize::Decided;
use crate::recoding_file::SavedValue;

/// The number of codes in a record of the file.
const CODES: usize = 1 << 14;

/// The head of the file.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Head {
    n_rows: usize,
    n_classes: usize,
    /// The distinct values of each quasi column.
    values: Vec<Vec<Value>>,
    /// The distinct values in a format that doesn't depend on the partition, if the recoding is to
    /// be saved.
    saved: Vec<Vec<SavedValue>>,
}

/// Write the rules of a partition.
pub fn write_rules(folder: &SpillFolder, decided: &Decided) -> Result<Run> {
    let recoding = decided.recoding.as_ref();
    let mut writer = RunWriter::create(folder, 1)?;
    let n_columns = recoding.n_columns();
    let head = Head {
        n_rows: recoding.class_of_row().len(),
        n_classes: recoding.n_classes(),
        values: (0..n_columns).map(|column| recoding.column(column).values.clone()).collect(),
        saved: decided.saved.clone(),
    };
    let head = serde_json::to_vec(&head)
        .map_err(|error| Error::internal(format!("rules can't be written: {error}")))?;
    // Heads may be long, records of a run have a length.
    for piece in head.chunks(CODES * 4) {
        writer.push(0, &[&[0u8], piece].concat())?;
    }
    let mut bytes = Vec::with_capacity(CODES * 4 + 1);
    let mut push = |mark: u8, codes: &[u32]| -> Result<()> {
        for piece in codes.chunks(CODES) {
            bytes.clear();
            bytes.push(mark);
            piece.iter().for_each(|code| bytes.extend_from_slice(&code.to_le_bytes()));
            writer.push(0, &bytes)?;
        }
        Ok(())
    };
    for column in 0..n_columns {
        push(1, &recoding.column(column).of_class)?;
    }
    push(2, recoding.class_of_row())?;
    let mut runs = writer.finish(true)?;
    runs.pop().ok_or_else(|| Error::internal("a run has no file"))
}

/// The content of a file of rules.
struct Rules {
    head: Head,
    /// For each column the code of each class, one column after the other.
    of_class: Vec<u32>,
    class_of_row: Vec<u32>,
}

fn read(run: &Run) -> Result<Rules> {
    let (mut head, mut of_class, mut class_of_row) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = run.read()?;
    while let Some(record) = reader.next_record()? {
        match record.split_first() {
            Some((0, bytes)) => head.extend_from_slice(bytes),
            Some((mark, bytes)) => {
                let codes: &mut Vec<u32> =
                    if *mark == 1 { &mut of_class } else { &mut class_of_row };
                codes.extend(bytes.as_chunks::<4>().0.iter().map(|code| u32::from_le_bytes(*code)));
            }
            None => return Err(damaged()),
        }
    }
    let head: Head = serde_json::from_slice(&head).map_err(|_| damaged())?;
    let in_range = |(at, code): (usize, &u32)| {
        head.values
            .get(at / head.n_classes.max(1))
            .is_some_and(|values| (*code as usize) < values.len())
    };
    let fits = of_class.len() == head.n_classes * head.values.len()
        && class_of_row.len() == head.n_rows
        && of_class.iter().enumerate().all(in_range);
    if fits { Ok(Rules { head, of_class, class_of_row }) } else { Err(damaged()) }
}

/// Read the rules of a partition.
pub fn read_rules(run: &Run) -> Result<Decided> {
    let Rules { head, of_class, class_of_row } = read(run)?;
    let value = |column: usize, class: usize| {
        head.values[column][of_class[column * head.n_classes + class] as usize]
    };
    let region = |class: usize| (0..head.values.len()).map(|column| value(column, class)).collect();
    let regions = (0..head.n_classes).map(region);
    let recoding = Boxes::new(head.values.len(), regions, class_of_row)?;
    let saved = head.saved.iter().enumerate().map(|(column, saved)| {
        let known: FastMap<Value, &SavedValue> =
            head.values[column].iter().copied().zip(saved).collect();
        let values = recoding.column(column).values.iter();
        // Values may be numbered anew, and what is saved of each goes with it.
        values.map(|value| known.get(value).copied().cloned()).collect::<Option<Vec<_>>>()
    });
    let saved = saved.collect::<Option<Vec<_>>>().ok_or_else(damaged)?;
    Ok(Decided { recoding: Box::new(recoding), saved })
}

fn damaged() -> Error {
    Error::new(ErrorKind::Io, "the rules of a partition are damaged")
        .hint("run again without --resume")
}
