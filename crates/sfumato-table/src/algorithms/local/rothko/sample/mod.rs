//! Rothko-S: the top of the partition tree is grown from a sample, as far as its splits are valid
//! with high confidence. The tuples are divided by it, and wrong splits are undone with counts of
//! all tuples. So splits can be chosen by any property of a record in memory.
//!
//! The sample decides how good the release is and how fast, never whether it is private.

mod algorithm;
mod draw;
mod grow;
pub mod statistics;
pub mod words;

pub use algorithm::RothkoSample;

use sfumato_core::group::Sampling;
use sfumato_core::observer::Unit;
use sfumato_core::traits::Algorithm;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::spill::{Divide, Tuples};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::data::tuples::Chained;

use self::draw::draw;
use self::statistics::{Statistics, bytes_of_part};
use self::words::Splits;
use super::above::{Above, Partition, Words};
use super::grow::tree_below;
use super::prune::{Left, Prune};
use super::scan::advance;
use super::work::Work;
use super::{Limits, Outline};
use crate::algorithms::local::mondrian::Mondrian;
use crate::algorithms::local::mondrian::suppress::share;

/// The upper quantile of the standard normal distribution.
fn z(share: f64) -> f64 {
    Normal::standard().inverse_cdf(1.0 - share)
}

/// Divide tuples into partitions that fit into memory or can't be divided further. `first` is a
/// simple random sample of them, if one was drawn already: `words[column][row]`. Tests are wrong
/// about a split with a probability of `alpha`; from 1 on there are no tests, and the sample is
/// taken as it is.
pub fn sample(
    outline: &Outline<'_>,
    limits: &Limits,
    alpha: f64,
    root: &dyn Tuples,
    divide: &dyn Divide,
    first: Option<Vec<Vec<u64>>>,
) -> Result<(Vec<Partition>, Work)> {
    Mondrian.check_requirements(outline.requirements)?;
    if outline.params.flag("relaxed") {
        return Err(Error::unsupported(
            "rothko can't let records with the median go to both sides of a cut",
        )
        .hint("use relaxed=false"));
    }
    let work = Work { input_rows: root.n_rows(), ..Work::default() };
    let mut run = Run { outline, limits, alpha, divide, work, draws: 0, done: Vec::new() };
    let above = Above::root(outline);
    match run.split(root, &above, first)? {
        Some(parts) => {
            parts.into_iter().try_for_each(|(tuples, above)| run.go_on(tuples, above))?
        }
        None => run.exhaust(root, above)?,
    }
    Ok((run.done, run.work))
}

struct Run<'a> {
    outline: &'a Outline<'a>,
    limits: &'a Limits,
    alpha: f64,
    divide: &'a dyn Divide,
    work: Work,
    /// The number of samples drawn so far: each has a seed of its own.
    draws: u64,
    done: Vec<Partition>,
}

/// Partitions with what they inherit from above.
type Parts = Vec<(Box<dyn Tuples>, Above)>;
/// Partitions that are processed one by one.
type Divided = Vec<Option<Box<dyn Tuples>>>;
/// A partition and the intervals of its quasi cells.
type Copied = (Box<dyn Tuples>, Vec<Words>);

impl Run<'_> {
    fn go_on(&mut self, tuples: Box<dyn Tuples>, above: Above) -> Result<()> {
        if tuples.n_rows() <= self.limits.partition_rows {
            self.done.push(Partition { tuples, above, published: true, whole_class: None });
            return Ok(());
        }
        match self.split(tuples.as_ref(), &above, None)? {
            Some(parts) => {
                // The parts hold everything now.
                drop(tuples);
                parts.into_iter().try_for_each(|(tuples, above)| self.go_on(tuples, above))
            }
            None => self.exhaust(tuples.as_ref(), above),
        }
    }

    /// Divide tuples by a sample of them. `None` if no split of the sample is valid for all.
    fn split(
        &mut self,
        tuples: &dyn Tuples,
        above: &Above,
        first: Option<Vec<Vec<u64>>>,
    ) -> Result<Option<Parts>> {
        let rows = tuples.n_rows();
        if rows <= self.limits.partition_rows {
            return Ok(None);
        }
        let sample = match first {
            Some(sample) => sample,
            None => self.draw(tuples)?,
        };
        let sampling = Sampling {
            population: rows,
            sample: (sample.first().map_or(0, Vec::len) as u64).min(rows),
            alpha: self.alpha,
            z,
        };
        let most =
            self.limits.group_bytes / bytes_of_part(self.outline.frame, self.outline.requirements);
        let max_parts =
            usize::try_from(most).unwrap_or(usize::MAX).min(self.limits.max_parts).max(2);
        // The paper's growth phase ends where no split is allowed with high confidence.
        let stop_rows = match self.outline.params.text("growth") {
            Some("confidence") => 0,
            _ => stop_rows(&sampling, self.limits.partition_rows),
        };
        let splits = grow::grow(self.outline, sample, &sampling, above, stop_rows, max_parts)?;
        self.work.nodes += splits.nodes.len() as u64;
        if splits.tree.is_empty() {
            return Ok(None);
        }
        let (mut parts, left) = self.apply(tuples, &splits)?;
        if left.len() < 2 {
            return Ok(None);
        }
        let mut before = 0;
        let found = left.into_iter().map(|left| {
            let own = left.parts.iter().filter_map(|part| parts[*part as usize].take()).collect();
            before += left.rows;
            let budget = share(
                above.budget,
                (before - left.rows) as usize,
                left.rows as usize,
                rows as usize,
            );
            let Left { region, guided, depth, .. } = left;
            (Chained::of(own), Above { region, budget, holds: true, guided, depth })
        });
        Ok(Some(found.collect()))
    }

    fn draw(&mut self, tuples: &dyn Tuples) -> Result<Vec<Vec<u64>>> {
        let rows = tuples.n_rows();
        self.draws += 1;
        self.work.scans += 1;
        self.work.rows_read += rows;
        let seed = self.outline.seed ^ self.draws.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let wanted = usize::try_from(self.limits.sample_rows).unwrap_or(usize::MAX);
        self.outline.observer.begin("sample", rows, Unit::Rows);
        let sample =
            draw(tuples, self.outline.frame.columns.len(), wanted, seed, self.outline.observer);
        self.outline.observer.end();
        sample
    }

    /// Divide tuples by a tree, and undo its wrong splits.
    fn apply(&mut self, tuples: &dyn Tuples, splits: &Splits) -> Result<(Divided, Vec<Left>)> {
        let Outline { frame, requirements, whole, observer, books, .. } = *self.outline;
        let (part_of_node, n_parts) = splits.parts();
        let bytes = bytes_of_part(frame, requirements).saturating_mul(n_parts as u64);
        let bytes = bytes.min(self.limits.group_bytes);
        let _memory = books.book("what is counted of parts", bytes);
        let mut statistics = Statistics::new(frame, requirements, n_parts, self.limits.group_bytes);
        let mut router = splits.tree.router(0, part_of_node.clone());
        observer.begin("partition", tuples.n_rows(), Unit::Rows);
        let parts = self.divide.divide(tuples, n_parts, &mut |batch, to| {
            let first = to.len();
            router.route(batch, to);
            statistics.count(batch, &to[first..]);
            advance(observer, batch)
        });
        observer.end();
        let parts = parts?.into_iter().map(Some).collect();
        self.work.scans += 1;
        self.work.rows_read += tuples.n_rows();
        self.work.rows_written += tuples.n_rows();
        self.work.repartitions += 1;
        let counted = statistics.finish();
        let prune = Prune {
            splits,
            part_of_node: &part_of_node,
            parts: &counted,
            requirements,
            release: whole,
        };
        let (left, pruned) = prune.run();
        self.work.pruned += pruned;
        Ok((parts, left))
    }

    /// Use frequency groups where samples find no more splits. If these can't be made, tuples stay
    /// together.
    fn exhaust(&mut self, tuples: &dyn Tuples, above: Above) -> Result<()> {
        let fits = tuples.n_rows() <= self.limits.partition_rows;
        if !fits {
            self.work.handed_over += 1;
            match tree_below(self.outline, self.limits, tuples, self.divide, above.clone()) {
                Ok((partitions, work)) => {
                    self.work.add(&work);
                    self.done.extend(partitions);
                    return Ok(());
                }
                Err(error) if error.kind == ErrorKind::Unsupported => self.work.nonminimal += 1,
                Err(error) => return Err(error),
            }
            if !above.holds {
                return Err(Error::infeasible("the whole table can't be published"));
            }
        }
        if let Some((tuples, cells)) = self.copy(tuples)? {
            let whole_class = (!fits).then_some(cells);
            self.done.push(Partition { tuples, above, published: true, whole_class });
        }
        Ok(())
    }

    /// Copy tuples into one partition, with the intervals of their quasi cells. `None` if there are
    /// no tuples.
    fn copy(&mut self, tuples: &dyn Tuples) -> Result<Option<Copied>> {
        self.work.scans += 1;
        self.work.rows_read += tuples.n_rows();
        self.work.rows_written += tuples.n_rows();
        let quasi = self.outline.frame.quasi();
        let mut cells: Option<Vec<Words>> = None;
        let mut copies = self.divide.divide(tuples, 1, &mut |batch, to| {
            to.resize(to.len() + batch.n_rows, 0);
            if batch.n_rows > 0 {
                let first = |place: &usize| Words {
                    min: batch.columns[*place][0],
                    max: batch.columns[*place][0],
                };
                let cells = cells.get_or_insert_with(|| quasi.iter().map(first).collect());
                for (cell, place) in cells.iter_mut().zip(&quasi) {
                    *cell = batch.columns[*place].iter().fold(*cell, |cell, word| cell.with(*word));
                }
            }
            advance(self.outline.observer, batch)
        })?;
        Ok(copies.pop().zip(cells))
    }
}

/// The number of sampled rows up to which the tuples of a node almost certainly fit into a
/// partition: even with three standard deviations more they would.
fn stop_rows(sampling: &Sampling, partition_rows: u64) -> usize {
    let expected = partition_rows as f64 * sampling.fraction();
    let deviations = 3.0 * sampling.correction().sqrt();
    let root = ((deviations * deviations + 4.0 * expected).sqrt() - deviations) / 2.0;
    // What rounding leaves of a whole number is that number.
    (root * root * (1.0 + 1e-12)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_stops_where_tuples_surely_fit() {
        let sampling = |population, sample| Sampling { population, sample, alpha: 0.05, z };
        assert_eq!(stop_rows(&sampling(1_000, 1_000), 77), 77);
        // A hundredth: 100 are expected where 10,000 fit; 74 + 3 * sqrt(74 * 0.99) = 99.7.
        assert_eq!(stop_rows(&sampling(1_000_000, 10_000), 10_000), 74);
        assert_eq!(stop_rows(&sampling(1_000_000, 10), 10), 0);
    }

    #[test]
    fn quantiles_are_those_of_the_normal_distribution() {
        assert!((z(0.05) - 1.644_853_627).abs() < 1e-6 && (z(0.025) - 1.959_963_985).abs() < 1e-6);
    }
}
