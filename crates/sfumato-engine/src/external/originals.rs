//! Partitions on disk, and how their records are brought back in the order in which they leave.

use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::{Boxes, BoxesBuilder, Recoding, SUPPRESSED, Value};
use sfumato_core::tuples::{Batch, Frame, Tuples};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{Run, SpillFolder, SpillTuples};

use super::resume::Spilled;
use super::rules::read_rules;
use super::seed::Secret;
use super::verify::Originals;
use crate::stage::reorder::order_of;

/// One partition with what was decided about it.
pub struct Part {
    /// Where its tuples are.
    pub tuples: Box<dyn Tuples>,
    /// What it is.
    pub spilled: Spilled,
    /// Its rules, once they are decided.
    pub rules: Option<Run>,
    /// How many of its records leave, once that is decided.
    pub n_published: usize,
}

/// All partitions in the order in which they leave.
pub struct Partitions<'a> {
    /// What tuples are.
    pub frame: &'a Frame,
    /// The partitions.
    pub parts: Vec<Part>,
    /// Where random numbers come from.
    pub secret: Secret,
}

impl Partitions<'_> {
    /// The random numbers of a partition.
    pub fn generator(&self, partition: usize) -> ChaCha20Rng {
        self.secret.of_partition(partition as u64)
    }

    /// A partition in the order of its tuples.
    pub fn load(&self, partition: usize) -> Result<Table> {
        self.frame.load(self.parts[partition].tuples.as_ref())
    }
}

impl Originals for Partitions<'_> {
    fn n_partitions(&self) -> usize {
        self.parts.len()
    }

    fn n_published(&self, partition: usize) -> usize {
        self.parts[partition].n_published
    }

    fn load(&self, partition: usize) -> Result<(Table, Vec<u64>)> {
        let part = &self.parts[partition];
        let mut table = Partitions::load(self, partition)?;
        let mut generator = self.generator(partition);
        let everybody = part.n_published == table.n_rows;
        let (order, n_published) = match (&part.rules, everybody) {
            (_, true) => order_of(Some(&mut generator), table.n_rows, |_| true),
            (Some(rules), false) => {
                let recoding = read_rules(rules)?;
                let classes = recoding.class_of_row();
                order_of(Some(&mut generator), table.n_rows, |row| classes[row as usize] != SUPPRESSED)
            }
            (None, false) => return Err(Error::internal("a partition that isn't decided was read back")),
        };
        if n_published != part.n_published {
            return Err(Error::internal("a partition has other records than it had"));
        }
        table.columns.par_iter_mut().for_each(|column| column.codes = column.codes.gather(&order));
        if let Some(subject) = &mut table.subject {
            *subject = subject.gather(&order);
        }
        let people = match self.frame.subject {
            None => Vec::new(),
            Some(place) => people(part.tuples.as_ref(), place)?,
        };
        Ok((table, people))
    }
}

/// The identity of each person of a partition, in the order first seen: as `Frame::load` numbers them.
fn people(tuples: &dyn Tuples, place: usize) -> Result<Vec<u64>> {
    let mut seen = sfumato_core::FastSet::default();
    let mut people = Vec::new();
    tuples.scan(&[place], &mut |batch: &Batch<'_>| {
        people.extend(batch.columns[place].iter().copied().filter(|person| seen.insert(*person)));
        Ok(())
    })?;
    Ok(people)
}

/// Open a partition again that a manifest names.
pub fn reopen(folder: &SpillFolder, spilled: &Spilled) -> Result<Box<dyn Tuples>> {
    let files =
        spilled.files.iter().map(|name| Ok(Box::new(SpillTuples::open(folder, name)?) as Box<dyn Tuples>));
    Ok(Box::new(sfumato_recode::rothko::Chained::new(files.collect::<Result<Vec<_>>>()?)))
}

/// A partition that can't be divided: one class, or nothing if it isn't published.
pub fn one_class(table: &Table, frame: &Frame, spilled: &Spilled) -> Result<Boxes> {
    let quasi = table.quasi();
    let mut builder = BoxesBuilder::new(quasi.len());
    if !spilled.published {
        return Ok(builder.finish(vec![SUPPRESSED; table.n_rows]));
    }
    let region: Vec<Value> = quasi.iter().map(|column| cover(column)).collect();
    let _ = frame;
    builder.push(&region)?;
    Ok(builder.finish(vec![0; table.n_rows]))
}

/// The smallest value that covers all cells of a column.
fn cover(column: &Column) -> Value {
    let missing = column.domain.missing();
    let (mut lo, mut hi, mut with_missing) = (u32::MAX, 0, false);
    for code in column.codes.iter() {
        match code == missing {
            true => with_missing = true,
            false => (lo, hi) = (lo.min(code), hi.max(code + 1)),
        }
    }
    Value::covering(column, lo.min(hi), hi, with_missing)
}
