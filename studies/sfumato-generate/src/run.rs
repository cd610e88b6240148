//! Running a generator: blocks are formatted in parallel and written in order.
//!
//! Memory stays bounded: two batches of blocks exist at a time, one being filled by the pool while
//! this thread writes the other. Buffers are reused from batch to batch.

use std::io::Write;
use std::ops::Range;

use sfumato_core::observer::{Observer, Unit};
use sfumato_core::registry::Params;
use sfumato_core::{Error, ErrorKind, Result};

use crate::{BLOCK_ROWS, Generator};

/// One block on its way: which rows, their text once filled, and what went wrong.
struct Slot {
    rows: Range<u64>,
    bytes: Vec<u8>,
    filled: Result<()>,
}

/// Write a header, if the kind has one, and `rows` rows of synthetic data.
pub fn generate(
    generator: &dyn Generator,
    params: &Params,
    rows: u64,
    seed: u64,
    out: &mut dyn Write,
    observer: &dyn Observer,
) -> Result<()> {
    generator.check(params)?;
    observer.begin("generate", rows, Unit::Rows);
    let done = write_all(generator, params, rows, seed, out, observer);
    observer.end();
    done
}

fn write_all(
    generator: &dyn Generator,
    params: &Params,
    rows: u64,
    seed: u64,
    out: &mut dyn Write,
    observer: &dyn Observer,
) -> Result<()> {
    let columns = generator.columns(params);
    if !columns.is_empty() {
        let header = columns.join(",") + "\n";
        out.write_all(header.as_bytes()).map_err(cannot_write)?;
    }

    let width = in_flight(rayon::current_num_threads());
    let mut filling: Vec<Slot> = Vec::new();
    let mut ready: Vec<Slot> = Vec::new();
    let mut next = 0;
    while next < rows || !ready.is_empty() {
        if observer.cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "stopped before all rows were generated"));
        }
        let mut used = 0;
        while used < width && next < rows {
            let end = rows.min(next.saturating_add(BLOCK_ROWS));
            match filling.get_mut(used) {
                Some(slot) => slot.rows = next..end,
                None => filling.push(Slot { rows: next..end, bytes: Vec::new(), filled: Ok(()) }),
            }
            next = end;
            used += 1;
        }
        filling.truncate(used);
        // The writer need not be Send: in_place_scope keeps this closure on the calling thread.
        rayon::in_place_scope(|scope| {
            for slot in &mut filling {
                scope.spawn(move |_| {
                    slot.bytes.clear();
                    slot.filled = generator.block(params, seed, slot.rows.clone(), &mut slot.bytes);
                });
            }
            write_batch(&ready, out, observer)
        })?;
        std::mem::swap(&mut filling, &mut ready);
    }
    out.flush().map_err(cannot_write)
}

fn write_batch(ready: &[Slot], out: &mut dyn Write, observer: &dyn Observer) -> Result<()> {
    for slot in ready {
        slot.filled.clone()?;
        out.write_all(&slot.bytes).map_err(cannot_write)?;
        observer.advance(slot.rows.end - slot.rows.start);
    }
    Ok(())
}

/// Blocks per batch: two per thread even out unequal blocks, but with many threads memory counts
/// more.
fn in_flight(threads: usize) -> usize {
    (2 * threads).min(threads.max(16))
}

/// The caller knows the file's name and adds it. A full disk is a lack of resources, as elsewhere.
fn cannot_write(source: std::io::Error) -> Error {
    let kind = match source.kind() {
        std::io::ErrorKind::StorageFull
        | std::io::ErrorKind::QuotaExceeded
        | std::io::ErrorKind::OutOfMemory => ErrorKind::Resources,
        _ => ErrorKind::Io,
    };
    Error::new(kind, format!("can't write the generated rows: {source}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicU64, Ordering};

    use sfumato_core::observer::Unobserved;

    use super::*;

    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[derive(Default)]
    struct Counting {
        rows: AtomicU64,
        ended: AtomicU64,
        stop_after: Option<u64>,
    }
    impl Observer for Counting {
        fn begin(&self, _: &str, _: u64, _: Unit) {}
        fn advance(&self, n: u64) {
            self.rows.fetch_add(n, Ordering::Relaxed);
        }
        fn end(&self) {
            self.ended.fetch_add(1, Ordering::Relaxed);
        }
        fn cancelled(&self) -> bool {
            self.stop_after.is_some_and(|rows| self.rows.load(Ordering::Relaxed) >= rows)
        }
    }

    fn agrawal() -> (&'static dyn Generator, Params) {
        let generator = crate::find("agrawal").unwrap();
        (generator, Params::check(generator.info(), &BTreeMap::new()).unwrap())
    }

    #[test]
    fn a_full_disk_is_a_lack_of_resources() {
        let (generator, params) = agrawal();
        let error = generate(generator, &params, 200_000, 1, &mut Full(3_000_000), &Unobserved)
            .unwrap_err();
        assert_eq!(error.kind, ErrorKind::Resources);
    }

    #[test]
    fn progress_counts_every_row_and_ends() {
        let (generator, params) = agrawal();
        let observer = Counting::default();
        generate(generator, &params, 70_000, 1, &mut std::io::sink(), &observer).unwrap();
        assert_eq!(observer.rows.load(Ordering::Relaxed), 70_000);
        assert_eq!(observer.ended.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn stops_when_asked() {
        let (generator, params) = agrawal();
        let observer = Counting { stop_after: Some(1), ..Counting::default() };
        let error =
            generate(generator, &params, u64::MAX, 1, &mut std::io::sink(), &observer).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Cancelled);
        assert_eq!(observer.ended.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn no_rows_is_a_header() {
        let (generator, params) = agrawal();
        let mut out = Vec::new();
        generate(generator, &params, 0, 1, &mut out, &Unobserved).unwrap();
        assert_eq!(out, b"salary,commission,age,elevel,car,zipcode,hvalue,hyears,loan\n");
    }
}
