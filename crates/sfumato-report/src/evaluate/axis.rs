//! An axis for scores: between round numbers around the values, not necessarily from zero.

/// An axis between two round numbers around the values. It needn't begin at zero, and the drawing
/// says so.
pub(crate) struct Axis {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    step: f64,
}

impl Axis {
    /// An axis for the values. Values that aren't finite are ignored.
    pub(crate) fn around(values: &[f64]) -> Self {
        let finite =
            || values.iter().copied().filter(|value| value.is_finite() && value.abs() < 1e12);
        let (lo, hi) =
            finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
        if lo > hi {
            return Axis { lo: 0.0, hi: 1.0, step: 0.2 };
        }
        let width = (hi - lo).max(hi.abs() * 0.02).max(1e-9);
        let power = 10_f64.powf((width / 5.0).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|step| width / step <= 6.0).unwrap_or(10.0 * power);
        // Room for the shortest bar to be seen.
        let bottom = ((lo - step / 2.0) / step).floor() * step;
        Axis {
            lo: if lo >= 0.0 { bottom.max(0.0) } else { bottom },
            hi: (hi / step).ceil() * step,
            step,
        }
    }

    /// The position of a value on the axis, from 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let share = (value - self.lo) / (self.hi - self.lo).max(f64::MIN_POSITIVE);
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }

    /// The values to write at the axis.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = f64> {
        let (lo, step) = (self.lo, self.step);
        (0..=((self.hi - lo) / step + 1e-9).floor() as usize).map(move |i| lo + i as f64 * step)
    }
}
