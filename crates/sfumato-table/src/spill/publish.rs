//! Decides about each partition and appends its records to the release, one partition after the
//! other.

use crate::algorithms::rothko;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::observer::{Observer, Unobserved};
use sfumato_core::recoding::Recoding;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::spill::{Run, SpillFolder};
use sfumato_io::{Format, ReleaseWriter};

use super::measure::{Parts, measure_part};
use super::originals::{Partitions, one_class};
use super::resume::{Decided, save_decided};
use super::rules::{read_rules, write_rules};
use crate::forms::generalized::apply::{render, write_columns};
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::reorder::reorder_by;
use crate::forms::generalized::statistics::Statistics;
use crate::recoding_file::SavedValue;
use sfumato_engine::stopwatch::Stopwatch;

/// What is needed for every partition.
pub struct Publisher<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The task that Rothko was given.
    pub rothko: &'a rothko::Outline<'a>,
    /// The format of the release.
    pub format: Format,
    /// The folder for rules.
    pub folder: &'a SpillFolder,
    /// Whether the recoding will be saved.
    pub saves: bool,
    /// Progress.
    pub observer: &'a dyn Observer,
}

/// How long the steps took, in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Loading partitions.
    pub load: f64,
    /// Deciding.
    pub anonymize: f64,
    /// Writing.
    pub write: f64,
    /// Measuring.
    pub measure: f64,
}

impl Publisher<'_> {
    /// Decide about all partitions and write them. Partitions that a killed run has decided are
    /// only written.
    pub fn publish(
        &self,
        partitions: &mut Partitions<'_>,
        decided: &mut Decided,
        writer: &mut ReleaseWriter,
    ) -> Result<(Parts, Times)> {
        let (mut measured, mut times) = (Parts::default(), Times::default());
        for partition in 0..partitions.parts.len() {
            if self.observer.cancelled() {
                return Err(Error::new(ErrorKind::Cancelled, "stopped"));
            }
            let mut clock = Stopwatch::start();
            let mut table = partitions.load(partition)?;
            times.load += clock.lap();
            let mut recoding = match decided.rules.get(partition) {
                Some(name) => {
                    let rules = Run::open(self.folder, name)?;
                    let recoding = read_rules(&rules)?;
                    partitions.parts[partition].rules = Some(rules);
                    recoding
                }
                None => {
                    let spilled = &partitions.parts[partition].spilled;
                    let recoding = match spilled.whole_class.is_some() || !spilled.published {
                        true => one_class(&table, partitions.frame, spilled)?,
                        false => rothko::finish(self.rothko, &table, &spilled.above)?,
                    };
                    let rules = write_rules(self.folder, &recoding, self.saved(&table, &recoding))?;
                    decided.rules.push(rules.name());
                    partitions.parts[partition].rules = Some(rules);
                    save_decided(self.folder, decided)?;
                    recoding
                }
            };
            times.anonymize += clock.lap();
            let mut generator = partitions.generator(partition);
            let published = reorder_by(Some(&mut generator), &mut table, &mut recoding)?;
            partitions.parts[partition].n_published = published.rows;
            let statistics = Statistics::default();
            let rendered = render(&table, &recoding, &self.plan.forms, &statistics, self.format);
            writer.append(&write_columns(&rendered), published.rows, &Unobserved)?;
            drop(rendered);
            times.write += clock.lap();
            measured.add(measure_part(&table, &recoding as &dyn Recoding, self.plan.k));
            times.measure += clock.lap();
        }
        Ok((measured, times))
    }

    /// The values of a partition in the format of a saved recoding.
    fn saved(&self, table: &Table, recoding: &dyn Recoding) -> Vec<Vec<SavedValue>> {
        if !self.saves {
            return Vec::new();
        }
        let column = |(index, column): (usize, &&Column)| {
            recoding
                .column(index)
                .values
                .iter()
                .map(|value| SavedValue::new(*value, column))
                .collect()
        };
        table.quasi().iter().enumerate().map(column).collect()
    }
}
