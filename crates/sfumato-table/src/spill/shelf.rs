//! Partitions of a table on disk: how one is loaded, decided about, and noted.

use std::sync::Arc;

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::group::Summary;
use sfumato_core::memory::{Accountant, Reservation};
use sfumato_core::observer::Observer;
use sfumato_core::recoding::{Boxes, BoxesBuilder, Cut, SUPPRESSED, Value};
use sfumato_core::traits::Objective;
use sfumato_core::{Error, FastSet, Result};
use sfumato_engine::exec::Shelf;
use sfumato_io::spill::{Batch, Tuples};
use sfumato_io::spill::{Run, SpillFolder, SpillTuples};

use super::cuts::recode;
use super::division::Spilled;
use super::layout::Layout;
use super::rules::{read_rules, write_rules};
use super::texts::{TextColumns, load_texts};
use crate::algorithms::rothko::{self, Words};
use crate::data::encode::Encoded;
use crate::data::tuples::{Chained, Frame, Loaded, Sliced};
use crate::forms::generalized::anonymize::Decided;
use crate::forms::generalized::make_plan::Plan;
use crate::job::Job;
use crate::kind::TableData;

/// Columns that are loaded at once.
const AT_ONCE: usize = 2;

/// What is known of a whole table on disk whenever one of its partitions is in memory.
pub struct About {
    /// The columns of the tuples, and what their words mean.
    pub layout: Layout,
    /// The summary of all records: what classes are compared with.
    pub whole: Summary,
    /// Where random choices of the algorithm start from.
    pub seed: u64,
}

impl About {
    /// Tell Rothko what is asked.
    pub fn outline<T>(
        &self,
        (job, plan): (&Job, &Plan),
        (books, observer): (&Accountant, &dyn Observer),
        run: impl FnOnce(&rothko::Outline<'_>) -> Result<T>,
    ) -> Result<T> {
        let bind = |table: &Table| crate::workloads::bind(&job.workload.tasks, table);
        run(&rothko::Outline {
            frame: &self.layout.frame,
            requirements: &plan.requirements,
            whole: &self.whole,
            max_suppressed: plan.max_suppressed,
            params: &plan.params,
            workload: (!job.workload.tasks.is_empty()).then_some(&bind),
            objective: &|table| Objective::ncp(table),
            seed: self.seed,
            books,
            observer,
        })
    }
}

/// Where a partition is in the tree that divided the table.
#[derive(Clone)]
pub struct Part {
    about: Arc<About>,
    tuples: Arc<dyn Tuples>,
    spilled: Spilled,
    /// The cuts, where one recoding is for all partitions.
    pub cuts: Option<Arc<[Cut]>>,
    /// The files of texts that aren't in memory, where there are any.
    pub texts: Option<Arc<TextColumns>>,
    /// The memory of its records, while they are loaded.
    pub memory: Option<Arc<Reservation>>,
}

impl Part {
    /// A partition that was divided off.
    pub fn new(about: &Arc<About>, (tuples, spilled): (Arc<dyn Tuples>, Spilled)) -> Self {
        Part { about: Arc::clone(about), tuples, spilled, cuts: None, texts: None, memory: None }
    }

    /// A partition that a killed run has divided off.
    pub fn reopen(about: &Arc<About>, folder: &SpillFolder, spilled: &Spilled) -> Result<Self> {
        let open =
            |name: &String| Ok(Box::new(SpillTuples::open(folder, name)?) as Box<dyn Tuples>);
        let files = spilled.files.iter().map(open).collect::<Result<Vec<_>>>()?;
        let all: Arc<dyn Tuples> = Chained::of(files).into();
        let tuples = match spilled.slice {
            None => all,
            Some((which, of)) => Arc::new(Sliced { tuples: all, which, of }),
        };
        Ok(Part::new(about, (tuples, spilled.clone())))
    }

    /// The books of the run, while its records are loaded.
    pub fn books(&self) -> Option<&Accountant> {
        self.memory.as_ref().map(|memory| memory.accountant())
    }

    /// Decide about the partition: by the cuts that are for all of them, or Mondrian goes on from
    /// where the tree above left off.
    pub fn decide(
        &self,
        (job, plan): (&Job, &Plan),
        table: &Table,
        observer: &dyn Observer,
    ) -> Result<Boxes> {
        if let Some(cuts) = &self.cuts {
            return recode(table, cuts);
        }
        match self.spilled.whole_class.is_some() || !self.spilled.published {
            true => one_class(table, &self.about.layout.frame, &self.spilled),
            false => {
                let books = self.books().cloned().unwrap_or_default();
                self.about.outline((job, plan), (&books, observer), |outline| {
                    rothko::finish(outline, table, &self.spilled.above)
                })
            }
        }
    }

    /// The identity of each person of the partition, in the order first seen: as `Frame::load`
    /// numbers them. Nobody without a subject column.
    pub fn people(&self) -> Result<Vec<u64>> {
        let Some(place) = self.about.layout.frame.subject else { return Ok(Vec::new()) };
        let mut seen = FastSet::default();
        let mut people = Vec::new();
        self.tuples.scan(&[place], &mut |batch: &Batch<'_>| {
            let column = batch.columns[place].iter().copied();
            people.extend(column.filter(|person| seen.insert(*person)));
            Ok(())
        })?;
        Ok(people)
    }

    /// The rows in the order of the tuples.
    fn load(&self) -> Result<Table> {
        let frame = &self.about.layout.frame;
        let tuples = self.tuples.as_ref();
        // The bounds of a class that is published in slices are values of each of them.
        let cells = self.spilled.whole_class.iter().flatten().map(|words| [words.min, words.max]);
        let cells: Vec<[u64; 2]> = cells.collect();
        let n_rows = usize::try_from(tuples.n_rows())
            .map_err(|_| Error::resources("a partition is too large"))?;
        // Columns are read from different places of the files, so they can be read at once; words
        // are wider than codes, so not all of them.
        let mut columns: Vec<Loaded> = Vec::with_capacity(frame.columns.len());
        let places: Vec<usize> = (0..frame.columns.len()).collect();
        for places in places.chunks(AT_ONCE) {
            let load = |place: &usize| {
                let column = &frame.columns[*place];
                match self.texts.as_ref().and_then(|texts| texts.get(place)) {
                    Some(file) => load_texts(tuples, (*place, &column.column, column.cells), file)
                        .map(|column| Loaded::Column(Box::new(column))),
                    None => frame.load_column(tuples, *place, &cells),
                }
            };
            let loaded: Vec<Result<Loaded>> = places.par_iter().map(load).collect();
            columns.extend(loaded.into_iter().collect::<Result<Vec<_>>>()?);
        }
        Ok(frame.assemble(n_rows, columns))
    }
}

/// The partitions of a table, in the order in which they leave.
pub struct TableShelf {
    /// What is known of the columns; it has no rows.
    pub outline: Encoded,
    /// The partitions.
    pub parts: Vec<Part>,
    /// Bytes that a record takes while its partition is anonymized.
    pub bytes_per_row: u64,
    /// Who is told of it.
    pub books: Accountant,
}

impl Shelf<TableData, Decided> for TableShelf {
    fn count(&self) -> usize {
        self.parts.len()
    }
    fn load(&self, at: usize) -> Result<TableData> {
        let mut part = self.parts[at].clone();
        let bytes = part.spilled.n_rows.saturating_mul(self.bytes_per_row);
        part.memory = Some(Arc::new(self.books.book("the records of a partition", bytes)));
        let encoded = self.outline.with_table(part.load()?);
        Ok(TableData { encoded, larger: None, part: Some(part), population: None })
    }
    fn write(&self, folder: &SpillFolder, _: &TableData, decided: &Decided) -> Result<String> {
        // The store names it in its notes: it stays as long as the folder does.
        Ok(write_rules(folder, decided)?.kept(true).name())
    }
    fn read(&self, folder: &SpillFolder, name: &str) -> Result<Decided> {
        read_rules(&Run::open(folder, name)?)
    }
}

/// A partition, or a slice of one, that is one class; nothing of it leaves if it isn't published.
fn one_class(table: &Table, frame: &Frame, spilled: &Spilled) -> Result<Boxes> {
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
