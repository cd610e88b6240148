//! Writes tracks of regions to a draft, in random order. Nothing here decides anything or makes the
//! file visible.

use sfumato_core::column::Codes;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::paths::resolve;
use sfumato_engine::random::{generator, shuffle};
use sfumato_io::{Output, WriteColumn, WriteOptions, write_rows};

use super::decide::{Decided, tracks_of};
use crate::data::layout::{Layout, RegionColumns};
use crate::data::read::Loaded;
use crate::forms::beside;
use crate::forms::suppressed::publish::write_options;
use crate::forms::texts::Texts;
use crate::job::Job;

/// What is needed to read a draft back.
pub struct Witness {
    /// The options with which it was written.
    pub options: WriteOptions,
    /// Which of those who take part each published track is of.
    pub order: Vec<u32>,
}

/// The columns of a release of these tracks.
pub fn columns_of(loaded: &Loaded) -> Result<RegionColumns> {
    match &loaded.release.layout {
        Layout::Track(track) => Ok(RegionColumns::of(track)),
        _ => Err(Error::unsupported("regions are made of tracks of coordinates, without a grid")
            .hint("leave grid=.. out of --paths")),
    }
}

/// Write the regions.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    decided: &Decided,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let mut order: Vec<u32> = (0..decided.people.taking_part.len() as u32).collect();
    if !job.output.keep_order {
        shuffle(&mut order, &mut generator(job.run.seed)?);
    }
    let destination = resolve(&job.base, &job.output.path);
    let options = write_options(loaded, &destination)?;
    let mut draft = Draft::file(&destination)?;
    draft.write(|file| write(file, loaded, decided, &order, &options, observer))?;
    Ok((draft, Witness { options, order }))
}

fn write(
    file: Output,
    loaded: &Loaded,
    decided: &Decided,
    order: &[u32],
    options: &WriteOptions,
    observer: &dyn Observer,
) -> Result<Output> {
    let data = tracks_of(loaded)?;
    let columns = columns_of(loaded)?;
    let mut texts: [Texts; 6] = Default::default();
    for (row, who) in (1..).zip(order) {
        let track = decided.people.taking_part[*who as usize];
        let start = decided.people.tracks[track as usize].start;
        for (tick, region) in (start..).zip(&decided.published.regions[*who as usize]) {
            let corners = [region.from.x, region.to.x, region.from.y, region.to.y];
            texts[0].push(format!("{row}"));
            for (text, corner) in texts[1..5].iter_mut().zip(corners) {
                text.push(data.plane.spell(corner));
            }
            texts[5].push(decided.people.ticks.spell(tick, data.written));
        }
    }
    let n_rows = texts[0].codes.len();
    let lengths = order.iter().map(|who| {
        let track = decided.people.taking_part[*who as usize];
        (track, decided.published.regions[*who as usize].len())
    });
    let quasi = &loaded.data.quasi;
    let known = quasi.iter().map(|column| beside::texts(column, lengths.clone()));
    let texts: Vec<Texts> = texts.into_iter().chain(known).collect();
    let names: Vec<&str> = columns
        .names()
        .into_iter()
        .chain(quasi.iter().map(|column| column.name.as_str()))
        .collect();
    let codes: Vec<Codes> = texts
        .iter()
        .map(|texts| Codes::from_iter(texts.values.len(), texts.codes.iter().copied()))
        .collect();
    let column = |at: usize| WriteColumn {
        name: names[at],
        values: &texts[at].values,
        null: None,
        native_type: None,
        source: &codes[at],
    };
    let written: Vec<WriteColumn<'_>> = (0..names.len()).map(column).collect();
    write_rows(file, &written, n_rows, options, observer)
}
