//! How homogeneous the targets of a class are: conditional entropy (Eq. 1) and weighted mean
//! squared error (Eq. 2).

use sfumato_core::FastMap;

/// The entropy of a class label given the class of the partition, in bits: the mean over the
/// published records that have a label. `class_of_row` and `label_of_row` are those of the same
/// rows; `None` leaves a row out. `None` where no row is left.
pub fn conditional_entropy(
    class_of_row: impl Iterator<Item = Option<u32>>,
    label_of_row: impl Iterator<Item = Option<u32>>,
) -> Option<f64> {
    let mut counts: FastMap<(u32, u32), u64> = FastMap::default();
    let mut sizes: FastMap<u32, u64> = FastMap::default();
    for (class, label) in
        class_of_row.zip(label_of_row).filter_map(|(class, label)| Some((class?, label?)))
    {
        *counts.entry((class, label)).or_default() += 1;
        *sizes.entry(class).or_default() += 1;
    }
    let n: u64 = sizes.values().sum();
    let mut sorted: Vec<((u32, u32), u64)> = counts.into_iter().collect();
    // Floats are added in one order, whatever the map's is.
    sorted.sort_unstable();
    let bits = |((class, _), count): &((u32, u32), u64)| {
        let share = *count as f64 / sizes[class] as f64;
        *count as f64 * -share.log2()
    };
    (n > 0).then(|| (sorted.iter().map(bits).sum::<f64>() / n as f64).max(0.0))
}

/// The mean squared distance of a target from its class's mean, over the published records that
/// have a target.
pub fn weighted_squared_error(
    class_of_row: impl Iterator<Item = Option<u32>> + Clone,
    target_of_row: impl Iterator<Item = Option<f64>> + Clone,
) -> Option<f64> {
    let rows =
        || class_of_row.clone().zip(target_of_row.clone()).filter_map(|(c, t)| Some((c?, t?)));
    let mut sums: FastMap<u32, (f64, u64)> = FastMap::default();
    for (class, target) in rows() {
        let sum = sums.entry(class).or_default();
        (sum.0, sum.1) = (sum.0 + target, sum.1 + 1);
    }
    let n: u64 = sums.values().map(|sum| sum.1).sum();
    let square = |(class, target): (u32, f64)| {
        let (sum, n) = sums[&class];
        (target - sum / n as f64).powi(2)
    };
    (n > 0).then(|| rows().map(square).sum::<f64>() / n as f64)
}
