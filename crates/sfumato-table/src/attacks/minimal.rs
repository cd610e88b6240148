//! What minimality tells of any model about sensitive values: which values a class couldn't have
//! one more of, and in which worlds a part of a class would have broken the model.

use sfumato_core::group::{Histogram, Summary};
use sfumato_core::registry::Params;
use sfumato_core::traits::{Bind, Requirement, Scope, SensitiveColumn};
use sfumato_engine::attack::Chance;

use super::TableStage;
use super::worlds::Parts;

/// How many worlds are drawn for a class.
const WORLDS: usize = 200;
/// With fewer worlds in which a part breaks the model nothing is concluded.
const FEWEST: usize = 20;
/// A value must be likelier by this than in the class to be claimed.
pub const GAIN: f64 = 0.05;

/// The models that a release was made for, as far as they look at one sensitive column alone.
pub struct Bounds {
    requirements: Vec<Box<dyn Requirement>>,
    column: usize,
    n_columns: usize,
    release: Summary,
}

impl Bounds {
    /// The models of a stage that are about classes and a column. `None` if there is none.
    pub fn of(stage: &TableStage, column: usize) -> Option<Self> {
        let sensitive = stage.sensitive.iter().map(|column| SensitiveColumn {
            name: &column.name,
            domain: &column.domain,
            hierarchy: column.tree.as_ref(),
            is_guard: false,
        });
        let quasi = stage.quasi.iter().map(|column| column.name.as_str()).collect();
        let bind = Bind { quasi, sensitive: sensitive.collect() };
        let mut requirements: Vec<Box<dyn Requirement>> = Vec::new();
        for call in &stage.models {
            let Ok(model) = crate::models::find(&call.name) else { continue };
            let Ok(params) = Params::check(model.info(), &call.args) else { continue };
            // A model that this file can't be asked about drove nothing that can be told here.
            let bound = model.bind(&params, &bind).unwrap_or_default();
            let is_about =
                |it: &dyn Requirement| it.scope() == Scope::Class && it.histograms() == [column];
            requirements.extend(bound.into_iter().filter(|it| is_about(it.as_ref())));
        }
        if requirements.is_empty() {
            return None;
        }
        let n_columns = stage.sensitive.len();
        let secret = &stage.sensitive[column];
        let all = (0u32..).zip(secret.overall.iter().copied()).filter(|(_, count)| *count > 0);
        let mut bounds = Bounds { requirements, column, n_columns, release: Summary::default() };
        bounds.release = bounds.summary(&all.collect::<Vec<(u32, u64)>>());
        Some(bounds)
    }

    fn summary(&self, counts: &[(u32, u64)]) -> Summary {
        let mut histograms = vec![Histogram::default(); self.n_columns];
        histograms[self.column] = Histogram::from_counts(counts.iter().copied());
        Summary::of_histograms(counts.iter().map(|(_, count)| count).sum(), histograms)
    }

    fn holds(&self, counts: &[(u32, u64)]) -> bool {
        let group = self.summary(counts);
        self.requirements.iter().all(|it| it.holds(&group, &self.release))
    }

    /// The values of which a class that holds couldn't have one more.
    pub fn at_cap(&self, counts: &[(u32, u64)]) -> Vec<u32> {
        if !self.holds(counts) {
            return Vec::new();
        }
        let is_full = |code: &u32| {
            let more: Vec<(u32, u64)> = counts
                .iter()
                .map(|(other, count)| (*other, count + u64::from(other == code)))
                .collect();
            !self.holds(&more)
        };
        counts.iter().map(|(code, _)| *code).filter(is_full).collect()
    }

    /// For each part of a class whose members are known, the value that gains most over its share
    /// in the class, and how likely it is, over random worlds in which at least one part breaks the
    /// model.
    pub fn credence(
        &self,
        parts: &Parts,
        counts: &[(u32, u64)],
        chance: &mut Chance,
    ) -> Vec<Option<(u32, f64)>> {
        let sizes = parts.sizes();
        let mut values: Vec<u32> = counts
            .iter()
            .flat_map(|(code, count)| std::iter::repeat_n(*code, *count as usize))
            .collect();
        let place = |code: u32| counts.iter().position(|(other, _)| *other == code);
        let mut sums = vec![vec![0u64; counts.len()]; sizes.len()];
        let mut kept = 0;
        for _ in 0..WORLDS {
            chance.shuffle(&mut values);
            let mut start = 0;
            let mut world: Vec<Vec<u64>> = Vec::with_capacity(sizes.len());
            for size in &sizes {
                let mut own = vec![0u64; counts.len()];
                for code in &values[start..start + *size as usize] {
                    if let Some(at) = place(*code) {
                        own[at] += 1;
                    }
                }
                start += *size as usize;
                world.push(own);
            }
            let breaks = |own: &Vec<u64>| {
                let has = own.iter().zip(counts).filter(|(count, _)| **count > 0);
                !self.holds(&has.map(|(count, (code, _))| (*code, *count)).collect::<Vec<_>>())
            };
            if world.iter().any(breaks) {
                kept += 1;
                for (sums, own) in sums.iter_mut().zip(&world) {
                    sums.iter_mut().zip(own).for_each(|(sum, count)| *sum += count);
                }
            }
        }
        if kept < FEWEST {
            return vec![None; sizes.len()];
        }
        let all = values.len() as f64;
        let best = |(sums, size): (&Vec<u64>, &u64)| {
            let share = |at: usize| sums[at] as f64 / (kept as f64 * *size as f64);
            let gain = |at: &usize| share(*at) - counts[*at].1 as f64 / all;
            let at = (0..counts.len()).max_by(|a, b| gain(a).total_cmp(&gain(b)))?;
            (gain(&at) > GAIN).then(|| (counts[at].0, share(at)))
        };
        sums.iter().zip(&sizes).map(best).collect()
    }
}
