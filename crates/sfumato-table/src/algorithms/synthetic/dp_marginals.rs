//! Made-up records by noisy tables: tables of each column and of some pairs of columns are measured
//! with noise, and records are made that have them.

use rand_chacha::ChaCha20Rng;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_kernels::concentrated::rho;
use sfumato_kernels::discrete_gaussian::DiscreteGaussian;
use sfumato_kernels::exponential;

use super::records::table_of;
use super::tables::{Measured, Measurement};
use super::{Records, SynthesizingAlgorithm, tree, update};

/// The algorithm `dp-marginals`, an entry of the registry.
pub struct DpMarginals;

static INFO: Info = Info {
    name: "dp-marginals",
    summary: "made-up records that have noisy tables of columns and of pairs (select, measure, \
              generate)",
    papers: &[
        Paper {
            authors: "Ryan McKenna, Gerome Miklau, Daniel Sheldon",
            title: "Winning the NIST contest: a scalable and general approach to differentially \
                    private synthetic data",
            venue: "Journal of Privacy and Confidentiality",
            year: 2021,
        },
        Paper {
            authors: "Zhikun Zhang, Tianhao Wang, Ninghui Li, Jean Honorio, Michael Backes, \
                      Shibo He, Jiming Chen, Yang Zhang",
            title: "PrivSyn: differentially private data synthesis",
            venue: "USENIX Security",
            year: 2021,
        },
        Paper {
            authors: "Clément L. Canonne, Gautam Kamath, Thomas Steinke",
            title: "The discrete Gaussian for differential privacy",
            venue: "NeurIPS",
            year: 2020,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "epsilon",
            ParamKind::Number { min: 0.001, above: false, max: 100.0 },
            "1",
            "the budget of the whole release: smaller hides more",
        ),
        ParamSpec::with_default(
            "delta",
            ParamKind::Number { min: 0.0, above: true, max: 0.01 },
            "0.0000001",
            "the chance that the promise of epsilon fails, far below one by the number of people",
        ),
        ParamSpec::optional(
            "more",
            ParamKind::Integer { min: 0, max: 10_000 },
            "how many pairs are measured beyond those of a tree; as many as there are columns \
             without it",
        ),
    ],
    doc: include_str!("dp_marginals.md"),
    capabilities: Capabilities { promises_privacy: true, draws: true, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// How the budget is shared among tables of one column, choices, and tables of pairs.
const SINGLES: f64 = 0.1;
const CHOICES: f64 = 0.1;
/// How often tables are gone through: at last, and to see what is still far.
const ROUNDS: usize = 40;
const SKETCH: usize = 8;
/// No pair with more cells is measured.
const MOST_CELLS: usize = 1 << 20;

/// The loss of the budget that a job asks for.
fn budget(params: &Params) -> f64 {
    rho(params.number("epsilon"), params.number("delta"))
}

/// Noise that costs at most so much: rounded to more noise.
fn law(cost: f64) -> Result<DiscreteGaussian> {
    let s = (0.5 / cost).ceil();
    match s <= DiscreteGaussian::MOST as f64 {
        true => Ok(DiscreteGaussian { s: (s as u64).max(1) }),
        false => Err(Error::params("epsilon is too small to be divided among all tables")
            .hint("ask for a larger epsilon, or give fewer columns")),
    }
}

/// The pairs of columns that may be measured.
fn candidates(sizes: &[usize]) -> Vec<[usize; 2]> {
    let pairs = (0..sizes.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    pairs.filter(|[a, b]| sizes[*a].saturating_mul(sizes[*b]) <= MOST_CELLS).collect()
}

/// How far the true table of a pair is from an expected one: one person changes it by one at most.
fn score(records: &Records, pair: &[usize], expected: impl Fn(usize) -> f64) -> u64 {
    let counts = records.table(pair);
    let off = |(at, count): (usize, &i64)| count.abs_diff(expected(at).round() as i64);
    counts.iter().enumerate().map(off).sum()
}

/// Which pairs are measured, and how.
struct Choosing<'a> {
    records: &'a Records,
    /// The epsilon of a choice, in millionths.
    epsilon: u64,
    law: DiscreteGaussian,
    left: Vec<[usize; 2]>,
}

impl Choosing<'_> {
    /// Choose one of the pairs that suit, and measure it.
    fn next(
        &mut self,
        measured: &mut Measured,
        scores: &dyn Fn(&[usize; 2]) -> Option<u64>,
        random: &mut ChaCha20Rng,
    ) -> bool {
        let scored: Vec<([usize; 2], u64)> =
            self.left.iter().filter_map(|pair| Some((*pair, scores(pair)?))).collect();
        let all: Vec<u64> = scored.iter().map(|(_, score)| *score).collect();
        let Some(chosen) = exponential::choose(&all, self.epsilon, random) else { return false };
        let pair = scored[chosen].0;
        self.left.retain(|other| *other != pair);
        measured.choices.push(self.epsilon);
        measured.tables.push(Measurement::new(self.records, &pair, self.law, random));
        true
    }
}

/// Records that have the tables that were measured, gone through so often.
fn made(measured: &Measured, rounds: usize, random: &mut ChaCha20Rng) -> Vec<Vec<u32>> {
    let total = measured.total();
    let (singles, pairs) = (measured.singles(total), measured.pairs(total));
    let mut codes = tree::draw(&singles, &pairs, total as usize, random);
    update::update(&mut codes, &measured.sizes, &pairs, rounds, random);
    codes
}

impl SynthesizingAlgorithm for DpMarginals {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(
        &self,
        params: &Params,
        records: &Records,
        random: &mut ChaCha20Rng,
    ) -> Result<Measured> {
        let d = records.sizes.len();
        let all = budget(params);
        let mut measured = Measured { sizes: records.sizes.clone(), ..Measured::default() };
        let left = candidates(&records.sizes);
        let more = params.optional_integer("more").map_or(d, |more| more as usize);
        let rounds = (d.saturating_sub(1) + more).min(left.len());
        // Without pairs all is for the columns.
        let of_singles = if rounds == 0 { all } else { all * SINGLES };
        let single = law(of_singles / d as f64)?;
        for column in 0..d {
            measured.tables.push(Measurement::new(records, &[column], single, random));
        }
        if rounds == 0 {
            return Ok(measured);
        }
        let epsilon = ((8.0 * all * CHOICES / rounds as f64).sqrt() * 1e6) as u64;
        let law = law(all * (1.0 - SINGLES - CHOICES) / rounds as f64)?;
        let mut choosing = Choosing { records, epsilon, law, left };
        let total = measured.total();
        let singles = measured.singles(total);
        // A tree first: pairs that join columns that aren't joined yet, and are farthest from what
        // columns that have nothing to do with each other would give.
        let apart = |pair: &[usize; 2]| {
            let (one, other) = (&singles[pair[0]], &singles[pair[1]]);
            let expected =
                |at: usize| one[at / other.len()] * other[at % other.len()] / total.max(1.0);
            score(records, pair, expected)
        };
        let scores: Vec<([usize; 2], u64)> =
            choosing.left.iter().map(|pair| (*pair, apart(pair))).collect();
        let mut group: Vec<usize> = (0..d).collect();
        for _ in 0..rounds.min(d.saturating_sub(1)) {
            let joins = |pair: &[usize; 2]| {
                let known = scores.iter().find(|(other, _)| other == pair)?;
                (group[pair[0]] != group[pair[1]]).then_some(known.1)
            };
            if !choosing.next(&mut measured, &joins, random) {
                break;
            }
            let [a, b] = measured.tables[measured.tables.len() - 1].columns[..] else { break };
            let (from, to) = (group[b], group[a]);
            group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
        }
        // Then those whose tables are farthest from what was found so far.
        while measured.choices.len() < rounds {
            let codes = made(&measured, SKETCH, random);
            let n = codes.first().map_or(0, Vec::len);
            let far = |pair: &[usize; 2]| {
                let found = table_of(&codes, &records.sizes, pair, n);
                Some(score(records, pair, |at| found[at] as f64))
            };
            if !choosing.next(&mut measured, &far, random) {
                break;
            }
        }
        Ok(measured)
    }

    fn generate(&self, _: &Params, measured: &Measured, random: &mut ChaCha20Rng) -> Vec<Vec<u32>> {
        made(measured, ROUNDS, random)
    }

    fn fault(&self, params: &Params, records: &Records, measured: &Measured) -> Option<String> {
        if measured.spent() > budget(params) * (1.0 + 1e-9) {
            return Some("more than the budget was spent".into());
        }
        for table in &measured.tables {
            let truth = records.table(&table.columns);
            let both = truth.iter().zip(&table.drawn).map(|(count, noise)| count + noise);
            if !both.eq(table.noisy.iter().copied()) {
                return Some("a table isn't the true one with its noise".into());
            }
        }
        unlikely(&measured.tables)
    }
}

/// Whether noise can hardly have been drawn by its law: nothing is added too often, or the noise is
/// too small or too large. Chance passes the bounds less than once in a hundred million runs.
fn unlikely(tables: &[Measurement]) -> Option<String> {
    let (mut zeros, mut expected, mut spread) = (0.0, 0.0, 0.0);
    let (mut size, mut cells) = (0.0, 0.0);
    for table in tables {
        let (n, zero) = (table.drawn.len() as f64, table.law.zero());
        zeros += table.drawn.iter().filter(|drawn| **drawn == 0).count() as f64;
        expected += n * zero;
        spread += n * zero * (1.0 - zero);
        cells += n;
        size += table.drawn.iter().map(|y| (*y as f64).powi(2)).sum::<f64>() / table.law.s as f64;
    }
    if zeros > expected + 7.0 * f64::sqrt(spread) + 4.0 {
        return Some("too often nothing was added to a count".into());
    }
    // Squares of normal numbers have the variance 2.
    let error = 7.0 * f64::sqrt(2.0 * cells) + 30.0;
    let is_wrong = (size - cells).abs() > error + 0.05 * cells;
    is_wrong.then(|| "the noise has another size than it should".into())
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;
    use sfumato_core::registry::Call;

    use super::*;

    fn records(n: usize) -> Records {
        let a: Vec<u32> = (0..n as u32).map(|row| row % 4).collect();
        let b: Vec<u32> =
            a.iter().enumerate().map(|(at, a)| (a + u32::from(at % 10 == 0)) % 4).collect();
        let c: Vec<u32> = (0..n as u32).map(|row| row / 7 % 3).collect();
        Records { codes: vec![a, b, c], sizes: vec![4, 4, 3], n }
    }

    fn params(text: &str) -> Params {
        let call: Call = text.parse().unwrap();
        Params::check(&INFO, &call.args).unwrap()
    }

    #[test]
    fn the_budget_is_kept_and_tables_come_near() {
        for (text, most) in [("dp-marginals", 0.1), ("dp-marginals(epsilon=10)", 0.02)] {
            let (params, records) = (params(text), records(4000));
            let mut random = ChaCha20Rng::seed_from_u64(11);
            let measured = DpMarginals.measure(&params, &records, &mut random).unwrap();
            assert!(measured.spent() <= budget(&params));
            assert!(measured.spent() > 0.7 * budget(&params), "{}", measured.spent());
            assert_eq!(DpMarginals.fault(&params, &records, &measured), None);
            let codes = DpMarginals.generate(&params, &measured, &mut random);
            let n = codes[0].len();
            assert!(n.abs_diff(4000) < 400, "{n}");
            let found = table_of(&codes, &records.sizes, &[0, 1], n);
            let truth = records.table(&[0, 1]);
            let share = |(a, b): (&i64, &i64)| (*a as f64 / n as f64 - *b as f64 / 4000.0).abs();
            let off: f64 = found.iter().zip(&truth).map(share).sum::<f64>() / 2.0;
            assert!(off < most, "{text}: {off}");
        }
    }

    #[test]
    fn a_broken_mechanism_is_refused() {
        let (params, records) = (params("dp-marginals"), records(4000));
        let mut random = ChaCha20Rng::seed_from_u64(12);
        let measured = DpMarginals.measure(&params, &records, &mut random).unwrap();
        let mut silent = measured.clone();
        for table in &mut silent.tables {
            table.drawn.fill(0);
            table.noisy = records.table(&table.columns);
        }
        let mut dear = measured.clone();
        dear.tables.iter_mut().for_each(|table| table.law.s /= 2);
        let mut other = measured.clone();
        other.tables[0].noisy[0] += 1;
        for broken in [silent, dear, other] {
            assert!(DpMarginals.fault(&params, &records, &broken).is_some());
        }
    }
}
