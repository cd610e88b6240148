//! Reads the bytes of a draft back, compares every cell with its original, and regroups the rows.
//!
//! Promises are judged on the classes that a recipient sees. This module checks the truth: rows
//! correspond one to one to records of the input, every published cell covers its original, every
//! other cell is unchanged. Nothing is taken from the algorithm: row i of the file must be the i-th
//! record of the reordered table, whatever the algorithm decided.

use std::path::Path;

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::chain::{Chain, Earlier as _, Published};
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::facts::{ClassFacts, Facts, Least};
use sfumato_core::group::{ClassTable, Guarantee, Tally, evaluate_with};
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::population::Presence;
use sfumato_core::recoding::Recoding;
use sfumato_core::traits::{ClassSizes, Requirements, Scope};
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::{Block, BlockSink, ReadOptions, scan};

use crate::data::class_index::{ClassIndex, rows_by_class};
use crate::data::owners::OwnersAlike;
use crate::forms::generalized::anonymize::Decided;
use crate::forms::generalized::apply::Layout;
use crate::forms::generalized::cover::ColumnCheck;
use crate::forms::generalized::cover_statistics::{StatisticCheck, first_fault};
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::statistics::FileColumn;
use crate::forms::generalized::verify_matches::MatchCheck;
use crate::job::InputSpec;
use crate::kind::TableData;
use crate::over_time::published::Who;
use crate::over_time::published::in_order;
use crate::over_time::recall::{note_labels, of_file, whole_file};
use crate::population::presence;
use crate::spill;
use sfumato_engine::exec::Partitions;
use sfumato_engine::threads::at_once;

/// What the bytes of a draft say, after every cell was compared with its original.
pub struct ReadBack {
    /// The classes that a recipient sees, or for every record those that it matches, or the results
    /// for classes that were read from disk.
    pub groups: Groups,
    /// Sizes of the classes as a recipient sees them, in people.
    pub class_people: ClassSizes,
    /// Among how many people records hide, if classes don't say that.
    pub matched: Option<ClassSizes>,
    /// What was compared.
    pub evidence: Evidence,
    /// SHA-256 of the file's bytes.
    pub sha256: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// What the file publishes, beside what was published before, if the job asks for that.
    pub beside: Option<Beside>,
    /// Whom of a population the rows may be about, if the job names one.
    pub presence: Option<Presence>,
    /// How many owners have the same rows, if a model asks that.
    pub owners: Option<OwnersAlike>,
}

/// A release beside those before it.
pub struct Beside {
    /// The earlier releases and this one.
    pub chain: Chain,
    /// What this one publishes.
    pub published: Published,
}

/// Groups that promises are judged on.
pub enum Groups {
    /// Classes of records that are published alike.
    Classes(ClassTable),
    /// For each record the published ones that it matches.
    Matches(ClassTable),
    /// Classes that don't fit into memory: the guarantees were computed while they passed.
    Evaluated(Vec<Guarantee>),
}

impl Facts for ReadBack {
    fn release(&self) -> &'static str {
        "a table of generalized cells"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        Some(self)
    }
    fn earlier(&self) -> Option<&Chain> {
        self.beside.as_ref().map(|beside| &beside.chain)
    }
    fn presence(&self) -> Option<&Presence> {
        self.presence.as_ref()
    }
    fn owners(&self, required: u64) -> Option<Least> {
        Some(self.owners.as_ref()?.least(required))
    }
}

impl ClassFacts for ReadBack {
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>> {
        match &self.groups {
            Groups::Classes(classes) => Ok(evaluate_with(requirements, classes, &at_once)),
            Groups::Evaluated(found) => Ok(found.clone()),
            Groups::Matches(groups) => {
                if requirements.iter().any(|requirement| requirement.scope() != Scope::Matches) {
                    return Err(failed_verification(
                        "a promise about classes can't rest on matches",
                    ));
                }
                Ok(evaluate_with(requirements, groups, &at_once))
            }
        }
    }
}

/// What a promise rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The number of rows read back.
    pub rows: u64,
    /// The number of cells compared with their originals.
    pub cells: u64,
}

/// Read a draft back and compare it with its original, partition by partition.
///
/// There are two kernels. What is in memory is compared block by block with one set of
/// dictionaries, and its classes stay in memory, so that matches, statistics and guards can be
/// looked at; that is twice as fast. With partitions on disk neither dictionaries nor classes fit:
/// texts are numbered anew in each partition, and classes are grouped on disk by their texts.
pub fn read_back(
    plan: &Plan,
    data: &TableData,
    partitions: &dyn Partitions<TableData, Decided>,
    (path, layout, published): (&Path, &Layout, &[usize]),
    observer: &dyn Observer,
) -> Result<ReadBack> {
    match (partitions.held(), partitions.scratch(), &data.larger) {
        (Some(decided), None, None) => {
            let (table, recoding) = (&data.encoded.table, decided.recoding.as_ref());
            let mut read = read_back_whole(plan, table, recoding, (path, layout), observer)?;
            read.beside = beside(plan, table, path, layout)?;
            if let Some(population) = &plan.population {
                let input = as_written(layout);
                read.presence = Some(presence(table, population, path, &input)?);
            }
            Ok(read)
        }
        (None, Some((folder, _)), Some(larger)) => {
            let file = (path, layout, published);
            spill::read_back(plan, larger, partitions, file, folder, observer)
        }
        _ => Err(failed_verification("records in memory and on disk were mixed")),
    }
}

/// How a draft is read again.
fn as_written(layout: &Layout) -> InputSpec {
    InputSpec {
        format: Some(layout.options.format.name().into()),
        delimiter: Some(char::from(layout.options.delimiter)),
        header: Some(true),
        ..InputSpec::default()
    }
}

/// Read what a draft publishes from its bytes, beside what was published before.
fn beside(plan: &Plan, table: &Table, path: &Path, layout: &Layout) -> Result<Option<Beside>> {
    let Some(past) = &plan.earlier else { return Ok(None) };
    let input = as_written(layout);
    let names = |columns: Vec<&Column>| -> Vec<String> {
        columns.iter().map(|column| column.name.clone()).collect()
    };
    let (quasi, sensitive) = (names(table.quasi()), names(table.sensitive()));
    let known = &past.people.names;
    // Made-up records have subjects that nobody is.
    let of_row = |row: usize| {
        let subject = table.subject.as_ref()?.get(row);
        known.get(subject as usize).cloned()
    };
    let who = if known.is_empty() { Who::Nobody } else { Who::Rows(&of_row) };
    let read = if past.asked.is_empty() { of_file } else { whole_file };
    let mut found = read(&path.display().to_string(), &input, (&quasi, &sensitive), who)?;
    found.name = "this release".into();
    let chain = past.chain_with(&found)?;
    note_labels(&mut found, table);
    Ok(Some(Beside { chain, published: in_order(&found) }))
}

/// Read a draft back and compare it with its original, which is in memory whole.
fn read_back_whole(
    plan: &Plan,
    table: &Table,
    recoding: &dyn Recoding,
    (path, layout): (&Path, &Layout),
    observer: &dyn Observer,
) -> Result<ReadBack> {
    check_suppressed(plan, (table.n_rows - layout.n_rows) as u64)?;
    let options = ReadOptions {
        format: Some(layout.options.format),
        delimiter: Some(layout.options.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let file_columns = plan.forms.file_columns(table);
    let expected: Vec<String> = file_columns.iter().map(|column| column.name(table)).collect();
    let mut select = |header: &[String]| {
        if header == expected {
            Ok(vec![true; header.len()])
        } else {
            Err(failed_verification("the columns of the release aren't those of the job"))
        }
    };
    let mut checker = Checker::new(plan, table, recoding, &file_columns, layout.n_rows)?;
    let observer = &Renamed { step: "verify", inner: observer };
    let path = path.display().to_string();
    let scanned = scan(&path, &options, &mut select, &mut checker, observer);
    let scanned = scanned.map_err(cant_read_back)?;
    if scanned.n_rows != layout.n_rows {
        return Err(failed_verification(&format!(
            "{} rows were written, {} read back",
            layout.n_rows, scanned.n_rows
        )));
    }
    let evidence = Evidence {
        rows: scanned.n_rows as u64,
        cells: (scanned.n_rows * file_columns.len()) as u64,
    };
    let is_asked = plan.requirements.iter().any(|asked| asked.scope() == Scope::Owners);
    let owners = match (&checker.class_of_row, &table.subject) {
        (Some(classes), Some(subject)) if is_asked => Some(OwnersAlike::new(classes, subject)),
        _ => None,
    };
    let (groups, class_people, matched) = checker.finish()?;
    let (sha256, bytes) = (scanned.source.sha256, scanned.source.bytes);
    let (beside, presence) = (None, None);
    Ok(ReadBack {
        groups,
        class_people,
        matched,
        evidence,
        sha256,
        bytes,
        beside,
        presence,
        owners,
    })
}

/// Refuse a release in which more records are missing than may be suppressed.
pub(crate) fn check_suppressed(plan: &Plan, missing: u64) -> Result<()> {
    if missing > plan.max_suppressed {
        return Err(failed_verification(&format!(
            "{missing} records are missing, {} may be suppressed",
            plan.max_suppressed
        )));
    }
    Ok(())
}

/// Receives the blocks of the file as they are read.
struct Checker<'a> {
    plan: &'a Plan,
    table: &'a Table,
    n_rows: usize,
    /// One per column of the file.
    columns: Vec<Check<'a>>,
    /// The places in the file of what the recipient sees of the quasi columns: generalized texts
    /// and statistics together make a class.
    quasi: Vec<usize>,
    /// For each sensitive column and guard, where a model reads it, if one does.
    sensitive: Vec<Counted<'a>>,
    /// The published codes of those columns, in the numbers of the table's domain.
    sensitive_codes: Vec<Vec<u32>>,
    classes: ClassIndex,
    class_of_row: Option<Vec<u32>>,
    /// The matches, if classes hide nobody.
    matches: Option<MatchCheck>,
}

/// Where models read the values of a column.
#[derive(Clone, Copy)]
enum Counted<'a> {
    /// No model reads them.
    Nowhere,
    /// At a place of the file.
    File(usize),
    /// In the original, with the number of codes, since the column isn't published.
    Original(&'a Codes, usize),
}

impl Counted<'_> {
    fn is_there(&self) -> bool {
        !matches!(self, Counted::Nowhere)
    }
}

/// The check of a column of the file while it is read.
enum Check<'a> {
    Cells(ColumnCheck<'a>),
    /// Statistics are compared when their classes are complete.
    Statistic(StatisticCheck<'a>),
}

impl<'a> Check<'a> {
    fn new(plan: &Plan, table: &'a Table, file_column: FileColumn) -> Self {
        let column = &table.columns[file_column.column()];
        match (file_column, plan.forms.of(file_column.column())) {
            (FileColumn::Statistic(_, part), Some(forms)) => {
                Check::Statistic(StatisticCheck::new(column, forms, part))
            }
            _ => Check::Cells(ColumnCheck::new(column)),
        }
    }
}

impl<'a> Checker<'a> {
    fn new(
        plan: &'a Plan,
        table: &'a Table,
        recoding: &dyn Recoding,
        file_columns: &[FileColumn],
        n_rows: usize,
    ) -> Result<Self> {
        let of_role = |role: Role| -> Vec<usize> {
            let has_role =
                |place: &usize| table.columns[file_columns[*place].column()].role == role;
            (0..file_columns.len()).filter(has_role).collect()
        };
        let quasi = of_role(Role::Quasi);
        let mut in_file = of_role(Role::Sensitive).into_iter();
        let counted = table.counted();
        let needed = plan.requirements.needed_histograms(counted.len());
        // Guards aren't in the file: what people asked for is in the original alone.
        let source = |(column, needed): (&&'a Column, bool)| match column.role {
            Role::Guard => Counted::Original(&column.codes, column.domain.len() + 1),
            _ => in_file.next().filter(|_| needed).map_or(Counted::Nowhere, Counted::File),
        };
        let sensitive: Vec<Counted<'a>> = counted.iter().zip(needed).map(source).collect();
        let matches = MatchCheck::new(recoding, quasi.len())?;
        let needs_rows = matches.is_some()
            || table.subject.is_some()
            || sensitive.iter().any(Counted::is_there)
            || !plan.forms.is_plain();
        Ok(Checker {
            plan,
            table,
            n_rows,
            columns: file_columns.iter().map(|column| Check::new(plan, table, *column)).collect(),
            classes: ClassIndex::new(quasi.len()),
            quasi,
            sensitive_codes: vec![Vec::new(); sensitive.len()],
            sensitive,
            class_of_row: needs_rows.then(Vec::new),
            matches,
        })
    }

    fn finish(self) -> Result<(Groups, ClassSizes, Option<ClassSizes>)> {
        let sizes = self.classes.sizes.clone();
        let Some(class_of_row) = self.class_of_row else {
            let classes = self.classes.into_class_table(None);
            let sizes = ClassSizes::from_sizes(sizes);
            return Ok((Groups::Classes(classes), sizes, None));
        };
        let codes: Vec<Codes> = self.sensitive_codes.into_iter().map(Codes::U32).collect();
        let n_codes = |place: usize| match &self.columns[place] {
            Check::Cells(check) => check.n_codes(),
            Check::Statistic(_) => 0,
        };
        let tally = Tally {
            sensitive: codes
                .iter()
                .zip(&self.sensitive)
                .map(|(codes, column)| match *column {
                    Counted::Nowhere => None,
                    Counted::File(place) => Some((codes, n_codes(place))),
                    Counted::Original(codes, n_codes) => Some((codes, n_codes)),
                })
                .collect(),
            subject: self.table.subject.as_ref(),
        };
        let classes = self.classes.into_class_table(Some((&class_of_row, &tally)));
        if !self.plan.forms.is_plain() {
            let check = |place: &usize| match &self.columns[*place] {
                Check::Cells(_) => None,
                Check::Statistic(check) => Some(check),
            };
            let keys: Vec<_> = self.quasi.iter().map(check).zip(&classes.keys).collect();
            let fault =
                first_fault(self.plan, self.table, &keys, &rows_by_class(&class_of_row, &sizes));
            fault.map_or(Ok(()), |what| Err(failed_verification(&what)))?;
        }
        let people = ClassSizes::from_sizes(classes.summaries.iter().map(|summary| summary.people));
        let Some(matches) = &self.matches else {
            return Ok((Groups::Classes(classes), people, None));
        };
        let check = |place: &usize| match &self.columns[*place] {
            Check::Cells(check) => Ok(check),
            Check::Statistic(_) => {
                Err(failed_verification("regions without classes carry statistics"))
            }
        };
        let checks: Vec<&ColumnCheck<'_>> = self.quasi.iter().map(check).collect::<Result<_>>()?;
        let groups = ClassTable {
            keys: Vec::new(),
            summaries: matches.groups(&checks, &tally)?,
            release: classes.release,
        };
        let hiding = ClassSizes::from_sizes(matches.hiding());
        Ok((Groups::Matches(groups), people, Some(hiding)))
    }
}

impl BlockSink for Checker<'_> {
    fn block(&mut self, block: &Block<'_>) -> Result<()> {
        let first = block.first_row as usize;
        let rows = first..first + block.n_rows;
        if rows.end > self.n_rows {
            return Err(failed_verification("the file has more rows than were published"));
        }
        let quasi: Vec<&[u32]> = self.quasi.iter().map(|c| block.columns[*c].as_slice()).collect();
        let (columns, classes, class_of_row) =
            (&mut self.columns, &mut self.classes, &mut self.class_of_row);
        let (checked, ()) = rayon::join(
            || {
                columns.par_iter_mut().enumerate().try_for_each(|(c, check)| {
                    let check = match check {
                        Check::Cells(check) => check,
                        Check::Statistic(check) => {
                            check.learn(&block.dictionaries[c], block.nulls[c]);
                            return Ok(());
                        }
                    };
                    check.learn(&block.dictionaries[c], block.nulls[c]);
                    match check.first_uncovered(&block.columns[c], rows.clone()) {
                        None => Ok(()),
                        Some(row) => Err(failed_verification(&format!(
                            "the cell of row {} in column '{}' doesn't cover its original",
                            first + row + 1,
                            check.name()
                        ))),
                    }
                })
            },
            || classes.add(&quasi, block.n_rows, class_of_row.as_mut()),
        );
        checked?;
        if let Some(matches) = &mut self.matches {
            matches.add(&quasi);
        }
        for (slot, column) in self.sensitive.iter().enumerate() {
            if let Counted::File(column) = column
                && let Check::Cells(check) = &self.columns[*column]
            {
                self.sensitive_codes[slot]
                    .extend(block.columns[*column].iter().map(|code| check.exact(*code)));
            }
        }
        Ok(())
    }
}
