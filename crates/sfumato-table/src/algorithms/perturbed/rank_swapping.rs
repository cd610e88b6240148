//! Rank swapping: values change places with others of nearly the same rank.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::values::{Rank, missing_elsewhere, numbers, other_values, ranks, recoded};
use super::{Draws, Perturbing, PerturbingAlgorithm, Takes};

/// The algorithm `rank-swapping`, an entry of the registry.
pub struct RankSwapping;

static INFO: Info = Info {
    name: "rank-swapping",
    summary: "exchange values of records whose ranks are near, column by column; promises nothing",
    papers: &[Paper {
        authors: "Richard A. Moore",
        title: "Controlled data-swapping techniques for masking public use microdata sets",
        venue: "Statistical Research Division Report, US Bureau of the Census",
        year: 1996,
    }],
    params: &[ParamSpec::with_default(
        "p",
        ParamKind::Number { min: 0.0, above: true, max: 100.0 },
        "5",
        "how far ranks may be apart, in percent of the records",
    )],
    doc: "The values of each column are sorted. From the smallest on, each that wasn't exchanged \
          yet changes places with a random one that wasn't either and is at most `p` percent of \
          the records further on. Every value is exchanged at most once.\n\n\
          Each column keeps exactly its values, and so its mean and its distribution; correlations \
          are kept as far as `p` is small. Nothing is promised. The file is checked: the values \
          must be those of the original, and no record may have one from farther away.",
    ..Info::DEFAULT
};

/// How often a partner is drawn before all that are left are looked at.
const TRIES: usize = 32;

/// How many ranks a value may move among so many.
fn window(n: usize, p: f64) -> usize {
    ((n as f64 * p / 100.0) as usize).clamp(1, n.max(1))
}

/// For each place in the order of ranks, the place that it exchanges with.
fn partners(n: usize, window: usize, draws: &mut Draws) -> Vec<usize> {
    let mut partner: Vec<usize> = (0..n).collect();
    for place in 0..n {
        let most = (n - 1 - place).min(window);
        if partner[place] != place || most == 0 {
            continue;
        }
        let is_free = |partner: &[usize], other: usize| partner[other] == other;
        let mut other = None;
        for _ in 0..TRIES {
            let drawn = place + 1 + draws.below(most as u64) as usize;
            if is_free(&partner, drawn) {
                other = Some(drawn);
                break;
            }
        }
        if other.is_none() {
            let free: Vec<usize> =
                (place + 1..=place + most).filter(|other| is_free(&partner, *other)).collect();
            other = (!free.is_empty()).then(|| free[draws.below(free.len() as u64) as usize]);
        }
        if let Some(other) = other {
            (partner[place], partner[other]) = (other, place);
        }
    }
    partner
}

impl PerturbingAlgorithm for RankSwapping {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn takes(&self) -> Takes {
        Takes::Ordered
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let mut swap = |column: &&Column| {
            let numbers = numbers(column);
            let mut order: Vec<u32> =
                (0..numbers.len() as u32).filter(|row| numbers[*row as usize].is_some()).collect();
            let of = |row: &u32| numbers[*row as usize].unwrap_or(f64::NAN);
            order.sort_by(|a, b| of(a).total_cmp(&of(b)).then(a.cmp(b)));
            let partner = partners(order.len(), window(order.len(), params.number("p")), draws);
            let mut codes: Vec<u32> = column.codes.iter().collect();
            for (place, row) in order.iter().enumerate() {
                codes[*row as usize] = column.codes.get(order[partner[place]] as usize);
            }
            recoded(column, codes.into_iter())
        };
        Ok(task.columns.iter().map(&mut swap).collect())
    }

    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        if let Some(fault) =
            missing_elsewhere(&task.columns, after).or_else(|| other_values(&task.columns, after))
        {
            return Some(fault);
        }
        task.columns.iter().zip(after).find_map(|(before, after)| {
            let (old, new) = (ranks(&numbers(before)), ranks(&numbers(after)));
            let n = old.iter().flatten().count();
            let most = window(n, params.number("p")) as u32;
            // Values are the same in both, so that their ranks are.
            let is_far = |(old, new): (&Rank, &Rank)| {
                let (Some(old), Some(new)) = (old, new) else { return old != new };
                new.0.saturating_sub(old.1).max(old.0.saturating_sub(new.1)) > most
            };
            old.iter().zip(&new).any(is_far).then(|| {
                format!("a value of column '{}' moved farther than {most} ranks", before.name)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    #[test]
    fn partners_are_mutual_and_near() {
        let mut draws = Draws(ChaCha20Rng::seed_from_u64(2));
        for (n, window) in [(0, 1), (1, 1), (2, 1), (100, 5), (1000, 1), (1000, 1000)] {
            let partner = partners(n, window, &mut draws);
            for (place, other) in partner.iter().enumerate() {
                assert_eq!(partner[*other], place);
                assert!(place.abs_diff(*other) <= window);
            }
            // Nearly all found one.
            let alone = partner.iter().enumerate().filter(|(place, other)| place == *other);
            assert!(alone.count() * 3 <= n + 3);
        }
    }
}
