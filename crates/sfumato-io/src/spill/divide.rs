//! Divides tuples into spilled partitions in one pass, in which writing overlaps with reading.
//!
//! The thread that reads also routes and scatters; full chunks go to threads that encode and write.
//! Each partition belongs to one of these threads, so its chunks arrive in order and the bytes of
//! its file don't depend on the number of threads.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use sfumato_core::{Error, Result};

use super::chunk;
use super::disk::BLOCK;
use super::folder::SpillFolder;
use super::partition::SpillTuples;
use super::rows::{Layout, Rows};
use super::writer::{ChunkFile, Scratch};
use crate::spill::{Batch, Divide, Route, Tuples};

/// The largest number of full chunks that wait for a writer.
const WAITING: usize = 2;
/// The smallest number of rows of a chunk. With fewer, its head would be larger than the rows.
const FEWEST_ROWS: usize = 256;

/// Divides tuples into spilled partitions.
#[derive(Debug, Clone)]
pub struct SpillDivide {
    folder: SpillFolder,
    layout: Layout,
    rows_per_chunk: usize,
    sync: bool,
}

/// The number of a partition, and rows of it.
type Full = (usize, Rows);

impl SpillDivide {
    /// Make partitions in a folder. `widths` are the bytes of the words of each column (see
    /// [`super::width_of`]), and chunks have `rows_per_chunk` rows.
    pub fn new(folder: &SpillFolder, widths: &[u8], rows_per_chunk: usize) -> Result<Self> {
        let rows_per_chunk = rows_per_chunk.clamp(1, chunk::MOST_ROWS);
        Ok(SpillDivide {
            folder: folder.clone(),
            layout: Layout::new(widths)?,
            rows_per_chunk,
            sync: false,
        })
    }

    /// Make partitions that outlast a crash, because a manifest will name them.
    #[must_use]
    pub fn synced(mut self) -> Self {
        self.sync = true;
        self
    }

    /// The number of rows of a chunk for which `n_parts` partitions need at most `bytes` bytes of
    /// memory. `None` if they need more with any chunks. Chunks are no larger than a block needs,
    /// since more would only take memory.
    pub fn rows_that_fit(widths: &[u8], n_parts: usize, bytes: u64) -> Result<Option<usize>> {
        let layout = Layout::new(widths)?;
        let row = layout.bytes_of(1) - layout.bytes_of(0);
        let most = (BLOCK / row.max(1)).clamp(FEWEST_ROWS, chunk::MOST_ROWS);
        let fits = |rows: &usize| memory_of(&layout, *rows, n_parts, 1) <= bytes;
        Ok(std::iter::successors(Some(most), |rows| Some(rows * 3 / 4))
            .take_while(|rows| *rows >= FEWEST_ROWS)
            .find(fits))
    }

    /// The least memory that dividing into `n_parts` partitions takes, with chunks of
    /// `rows_per_chunk` rows of columns of such widths: with one thread that writes. What is
    /// planned by it is the same on any machine.
    pub fn memory_of(widths: &[u8], rows_per_chunk: usize, n_parts: usize) -> Result<u64> {
        Ok(memory_of(&Layout::new(widths)?, rows_per_chunk, n_parts, 1))
    }

    /// The least memory that dividing into `n_parts` partitions takes.
    pub fn memory(&self, n_parts: usize) -> u64 {
        memory_of(&self.layout, self.rows_per_chunk, n_parts, 1)
    }

    /// How many threads may write so that there is memory for all, and what they take: one in any
    /// case.
    fn writers(&self, n_parts: usize) -> (usize, u64) {
        let left = self.folder.accountant().left();
        let memory = |n: usize| memory_of(&self.layout, self.rows_per_chunk, n_parts, n);
        let most = n_writers().min(n_parts.max(1));
        let n = (1..=most).rev().find(|n| memory(*n) <= left).unwrap_or(1);
        (n, memory(n))
    }

    /// Divide tuples, and return the files of the partitions.
    pub fn divide_into_files(
        &self,
        tuples: &dyn Tuples,
        n_parts: usize,
        route: &mut Route<'_>,
    ) -> Result<Vec<SpillTuples>> {
        let (n_writers, memory) = self.writers(n_parts);
        let _memory = self.folder.accountant().plan("dividing into partitions", memory)?;
        let mut files: Vec<Vec<ChunkFile>> = (0..n_writers).map(|_| Vec::new()).collect();
        for part in 0..n_parts {
            files[part % n_writers].push(ChunkFile::create(&self.folder, self.layout.n_columns())?);
        }
        std::thread::scope(|scope| {
            let (spent, empty) = channel();
            let mut senders = Vec::new();
            let start = |files: Vec<ChunkFile>| {
                let (sender, full) = sync_channel(WAITING);
                senders.push(sender);
                let spent = spent.clone();
                scope.spawn(move || self.write(files, &full, &spent))
            };
            let writers: Vec<_> = files.into_iter().map(start).collect();
            drop(spent);
            // The senders end with this call, and with them the writers.
            let scattered = self.scatter(tuples, n_parts, route, senders, &empty);
            let written: Vec<Result<Vec<SpillTuples>>> = writers
                .into_iter()
                .map(|writer| {
                    writer
                        .join()
                        .unwrap_or_else(|_| Err(Error::internal("a writer of partitions panicked")))
                })
                .collect();
            // A writer that failed is why scattering did, not the other way round.
            let written = written.into_iter().collect::<Result<Vec<_>>>()?;
            scattered?;
            let mut written: Vec<_> = written.into_iter().map(Vec::into_iter).collect();
            let next = |part: usize| {
                written[part % n_writers]
                    .next()
                    .ok_or_else(|| Error::internal("a partition has no file"))
            };
            (0..n_parts).map(next).collect()
        })
    }

    /// Read tuples, route them and scatter them to the partitions.
    fn scatter(
        &self,
        tuples: &dyn Tuples,
        n_parts: usize,
        route: &mut Route<'_>,
        senders: Vec<SyncSender<Full>>,
        empty: &Receiver<Rows>,
    ) -> Result<()> {
        let layout = &self.layout;
        let mut staged: Vec<Rows> = (0..n_parts).map(|_| Rows::default()).collect();
        // Partitions that grow alike would all be full at once, and the writers idle until then:
        // their first chunks differ in length.
        let mut limits: Vec<usize> =
            (1..=n_parts).map(|part| (self.rows_per_chunk * part).div_ceil(n_parts)).collect();
        let send = |part: usize, rows: Rows| {
            let lost = |_| Error::internal("a writer of partitions stopped");
            senders[part % senders.len()].send((part / senders.len(), rows)).map_err(lost)
        };
        let (mut part_of_row, mut tile) = (Vec::new(), Vec::new());
        let wanted: Vec<usize> = (0..layout.n_columns()).collect();
        tuples.scan(&wanted, &mut |batch: &Batch<'_>| {
            part_of_row.clear();
            route(batch, &mut part_of_row)?;
            if part_of_row.len() != batch.n_rows
                || part_of_row.iter().any(|part| *part as usize >= n_parts)
            {
                return Err(Error::internal("a tuple has no partition to go to"));
            }
            layout.pack(batch, &mut tile, |row, packed| {
                let part = part_of_row[row] as usize;
                let rows = &mut staged[part];
                if rows.n_rows() == 0 {
                    rows.allocate(layout, self.rows_per_chunk);
                }
                if rows.push(layout, packed) == limits[part] {
                    limits[part] = self.rows_per_chunk;
                    // Used memory first: more is taken only while the writers hold all there is.
                    let full = std::mem::replace(rows, empty.try_recv().unwrap_or_default());
                    send(part, full)?;
                }
                Ok(())
            })
        })?;
        staged
            .into_iter()
            .enumerate()
            .filter(|(_, rows)| rows.n_rows() > 0)
            .try_for_each(|(p, r)| send(p, r))
    }

    /// Encode and write all chunks that arrive, then finish the files.
    fn write(
        &self,
        mut files: Vec<ChunkFile>,
        full: &Receiver<Full>,
        spent: &Sender<Rows>,
    ) -> Result<Vec<SpillTuples>> {
        let mut scratch = Scratch::default();
        for (file, mut rows) in full {
            files[file].put(&self.layout, &rows, &mut scratch)?;
            rows.clear();
            // Nobody needs it any more once everything is scattered.
            let _ = spent.send(rows);
        }
        files.into_iter().map(|file| file.finish(self.sync)).collect()
    }
}

/// The number of threads that encode and write. Scattering keeps one busy, and more than a few wait
/// for the disk.
fn n_writers() -> usize {
    (rayon::current_num_threads() / 2).clamp(1, 4)
}

fn memory_of(layout: &Layout, rows_per_chunk: usize, n_parts: usize, n_writers: usize) -> u64 {
    let staged = (n_parts + n_writers * (WAITING + 1)) * layout.bytes_of(rows_per_chunk);
    (staged + n_parts * BLOCK + n_writers * Scratch::bytes_of(layout, rows_per_chunk)) as u64
}

impl Divide for SpillDivide {
    fn divide(
        &self,
        tuples: &dyn Tuples,
        n_parts: usize,
        route: &mut Route<'_>,
    ) -> Result<Vec<Box<dyn Tuples>>> {
        let parts = self.divide_into_files(tuples, n_parts, route)?;
        Ok(parts.into_iter().map(|part| Box::new(part) as Box<dyn Tuples>).collect())
    }
}
