//! Kernel belief: what is learnt beyond what somebody knew who estimated values from people alike
//! ((B,t)-privacy).

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::guess::{ON, one_if, sensitive};

/// The attack `kernel-belief`, an entry of the registry.
pub struct KernelBelief;

static INFO: Info = Info {
    name: "kernel-belief",
    summary: "counts people about whom more than t is learnt beyond what people alike tell",
    papers: &[Paper {
        authors: "Tiancheng Li, Ninghui Li, Jian Zhang",
        title: "Modeling and integrating background knowledge in data anonymization",
        venue: "IEEE International Conference on Data Engineering",
        year: 2009,
    }],
    params: &[
        ON,
        ParamSpec::with_default(
            "b",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "0.3",
            "the bandwidth: how far people may be in each column to be alike; less is more knowledge",
        ),
        ParamSpec::optional(
            "t",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "how far belief may move; must be said",
        ),
        ParamSpec::with_default(
            "queries",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "500",
            "about how many people is asked",
        ),
    ],
    doc: "\
(B,t)-privacy: before the release the attacker believes of a person what people alike have, by \
kernel regression over the original with
bandwidth `b` in every column (distances of numbers as shares of the range, 0 or 1 for other \
values; Epanechnikov's kernel). Somebody
nobody else is like is taken alone. With the release the attacker sees the person in a group with \
known values and people, and gives
the values to the people in proportion to what it believed of each (the Omega estimate): `P(s | j) \
~ n(s) P(s | q(j)) / sum over j' of
P(s | q(j'))`. Belief moves by half the sum of the differences. The rate is the share of people \
about whom it moves by more than `t`:
the model holds for this pair, as far as was asked, if it is 0. A skyline is several pairs.

Only groups whose people are known are asked about: those of disjoint regions, and of buckets.
",
    ..Info::DEFAULT
};

impl Attack<TableStage> for KernelBelief {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, params: &Params, stage: &TableStage) -> Option<String> {
        let none = params.optional_number("t").is_none();
        stage.lacks_sensitive().or_else(|| {
            none.then(|| "how far belief may move: 'kernel-belief(b=0.3, t=0.2)'".into())
        })
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let column = sensitive(params, stage)?;
        let (b, t) = (params.number("b"), params.optional_number("t").unwrap_or(0.0));
        let groups = known_groups(stage);
        let mut order: Vec<u32> = (0..groups.len() as u32).collect();
        chance.shuffle(&mut order);
        // Whole groups, until enough people are asked about.
        let mut asked: Vec<&(u32, Vec<u32>)> = Vec::new();
        let mut people = 0;
        for at in order {
            if people >= params.count("queries") as usize {
                break;
            }
            people += groups[at as usize].1.len();
            asked.push(&groups[at as usize]);
        }
        let scales = scales(stage);
        let secret = &stage.sensitive[column];
        let n_codes = secret.n_codes();
        let moved: Vec<Vec<(u32, f64)>> = asked
            .par_iter()
            .map(|(group, people)| {
                let priors: Vec<Vec<f64>> =
                    people.iter().map(|person| prior(stage, &scales, column, *person, b)).collect();
                let mut counts = vec![0u64; n_codes];
                for (code, count) in &stage.groups[*group as usize].counts[column] {
                    counts[*code as usize] = *count;
                }
                let posteriors = omega(&priors, &counts);
                let all = people.iter().zip(priors.iter().zip(&posteriors));
                all.map(|(person, (prior, posterior))| (*person, apart(prior, posterior))).collect()
            })
            .collect();
        let mut score = Score::default();
        let (mut worst, mut most) = (Vec::new(), 0.0f64);
        for (person, moved) in moved.into_iter().flatten() {
            score.add(one_if(moved > t + 1e-9));
            most = most.max(moved);
            worst.push(Worst { record: u64::from(person) + 1, chance: moved.min(1.0) });
        }
        Ok(Outcome {
            everybody: score.queries as usize == stage.n,
            score,
            worst: Outcome::worst_of(worst.into_iter()),
            remarks: vec![
                format!("belief moves by up to {most:.4}"),
                "the chance of a worst record is how far belief about it moves".into(),
            ],
            ..Outcome::default()
        })
    }
}

/// The groups whose people are known, with these.
pub fn known_groups(stage: &TableStage) -> Vec<(u32, Vec<u32>)> {
    let links = stage.links_by_all();
    let mut people_of: Vec<Vec<u32>> = vec![Vec::new(); stage.groups.len()];
    for person in 0..stage.n {
        let classes = links.of(person);
        let mut groups = classes.iter().map(|class| stage.classes[*class as usize].group);
        if let Some(group) = groups.next().filter(|group| groups.all(|other| other == *group)) {
            people_of[group as usize].push(person as u32);
        }
    }
    let is_known =
        |(group, people): &(u32, Vec<u32>)| people.len() as u64 == stage.groups[*group as usize].n;
    (0u32..).zip(people_of).filter(is_known).collect()
}

/// The range of each quasi column of numbers.
fn scales(stage: &TableStage) -> Vec<Option<f64>> {
    let range = |column: &super::stage::Quasi| {
        let numbers = column.numbers.as_ref()?;
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (most > least).then_some(most - least)
    };
    stage.quasi.iter().map(range).collect()
}

/// What people alike have.
fn prior(
    stage: &TableStage,
    scales: &[Option<f64>],
    column: usize,
    person: u32,
    b: f64,
) -> Vec<f64> {
    let secret = &stage.sensitive[column];
    let mut belief = vec![0.0; secret.n_codes()];
    for other in 0..stage.n {
        let mut weight = 1.0f64;
        for (quasi, scale) in stage.quasi.iter().zip(scales) {
            let (a, o) = (quasi.people[person as usize], quasi.people[other]);
            if a == o {
                continue;
            }
            let numbers = scale.zip(quasi.numbers.as_ref());
            let distance = numbers.and_then(|(scale, numbers)| {
                Some((numbers.get(a as usize)? - numbers.get(o as usize)?).abs() / scale)
            });
            let near = distance.unwrap_or(1.0) / b;
            weight *= (1.0 - near * near).max(0.0);
            if weight == 0.0 {
                break;
            }
        }
        belief[secret.people[other] as usize] += weight;
    }
    let all: f64 = belief.iter().sum();
    belief.iter_mut().for_each(|chance| *chance /= all);
    belief
}

/// The Omega estimate: the values of a group given to its people in proportion to what was believed
/// of each.
fn omega(priors: &[Vec<f64>], counts: &[u64]) -> Vec<Vec<f64>> {
    let sums: Vec<f64> =
        (0..counts.len()).map(|code| priors.iter().map(|prior| prior[code]).sum()).collect();
    let posterior = |prior: &Vec<f64>| {
        let part = |code: usize| match sums[code] > 0.0 {
            true => counts[code] as f64 * prior[code] / sums[code],
            // Nobody was believed to have it: anybody may.
            false => counts[code] as f64 / priors.len() as f64,
        };
        let parts: Vec<f64> = (0..counts.len()).map(part).collect();
        let all: f64 = parts.iter().sum();
        parts.into_iter().map(|part| if all > 0.0 { part / all } else { 0.0 }).collect()
    };
    priors.iter().map(posterior).collect()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn belief_stays_where_the_release_says_what_was_known() {
        // Two people alike, one with each value: nothing is learnt.
        let priors = vec![vec![0.5, 0.5]; 2];
        assert!(omega(&priors, &[1, 1]).iter().zip(&priors).all(|(a, b)| apart(a, b) < 1e-12));
        // Both have the first: all doubt goes.
        assert!((apart(&omega(&priors, &[2, 0])[0], &priors[0]) - 0.5).abs() < 1e-12);
        // Whoever is surer to have a rare value gets it.
        let found = omega(&[vec![0.9, 0.1], vec![0.1, 0.9]], &[1, 1]);
        assert!((found[0][0] - 0.9).abs() < 1e-12, "{found:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn beliefs_are_distributions_and_values_nobody_has_are_ruled_out(
            priors in prop::collection::vec(prop::collection::vec(0.01f64..1.0, 3), 1..6),
            split in 0usize..6,
        ) {
            let priors: Vec<Vec<f64>> = priors.into_iter().map(|prior| {
                let all: f64 = prior.iter().sum();
                prior.into_iter().map(|x| x / all).collect()
            }).collect();
            let n = priors.len();
            let counts = [split.min(n) as u64, (n - split.min(n)) as u64, 0];
            for posterior in omega(&priors, &counts) {
                prop_assert!((posterior.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert_eq!(posterior[2], 0.0);
            }
        }
    }
}
