//! Verifies a release that is larger than memory: its bytes are read back once, compared with the
//! originals of each partition, and grouped externally.
//!
//! As in memory, nothing that the algorithm says is trusted: row i of the file must be the i-th
//! published record, every published cell must cover its original, and every model is checked on
//! the classes that a recipient sees.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use sfumato_core::column::{Code, Dictionary};
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::group::{Guarantee, Summary};
use sfumato_core::memory::Reservation;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::traits::ClassSizes;
use sfumato_core::{Error, FastMap, Result, with_codes};
use sfumato_engine::exec::Partitions;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::spill::SpillFolder;
use sfumato_io::{LocalBlock, LocalCells, LocalSink, ReadOptions, scan_local};

use super::audit::projections;
use super::class_runs::{ClassRuns, put_text};
use super::cover::ColumnCover;
use super::larger::Larger;
use super::people::PeopleRuns;
use crate::data::class_index::ClassIndex;
use crate::data::tuples::Frame;
use crate::forms::generalized::anonymize::{Decided, published_alike};
use crate::forms::generalized::apply::Layout;
use crate::forms::generalized::cover::Cover;
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::reorder::order_of;
use crate::forms::generalized::verify::{Evidence, Groups, ReadBack, check_suppressed};
use crate::kind::TableData;

/// What was found.
struct Verification {
    /// What was asked and what is achieved.
    guarantees: Vec<Guarantee>,
    /// The classes as a recipient sees them, in people.
    classes: ClassSizes,
    /// What was checked.
    evidence: Evidence,
    /// SHA-256 of the file's bytes.
    sha256: String,
    /// Bytes of the file.
    bytes: u64,
    /// Whether classes of several partitions may be published alike, so that a failure needn't be a
    /// lie of the algorithm.
    may_be_alike: bool,
}

/// The originals, partition by partition, in the order in which they left.
struct Originals<'a> {
    partitions: &'a dyn Partitions<TableData, Decided>,
    /// How many records of each partition left.
    published: &'a [usize],
}

impl Originals<'_> {
    /// A partition: its first records are those that left, in their order. With a subject column,
    /// the identity of each of its codes. The last is the memory that is booked for it.
    fn load(&self, at: usize) -> Result<(Table, Vec<u64>, Option<Arc<Reservation>>)> {
        let in_memory = || Error::internal("a partition in memory was read back as one on disk");
        let data = self.partitions.load(at)?.ok_or_else(in_memory)?;
        let mut table = data.encoded.table;
        let mut random = self.partitions.random(at)?;
        let expected = self.published[at];
        let (order, n_published) = match expected == table.n_rows {
            true => order_of(Some(&mut random), table.n_rows, |_| true),
            false => {
                let undecided = || Error::internal("a partition that isn't decided was read back");
                let decided = self.partitions.decided(at)?.ok_or_else(undecided)?;
                let classes = decided.recoding.class_of_row();
                order_of(Some(&mut random), table.n_rows, |row| classes[row as usize] != SUPPRESSED)
            }
        };
        if n_published != expected {
            return Err(Error::internal("a partition has other records than it had"));
        }
        table.columns.par_iter_mut().for_each(|column| column.codes = column.codes.gather(&order));
        if let Some(subject) = &mut table.subject {
            *subject = subject.gather(&order);
        }
        let memory = data.part.as_ref().and_then(|part| part.memory.clone());
        Ok((table, data.part.map_or(Ok(Vec::new()), |part| part.people())?, memory))
    }
}

/// Read a draft back, partition by partition, and compare it with the originals. Classes are
/// grouped in the folder, with a share of the memory that is allowed.
pub fn read_back(
    plan: &Plan,
    larger: &Larger,
    partitions: &dyn Partitions<TableData, Decided>,
    (path, layout, published): (&Path, &Layout, &[usize]),
    folder: &SpillFolder,
    observer: &dyn Observer,
) -> Result<ReadBack> {
    let originals = Originals { partitions, published };
    let frame = &larger.about.layout.frame;
    let free = larger.shares.free();
    let counts_values =
        plan.requirements.needed_histograms(frame.sensitive().len()).iter().any(|needed| *needed);
    let people = match frame.subject.is_some() && !counts_values {
        true => Some(PeopleRuns::new(folder, larger.about.layout.people, free / SHARE_OF_TEXTS)?),
        false => None,
    };
    let classes = Classes {
        runs: ClassRuns::new(folder, free / SHARE_OF_CLASSES)?,
        people,
        release: Summary::default(),
        room: free / SHARE_OF_TEXTS,
        texts: folder.accountant().book("published texts that are compared", 0),
    };
    let options = ReadOptions { hash: true, ..larger.options.clone() };
    let reading = (classes, options);
    let found = check(plan, frame, (path, layout), &originals, reading, observer)?;
    check_suppressed(plan, larger.about.layout.n_rows - layout.n_rows as u64)?;
    let fails = found.guarantees.iter().map(|guarantee| guarantee.violations).max();
    if let Some(fails) = fails.filter(|fails| *fails > 0 && found.may_be_alike) {
        return Err(published_alike(fails));
    }
    Ok(ReadBack {
        groups: Groups::Evaluated(found.guarantees),
        class_people: found.classes,
        matched: None,
        evidence: found.evidence,
        sha256: found.sha256,
        bytes: found.bytes,
        beside: None,
        presence: None,
        owners: None,
    })
}

/// Check a candidate against its plan and its originals.
fn check(
    plan: &Plan,
    frame: &Frame,
    (path, layout): (&Path, &Layout),
    originals: &Originals<'_>,
    (classes, options): (Classes, ReadOptions),
    observer: &dyn Observer,
) -> Result<Verification> {
    let path = path.display().to_string();
    let options = ReadOptions {
        format: Some(layout.options.format),
        delimiter: Some(layout.options.delimiter),
        header: Some(true),
        // What was written is UTF-8 and in plain form, whatever the input was.
        encoding: None,
        written: Vec::new(),
        ..options
    };
    let released: Vec<usize> =
        (0..frame.columns.len()).filter(|place| Some(*place) != frame.subject).collect();
    let expected: Vec<&str> =
        released.iter().map(|place| frame.columns[*place].column.name.as_str()).collect();
    let mut select = |header: &[String]| match header == expected {
        true => Ok(vec![true; header.len()]),
        false => Err(failed_verification("the columns of the release aren't those of the job")),
    };
    let of_role = |role: Role| -> Vec<usize> {
        let has_role = |place: &usize| frame.columns[released[*place]].column.role == role;
        (0..released.len()).filter(has_role).collect()
    };
    let needed = plan.requirements.needed_histograms(frame.sensitive().len());
    let mut checker = Checker {
        plan,
        covers: released.iter().map(|place| ColumnCover::new(&frame.columns[*place])).collect(),
        names: &expected,
        quasi: of_role(Role::Quasi),
        counts_only: needed.iter().all(|needed| !needed) && frame.subject.is_none(),
        originals,
        next: 0,
        current: None,
        classes,
        n_rows: 0,
    };
    let observer = &Renamed { step: "verify", inner: observer };
    let scanned = scan_local(&path, &options, &mut select, &mut checker, observer);
    let scanned = scanned.map_err(cant_read_back)?;
    checker.finish_partition()?;
    checker.skip_empty()?;
    if checker.next < originals.published.len() || checker.n_rows != layout.n_rows as u64 {
        return Err(failed_verification(&format!(
            "{} rows were written, {} read back",
            layout.n_rows, checker.n_rows
        )));
    }
    let evidence = Evidence { rows: checker.n_rows, cells: checker.n_rows * released.len() as u64 };
    let by_projection = plan.requirements.iter().find(|r| !r.scope().is_met_by_classes());
    let (runs, release) = checker.classes.finish()?;
    let (guarantees, classes) = match by_projection {
        None => runs.finish(&plan.requirements, &release)?,
        Some(asking) => {
            // No partition is in memory any more.
            let (n_quasi, limit) = (checker.quasi.len(), 3 * runs.limit());
            let asked = [&plan.requirements];
            let about = (asking.model(), limit);
            let mut grouped =
                projections::ask(runs, &asked, release, &|_, _| None, n_quasi, about)?;
            (grouped.guarantees.pop().unwrap_or_default(), grouped.people)
        }
    };
    let (sha256, bytes) = (scanned.source.sha256, scanned.source.bytes);
    let may_be_alike = !plan.requirements.is_monotone() || frame.subject.is_some();
    Ok(Verification { guarantees, classes, evidence, sha256, bytes, may_be_alike })
}

/// The share of the memory for data that published texts may take while they are compared.
const SHARE_OF_TEXTS: u64 = 8;

/// The share of these texts that are held even where no memory is left.
const FEW_TEXTS: u64 = 8;

/// The share of the memory for data that classes may take until they are put aside.
const SHARE_OF_CLASSES: u64 = 8;

/// The classes of a release, and what is known of all of them together.
struct Classes {
    runs: ClassRuns,
    /// The people of the release, if they are counted on disk.
    people: Option<PeopleRuns>,
    release: Summary,
    /// The number of bytes from which on what was read of a partition is passed on.
    room: u64,
    /// The memory of what was read and wasn't passed on.
    texts: Reservation,
}

impl Classes {
    /// The classes, and the summary of the release.
    fn finish(self) -> Result<(ClassRuns, Summary)> {
        let Classes { runs, people, release, .. } = self;
        Ok(match people {
            None => (runs, release),
            Some(people) => {
                let people = people.count()?;
                (runs, Summary::estimated(release.rows, people, release.histograms))
            }
        })
    }
}

/// A partition whose rows are being read back.
struct Current {
    table: Table,
    people: Vec<u64>,
    n_published: usize,
    /// The number of rows read so far.
    at: usize,
    /// The first of the rows that weren't passed on yet.
    first: usize,
    classes: ClassIndex,
    class_of_row: Vec<u32>,
    texts: Vec<Texts>,
    _memory: Option<Arc<Reservation>>,
}

/// The published texts of a quasi column in one partition, each interpreted once, whatever the
/// block.
#[derive(Default)]
struct Texts {
    index: FastMap<Box<str>, u32>,
    texts: Dictionary,
    /// What each text may stand for.
    covers: Vec<Cover>,
    /// The approximate number of bytes of memory.
    bytes: u64,
}

/// The number of bytes of a text besides two copies of it: its slot of the index, its end and what
/// it may stand for.
const PER_TEXT: u64 = 128;

/// The mark that distinguishes null from every text: no text can begin with it.
const NULL: &str = "\u{0}null";

impl Texts {
    fn code(&mut self, text: &str, cover: &dyn Fn(Option<&str>) -> Cover) -> u32 {
        match self.index.get(text) {
            Some(code) => *code,
            None => {
                let code = self.texts.push(text);
                self.index.insert(text.into(), code);
                self.bytes += 2 * text.len() as u64 + PER_TEXT;
                self.covers.push(cover((text != NULL).then_some(text)));
                code
            }
        }
    }

    /// The codes of some rows of a block.
    fn codes(
        &mut self,
        cells: &LocalCells<'_>,
        rows: std::ops::Range<usize>,
        cover: &dyn Fn(Option<&str>) -> Cover,
    ) -> Vec<u32> {
        match cells {
            LocalCells::Texts { codes, texts, null } => {
                let mut of_local = vec![u32::MAX; texts.len()];
                let mut code = |local: u32| {
                    let slot = &mut of_local[local as usize];
                    if *slot == u32::MAX {
                        let text = if Some(local) == *null { NULL } else { texts.get(local) };
                        *slot = self.code(text, cover);
                    }
                    *slot
                };
                codes[rows].iter().map(|local| code(*local)).collect()
            }
            LocalCells::Integers { values, is_null } => rows
                .map(|row| match is_null.is_some_and(|nulls| nulls[row]) {
                    true => self.code(NULL, cover),
                    false => self.code(&values[row].to_string(), cover),
                })
                .collect(),
        }
    }

    /// The first row whose text doesn't cover its original.
    fn first_uncovered(
        &self,
        published: &[u32],
        original: &Column,
        rows: std::ops::Range<usize>,
    ) -> Option<usize> {
        with_codes!(&original.codes, codes => {
            published
                .iter()
                .zip(&codes[rows])
                .position(|(published, code)| !self.covers[*published as usize].has(code.widen()))
        })
    }
}

struct Checker<'a> {
    plan: &'a Plan,
    covers: Vec<ColumnCover<'a>>,
    names: &'a [&'a str],
    /// The quasi columns, by place in the file.
    quasi: Vec<usize>,
    /// Whether the sizes of classes decide all requirements.
    counts_only: bool,
    originals: &'a Originals<'a>,
    next: usize,
    current: Option<Current>,
    classes: Classes,
    n_rows: u64,
}

impl Checker<'_> {
    /// Skip partitions without published records, for which no rows will come.
    fn skip_empty(&mut self) -> Result<()> {
        while self.next < self.originals.published.len() && self.originals.published[self.next] == 0
        {
            self.next += 1;
        }
        Ok(())
    }

    fn begin_partition(&mut self) -> Result<()> {
        self.skip_empty()?;
        if self.next >= self.originals.published.len() {
            return Err(failed_verification("the file has more rows than were published"));
        }
        let n_published = self.originals.published[self.next];
        let (table, people, memory) = self.originals.load(self.next)?;
        self.next += 1;
        self.current = Some(Current {
            table,
            people,
            n_published,
            at: 0,
            first: 0,
            classes: ClassIndex::new(self.quasi.len()),
            class_of_row: Vec::new(),
            texts: self.quasi.iter().map(|_| Texts::default()).collect(),
            _memory: memory,
        });
        Ok(())
    }

    /// Pass on the last classes of a partition.
    fn finish_partition(&mut self) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        if current.at != current.n_published {
            return Err(failed_verification("the file has fewer rows than were published"));
        }
        self.pass_on(&mut current)
    }

    /// Pass on the classes of the rows that were read since this was done last, and forget their
    /// texts. A class whose other rows are still to come is merged with them by its key.
    fn pass_on(&mut self, current: &mut Current) -> Result<()> {
        let table = &current.table;
        let tally = self.plan.requirements.tally(table);
        let rows = (!self.counts_only).then_some((current.class_of_row.as_slice(), &tally));
        let read = std::mem::replace(&mut current.classes, ClassIndex::new(self.quasi.len()));
        let classes = read.into_class_table_from(current.first, rows);
        let people = &current.people;
        let mut key = Vec::new();
        for (class, mut summary) in classes.summaries.into_iter().enumerate() {
            if table.subject.is_some() {
                summary.rename_people(&|code| people[code as usize]);
            }
            key.clear();
            for (keys, texts) in classes.keys.iter().zip(&current.texts) {
                let text = texts.texts.get(keys[class]);
                put_text(&mut key, (text != NULL).then_some(text));
            }
            self.classes.runs.add_key(&key, &summary)?;
        }
        let mut release = classes.release;
        match (&table.subject, &mut self.classes.people) {
            (Some(subject), Some(all)) => {
                let rows = current.first..current.at;
                all.add(rows.map(|row| people[subject.get(row) as usize]).collect())?;
                release = Summary::estimated(release.rows, 0, release.histograms);
            }
            (Some(_), None) => release.rename_people(&|code| people[code as usize]),
            (None, _) => {}
        }
        self.classes.release.merge(&release);
        current.texts.iter_mut().for_each(|texts| *texts = Texts::default());
        current.class_of_row.clear();
        current.first = current.at;
        Ok(())
    }

    /// Pass on what was read of a partition if its texts and classes take too much memory.
    fn make_room(&mut self) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        let texts: u64 = current.texts.iter().map(|texts| texts.bytes).sum();
        // A key is in a list, in an index and in what is passed on.
        let key = 12 * self.quasi.len() as u64 + 16;
        let held = texts + key * current.classes.len() as u64;
        self.classes.texts.rebook(held);
        // Where others hold more than was foreseen, these give way sooner.
        let none_left = self.classes.texts.accountant().left() == 0;
        if held > self.classes.room || (none_left && held > self.classes.room / FEW_TEXTS) {
            self.pass_on(&mut current)?;
            self.classes.texts.rebook(0);
        }
        self.current = Some(current);
        Ok(())
    }
}

impl LocalSink for Checker<'_> {
    fn block(&mut self, block: &LocalBlock<'_>) -> Result<()> {
        let mut from = 0;
        while from < block.n_rows {
            if self.current.as_ref().is_none_or(|current| current.at == current.n_published) {
                self.finish_partition()?;
                self.begin_partition()?;
            }
            let Some(current) = &mut self.current else { return Ok(()) };
            let n = (block.n_rows - from).min(current.n_published - current.at);
            let rows = current.at..current.at + n;
            let (covers, table, first_row) = (&self.covers, &current.table, self.n_rows);
            let lies = |place: usize, row: Option<usize>| match row {
                None => Ok(()),
                Some(row) => Err(failed_verification(&format!(
                    "the cell of row {} in column '{}' doesn't cover its original",
                    first_row + row as u64 + 1,
                    self.names[place]
                ))),
            };
            let quasi = &self.quasi;
            let check_quasi = |(texts, place): (&mut Texts, &usize)| -> Result<Vec<u32>> {
                let (original, cells) = (&table.columns[*place], &block.columns[*place]);
                let codes =
                    texts.codes(cells, from..from + n, &|text| covers[*place].of(original, text));
                lies(*place, texts.first_uncovered(&codes, original, rows.clone()))?;
                Ok(codes)
            };
            let check_other = |place: usize| {
                let cells = &block.columns[place];
                lies(
                    place,
                    covers[place].first_uncovered(&table.columns[place], rows.clone(), cells, from),
                )
            };
            let others: Vec<usize> =
                (0..covers.len()).filter(|place| !quasi.contains(place)).collect();
            let texts = &mut current.texts;
            let (codes, checked): (Result<Vec<Vec<u32>>>, Result<()>) = rayon::join(
                || texts.par_iter_mut().zip(quasi).map(check_quasi).collect(),
                || others.par_iter().try_for_each(|place| check_other(*place)),
            );
            let codes = codes?;
            checked?;
            let codes: Vec<&[u32]> = codes.iter().map(Vec::as_slice).collect();
            let class_of_row = (!self.counts_only).then_some(&mut current.class_of_row);
            current.classes.add(&codes, n, class_of_row);
            current.at += n;
            self.n_rows += n as u64;
            from += n;
            self.make_room()?;
        }
        Ok(())
    }
}
