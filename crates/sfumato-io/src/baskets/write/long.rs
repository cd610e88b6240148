//! Writes one row for each item of each record. Ids are numbers in file order, which say nothing
//! about the ids of the original.

use std::ops::Range;

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::observer::{Observer, Unobserved};

use crate::baskets::write::Job;
use crate::output::Output;
use crate::scan::check_cancelled;
use crate::writers::{ReleaseWriter, WriteColumn, blocks};

/// The number of records whose rows one worker makes, and the number of such pieces that are
/// appended at once.
const RECORDS: usize = 1 << 13;
const PIECES: usize = 16;

pub(super) fn write(out: Output, id: &str, item: &str, job: &Job<'_>) -> Result<Output> {
    let names: Dictionary = job.names.iter().collect();
    let item_type = if job.options.numeric { Some("Int64") } else { None };
    let header = [(id, Some("Int64")), (item, item_type)];
    let mut writer = ReleaseWriter::create(out, &header, &job.options.file)?;
    for records in blocks(0..job.n_records, RECORDS * PIECES) {
        check_cancelled(job.observer)?;
        let (ids, items) = rows(records.clone(), job);
        let numbers: Dictionary = records.clone().map(|record| (record + 1).to_string()).collect();
        let (ids, items) = (Codes::U32(ids), Codes::U32(items));
        let columns = [
            WriteColumn {
                name: id,
                values: &numbers,
                null: None,
                native_type: Some("Int64"),
                source: &ids,
            },
            WriteColumn {
                name: item,
                values: &names,
                null: None,
                native_type: item_type,
                source: &items,
            },
        ];
        // Rows aren't records: the observer is told about those.
        writer.append(&columns, items.len(), &Cancelled(job.observer))?;
        job.observer.advance(records.len() as u64);
    }
    writer.finish()
}

/// For each row, the number of its record among these, and its item.
fn rows(records: Range<usize>, job: &Job<'_>) -> (Vec<u32>, Vec<u32>) {
    let first = records.start;
    let pieces: Vec<Range<usize>> = blocks(records, RECORDS).collect();
    let pieces: Vec<(Vec<u32>, Vec<u32>)> = pieces
        .into_par_iter()
        .map(|records| {
            let (mut ids, mut items) = (Vec::new(), Vec::new());
            for record in records {
                job.records.append(record, &mut items);
                ids.resize(items.len(), (record - first) as u32);
            }
            (ids, items)
        })
        .collect();
    let (ids, items): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
    (ids.concat(), items.concat())
}

/// An observer that only passes on whether the user asked to stop.
struct Cancelled<'a>(&'a dyn Observer);

impl Observer for Cancelled<'_> {
    fn begin(&self, step: &str, total: u64, unit: sfumato_core::observer::Unit) {
        Unobserved.begin(step, total, unit);
    }
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
