//! The chromosomes of a population, in the order of their fitness. Only the order matters, not how
//! much fitter one is.

use sfumato_core::FastSet;

use crate::algorithms::global::cuts::cut_search::class::SplitsOutcome;
use crate::algorithms::global::cuts::cut_search::items::Items;
use sfumato_kernels::seeded::Seeded;

/// How much more often the fittest is a parent than a chromosome in the middle.
const BIAS: f64 = 1.5;

/// Chromosomes, the fittest first.
pub struct Population {
    members: Vec<(Items, SplitsOutcome)>,
    known: FastSet<Items>,
}

impl Population {
    /// A population of some chromosomes, at least one.
    pub fn new(members: Vec<(Items, SplitsOutcome)>) -> Self {
        let mut population =
            Population { members: Vec::with_capacity(members.len()), known: FastSet::default() };
        for (member, outcome) in members {
            population.place(member, outcome);
        }
        population
    }

    /// Whether the population contains a chromosome. Duplicates would soon fill it.
    pub fn has(&self, member: &Items) -> bool {
        self.known.contains(member)
    }

    /// The fittest chromosome. Those that suppress too much come after all others.
    pub fn fittest(&self) -> &Items {
        &self.members[0].0
    }

    /// Whether the fittest may be published.
    pub fn is_feasible(&self) -> bool {
        self.members[0].1.is_feasible()
    }

    /// Two parents, each by the rank of its fitness.
    pub fn parents(&self, random: &mut Seeded) -> (&Items, &Items) {
        let one = self.by_rank(random);
        let other = self.by_rank(random);
        (&self.members[one].0, &self.members[other].0)
    }

    /// A random place, the first ones more often: probabilities fall linearly from `BIAS` to `2 -
    /// BIAS`.
    fn by_rank(&self, random: &mut Seeded) -> usize {
        let even = random.below(1 << 53) as f64 / (1u64 << 53) as f64;
        let share =
            (BIAS - (BIAS * BIAS - 4.0 * (BIAS - 1.0) * even).sqrt()) / (2.0 * (BIAS - 1.0));
        ((share * self.members.len() as f64) as usize).min(self.members.len() - 1)
    }

    /// Let an offspring replace the worst chromosome, unless it is worse itself or already in the
    /// population.
    pub fn insert(&mut self, child: Items, outcome: SplitsOutcome) {
        let worst = self.members.last().expect("somebody lives");
        if self.has(&child) || !before(&outcome, &worst.1) {
            return;
        }
        let (gone, _) = self.members.pop().expect("somebody lives");
        self.known.remove(&gone);
        self.place(child, outcome);
    }

    fn place(&mut self, member: Items, outcome: SplitsOutcome) {
        if self.known.insert(member.clone()) {
            let place = self.members.partition_point(|(_, other)| !before(&outcome, other));
            self.members.insert(place, (member, outcome));
        }
    }
}

fn before(a: &SplitsOutcome, b: &SplitsOutcome) -> bool {
    a.excess.cmp(&b.excess).then(a.cost.total_cmp(&b.cost)).is_lt()
}
