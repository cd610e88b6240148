//! What is measured of curves, each with the null control that belongs to it.

use crate::bench::RandomStream;
use crate::found::p_higher;

/// What a statement measures. Each gauge has a control: the same number, measured in the same way,
/// where what the sentence asserts was taken away at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gauge {
    /// The second over the first, the least over all settings: for "always lower".
    LeastRatio,
    /// The second over the first, the geometric mean over all settings: for "lower".
    MeanRatio,
    /// The second over the first, the largest over all settings: for "by up to".
    MostRatio,
    /// How much more the first is than the second, in percent of the second.
    Gain,
    /// How much more the first is than the second, on average over settings.
    MeanGap,
    /// How much more the first is than the second where that is least.
    LeastGap,
    /// Kendall's tau between the settings' order and a curve, the least over curves: 1 where it
    /// rises at every step, -1 where it falls, and an equal step counts as neither.
    Trend,
    /// Something else, in words, and what its control is.
    Custom {
        /// What is measured.
        measure: &'static str,
        /// How the control is made.
        control: &'static str,
    },
}

impl Gauge {
    /// What is measured, in words.
    pub const fn measure(&self) -> &'static str {
        match self {
            Gauge::LeastRatio => "second over first, the least of all settings",
            Gauge::MeanRatio => "second over first, geometric mean of all settings",
            Gauge::MostRatio => "second over first, the most of all settings",
            Gauge::Gain => "first over second, difference in percent",
            Gauge::MeanGap => "first minus second, mean of all settings",
            Gauge::LeastGap => "first minus second, the least of all settings",
            Gauge::Trend => "Kendall's tau along the settings, the least of all curves",
            Gauge::Custom { measure, .. } => measure,
        }
    }

    /// How the control is made, in words.
    pub const fn control(&self) -> &'static str {
        match self {
            Gauge::Trend => "settings in random order",
            Gauge::Custom { control, .. } => control,
            _ => "labels of the two swapped at random in each setting",
        }
    }
}

/// What a seed measured, and what the control gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    ours: f64,
    control: f64,
    words: String,
}

impl Measured {
    /// Two numbers, of which the second is the control's.
    pub fn new(ours: f64, control: f64) -> Self {
        Measured { ours, control, words: String::new() }
    }

    /// With more to say about what was measured.
    #[must_use]
    pub fn told(mut self, words: impl Into<String>) -> Self {
        self.words = words.into();
        self
    }

    pub(super) fn ours(&self) -> f64 {
        self.ours
    }

    pub(super) fn control(&self) -> f64 {
        self.control
    }

    pub(super) fn into_words(self) -> String {
        self.words
    }
}

/// Makes controls at random.
pub struct Nulls(RandomStream);

impl Nulls {
    /// By a seed.
    pub fn new(seed: u64) -> Self {
        Nulls(RandomStream::new(seed))
    }

    /// A gauge of two curves, setting by setting, and of the same with labels swapped at random.
    /// Nothing is measured where there is no setting, or the gauge isn't one of two curves.
    pub fn pairs(&mut self, gauge: Gauge, pairs: &[(f64, f64)]) -> Measured {
        let swapped: Vec<(f64, f64)> = pairs
            .iter()
            .map(|(first, second)| match self.0.below(2) {
                0 => (*first, *second),
                _ => (*second, *first),
            })
            .collect();
        Measured::new(of_pairs(gauge, pairs), of_pairs(gauge, &swapped))
    }

    /// The least trend of some curves, and of the same in random orders.
    pub fn trend(&mut self, curves: &[Vec<f64>]) -> Measured {
        let shuffled: Vec<Vec<f64>> = curves.iter().map(|curve| self.shuffled(curve)).collect();
        let least =
            |curves: &[Vec<f64>]| least(&curves.iter().map(|c| tau(c)).collect::<Vec<f64>>());
        Measured::new(least(curves), least(&shuffled))
    }

    /// The trend of curves that should fall: 1 where they fall at every step.
    pub fn falling(&mut self, curves: &[Vec<f64>]) -> Measured {
        let negative: Vec<Vec<f64>> =
            curves.iter().map(|curve| curve.iter().map(|x| -x).collect()).collect();
        self.trend(&negative)
    }

    /// Some numbers in random order.
    pub fn shuffled<T: Copy>(&mut self, values: &[T]) -> Vec<T> {
        self.0.order(values.len()).into_iter().map(|place| values[place]).collect()
    }

    /// The one-tailed p that the first of some pairs is higher, with each pair swapped at random.
    pub fn p_swapped(&mut self, first: &[f64], second: &[f64]) -> f64 {
        let swapped = first.iter().zip(second).map(|(a, b)| match self.0.below(2) {
            0 => (*a, *b),
            _ => (*b, *a),
        });
        let (first, second): (Vec<f64>, Vec<f64>) = swapped.unzip();
        p_higher(&first, &second)
    }

    /// A number with a random sign: the control of a difference between two things.
    pub fn signed(&mut self, x: f64) -> Measured {
        let control = if self.0.below(2) == 0 { x } else { -x };
        Measured::new(x, control)
    }
}

fn of_pairs(gauge: Gauge, pairs: &[(f64, f64)]) -> f64 {
    let ratios: Vec<f64> = pairs.iter().map(|(first, second)| second / first).collect();
    let gaps: Vec<f64> = pairs.iter().map(|(first, second)| first - second).collect();
    match gauge {
        Gauge::LeastRatio => least(&ratios),
        Gauge::MostRatio => -least(&ratios.iter().map(|x| -x).collect::<Vec<f64>>()),
        Gauge::MeanRatio => {
            mean(&ratios.iter().map(|ratio| ratio.ln()).collect::<Vec<f64>>()).exp()
        }
        Gauge::Gain => {
            let gains: Vec<f64> = pairs.iter().map(|(a, b)| 100.0 * (a / b - 1.0)).collect();
            mean(&gains)
        }
        Gauge::MeanGap => mean(&gaps),
        Gauge::LeastGap => least(&gaps),
        Gauge::Trend | Gauge::Custom { .. } => f64::NAN,
    }
}

/// The mean of some numbers; not a number of none.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |sum, value| sum + value) / values.len() as f64
}

/// The least of some numbers; not a number where there is none, or one of them isn't.
pub fn least(values: &[f64]) -> f64 {
    let all = values.iter().all(|value| !value.is_nan()) && !values.is_empty();
    if all { values.iter().copied().fold(f64::INFINITY, f64::min) } else { f64::NAN }
}

/// Kendall's tau between a curve and the order of its points. Equal values count as neither.
pub fn tau(curve: &[f64]) -> f64 {
    let (mut sum, mut pairs) = (0.0, 0.0);
    for (place, x) in curve.iter().enumerate() {
        for y in &curve[place + 1..] {
            pairs += 1.0;
            sum += match y.partial_cmp(x) {
                Some(std::cmp::Ordering::Greater) => 1.0,
                Some(std::cmp::Ordering::Less) => -1.0,
                Some(std::cmp::Ordering::Equal) => 0.0,
                None => f64::NAN,
            };
        }
    }
    sum / pairs
}
