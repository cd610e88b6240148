//! Writes moved tracks to a draft, in random order. Nothing here decides anything or makes the file
//! visible.

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::paths::resolve;
use sfumato_engine::random::{generator, shuffle};
use sfumato_io::{Output, WriteColumn, WriteOptions, write_rows};

use super::decide::Decided;
use crate::data::clock;
use crate::data::layout::Layout;
use crate::data::read::Loaded;
use crate::forms::beside;
use crate::forms::suppressed::publish::write_options;
use crate::forms::texts::Texts;
use crate::job::Job;

/// What is needed to read a draft back.
pub struct Witness {
    /// The options with which it was written.
    pub options: WriteOptions,
    /// Which record each published track is made from.
    pub order: Vec<u32>,
}

/// Write the tracks. Those that are left out aren't there.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    decided: &Decided,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let tracks = &decided.moved.tracks;
    let mut order: Vec<u32> =
        (0..).zip(tracks).filter(|(_, track)| track.is_some()).map(|(at, _)| at).collect();
    if order.is_empty() {
        return Err(Error::infeasible("no track would be left")
            .hint("ask for a smaller k, or cut tracks into pieces with cut=.."));
    }
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
    let (Layout::Track(layout), Some(data)) = (&loaded.release.layout, &loaded.tracks) else {
        return Err(Error::internal("a release of tracks has another layout"));
    };
    let [mut ids, mut xs, mut ys, mut times] = [(); 4].map(|()| Texts::default());
    for (row, record) in (1..).zip(order) {
        let Some(track) = &decided.moved.tracks[*record as usize] else {
            return Err(Error::internal("a track that is left out was to be written"));
        };
        let moments = decided.moved.moments.as_ref().map(|all| &all[*record as usize]);
        for (at, (tick, position)) in (track.start..).zip(&track.positions).enumerate() {
            ids.push(format!("{row}"));
            xs.push(data.plane.spell(position.x));
            ys.push(data.plane.spell(position.y));
            times.push(match moments.and_then(|moments| moments.get(at)) {
                Some(moment) => clock::spell(moment.published, data.written),
                None => decided.ticks.spell(tick, data.written),
            });
        }
    }
    let n_rows = ids.codes.len();
    let mut columns: Vec<(&str, Dictionary, Codes)> = Vec::new();
    for (name, _) in &loaded.release.columns {
        let lengths = order.iter().map(|record| {
            let track = decided.moved.tracks[*record as usize].as_ref();
            (*record, track.map_or(0, |track| track.positions.len()))
        });
        let quasi = loaded.data.quasi.iter().find(|column| column.name == *name);
        let mut known = quasi.map(|column| beside::texts(column, lengths)).unwrap_or_default();
        let texts = if *name == layout.id {
            &mut ids
        } else if *name == layout.x {
            &mut xs
        } else if *name == layout.y {
            &mut ys
        } else if *name == layout.time {
            &mut times
        } else {
            &mut known
        };
        let (values, codes) = (std::mem::take(&mut texts.values), std::mem::take(&mut texts.codes));
        let codes = Codes::from_iter(values.len(), codes.into_iter());
        columns.push((name, values, codes));
    }
    let columns: Vec<WriteColumn<'_>> = columns
        .iter()
        .map(|(name, values, codes)| WriteColumn {
            name,
            values,
            null: None,
            native_type: None,
            source: codes,
        })
        .collect();
    write_rows(file, &columns, n_rows, options, observer)
}
