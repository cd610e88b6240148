//! Worst-case knowledge: how sure an attacker can be of a value who knows any k implications.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::TableStage;
use super::guess::{ON, sensitive};

/// The attack `worst-case-knowledge`, an entry of the registry.
pub struct WorstCaseKnowledge;

static INFO: Info = Info {
    name: "worst-case-knowledge",
    summary: "counts rows whose value can be as sure as c to whoever knows any k implications",
    papers: &[Paper {
        authors: "David J. Martin, Daniel Kifer, Ashwin Machanavajjhala, Johannes Gehrke, Joseph \
            Y. Halpern",
        title: "Worst-case background knowledge for privacy-preserving data publishing",
        venue: "IEEE International Conference on Data Engineering",
        year: 2007,
    }],
    params: &[
        ON,
        ParamSpec::with_default(
            "k",
            ParamKind::Integer { min: 0, max: 50 },
            "1",
            "how many implications such as 'if Ed has flu, so has Ann' the attacker knows",
        ),
        ParamSpec::optional(
            "c",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "what the attacker's confidence must stay below; must be said",
        ),
    ],
    doc: "\
(c,k)-safety: whoever knows the class of everybody and any `k` implications, each from one \
person's value to another's, is surer
than `c` of nobody's value. All ways to give the values of a class to its people are equally \
likely before.

The worst `k` implications all conclude the same: the most frequent value of somebody in the \
class. Their premises are the most
frequent values of the same person and of others, in that class or in others, which the attacker \
believes less once the conclusion
is doubted. With n people and counts sorted from the largest, j premises about persons who get \
k0 >= k1 >= ... of them are all false
with chance `product over i of (n - i - (n1 + ... + n(ki))) / (n - i)`; the least over all ways to \
split j and over all ways to spread
premises over classes gives the highest confidence. The rate is the share of rows in classes where \
that is `c` or more; the remark
gives the highest.
",
    ..Info::DEFAULT
};

impl Attack<TableStage> for WorstCaseKnowledge {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, params: &Params, stage: &TableStage) -> Option<String> {
        let none = params.optional_number("c").is_none();
        stage.lacks_sensitive().or_else(|| {
            none.then(|| "the confidence allowed: 'worst-case-knowledge(k=1, c=0.8)'".into())
        })
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let column = sensitive(params, stage)?;
        let (k, c) = (params.count("k") as usize, params.optional_number("c").unwrap_or(1.0));
        let groups: Vec<Vec<u64>> = stage
            .groups
            .iter()
            .map(|group| group.counts[column].iter().map(|(_, count)| *count).collect())
            .collect();
        let confidences = confidences(&groups, k);
        let mut score = Score::new(0.0, stage.n_rows as u64);
        for (group, confidence) in stage.groups.iter().zip(&confidences) {
            if *confidence >= c - 1e-9 {
                score.hits += group.n as f64;
            }
        }
        let most = confidences.iter().copied().fold(0.0, f64::max);
        Ok(Outcome {
            score,
            everybody: true,
            remarks: vec![format!("{k} implications make a value sure up to {most:.4}")],
            ..Outcome::default()
        })
    }
}

/// For each group, given by the counts of its values, the highest confidence of a value of one of
/// its people that any k implications give.
pub fn confidences(groups: &[Vec<u64>], k: usize) -> Vec<f64> {
    // The least chance that j premises about people of a group are all false.
    let least: Vec<Vec<f64>> = groups.iter().map(|counts| all_false(counts, k + 1)).collect();
    // The least product of such chances over the groups before and after each, for j premises.
    let mut none = vec![1.0; k + 1];
    none[1..].iter_mut().for_each(|chance| *chance = f64::INFINITY);
    let join = |a: &[f64], b: &[f64]| -> Vec<f64> {
        let best = |j: usize| (0..=j).map(|i| a[i] * b[j - i]).fold(f64::INFINITY, f64::min);
        (0..=k).map(|j| best(j).min(f64::INFINITY)).collect()
    };
    let mut before = vec![none.clone()];
    for group in &least {
        let next = join(&before[before.len() - 1], group);
        before.push(next);
    }
    let mut after = vec![none];
    for group in least.iter().rev() {
        let next = join(&after[after.len() - 1], group);
        after.push(next);
    }
    after.reverse();
    let confidence = |at: usize| {
        let n: u64 = groups[at].iter().sum();
        let most = groups[at].iter().copied().max().unwrap_or(0);
        if most == 0 {
            return 0.0;
        }
        let others = join(&before[at], &after[at + 1]);
        // The conclusion is one of the premises' places: it, too, must be false.
        let doubt = (0..=k)
            .map(|j| least[at][j + 1] * others[k - j])
            .filter(|chance| !chance.is_nan())
            .fold(f64::INFINITY, f64::min);
        let sure = most as f64 / n as f64;
        if doubt.is_finite() { sure / (sure + doubt) } else { sure }
    };
    (0..groups.len()).map(confidence).collect()
}

/// The least chance that j statements 'this person has this value' are all false, for j up to
/// `most`. With fewer statements at hand than asked for, nothing more can be doubted.
fn all_false(counts: &[u64], most: usize) -> Vec<f64> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let n: u64 = sorted.iter().sum();
    // How many people have one of the first values.
    let mut first = vec![0u64];
    for count in &sorted {
        first.push(first[first.len() - 1] + count);
    }
    let mut least = vec![1.0; most + 1];
    for (j, least) in least.iter_mut().enumerate().skip(1) {
        *least = split(&first, n, j, j, 0);
    }
    // More statements never make less sure.
    for j in 1..=most {
        least[j] = least[j].min(least[j - 1]);
    }
    least
}

/// The least product over ways to give j statements to people from the i-th on, each getting at
/// most `largest`.
fn split(first: &[u64], n: u64, j: usize, largest: usize, i: u64) -> f64 {
    if j == 0 || i >= n {
        return 1.0;
    }
    let mut least = f64::INFINITY;
    for own in 1..=largest.min(j) {
        let known = first[own.min(first.len() - 1)];
        let chance = (n - i).saturating_sub(known) as f64 / (n - i) as f64;
        least = least.min(match chance > 0.0 {
            true => chance * split(first, n, j - own, own, i + 1),
            false => 0.0,
        });
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All ways to give the values of each group to its people, one after the other.
    fn worlds(groups: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        for group in groups {
            let mut own = Vec::new();
            permute(&mut group.clone(), 0, &mut own);
            all = all
                .iter()
                .flat_map(|start| own.iter().map(|end| [&start[..], &end[..]].concat()))
                .collect();
        }
        all
    }

    fn permute(values: &mut Vec<u8>, at: usize, found: &mut Vec<Vec<u8>>) {
        if at == values.len() {
            found.push(values.clone());
            return;
        }
        for other in at..values.len() {
            values.swap(at, other);
            permute(values, at + 1, found);
            values.swap(at, other);
        }
    }

    /// The highest confidence of a value of a person of a group, over all k implications.
    fn naive(groups: &[Vec<u8>], k: usize, group: usize) -> f64 {
        let worlds = worlds(groups);
        let n = worlds[0].len();
        let start: usize = groups[..group].iter().map(Vec::len).sum();
        let atoms: Vec<(usize, u8)> =
            (0..n).flat_map(|person| (0..3u8).map(move |value| (person, value))).collect();
        let mut highest = 0.0f64;
        for person in start..start + groups[group].len() {
            for value in 0..3u8 {
                let concluded = |world: &Vec<u8>| world[person] == value;
                // Implications to other conclusions are left out: the paper proves that they
                // do not help.
                let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
                for _ in 0..k {
                    sets = sets
                        .iter()
                        .flat_map(|set| {
                            let from = set.last().map_or(0, |last| last + 1);
                            (from..atoms.len()).map(|a| [&set[..], &[a]].concat())
                        })
                        .collect();
                }
                for set in sets {
                    let holds = |world: &&Vec<u8>| {
                        concluded(world) || set.iter().all(|a| world[atoms[*a].0] != atoms[*a].1)
                    };
                    let left: Vec<&Vec<u8>> = worlds.iter().filter(holds).collect();
                    if !left.is_empty() {
                        let right = left.iter().filter(|world| concluded(world)).count();
                        highest = highest.max(right as f64 / left.len() as f64);
                    }
                }
            }
        }
        highest
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_worst_implications_are_found(
            groups in prop::collection::vec(prop::collection::vec(0u8..3, 1..4), 1..3),
            k in 0usize..3,
        ) {
            let counts: Vec<Vec<u64>> = groups.iter().map(|group| {
                (0..3u8).map(|v| group.iter().filter(|x| **x == v).count() as u64).collect()
            }).collect();
            let found = confidences(&counts, k);
            for (group, found) in found.iter().enumerate() {
                let expected = naive(&groups, k, group);
                prop_assert!((found - expected).abs() < 1e-9,
                    "{groups:?} {group} k={k}: {found} {expected}");
            }
        }
    }

    #[test]
    fn an_implication_lifts_two_fifths_to_two_thirds() {
        // Two with flu, two with cough, one with hiv: flu 2/5; the premise 'the same person has
        // cough' leaves 2/5 of (2/5 + 1/5).
        let found = confidences(&[vec![2, 2, 1]], 1);
        assert!((found[0] - 2.0 / 3.0).abs() < 1e-9, "{found:?}");
        assert!((confidences(&[vec![2, 2, 1]], 0)[0] - 0.4).abs() < 1e-9);
        assert!((confidences(&[vec![2, 2, 1]], 2)[0] - 1.0).abs() < 1e-9);
    }
}
