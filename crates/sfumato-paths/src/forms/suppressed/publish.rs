//! Writes paths to a draft, in random order. Nothing here decides anything or makes the file
//! visible.

use std::io::Write as _;

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::paths::resolve;
use sfumato_engine::random::{generator, shuffle};
use sfumato_io::{Output, Sink, Source, WriteColumn, WriteOptions, write_rows};

use crate::data::layout::{Label, Layout};
use crate::data::read::Loaded;
use crate::data::{PathData, Paths};
use crate::job::Job;

/// What is needed to read a draft back.
pub struct Witness {
    /// The options with which it was written; none of lines.
    pub options: Option<WriteOptions>,
    /// Which record each published path is made from.
    pub order: Vec<u32>,
}

/// The order in which paths are published: random, because an order can reveal people. Paths of
/// which nothing is left aren't.
pub fn order(job: &Job, paths: &Paths) -> Result<Vec<u32>> {
    let mut order: Vec<u32> =
        (0..).zip(paths.iter()).filter(|(_, path)| !path.is_empty()).map(|(at, _)| at).collect();
    if order.is_empty() {
        return Err(Error::infeasible("nothing would be left of any path")
            .hint("make places and times coarser, ask for a smaller k or l, or bring more data"));
    }
    if !job.output.keep_order {
        shuffle(&mut order, &mut generator(job.run.seed)?);
    }
    Ok(order)
}

/// Write the paths.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    paths: &Paths,
    order: Vec<u32>,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let destination = resolve(&job.base, &job.output.path);
    let mut draft = Draft::file(&destination)?;
    let options = match &loaded.release.layout {
        Layout::Lines { separator, label } => {
            check_lines(&destination)?;
            let lines = Lines { separator: separator.unwrap_or(' '), label: *label };
            draft.write(|file| lines.write(file, &loaded.data, paths, &order))?;
            None
        }
        _ => {
            let options = write_options(loaded, &destination)?;
            draft.write(|file| write_points(file, loaded, paths, &order, &options, observer))?;
            Some(options)
        }
    };
    Ok((draft, Witness { options, order }))
}

/// Lines are written as they are: neither compressed nor as batches.
fn check_lines(destination: &str) -> Result<()> {
    let is_packed = [".gz", ".zst"].iter().any(|end| destination.ends_with(end));
    match Sink::of(destination) {
        Sink::Memory(_) => Err(Error::unsupported("lines of text can't be handed over as batches")
            .hint("name a file as the output, or give paths as points")),
        _ if is_packed => Err(Error::unsupported("a release of lines isn't compressed")
            .in_file(destination)
            .hint("name a file without .gz or .zst")),
        _ => Ok(()),
    }
}

/// How a table goes to a destination: the format that its name says.
pub fn write_options(loaded: &Loaded, destination: &str) -> Result<WriteOptions> {
    let sink = Sink::of(destination);
    // What goes to standard output has the format of the input.
    let named = match &sink {
        Sink::Path(_) => destination.to_string(),
        Sink::Memory(_) => sink.file_name(),
        Sink::StandardOutput if Source::of(&loaded.source.path).is_path() => {
            loaded.source.path.clone()
        }
        Sink::StandardOutput => format!("out.{}", loaded.source.format),
    };
    let mut options = WriteOptions::for_destination(&named)?;
    if sink == Sink::StandardOutput {
        options.compression = None;
    }
    if let Some(delimiter) = loaded.source.delimiter.filter(|_| options.delimiter != b'\t') {
        options.delimiter = delimiter;
    }
    options.crlf = loaded.source.crlf;
    Ok(options)
}

struct Lines {
    separator: char,
    label: Option<Label>,
}

impl Lines {
    fn write(
        &self,
        mut file: Output,
        data: &PathData,
        paths: &Paths,
        order: &[u32],
    ) -> Result<Output> {
        for record in order {
            let steps = paths.get(*record as usize).iter();
            let mut words: Vec<&str> = steps
                .map(|step| &data.places[data.steps[*step as usize].place as usize][..])
                .collect();
            if let (Some(label), Some(column)) = (self.label, data.sensitive.first()) {
                let value = &column.values[column.of_record[*record as usize] as usize];
                let at = if label == Label::First { 0 } else { words.len() };
                words.insert(at, value);
            }
            let line = words.join(&self.separator.to_string());
            writeln!(file, "{line}").map_err(|error| Error::io(file.path(), "write", &error))?;
        }
        Ok(file)
    }
}

/// A column of the release.
struct Column<'a> {
    name: &'a str,
    values: Dictionary,
    codes: Codes,
    native_type: Option<&'a str>,
    null: Option<u32>,
}

fn write_points(
    file: Output,
    loaded: &Loaded,
    paths: &Paths,
    order: &[u32],
    options: &WriteOptions,
    observer: &dyn Observer,
) -> Result<Output> {
    let Layout::Points { id, place, time, .. } = &loaded.release.layout else {
        return Err(Error::internal("a release of points has another layout"));
    };
    let data = &loaded.data;
    let rows = || {
        order.iter().enumerate().flat_map(|(row, record)| {
            paths.get(*record as usize).iter().map(move |step| (row as u32, *record, *step))
        })
    };
    let n_rows = rows().count();
    let mut columns = Vec::new();
    for (name, native_type) in &loaded.release.columns {
        let native_type = native_type.as_deref();
        let texts = |all: &[String]| all.iter().map(String::as_str).collect::<Dictionary>();
        let (values, codes, null) = if name == id {
            let numbers: Vec<String> = (1..=order.len()).map(|n| n.to_string()).collect();
            (texts(&numbers), Codes::from_iter(order.len(), rows().map(|(row, ..)| row)), None)
        } else if name == place {
            let code = |(_, _, step): (u32, u32, u32)| data.steps[step as usize].place;
            (texts(&data.places), Codes::from_iter(data.places.len(), rows().map(code)), None)
        } else if name == time {
            let code = |(_, _, step): (u32, u32, u32)| data.steps[step as usize].time;
            (texts(&data.times), Codes::from_iter(data.times.len(), rows().map(code)), None)
        } else {
            let mut beside = data.sensitive.iter().chain(&data.quasi);
            let column = beside.find(|column| column.name == *name);
            let column =
                column.ok_or_else(|| Error::internal("a column of the release is lost"))?;
            let code = |(_, record, _): (u32, u32, u32)| column.of_record[record as usize];
            let null = column.values.iter().position(String::is_empty).map(|null| null as u32);
            let codes = Codes::from_iter(column.values.len(), rows().map(code));
            (texts(&column.values), codes, null)
        };
        columns.push(Column { name, values, codes, native_type, null });
    }
    let columns: Vec<WriteColumn<'_>> = columns
        .iter()
        .map(|column| WriteColumn {
            name: column.name,
            values: &column.values,
            null: column.null,
            native_type: column.native_type,
            source: &column.codes,
        })
        .collect();
    write_rows(file, &columns, n_rows, options, observer)
}
