//! Statistics of samples: the error of what a sample says about its population, and a group that is
//! worse by that error.
//!
//! Nothing here is a promise. Every decision made from a sample is checked again on all records.

use crate::group::{Histogram, Summary};

/// A simple random sample of records, drawn without replacement.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// The number of records that the sample was drawn from.
    pub population: u64,
    /// The number of records in the sample.
    pub sample: u64,
    /// The accepted probability that a group is taken for publishable although it isn't. From 1 on
    /// nothing is tested, and the sample is taken as it is.
    pub alpha: f64,
    /// The upper quantile of the standard normal distribution. It is passed in because core has no
    /// statistics of its own.
    pub z: fn(f64) -> f64,
}

impl Sampling {
    /// Whether the sample is the whole population.
    pub fn is_whole(&self) -> bool {
        self.sample >= self.population
    }
    /// Whether the sample is taken as it is, whatever its error.
    pub fn is_naive(&self) -> bool {
        self.alpha >= 1.0
    }
    /// The share of the population that was drawn.
    pub fn fraction(&self) -> f64 {
        (self.sample as f64 / self.population.max(1) as f64).min(1.0)
    }
    /// The finite population correction: the share of the variance that remains because the
    /// population is finite.
    pub fn correction(&self) -> f64 {
        1.0 - self.fraction()
    }
    /// The accepted probability of an error for one of `n_parts` parts that are tested together
    /// (Bonferroni correction).
    pub fn share(&self, n_parts: usize) -> f64 {
        self.alpha / n_parts.max(1) as f64
    }
    /// The quantile for one of `n_parts` parts that are tested together.
    pub fn quantile(&self, n_parts: usize) -> f64 {
        if self.is_naive() { 0.0 } else { (self.z)(self.share(n_parts)).max(0.0) }
    }

    /// How many sampled records one of `n_parts` parts needs so that, with high confidence, it has
    /// at least `least` records of the population. Never more than `least`, since the sampled
    /// records are there.
    pub fn needed(&self, least: u64, n_parts: usize) -> u64 {
        if self.is_whole() {
            return least;
        }
        let (all, drawn) = (self.population as f64, self.sample as f64);
        let p = least as f64 / all;
        let variance = p * (1.0 - p).max(0.0) / (drawn - 1.0).max(1.0) * self.correction();
        // What rounding leaves of a whole number is none of the next one.
        let records = (p + self.quantile(n_parts) * variance.sqrt()) * drawn * (1.0 - 1e-12);
        (records.ceil() as u64).min(least)
    }
    /// Whether a sampled group, one of `n_parts` parts, has at least `least` people in the
    /// population with high confidence.
    pub fn enough(&self, group: &Summary, least: u64, n_parts: usize) -> bool {
        let needed = self.needed(least, n_parts);
        if group.people >= least {
            return true;
        }
        match group.subjects() {
            None => group.rows >= needed,
            // As many records of people who have one each would say as much.
            Some(_) => self.distinct(group.rows, group.people) * self.fraction() >= needed as f64,
        }
    }

    /// The group of the population in proportion to the sample: all counts are scaled up.
    pub fn scaled(&self, group: &Summary) -> Summary {
        self.shifted(group, 0.0)
    }
    /// The scaled group with the most frequent value of each sensitive column more frequent, and
    /// all other values less frequent, by the error that one of `n_parts` parts may have. Models
    /// without a test of their own are asked about this group. No count falls below what was drawn.
    pub fn skewed(&self, group: &Summary, n_parts: usize) -> Summary {
        self.shifted(group, self.quantile(n_parts))
    }

    /// An estimate of how many different things (people, or people with a value) a group of the
    /// population has if a sample of `rows` records shows `seen` of them. If each has the same
    /// number of records, a thing is seen unless none of its records is drawn; where some have more
    /// records than others there are more things than that, so the estimate is on the careful side.
    fn distinct(&self, rows: u64, seen: u64) -> f64 {
        let (all, seen) = (rows as f64 / self.fraction().max(f64::MIN_POSITIVE), seen as f64);
        if self.is_whole() || seen >= rows as f64 {
            return if self.is_whole() { seen } else { all };
        }
        let expected = |things: f64| things * (1.0 - (1.0 - self.fraction()).powf(all / things));
        let (mut low, mut high) = (seen, all);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if expected(middle) <= seen { low = middle } else { high = middle }
        }
        low
    }

    fn shifted(&self, group: &Summary, z: f64) -> Summary {
        if self.is_whole() {
            return group.clone();
        }
        // Several records of a person don't make several people of the population.
        let factor = |seen: u64| match group.subjects() {
            Some(_) if seen > 0 => self.distinct(group.rows, seen) / seen as f64,
            _ => 1.0 / self.fraction().max(f64::MIN_POSITIVE),
        };
        let histogram = |histogram: &Histogram| {
            let most = histogram
                .entries()
                .iter()
                .max_by_key(|(code, count)| (*count, std::cmp::Reverse(*code)));
            let most = most.map(|(code, _)| *code);
            let (total, factor) = (histogram.total() as f64, factor(histogram.total()));
            let count = |&(code, drawn): &(u32, u64)| {
                let share = drawn as f64 / total;
                let error = z * (total * share * (1.0 - share) * self.correction()).sqrt();
                let count =
                    if Some(code) == most { drawn as f64 + error } else { drawn as f64 - error };
                (code, proportional(count.max(0.0), factor).max(drawn))
            };
            Histogram::from_counts(histogram.entries().iter().map(count))
        };
        let rows = proportional(group.rows as f64, 1.0 / self.fraction().max(f64::MIN_POSITIVE));
        let people = proportional(group.people as f64, factor(group.people));
        Summary::estimated(rows, people, group.histograms.iter().map(histogram).collect())
    }
}

/// A count times a factor, as a whole number that rounding errors don't make smaller.
fn proportional(count: f64, factor: f64) -> u64 {
    (count * factor * (1.0 + 1e-12)).floor() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Codes;
    use crate::group::Tally;

    fn sampling(population: u64, sample: u64, alpha: f64) -> Sampling {
        // Two shares are enough here: 5% and 2.5%.
        let z = |share: f64| if share > 0.03 { 1.6448536269514722 } else { 1.959963984540054 };
        Sampling { population, sample, alpha, z }
    }

    #[test]
    fn a_part_needs_what_the_formula_says() {
        let of_100 = sampling(100_000, 1_000, 0.05);
        // p0 = 0.001, variance 0.001 * 0.999 / 999 * 0.99 = 9.9e-7: (0.001 + 1.645 * 0.000995) *
        // 1000 = 2.64.
        assert_eq!(of_100.needed(100, 1), 3);
        // p0 = 0.01, variance 0.01 * 0.99 / 999 * 0.99 = 9.81e-6: 10 + 1.645 * 3.132 = 15.15, and
        // with 1.960 it is 16.14.
        assert_eq!(of_100.needed(1_000, 1), 16);
        assert_eq!(of_100.needed(1_000, 2), 17);
        // At its word: k n / N.
        assert_eq!(sampling(100_000, 1_000, 1.0).needed(1_000, 2), 10);
        // The formula says 10.15, but ten that were drawn are ten.
        assert_eq!(sampling(1_000, 999, 0.05).needed(10, 1), 10);
        // More than there are.
        assert!(sampling(100, 50, 0.05).needed(200, 1) > 50);
    }

    #[test]
    fn values_that_were_drawn_stay_and_the_first_grows() {
        let group =
            Summary::of_histograms(100, vec![Histogram::from_counts([(3, 64), (5, 35), (8, 1)])]);
        let tenth = sampling(1_000, 100, 0.05);
        let scaled = tenth.scaled(&group);
        assert_eq!((scaled.rows, scaled.people), (1_000, 1_000));
        assert_eq!(scaled.histograms[0].entries(), [(3, 640), (5, 350), (8, 10)]);
        // 1.645 * sqrt(100 * 0.64 * 0.36 * 0.9) = 7.49 more; 1.645 * sqrt(100 * 0.35 * 0.65 * 0.9)
        // = 7.44 less; one was drawn.
        let skewed = tenth.skewed(&group, 1);
        assert_eq!(skewed.histograms[0].entries(), [(3, 714), (5, 275), (8, 1)]);
    }

    #[test]
    fn many_records_of_a_person_are_one_person() {
        let value = Codes::U8(vec![1; 100]);
        let all_one = Codes::U8(vec![4; 100]);
        let tenth = sampling(100_000, 10_000, 0.05);
        let one =
            Tally { sensitive: vec![Some((&value, 2))], subject: Some(&all_one) }.of_range(0..100);
        let scaled = tenth.scaled(&one);
        assert_eq!((scaled.rows, scaled.people, scaled.histograms[0].count(1)), (1_000, 1, 1));
        assert!(!tenth.enough(&one, 2, 1) && tenth.enough(&one, 1, 1));
        assert!(!sampling(100, 100, 0.05).enough(&one, 2, 1));

        // 200 people with 5 records each: about 200 * (1 - 0.9^5) = 82 are among a tenth of the
        // records.
        let people = Codes::U8((0..100).map(|i| (i % 82) as u8).collect());
        let some =
            Tally { sensitive: vec![Some((&value, 2))], subject: Some(&people) }.of_range(0..100);
        let scaled = tenth.scaled(&some);
        assert!((195..=205).contains(&scaled.people), "{}", scaled.people);
        assert_eq!(scaled.people, scaled.histograms[0].count(1));
        assert!(tenth.enough(&some, 100, 1) && !tenth.enough(&some, 210, 1));
        // Everybody has one record: in proportion.
        let each = Codes::U8((0..100).collect());
        let each =
            Tally { sensitive: vec![Some((&value, 2))], subject: Some(&each) }.of_range(0..100);
        assert_eq!(tenth.scaled(&each).people, 1_000);
    }

    #[test]
    fn everything_drawn_needs_no_test() {
        let sampling = sampling(500, 500, 0.05);
        assert_eq!(sampling.needed(10, 2), 10);
        let group = Summary::of_histograms(7, vec![Histogram::from_counts([(0, 5), (1, 2)])]);
        assert_eq!(sampling.skewed(&group, 2), group);
    }
}
