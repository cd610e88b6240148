//! Writes the sets to a draft, in random order. Nothing here decides anything or makes the file
//! visible.

use sfumato_core::column::Code;
use sfumato_core::observer::Observer;
use sfumato_core::with_sets;
use sfumato_core::{Error, Result};
use sfumato_io::{BasketLayout, BasketWriteOptions, Sink, Source, write_baskets};

use sfumato_engine::draft::Draft;
use sfumato_engine::paths::resolve;
use sfumato_engine::random::{generator, shuffle};

use crate::data::read::Loaded;
use crate::data::{BasketData, PublishedSets};
use crate::job::Job;

/// What is needed to read a draft back.
pub struct Witness {
    /// The options with which it was written.
    pub options: BasketWriteOptions,
    /// Which record each row is made from.
    pub order: Vec<u32>,
}

/// The order in which records are published: random, because an order can reveal people.
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
    published: &PublishedSets,
    order: Vec<u32>,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let layout = &loaded.release_layout;
    let (options, destination) = write_options(job, loaded, layout)?;
    let baskets = &loaded.baskets;
    let rows =
        |row: usize, codes: &mut Vec<u32>| append(baskets, published, order[row] as usize, codes);
    let names = &baskets.items.names;
    let mut draft = Draft::file(&destination)?;
    draft
        .write(|file| write_baskets(file, layout, names, order.len(), &rows, &options, observer))?;
    Ok((draft, Witness { options, order }))
}

/// The options and the destination of a job's release in a layout.
pub fn write_options(
    job: &Job,
    loaded: &Loaded,
    layout: &BasketLayout,
) -> Result<(BasketWriteOptions, String)> {
    let destination = resolve(&job.base, &job.output.path);
    let sink = Sink::of(&destination);
    // What goes to standard output has the format of the input.
    let named = match &sink {
        Sink::Path(_) => destination.clone(),
        Sink::Memory(_) if matches!(layout, BasketLayout::Lines { .. }) => {
            return Err(Error::unsupported("lines of text can't be handed over as batches")
                .hint("name a file as the output, or give the baskets as a column of lists"));
        }
        Sink::Memory(_) => sink.file_name(),
        Sink::StandardOutput if Source::of(&loaded.source.path).is_path() => {
            loaded.source.path.clone()
        }
        Sink::StandardOutput => format!("out.{}", loaded.source.format),
    };
    let mut options = BasketWriteOptions::for_destination(&named, layout)?;
    if sink == Sink::StandardOutput {
        options.file.compression = None;
    }
    options.numeric = loaded.numeric;
    if let Some(delimiter) = loaded.source.delimiter.filter(|_| options.file.delimiter != b'\t') {
        options.file.delimiter = delimiter;
    }
    options.file.crlf = loaded.source.crlf;
    Ok((options, destination))
}

/// Append what is published of a record, ascending: its set and its sensitive items.
pub fn append(
    baskets: &BasketData,
    published: &PublishedSets,
    record: usize,
    codes: &mut Vec<u32>,
) {
    let before = codes.len();
    with_sets!(&published.sets, sets => {
        let set = sets.get(published.of_record[record] as usize);
        codes.extend(set.iter().map(|code| code.widen()));
    });
    if let Some(sensitive) = &baskets.sensitive {
        with_sets!(sensitive, sets =>
            codes.extend(sets.get(record).iter().map(|code| code.widen())));
        codes[before..].sort_unstable();
    }
}
