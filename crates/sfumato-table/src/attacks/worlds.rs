//! Worlds: how many ways there are to give a class's values to its people such that a bound on
//! confidence is broken in a part of it.

use sfumato_core::FastMap;

use super::TableStage;

/// The people of a class, divided by their exact quasi values.
pub struct Parts(Vec<Vec<u32>>);

impl Parts {
    /// The parts of some people.
    pub fn of(stage: &TableStage, people: &[u32]) -> Self {
        let mut parts: Vec<Vec<u32>> = Vec::new();
        let mut part_of: FastMap<Vec<u32>, usize> = FastMap::default();
        for person in people {
            let key: Vec<u32> =
                stage.quasi.iter().map(|column| column.people[*person as usize]).collect();
            let part = *part_of.entry(key).or_insert_with(|| {
                parts.push(Vec::new());
                parts.len() - 1
            });
            parts[part].push(*person);
        }
        Parts(parts)
    }
    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
    /// The people of each part.
    pub fn iter(&self) -> impl Iterator<Item = &Vec<u32>> {
        self.0.iter()
    }
    /// How many people are in each part.
    pub fn sizes(&self) -> Vec<u64> {
        self.0.iter().map(|part| part.len() as u64).collect()
    }
}

/// For each part, how likely a person of it has a value that `count` of all people have, over the
/// equally likely worlds in which at least one part has it in a larger share than `h`: the class
/// was made because its parts broke the bound. If no world breaks it in a part, worlds are as
/// without that knowledge.
pub fn credence(sizes: &[u64], count: u64, h: f64) -> Vec<f64> {
    let all: u64 = sizes.iter().sum();
    let plain = count as f64 / all.max(1) as f64;
    let caps: Vec<u64> =
        sizes.iter().map(|size| (h * *size as f64 + 1e-9).floor() as u64).collect();
    // Logarithms of factorials: worlds are too many for numbers.
    let mut factorial = vec![0.0f64; all as usize + 1];
    for n in 1..=all as usize {
        factorial[n] = factorial[n - 1] + (n as f64).ln();
    }
    let choose = |n: u64, k: u64| match k <= n {
        true => factorial[n as usize] - factorial[k as usize] - factorial[(n - k) as usize],
        false => f64::NEG_INFINITY,
    };
    let total = choose(all, count);
    // Worlds in which no part is above its cap, of the parts before and after each.
    let extended = |ways: &[f64], at: usize| -> Vec<f64> {
        let mut next = vec![f64::NEG_INFINITY; count as usize + 1];
        for (sum, known) in ways.iter().enumerate().filter(|(_, known)| known.is_finite()) {
            for x in 0..=caps[at].min(count - sum as u64) {
                let place = &mut next[sum + x as usize];
                *place = add(*place, known + choose(sizes[at], x));
            }
        }
        next
    };
    let mut start = vec![f64::NEG_INFINITY; count as usize + 1];
    start[0] = 0.0;
    let mut before = vec![start.clone()];
    for at in 0..sizes.len() {
        before.push(extended(&before[at], at));
    }
    let mut after = vec![start];
    for at in (0..sizes.len()).rev() {
        let next = extended(&after[after.len() - 1], at);
        after.push(next);
    }
    after.reverse();
    let kept = (before[sizes.len()][count as usize] - total).exp().min(1.0);
    let broken = 1.0 - kept;
    if broken < 1e-12 {
        return vec![plain; sizes.len()];
    }
    let part = |at: usize| {
        // How many of the part have the value in worlds that keep the bound, times their share.
        let mut within = 0.0;
        for x in 0..=caps[at].min(count) {
            let mut ways = f64::NEG_INFINITY;
            let others = (count - x) as usize;
            for (sum, ways_before) in before[at][..=others].iter().enumerate() {
                ways = add(ways, ways_before + after[at + 1][others - sum]);
            }
            within += x as f64 * (ways + choose(sizes[at], x) - total).exp();
        }
        let mean = plain * sizes[at] as f64;
        ((mean - within) / broken / sizes[at] as f64).clamp(0.0, 1.0)
    };
    (0..sizes.len()).map(part).collect()
}

/// The logarithm of a sum of numbers that are given by their logarithms.
fn add(a: f64, b: f64) -> f64 {
    let (most, least) = if a >= b { (a, b) } else { (b, a) };
    if least == f64::NEG_INFINITY { most } else { most + (least - most).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All worlds, one by one.
    fn naive(sizes: &[u64], count: u64, h: f64) -> Vec<f64> {
        let all: u64 = sizes.iter().sum();
        let part_of: Vec<usize> =
            sizes.iter().enumerate().flat_map(|(at, n)| vec![at; *n as usize]).collect();
        let (mut worlds, mut sums) = (0.0, vec![0.0; sizes.len()]);
        for world in 0u32..1 << all {
            if u64::from(world.count_ones()) != count {
                continue;
            }
            let mut has = vec![0u64; sizes.len()];
            (0..all as usize)
                .filter(|at| world >> at & 1 == 1)
                .for_each(|at| has[part_of[at]] += 1);
            let is_broken = |at: usize| has[at] as f64 > h * sizes[at] as f64 + 1e-9;
            if (0..sizes.len()).any(is_broken) {
                worlds += 1.0;
                (0..sizes.len()).for_each(|at| sums[at] += has[at] as f64 / sizes[at] as f64);
            }
        }
        match worlds > 0.0 {
            true => sums.iter().map(|sum| sum / worlds).collect(),
            false => vec![count as f64 / all as f64; sizes.len()],
        }
    }

    #[test]
    fn the_example_of_the_book_leaves_one_world() {
        // Tables 5.5 to 5.7: two engineers and five lawyers, two with HIV, at most 60 %.
        let found = credence(&[2, 5], 2, 0.6);
        assert!((found[0] - 1.0).abs() < 1e-9 && found[1].abs() < 1e-9, "{found:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn counting_worlds_gives_what_going_through_them_gives(
            sizes in prop::collection::vec(1u64..5, 1..5),
            share in 0.0f64..=1.0,
            h in 0.05f64..1.0,
        ) {
            let all: u64 = sizes.iter().sum();
            let count = (share * all as f64).round() as u64;
            let (found, expected) = (credence(&sizes, count, h), naive(&sizes, count, h));
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!((found - expected).abs() < 1e-6, "{found} {expected}");
            }
        }
    }
}
