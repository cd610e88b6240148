//! Split personality: the queries of a person are clustered by what they are about, and each
//! cluster becomes somebody else.

use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};

use super::{Split, SplittingAlgorithm};
use crate::algorithms::papers::ADAR;
use crate::data::{Log, Numbered};

/// The algorithm.
pub struct SplitPersonality;

static INFO: Info = Info {
    name: "split-personality",
    summary: "queries of a person that have little in common get different pseudonyms",
    papers: &[ADAR],
    params: &[ParamSpec::with_default(
        "similarity",
        ParamKind::Number { min: 0.0, above: true, max: 1.0 },
        "0.3",
        "how similar two queries of a person must be to stay together: the cosine of their terms \
         and addresses, rare ones weighing more",
    )],
    doc: "\
## What it promises

Nothing. It weakens what can be put together about a person: interests that have nothing in common \
aren't published under one name. But a single query may say who asked
it, and two pseudonyms of one person may be joined again by whoever knows that the person has both \
interests.

## How

Two queries of a person are joined if the cosine of their terms and of the hosts of the addresses \
that were chosen is at least `similarity`; a term weighs the logarithm
of the number of different queries for each that has it. What is joined directly or through others \
is one pseudonym (single linkage). Times and addresses aren't published.

Cost: for each person the pairs of queries with a common term. Terms that more than 256 of a \
person's different queries have are weighed, but join none by themselves.
",
    capabilities: Capabilities { ignores: &["metric"], ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// The number of a person's queries up to which a common feature makes two of them be compared.
const COMPARED: usize = 256;

impl SplittingAlgorithm for SplitPersonality {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn split(&self, params: &Params, log: &Log) -> Result<Split> {
        let least = params.number("similarity");
        let features = Features::of(log);
        let mut of_user: Vec<Vec<u32>> = vec![Vec::new(); log.n_users];
        for (row, entry) in (0..).zip(&log.entries) {
            of_user[entry.user as usize].push(row);
        }
        let mut of_entry = vec![0; log.entries.len()];
        let mut n = 0;
        for rows in &of_user {
            let clusters = cluster(&features, log, rows, least);
            for (row, cluster) in rows.iter().zip(&clusters) {
                of_entry[*row as usize] = n as u32 + cluster;
            }
            n += clusters.iter().map(|cluster| *cluster as usize + 1).max().unwrap_or(0);
        }
        Ok(Split { of_entry, n, rows: (0..log.entries.len() as u32).collect() })
    }
}

/// What queries are about: their terms, each with a weight, and hosts.
struct Features {
    of_query: Vec<Vec<u32>>,
    n_terms: u32,
    weights: Vec<f64>,
}

impl Features {
    fn of(log: &Log) -> Self {
        let mut terms = Numbered::default();
        let set = |query: u32| {
            let mut set: Vec<u32> = log.terms(query).map(|term| terms.number(term)).collect();
            set.sort_unstable();
            set.dedup();
            set
        };
        let of_query: Vec<Vec<u32>> = (0..log.texts.len() as u32).map(set).collect();
        let n_terms = terms.texts.len() as u32;
        let mut counts = vec![0u32; n_terms as usize];
        of_query.iter().flatten().for_each(|term| counts[*term as usize] += 1);
        let all = of_query.len() as f64;
        // A host says as much as a term that one in a hundred queries has.
        let of_terms = counts.iter().map(|n| (1.0 + all / f64::from(*n)).ln());
        let of_hosts = (0..log.hosts.len()).map(|_| 100f64.ln());
        Features { n_terms, weights: of_terms.chain(of_hosts).collect(), of_query }
    }
}

/// The cluster of each of a person's rows, from 0.
fn cluster(features: &Features, log: &Log, rows: &[u32], least: f64) -> Vec<u32> {
    // The different queries of the person, each with the hosts that were chosen for it.
    let mut place_of: FastMap<u32, usize> = FastMap::default();
    let mut points: Vec<Vec<u32>> = Vec::new();
    let mut of_row = Vec::with_capacity(rows.len());
    for row in rows {
        let entry = log.entries[*row as usize];
        let place = *place_of.entry(entry.query).or_insert_with(|| {
            points.push(features.of_query[entry.query as usize].clone());
            points.len() - 1
        });
        points[place].extend(entry.url.map(|host| features.n_terms + host));
        of_row.push(place);
    }
    let mut holders: FastMap<u32, Vec<usize>> = FastMap::default();
    for (place, point) in points.iter_mut().enumerate() {
        point.sort_unstable();
        point.dedup();
        point.iter().for_each(|feature| holders.entry(*feature).or_default().push(place));
    }
    let mut joined = Joined((0..points.len()).collect());
    let mut compared: Vec<&Vec<usize>> =
        holders.values().filter(|places| (2..=COMPARED).contains(&places.len())).collect();
    compared.sort_unstable();
    for places in compared {
        for (at, one) in places.iter().enumerate() {
            for other in &places[at + 1..] {
                if joined.root(*one) != joined.root(*other)
                    && cosine(&points[*one], &points[*other], &features.weights) >= least
                {
                    joined.join(*one, *other);
                }
            }
        }
    }
    // Clusters are numbered as they come.
    let mut numbers: FastMap<usize, u32> = FastMap::default();
    let number = |place: &usize| {
        let next = numbers.len() as u32;
        *numbers.entry(joined.root(*place)).or_insert(next)
    };
    of_row.iter().map(number).collect()
}

/// The cosine of two sets of weighed features.
fn cosine(one: &[u32], other: &[u32], weights: &[f64]) -> f64 {
    let square = |feature: &u32| weights[*feature as usize].powi(2);
    let length = |set: &[u32]| set.iter().map(square).sum::<f64>().sqrt();
    let common: f64 =
        one.iter().filter(|feature| other.binary_search(feature).is_ok()).map(square).sum();
    match length(one) * length(other) {
        0.0 => 0.0,
        lengths => common / lengths,
    }
}

/// What was joined with what.
struct Joined(Vec<usize>);

impl Joined {
    fn root(&mut self, place: usize) -> usize {
        let mut at = place;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }
    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::registry::Call;

    use super::*;
    use crate::data::testing::log;

    fn split(log: &Log, call: &str) -> Split {
        let call: Call = call.parse().unwrap();
        SplitPersonality.split(&Params::check(&INFO, &call.args).unwrap(), log).unwrap()
    }

    #[test]
    fn interests_are_told_apart() {
        let log = log([
            (0, "numb fingers"),
            (0, "landscapers in lilburn"),
            (0, "fingers numb in the morning"),
            (0, "homes sold in lilburn"),
            (0, "numb fingers"),
            (1, "numb fingers"),
        ]);
        let found = split(&log, "split-personality(similarity=0.2)");
        assert_eq!((found.of_entry, found.n), (vec![0, 1, 0, 1, 0, 2], 3));
        // Only what is the same stays together.
        let alone = split(&log, "split-personality(similarity=1)");
        assert_eq!(alone.of_entry, [0, 1, 2, 3, 0, 4]);
    }

    #[test]
    fn a_common_host_joins_and_what_is_joined_through_others_too() {
        let mut log = log([(0, "a b"), (0, "b c"), (0, "c d"), (0, "x"), (0, "y")]);
        let found = split(&log, "split-personality(similarity=0.3)");
        assert_eq!(found.of_entry, [0, 0, 0, 1, 2]);
        log.hosts.push("x.org");
        log.entries[3].url = Some(0);
        log.entries[4].url = Some(0);
        assert_eq!(split(&log, "split-personality").of_entry, [0, 0, 0, 1, 1]);
    }
}
