//! Decides which cluster a record joins: the one whose utility grows most, or the one that is worth
//! most with it.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::column::Code;
use sfumato_core::registry::Params;

use super::state::{NONE, State};
use crate::algorithms::bottom_up::lsh::Index;
use crate::algorithms::bottom_up::points::{Common, Points, total};
use crate::traits::SetTask;

/// The number of points whose clusters are searched at the same time.
const BATCH: usize = 64;

/// What makes a cluster the best for a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Its utility with the point minus its utility without it.
    Growth,
    /// Its utility with the point: the thesis' `select_class` as printed, which prefers large
    /// clusters whatever they lose.
    Utility,
}

impl Join {
    /// Read the parameter.
    pub fn of(params: &Params) -> Self {
        if params.text("join") == Some("utility") { Join::Utility } else { Join::Growth }
    }
}

/// Finds clusters for points.
pub struct Select<'a> {
    join: Join,
    index: Option<&'a Index>,
    own: Common,
    /// For each cluster, the last search in which it was evaluated.
    seen: Vec<u32>,
    search: u32,
}

/// The gain of joining a cluster, and its number. A larger gain is better, then a lower number.
type Choice = (f64, u32);

fn better(a: Choice, b: Option<Choice>) -> bool {
    b.is_none_or(|b| a.0 > b.0 || (a.0 == b.0 && a.1 < b.1))
}

impl<'a> Select<'a> {
    /// A search in an index, or everywhere if there is none.
    pub fn new<C: Code>(points: &Points<'_, C>, index: Option<&'a Index>, join: Join) -> Self {
        Select {
            join,
            index,
            own: Common::new(points.utilities.len()),
            seen: vec![0; points.len()],
            search: 0,
        }
    }

    /// Let all points without a cluster join one, in their order.
    pub fn assign<C: Code>(
        &mut self,
        points: &Points<'_, C>,
        state: &mut State,
        task: &SetTask<'_>,
    ) -> Result<()> {
        let free: Vec<u32> = (0..points.len() as u32)
            .filter(|point| state.of_point[*point as usize] == NONE)
            .collect();
        for batch in free.chunks(BATCH) {
            task.check_cancelled()?;
            match self.index {
                Some(index) => {
                    for point in batch.iter().map(|point| *point as usize) {
                        if let Some((_, into)) = self.near(points, state, index, point) {
                            state.join(points, point, into);
                        }
                    }
                }
                None => self.batch(points, state, batch),
            }
        }
        Ok(())
    }

    /// The best cluster among those of records that share a bucket with a point, or among all
    /// clusters if there is none.
    fn near<C: Code>(
        &mut self,
        points: &Points<'_, C>,
        state: &State,
        index: &Index,
        point: usize,
    ) -> Option<Choice> {
        self.own.begin(points.set(point), points.utilities);
        self.search += 1;
        let mut best: Option<Choice> = None;
        for other in index.buckets(point).flatten() {
            let cluster = state.of_point[*other as usize];
            if cluster != NONE
                && std::mem::replace(&mut self.seen[cluster as usize], self.search) != self.search
            {
                consider(points, state, (&self.own, self.join), point, cluster, &mut best);
            }
        }
        best.or_else(|| everywhere(points, state, (&self.own, self.join), point))
    }

    /// The exact search for several points: all are compared with the clusters at the same time.
    /// Then each joins in turn, after a second comparison with the clusters that others joined
    /// meanwhile. The result is the same as with one after the other.
    fn batch<C: Code>(&mut self, points: &Points<'_, C>, state: &mut State, batch: &[u32]) {
        let join = self.join;
        let choices: Vec<Option<Choice>> = batch
            .par_iter()
            .map_init(
                || Common::new(points.utilities.len()),
                |own, point| {
                    own.begin(points.set(*point as usize), points.utilities);
                    everywhere(points, state, (own, join), *point as usize)
                },
            )
            .collect();
        self.search += 1;
        let mut changed: Vec<u32> = Vec::new();
        for (point, choice) in batch.iter().map(|point| *point as usize).zip(choices) {
            self.own.begin(points.set(point), points.utilities);
            let stale = choice.is_some_and(|(_, into)| self.seen[into as usize] == self.search);
            let own = (&self.own, join);
            let mut best = if stale { everywhere(points, state, own, point) } else { choice };
            if !stale {
                changed.iter().for_each(|i| consider(points, state, own, point, *i, &mut best));
            }
            if let Some((_, into)) = best {
                state.join(points, point, into);
                if std::mem::replace(&mut self.seen[into as usize], self.search) != self.search {
                    changed.push(into);
                }
            }
        }
    }
}

/// The best of all clusters for a point.
fn everywhere<C: Code>(
    points: &Points<'_, C>,
    state: &State,
    (own, join): (&Common, Join),
    point: usize,
) -> Option<Choice> {
    let mut best = None;
    (0..state.clusters.len() as u32)
        .for_each(|cluster| consider(points, state, (own, join), point, cluster, &mut best));
    best
}

/// Replace the best choice by a cluster if that is better.
#[inline]
fn consider<C: Code>(
    points: &Points<'_, C>,
    state: &State,
    (own, join): (&Common, Join),
    point: usize,
    cluster: u32,
    best: &mut Option<Choice>,
) {
    let (worth, copies) = (state.worth[cluster as usize], f64::from(points.copies[point]));
    let there = &state.clusters[cluster as usize];
    let size = there.size as f64;
    // What is common with the point is worth no more than what is common without it.
    let most = match join {
        Join::Growth => worth * copies,
        Join::Utility => (size + copies) * worth,
    };
    if !better((most, cluster), *best) {
        return;
    }
    let kept = total(there.items.iter().map(|item| own.value(*item)));
    let gain = match join {
        Join::Growth => (size + copies) * kept - size * worth,
        Join::Utility => (size + copies) * kept,
    };
    if better((gain, cluster), *best) {
        *best = Some((gain, cluster));
    }
}

#[cfg(test)]
mod tests {
    use crate::data::Collapsed;
    use sfumato_core::column::Codes;
    use sfumato_core::transactions::{Sets, Transactions};

    use super::*;
    use sfumato_kernels::seeded::Seeded;

    #[test]
    fn looking_at_the_same_time_is_like_looking_in_turn() {
        let mut random = Seeded::new(9);
        let list = |_| (0..20u32).filter(|_| random.below(3) == 0).collect::<Vec<u32>>();
        let all = Transactions::from_sets(20, (0..400).map(list));
        let collapsed = Collapsed::of(&all);
        let Codes::U8(codes) = collapsed.sets.parts().1 else { panic!("20 items are bytes") };
        let sets = Sets { offsets: collapsed.sets.parts().0, codes };
        let utilities: Vec<f64> = (0..20).map(|item| f64::from(item % 4)).collect();
        let points = Points::new(sets, &collapsed.weights, &utilities);
        let mut found = Vec::new();
        for join in [Join::Growth, Join::Utility] {
            let mut state = State::empty(&points);
            state.seed(&points, 5, &mut Seeded::new(2));
            let mut in_turn = state.clone();
            let task = SetTask::new(&all, &utilities, 5);
            Select::new(&points, None, join).assign(&points, &mut state, &task).unwrap();
            let mut own = Common::new(20);
            let free = (0..points.len()).filter(|point| in_turn.of_point[*point] == NONE);
            for point in free.collect::<Vec<_>>() {
                own.begin(points.set(point), &utilities);
                let (_, into) =
                    everywhere(&points, &in_turn, (&own, join), point).expect("there are clusters");
                // The best by its definition, of all clusters: ties go to the older one.
                let worth = |cluster: usize| {
                    let there = &in_turn.clusters[cluster];
                    let (size, copies) = (there.size as f64, f64::from(points.copies[point]));
                    let kept = total(there.items.iter().map(|item| own.value(*item)));
                    let before = size * in_turn.worth[cluster];
                    (size + copies) * kept - if join == Join::Growth { before } else { 0.0 }
                };
                let best = (0..in_turn.clusters.len())
                    .rev()
                    .max_by(|a, b| worth(*a).total_cmp(&worth(*b)));
                assert_eq!(Some(into as usize), best, "{join:?}");
                in_turn.join(&points, point, into);
            }
            assert_eq!(state.of_point, in_turn.of_point);
            assert!(state.of_point.iter().all(|cluster| *cluster != NONE));
            found.push(state.of_point);
        }
        assert_ne!(found[0], found[1]);
    }
}
