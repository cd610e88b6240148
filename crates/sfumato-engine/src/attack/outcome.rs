//! What came of an attack: how often the attacker was right, and how sure that figure is.

use serde::Serialize;

/// The share of intervals that hold the true rate.
pub const CONFIDENCE: f64 = 0.95;

/// The quantile of the normal distribution that belongs to [`CONFIDENCE`].
const Z: f64 = 1.959_963_984_540_054;

/// With fewer queries a sample says nothing about a release. Whoever asks about everybody may have
/// fewer: the rate is then that of all people there are.
pub const FEWEST_QUERIES: u64 = 100;

/// How often an attacker was right.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Score {
    /// How often, or how often on average where the attacker guesses among candidates.
    pub hits: f64,
    /// How many queries the attacker posed.
    pub queries: u64,
}

impl Score {
    /// A score of so many hits among so many queries.
    pub fn new(hits: f64, queries: u64) -> Self {
        Score { hits, queries }
    }

    /// Count a query in which the attacker is right with this chance.
    pub fn add(&mut self, chance: f64) {
        self.hits += chance;
        self.queries += 1;
    }

    /// The share of queries in which the attacker was right; none without any query.
    pub fn rate(&self) -> Option<f64> {
        (self.queries > 0).then(|| (self.hits / self.queries as f64).clamp(0.0, 1.0))
    }

    /// The interval of Wilson around the rate. A rate of 0 or 1 has one, too.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let (rate, n) = (self.rate()?, self.queries as f64);
        let z2 = Z * Z;
        let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
        // Rounding must not put the rate outside.
        Some(((centre - half).clamp(0.0, rate), (centre + half).clamp(rate, 1.0)))
    }
}

/// A record that an attacker learns much about. Never public.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Worst {
    /// The number of the record in the original, counted from 1.
    pub record: u64,
    /// How likely the attacker is right about it.
    pub chance: f64,
}

/// What came of an attack.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// How often the attacker was right about people in the release.
    pub score: Score,
    /// The rate of an attacker who guesses without the release.
    pub baseline: f64,
    /// How often the same attacker was right about people who aren't in the release.
    pub control: Option<Score>,
    /// How many queries the attacker looked for, if not all of them were found.
    pub sought: Option<u64>,
    /// Whether everybody was asked about, so that the rate isn't that of a sample.
    pub everybody: bool,
    /// The records about which the attacker is most often right, worst first.
    pub worst: Vec<Worst>,
    /// What a reader of the figures should know. No remark may hold a value of the data.
    pub remarks: Vec<String>,
}

impl Outcome {
    /// How many worst records are named.
    pub const WORST: usize = 10;

    /// The outcome of asking about every record, given how likely the attacker is right about each.
    pub fn of_everybody(chances: &[f64], baseline: f64) -> Self {
        let score = Score::new(chances.iter().sum(), chances.len() as u64);
        let records = chances.iter().enumerate();
        let worst = records.map(|(at, chance)| Worst { record: at as u64 + 1, chance: *chance });
        Outcome {
            score,
            baseline,
            everybody: true,
            worst: Self::worst_of(worst),
            ..Outcome::default()
        }
    }

    /// The worst of some records: those with the highest chance above 0, and the first of those
    /// that are alike.
    pub fn worst_of(records: impl Iterator<Item = Worst>) -> Vec<Worst> {
        let mut all: Vec<Worst> = records.filter(|worst| worst.chance > 0.0).collect();
        let order = |a: &Worst, b: &Worst| {
            b.chance.total_cmp(&a.chance).then_with(|| a.record.cmp(&b.record))
        };
        if all.len() > Self::WORST {
            all.select_nth_unstable_by(Self::WORST, order);
            all.truncate(Self::WORST);
        }
        all.sort_by(order);
        all
    }

    /// Whether there were too few queries to say anything.
    pub fn is_too_few(&self) -> bool {
        self.score.queries == 0 || (!self.everybody && self.score.queries < FEWEST_QUERIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        // 10 of 100, a case that textbooks work out: 0.0552 to 0.1744.
        let (low, high) = Score::new(10.0, 100).interval().unwrap();
        assert!((low - 0.0552).abs() < 1e-4 && (high - 0.1744).abs() < 1e-4, "{low} {high}");
        let (low, high) = Score::new(0.0, 20).interval().unwrap();
        assert!(low == 0.0 && (high - 0.1611).abs() < 1e-4, "{high}");
        let (low, high) = Score::new(20.0, 20).interval().unwrap();
        assert!(high == 1.0 && (low - 0.8389).abs() < 1e-4, "{low}");
        assert_eq!(Score::default().interval(), None);
        assert_eq!(Score::default().rate(), None);
    }

    #[test]
    fn a_sample_may_be_too_small_and_everybody_may_be_few() {
        let outcome = |queries, everybody| Outcome {
            score: Score::new(1.0, queries),
            everybody,
            ..Outcome::default()
        };
        assert!(outcome(35, false).is_too_few() && !outcome(100, false).is_too_few());
        assert!(!outcome(7, true).is_too_few() && outcome(0, true).is_too_few());
    }

    #[test]
    fn the_worst_are_named_in_their_order() {
        let chances: Vec<f64> = (0..50).map(|i| f64::from(i % 25) / 25.0).collect();
        let worst = Outcome::of_everybody(&chances, 0.0).worst;
        assert_eq!(worst.len(), Outcome::WORST);
        assert_eq!((worst[0].record, worst[1].record, worst[2].record), (25, 50, 24));
        assert!(Outcome::of_everybody(&[0.0; 3], 0.0).worst.is_empty());
    }
}
