//! Writes bitmaps to a draft. Nothing here decides anything.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::draft::Draft;
use sfumato_engine::paths::resolve;
use sfumato_io::{BasketLayout, BasketWriteOptions, Keyed, RecordSource, write_baskets};

use crate::data::read::Loaded;
use crate::job::Job;
use crate::traits::BitmapDecision;

use super::files::{base_layout, distance_layout, names};

/// What is needed to read a draft back.
pub struct Witness {
    /// The names of the files of base and distance sets.
    pub names: [String; 2],
    /// The layout of base sets.
    pub layout: BasketLayout,
}

/// Write base sets, with the sensitive items of the records that they stand for, and distance sets
/// after their thresholds.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    decision: &BitmapDecision,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let layout = base_layout(&loaded.release_layout);
    let mut draft = Draft::folder(&resolve(&job.base, &job.output.path))?;
    let names = names(&layout, &loaded.source.format);
    let bitmaps = &decision.bitmaps;
    let mut write = |name: &str, layout: &BasketLayout, rows: &dyn RecordSource| {
        let mut options = BasketWriteOptions::for_destination(name, layout)?;
        options.numeric = loaded.numeric;
        options.file.crlf = loaded.source.crlf;
        let items = &loaded.baskets.items.names;
        draft.write_within(name, |file| {
            write_baskets(file, layout, items, bitmaps.len(), rows, &options, observer)
        })
    };
    let base = |row: usize, codes: &mut Vec<u32>| {
        let before = codes.len();
        bitmaps.base.append(row, codes);
        if let Some(sensitive) = &loaded.baskets.sensitive {
            sensitive.append(bitmaps.label_of[row] as usize, codes);
            codes[before..].sort_unstable();
        }
    };
    write(&names[0], &layout, &base)?;
    let distance = |row: usize, codes: &mut Vec<u32>| bitmaps.distance.append(row, codes);
    let rows = Keyed { records: &distance, keys: &bitmaps.threshold };
    write(&names[1], &distance_layout(&layout), &rows)?;
    Ok((draft, Witness { names, layout }))
}
