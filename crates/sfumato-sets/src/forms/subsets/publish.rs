//! Writes the sets to a temporary file, in random order. Nothing here decides anything or makes the file visible.

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::column::Code;
use sfumato_core::observer::Observer;
use sfumato_core::sets::{Baskets, Published};
use sfumato_core::with_sets;
use sfumato_io::{AtomicFile, BasketForm, BasketWriteOptions, write_baskets};

use sfumato_engine::job::Job;
use sfumato_engine::paths::resolve;
use sfumato_engine::random::{generator, shuffle};

use crate::data::read::Loaded;

/// A release that nobody has checked yet.
pub struct SetCandidate {
    /// The temporary file.
    pub file: AtomicFile,
    /// How it was written.
    pub options: BasketWriteOptions,
    /// Which record each row is.
    pub order: Vec<u32>,
    /// Whether it goes to standard output.
    pub to_stdout: bool,
}

/// The order in which records leave: random, because order gives people away.
pub fn order(job: &Job, n_records: usize) -> Result<Vec<u32>> {
    let mut order: Vec<u32> = (0..n_records as u32).collect();
    if !job.output.keep_order {
        shuffle(&mut order, &mut generator(job.run.seed)?);
    }
    Ok(order)
}

/// Write the records.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    published: &Published,
    order: Vec<u32>,
    observer: &dyn Observer,
) -> Result<SetCandidate> {
    let form = &loaded.release_form;
    let (options, destination, to_stdout) = write_options(job, loaded, form)?;
    let out = match to_stdout {
        true => AtomicFile::create_anywhere()?,
        false => AtomicFile::create(Path::new(&destination), false)?,
    };
    let baskets = &loaded.baskets;
    let rows = |row: usize, codes: &mut Vec<u32>| append(baskets, published, order[row] as usize, codes);
    let mut file = write_baskets(out, form, &baskets.items.names, order.len(), &rows, &options, observer)?;
    if to_stdout {
        file.flush_all()?;
    } else {
        file.sync_early()?;
    }
    Ok(SetCandidate { file, options, order, to_stdout })
}

/// How a job's release is written in a form, where to, and whether that is standard output.
pub fn write_options(
    job: &Job,
    loaded: &Loaded,
    form: &BasketForm,
) -> Result<(BasketWriteOptions, String, bool)> {
    let destination = resolve(&job.base, &job.output.path);
    let to_stdout = destination == "-";
    // What goes to standard output has the format of the input.
    let named = if to_stdout { &loaded.source.path } else { &destination };
    let mut options = match to_stdout && named == "-" {
        true => BasketWriteOptions::for_destination(&format!("out.{}", loaded.source.format), form)?,
        false => BasketWriteOptions::for_destination(named, form)?,
    };
    if to_stdout {
        options.file.compression = None;
    }
    options.numeric = loaded.numeric;
    if let Some(delimiter) = loaded.source.delimiter.filter(|_| options.file.delimiter != b'\t') {
        options.file.delimiter = delimiter;
    }
    options.file.crlf = loaded.source.crlf;
    Ok((options, destination, to_stdout))
}

/// What is published of a record, ascending: its set, and its sensitive items.
pub fn append(baskets: &Baskets, published: &Published, record: usize, codes: &mut Vec<u32>) {
    let before = codes.len();
    with_sets!(&published.sets, sets => {
        let set = sets.get(published.of_record[record] as usize);
        codes.extend(set.iter().map(|code| code.widen()));
    });
    if let Some(sensitive) = &baskets.sensitive {
        with_sets!(sensitive, sets => codes.extend(sets.get(record).iter().map(|code| code.widen())));
        codes[before..].sort_unstable();
    }
}
