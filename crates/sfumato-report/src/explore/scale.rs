//! Axes: the positions of values, and which values are written at them.

/// A linear axis from zero to a round number.
pub(crate) struct Linear {
    top: f64,
    step: f64,
}

impl Linear {
    /// An axis that reaches the largest value.
    pub(crate) fn reaching(values: impl Iterator<Item = f64>) -> Self {
        let largest = values.filter(|value| value.is_finite()).fold(0.0_f64, f64::max);
        if largest <= 0.0 {
            return Linear { top: 1.0, step: 0.2 };
        }
        let power = 10_f64.powf((largest / 5.0).log10().floor());
        let steps = [1.0, 2.0, 5.0].map(|m| m * power);
        let step =
            steps.into_iter().find(|step| largest / step <= 5.0 + 1e-9).unwrap_or(10.0 * power);
        Linear { top: (largest / step - 1e-9).ceil() * step, step }
    }

    /// The values to write at the axis.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = f64> {
        let step = self.step;
        (0..=(self.top / step + 1e-9).floor() as usize).map(move |i| i as f64 * step)
    }

    /// The position of a value on the axis, from 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        (value / self.top).clamp(0.0, 1.0)
    }
}

/// A logarithmic axis, whose ends lie a little outside the values.
pub(crate) struct Log {
    lo: f64,
    hi: f64,
}

impl Log {
    /// An axis around positive values.
    pub(crate) fn around(values: impl Iterator<Item = f64>) -> Self {
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for log in values.filter(|value| value.is_finite() && *value > 0.0).map(f64::ln) {
            (lo, hi) = (lo.min(log), hi.max(log));
        }
        if lo > hi {
            (lo, hi) = (0.0, 1.0);
        }
        // A single value stands in the middle.
        let room = ((hi - lo) * 0.05).max(if hi > lo { 0.0 } else { 0.5 });
        Log { lo: lo - room, hi: hi + room }
    }

    /// The position of a value on the axis, from 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        ((value.max(f64::MIN_POSITIVE).ln() - self.lo) / (self.hi - self.lo)).clamp(0.0, 1.0)
    }

    /// Powers of ten on the axis, with twice and five times each if few powers fit.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let (lo, hi) = (self.lo.exp(), self.hi.exp());
        let powers = lo.log10().floor() as i32..=hi.log10().ceil() as i32;
        let at = |factors: &'static [f64]| -> Vec<f64> {
            let powers = powers.clone();
            let all = powers
                .flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)));
            all.filter(|tick| (lo..=hi).contains(tick)).collect()
        };
        let tens = at(&[1.0]);
        if tens.len() > 3 { tens } else { at(&[1.0, 2.0, 5.0]) }
    }
}

/// A number that is short enough for an axis.
pub(crate) fn short(value: f64) -> String {
    for (size, unit) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")] {
        let unit_size: f64 = if unit == "k" { 1e3 } else { size };
        if value.abs() >= size && value.abs() < 1e15 {
            return format!("{}{unit}", crate::numbers::quantity(value / unit_size));
        }
    }
    crate::numbers::quantity(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_axes_end_on_round_numbers() {
        let ticks = |largest: f64| {
            Linear::reaching([largest].into_iter()).ticks().map(short).collect::<Vec<_>>()
        };
        assert_eq!(ticks(0.37), ["0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(ticks(48_200_000.0), ["0", "10M", "20M", "30M", "40M", "50M"]);
        assert_eq!(ticks(25_000.0), ["0", "5,000", "10k", "15k", "20k", "25k"]);
        assert_eq!(ticks(f64::NAN).len(), 6);
        assert_eq!(Linear::reaching([0.5].into_iter()).share(f64::INFINITY), 1.0);
    }

    #[test]
    fn logarithmic_axes_hold_their_values() {
        let axis = Log::around([2.0, 200.0].into_iter());
        assert_eq!(axis.ticks(), [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
        assert!((axis.share(20.0) - 0.5).abs() < 1e-12);
        assert!(axis.share(2.0) > 0.0 && axis.share(200.0) < 1.0 && axis.share(0.0) == 0.0);
        assert_eq!(Log::around([0.001, 10.0].into_iter()).ticks().len(), 5);
        assert!((Log::around([7.0].into_iter()).share(7.0) - 0.5).abs() < 1e-12);
        assert!(Log::around(std::iter::empty()).share(1.0).is_finite());
    }
}
