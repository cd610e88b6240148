//! Maximum entropy: what an attacker believes who knows some rules about the data and is otherwise
//! as unbiased as can be (Privacy-MaxEnt).

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::guess::{ON, sensitive};
use super::kernel_belief::known_groups;
use super::links::{chance_of, right_guess};
use super::worlds::Parts;

/// The attack `max-entropy`, an entry of the registry.
pub struct MaxEntropy;

static INFO: Info = Info {
    name: "max-entropy",
    summary: "learns values from rules that it knows and a belief that is otherwise unbiased",
    papers: &[Paper {
        authors: "Wenliang Du, Zhouxuan Teng, Zutao Zhu",
        title: "Privacy-MaxEnt: integrating background knowledge in privacy quantification",
        venue: "ACM SIGMOD International Conference on Management of Data",
        year: 2008,
    }],
    params: &[
        ON,
        ParamSpec::with_default(
            "rules",
            ParamKind::Integer { min: 0, max: 10_000 },
            "20",
            "how many of the surest rules, and as many of those that never hold, the attacker knows",
        ),
        ParamSpec::with_default(
            "support",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "10",
            "how many people a rule must be about",
        ),
    ],
    doc: "\
The attacker knows who is in which group, what values it has, and the `rules` surest rules of the \
data from one quasi value to a
sensitive one, such as `P(ovarian cancer | male) = 0`, with their true frequencies, and as many of \
those that hold least. Of all ways
to give sensitive values to quasi values that agree with the groups and with the rules, it takes \
that of maximum entropy, found by
iterative scaling: one constraint after the other is met by scaling its cells, until all are. The \
rate is how often the likeliest
value is the person's; guessing is the same without rules.

Only groups whose people are known are asked about: those of disjoint regions, and of buckets.
",
    ..Info::DEFAULT
};

impl Attack<TableStage> for MaxEntropy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        stage.lacks_sensitive()
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let column = sensitive(params, stage)?;
        let known = Known::of(stage, column);
        let rules = known.rules(stage, column, params.count("rules"), params.count("support"));
        let mut belief = known.belief.clone();
        let rounds = solve(&mut belief, &[&known.sums[..], &rules[..]].concat());
        let secret = &stage.sensitive[column];
        let (mut score, mut guessed, mut worst) = (Score::default(), 0.0, Vec::new());
        for part in &known.parts {
            let of = |cells: &[f64]| -> Vec<(u32, f64)> {
                let n = part.people.len() as f64;
                part.cells().map(|(code, cell)| (code, cells[cell] / n)).collect()
            };
            let (with, without) = (of(&belief), of(&known.belief));
            for person in &part.people {
                let truth = secret.people[*person as usize];
                score.add(right_guess(&with, truth));
                guessed += right_guess(&without, truth);
                let record = u64::from(*person) + 1;
                worst.push(Worst { record, chance: chance_of(&with, truth).min(1.0) });
            }
        }
        let queries = score.queries;
        Ok(Outcome {
            score,
            baseline: guessed / queries.max(1) as f64,
            everybody: queries as usize == stage.n,
            worst: Outcome::worst_of(worst.into_iter()),
            remarks: vec![
                format!("{} rules are known; the belief was found in {rounds} rounds", rules.len()),
                "guessing is the same attacker without rules".into(),
            ],
            ..Outcome::default()
        })
    }
}

/// A constraint: some cells add up to a number.
type Constraint = (Vec<u32>, f64);

/// People with the same quasi values in one group, and the cells of their values.
struct KnownPart {
    people: Vec<u32>,
    /// The code of each value of the group.
    codes: Vec<u32>,
    /// The place of the first cell.
    first: usize,
}

impl KnownPart {
    fn cells(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        self.codes.iter().copied().zip(self.first..)
    }
}

/// The groups whose people are known.
struct Known {
    parts: Vec<KnownPart>,
    /// How many people of each part have each value of its group, if nothing else is known.
    belief: Vec<f64>,
    /// What the release says: the people of each part, and the values of each group.
    sums: Vec<Constraint>,
}

impl Known {
    fn of(stage: &TableStage, column: usize) -> Self {
        let mut known = Known { parts: Vec::new(), belief: Vec::new(), sums: Vec::new() };
        for (group, people) in known_groups(stage) {
            let group = &stage.groups[group as usize];
            let counts = &group.counts[column];
            let codes: Vec<u32> = counts.iter().map(|(code, _)| *code).collect();
            let start = known.parts.len();
            for part in Parts::of(stage, &people).iter() {
                let first = known.belief.len();
                let n = part.len() as f64;
                let share = |count: u64| n * count as f64 / group.n as f64;
                known.belief.extend(counts.iter().map(|(_, count)| share(*count)));
                let cells = (first..known.belief.len()).map(|cell| cell as u32).collect();
                known.sums.push((cells, n));
                known.parts.push(KnownPart { people: part.clone(), codes: codes.clone(), first });
            }
            for (at, (_, count)) in counts.iter().enumerate() {
                let cells = known.parts[start..].iter().map(|part| (part.first + at) as u32);
                known.sums.push((cells.collect(), *count as f64));
            }
        }
        known
    }

    /// The surest rules from a quasi value to a sensitive one, and those that hold least.
    fn rules(&self, stage: &TableStage, column: usize, most: u64, support: u64) -> Vec<Constraint> {
        let secret = &stage.sensitive[column];
        let mut rules: Vec<(f64, u64, Constraint)> = Vec::new();
        for quasi in &stage.quasi {
            // By value: the people, how many have each secret value, and the cells of each.
            let mut people: FastMap<u32, u64> = FastMap::default();
            let mut found: FastMap<(u32, u32), (u64, Vec<u32>)> = FastMap::default();
            for part in &self.parts {
                let value = quasi.people[part.people[0] as usize];
                *people.entry(value).or_insert(0) += part.people.len() as u64;
                for (code, cell) in part.cells() {
                    found.entry((value, code)).or_default().1.push(cell as u32);
                }
                for person in &part.people {
                    let code = secret.people[*person as usize];
                    if let Some((count, _)) = found.get_mut(&(value, code)) {
                        *count += 1;
                    }
                }
            }
            for ((value, _), (count, cells)) in found {
                let n = people[&value];
                if n >= support {
                    rules.push((count as f64 / n as f64, n, (cells, count as f64)));
                }
            }
        }
        // The first cells tell rules apart that are as sure and about as many.
        rules.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.0.cmp(&b.2.0)));
        let most = (most as usize).min(rules.len());
        let surest: Vec<Constraint> = rules[..most].iter().map(|rule| rule.2.clone()).collect();
        rules.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.0.cmp(&b.2.0)));
        let least = rules.into_iter().take(most).map(|rule| rule.2);
        surest.into_iter().chain(least).collect()
    }
}

/// How often all constraints are met at most.
const ROUNDS: usize = 200;
/// Constraints are met if none is off by more people than this.
const CLOSE: f64 = 1e-6;

/// Scale cells until all constraints are met: the distribution of maximum entropy relative to where
/// it starts. The number of rounds it took.
fn solve(cells: &mut [f64], constraints: &[Constraint]) -> usize {
    for round in 1..=ROUNDS {
        let mut off = 0.0f64;
        for (places, sum) in constraints {
            let now: f64 = places.iter().map(|place| cells[*place as usize]).sum();
            off = off.max((now - sum).abs());
            if now > 0.0 {
                let factor = sum / now;
                places.iter().for_each(|place| cells[*place as usize] *= factor);
            }
        }
        if off < CLOSE {
            return round;
        }
    }
    ROUNDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entropy(cells: &[f64]) -> f64 {
        cells.iter().filter(|x| **x > 0.0).map(|x| -x * x.ln()).sum()
    }

    /// Two groups of two parts and two values each, with a rule over both.
    fn constraints(counts: &[f64; 8], with_rule: bool) -> Vec<Constraint> {
        let mut all = Vec::new();
        for group in [0u32, 4] {
            for cells in [[0, 1], [2, 3], [0, 2], [1, 3]] {
                let cells: Vec<u32> = cells.iter().map(|cell| group + cell).collect();
                let sum = cells.iter().map(|cell| counts[*cell as usize]).sum();
                all.push((cells, sum));
            }
        }
        if with_rule {
            all.push((vec![0, 4], counts[0] + counts[4]));
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn no_other_belief_that_agrees_has_more_entropy(
            counts in prop::array::uniform8(1u32..6), with_rule: bool,
        ) {
            let counts: [f64; 8] = counts.map(f64::from);
            let constraints = constraints(&counts, with_rule);
            let mut cells = [1.0; 8];
            solve(&mut cells, &constraints);
            for (places, sum) in &constraints {
                let now: f64 = places.iter().map(|place| cells[*place as usize]).sum();
                prop_assert!((now - sum).abs() < 1e-4, "{now} {sum}");
            }
            // What agrees with all sums: one step in each group, opposite ones under the rule.
            let best = entropy(&cells);
            let step = |a: f64, b: f64| -> Vec<f64> {
                let signs = [1.0, -1.0, -1.0, 1.0];
                (0..8).map(|i| cells[i] + signs[i % 4] * if i < 4 { a } else { b }).collect()
            };
            for i in -20..=20 {
                for j in -20..=20 {
                    let (a, b) = (f64::from(i) * 0.05, f64::from(j) * 0.05);
                    let other = step(a, if with_rule { -a } else { b });
                    if other.iter().all(|x| *x >= 0.0) {
                        prop_assert!(entropy(&other) <= best + 1e-6);
                    }
                }
            }
        }
    }

    #[test]
    fn no_man_has_ovarian_cancer() {
        // A group of a man and a woman, cancer and flu: the rule leaves one world.
        let mut cells = [0.5, 0.5, 0.5, 0.5];
        let constraints = vec![
            (vec![0, 1], 1.0),
            (vec![2, 3], 1.0),
            (vec![0, 2], 1.0),
            (vec![1, 3], 1.0),
            (vec![0], 0.0),
        ];
        solve(&mut cells, &constraints);
        for (cell, expected) in cells.iter().zip([0.0, 1.0, 1.0, 0.0]) {
            // At the edge of what is possible scaling comes near only slowly.
            assert!((cell - expected).abs() < 1e-2, "{cells:?}");
        }
    }
}
