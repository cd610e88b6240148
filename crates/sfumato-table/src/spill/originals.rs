//! Partitions on disk, and how their records are loaded in the order in which they are published.

use crate::algorithms::rothko::Words;
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::{Boxes, BoxesBuilder, Recoding, SUPPRESSED, Value};
use sfumato_core::tuples::{Batch, Chained, Frame, Loaded, Sliced, Tuples};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{Run, SpillFolder, SpillTuples};

use super::resume::Spilled;
use super::rules::read_rules;
use super::seed::Secret;
use super::verify::Originals;
use crate::forms::generalized::reorder::order_of;

/// The number of columns that are loaded at once.
const AT_ONCE: usize = 2;

/// One partition with the decision about it.
pub struct DecidedPartition {
    /// The tuples.
    pub tuples: Box<dyn Tuples>,
    /// The description of the partition for a manifest.
    pub spilled: Spilled,
    /// The rules of the decision, after it was made.
    pub rules: Option<Run>,
    /// The number of its published records, after the decision.
    pub n_published: usize,
}

/// All partitions in the order in which they are published.
pub struct Partitions<'a> {
    /// What tuples are.
    pub frame: &'a Frame,
    /// The partitions.
    pub parts: Vec<DecidedPartition>,
    /// The source of random numbers.
    pub secret: Secret,
}

impl Partitions<'_> {
    /// The random generator of a partition.
    pub fn generator(&self, partition: usize) -> ChaCha20Rng {
        self.secret.of_partition(partition as u64)
    }

    /// A partition in the order of its tuples.
    pub fn load(&self, partition: usize) -> Result<Table> {
        let DecidedPartition { tuples, spilled, .. } = &self.parts[partition];
        // The bounds of a class that is published in slices are values of each of them.
        let cells = spilled.whole_class.iter().flatten().map(|words| [words.min, words.max]);
        let cells: Vec<[u64; 2]> = cells.collect();
        let n_rows = usize::try_from(tuples.n_rows())
            .map_err(|_| Error::resources("a partition is too large"))?;
        // Columns are read from different places of the files, so they can be read at once; words
        // are wider than codes, so not all of them.
        let mut columns: Vec<Loaded> = Vec::with_capacity(self.frame.columns.len());
        let places: Vec<usize> = (0..self.frame.columns.len()).collect();
        for places in places.chunks(AT_ONCE) {
            let loaded: Vec<Result<Loaded>> = places
                .par_iter()
                .map(|place| self.frame.load_column(tuples.as_ref(), *place, &cells))
                .collect();
            columns.extend(loaded.into_iter().collect::<Result<Vec<_>>>()?);
        }
        Ok(self.frame.assemble(n_rows, columns))
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
                order_of(Some(&mut generator), table.n_rows, |row| {
                    classes[row as usize] != SUPPRESSED
                })
            }
            (None, false) => {
                return Err(Error::internal("a partition that isn't decided was read back"));
            }
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

/// The identity of each person of a partition, in the order in which they are first seen, as
/// `Frame::load` numbers them.
fn people(tuples: &dyn Tuples, place: usize) -> Result<Vec<u64>> {
    let mut seen = sfumato_core::FastSet::default();
    let mut people = Vec::new();
    tuples.scan(&[place], &mut |batch: &Batch<'_>| {
        people.extend(batch.columns[place].iter().copied().filter(|person| seen.insert(*person)));
        Ok(())
    })?;
    Ok(people)
}

/// Open a partition that a manifest names.
pub fn reopen(folder: &SpillFolder, spilled: &Spilled) -> Result<Box<dyn Tuples>> {
    let open = |name: &String| Ok(Box::new(SpillTuples::open(folder, name)?) as Box<dyn Tuples>);
    let tuples = Chained::of(spilled.files.iter().map(open).collect::<Result<Vec<_>>>()?);
    Ok(match spilled.slice {
        None => tuples,
        Some((which, of)) => Box::new(Sliced { tuples: tuples.into(), which, of }),
    })
}

/// A partition, or a slice of one, that is one class. Nothing of it is published if it is
/// suppressed.
pub fn one_class(table: &Table, frame: &Frame, spilled: &Spilled) -> Result<Boxes> {
    let mut builder = BoxesBuilder::new(table.quasi().len());
    if !spilled.published {
        return Ok(builder.finish(vec![SUPPRESSED; table.n_rows]));
    }
    let cells =
        spilled.whole_class.as_ref().ok_or_else(|| Error::internal("a class has no cells"))?;
    let column = |((column, place), words): ((&Column, usize), &Words)| {
        let codes = |word: u64| frame.columns[place].code(word, &column.domain);
        let missing = column.domain.missing();
        let (lo, last) = (codes(words.min), codes(words.max));
        let hi = if last >= missing { missing } else { last + 1 };
        Value::covering(column, lo.min(hi), hi, last >= missing)
    };
    let quasi = table.quasi().into_iter().zip(frame.quasi());
    let region: Vec<Value> = quasi.zip(cells).map(column).collect();
    builder.push(&region)?;
    Ok(builder.finish(vec![0; table.n_rows]))
}
