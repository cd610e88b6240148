//! Skyline privacy: bounded confidence against whoever knows so much of the victim, of others, and
//! of people with the same value.

use sfumato_core::Result;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, TOLERANCE};

use crate::models::bound;
use crate::models::confidence::{VALUES, Watched};
use crate::models::exact::Ratio;

/// The model `skyline-privacy`, an entry of the registry.
pub struct SkylinePrivacy;

static INFO: Info = Info {
    name: "skyline-privacy",
    summary: "confidence stays below h for whoever knows excluded values, others, and people alike",
    papers: &[Paper {
        authors: "B.-C. Chen, R. Ramakrishnan, K. LeFevre",
        title: "Privacy skyline: privacy with multidimensional adversarial knowledge",
        venue: "International Conference on Very Large Data Bases (VLDB)",
        year: 2007,
    }],
    params: &[
        ParamSpec::with_default(
            "excluded",
            ParamKind::Integer { min: 0, max: 1_000_000 },
            "0",
            "how many values the attacker knows that the person doesn't have",
        ),
        ParamSpec::with_default(
            "told",
            ParamKind::Integer { min: 0, max: 1_000_000 },
            "0",
            "of how many others the attacker knows the value",
        ),
        ParamSpec::with_default(
            "alike",
            ParamKind::Integer { min: 0, max: 20 },
            "0",
            "of how many others the attacker knows that they have the same value as the person",
        ),
        ParamSpec::required(
            "h",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "what the confidence must stay below",
        ),
        bound::ON,
        VALUES,
    ],
    doc: "\
## What it promises

An attacker who knows of a person of a class up to `excluded` values that the person doesn't have, \
the values of
up to `told` others, and up to `alike` others who have the same value as the person, concludes a \
guarded value with
a confidence below `h`, whichever values and people these are. A skyline is several of these \
models, one for each
triple, which the paper writes (l, k, m).

## What it does not stop

More knowledge than the triple, and knowledge of other kinds, such as that a value is frequent \
among the old.

## Parameters

`excluded`, `told` and `alike` are the three sizes of the knowledge; all 0 is confidence bounding \
below `h`, which is
read as an exact decimal. `values` lists the values to guard; without it all of the column that \
`on` names.

## Cost

One histogram per class. For each guarded value the others are sorted, and those that \
were told of are taken out one by one.

## Deviations

All ways to give a class's values to its people are equally likely to the attacker. The most \
harmful knowledge
excludes the most frequent other values, and takes the others it was told of from the most frequent of \
what is left, since
the chance that several people share a value grows faster the more there are of it. A model of the \
paper in which
knowledge spans classes isn't looked at.

## Monotonicity

Not monotone: two classes may each have a value that the attacker excludes, and their union one \
more that isn't.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for SkylinePrivacy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let h = Ratio::of_param(&INFO, params, "h")?.to_f64();
        let knowledge = Knowledge {
            excluded: params.count("excluded") as usize,
            told: params.count("told"),
            alike: params.count("alike"),
        };
        bound::per_column(&INFO, params, bind, |column, text| {
            let watched = Watched::of_params(&INFO, params, bind, column)?;
            Ok(Box::new(Skyline { knowledge, h, watched, column, text }))
        })
    }
}

/// What an attacker knows.
#[derive(Debug, Clone, Copy)]
pub struct Knowledge {
    /// Values that the person doesn't have.
    pub excluded: usize,
    /// Others whose values are known.
    pub told: u64,
    /// Others who have the same value as the person.
    pub alike: u64,
}

impl Knowledge {
    /// The highest confidence that a person of a class has a value that `own` of its people have,
    /// where the others have these counts.
    pub fn confidence(&self, own: u64, others: &[u64]) -> f64 {
        // Less knowledge of people alike may say more, where the value is too rare for them.
        let with = |alike: u64| self.with_alike(alike, own, others);
        (0..=self.alike).map(with).fold(0.0, f64::max)
    }

    fn with_alike(&self, alike: u64, own: u64, others: &[u64]) -> f64 {
        if own <= alike {
            return 0.0;
        }
        let mut counts = others.to_vec();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let mut left: Vec<u64> = counts.split_off(self.excluded.min(counts.len()));
        // Those who are told of: others than the person and than those who are alike.
        let people = own + others.iter().sum::<u64>();
        let mut told = self.told.min(people.saturating_sub(alike + 1));
        while told > 0 {
            let Some(most) = left.iter_mut().max().filter(|most| **most > 0) else { break };
            *most -= 1;
            told -= 1;
        }
        // The ways in which the person and those alike share a value.
        let ways =
            |count: u64| -> f64 { (0..=alike).map(|i| count.saturating_sub(i) as f64).product() };
        let rest: f64 = left.iter().map(|count| ways(*count)).sum();
        ways(own) / (ways(own) + rest)
    }
}

struct Skyline {
    knowledge: Knowledge,
    h: f64,
    watched: Watched,
    column: usize,
    text: String,
}

impl Skyline {
    fn highest(&self, group: &Summary) -> f64 {
        let entries = bound::histogram(group, self.column).entries();
        let confidence = |at: usize| {
            let (code, own) = entries[at];
            let is_watched = match &self.watched {
                Watched::All => true,
                Watched::Codes(codes) => codes.binary_search(&code).is_ok(),
            };
            if !is_watched {
                return 0.0;
            }
            let others: Vec<u64> = entries
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, (_, count))| *count)
                .collect();
            self.knowledge.confidence(own, &others)
        };
        (0..entries.len()).map(confidence).fold(0.0, f64::max)
    }
}

impl Requirement for Skyline {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn is_monotone(&self) -> bool {
        false
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        self.highest(group) + TOLERANCE < self.h
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "h", required: self.h, direction: Direction::Below }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![self.highest(group)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The highest confidence over all knowledge of these sizes and below, world by world.
    fn naive(values: &[u8], excluded: usize, told: usize, alike: usize, own: u8) -> f64 {
        let n = values.len();
        let mut worlds: Vec<Vec<u8>> = Vec::new();
        permute(&mut values.to_vec(), 0, &mut worlds);
        let mut highest = 0.0f64;
        // Person 0 is the victim. Who is told of and who is alike is the same by symmetry up to
        // their number: those alike come first, then those who are told of.
        for alike in 0..=alike.min(n - 1) {
            for told in 0..=told.min(n - 1 - alike) {
                let mut said: Vec<Vec<u8>> =
                    worlds.iter().map(|w| w[1 + alike..1 + alike + told].to_vec()).collect();
                said.sort();
                said.dedup();
                for said in said {
                    for mask in 0u32..16 {
                        if mask.count_ones() as usize > excluded || mask >> own & 1 == 1 {
                            continue;
                        }
                        let holds = |w: &&Vec<u8>| {
                            mask >> w[0] & 1 == 0
                                && w[1..=alike].iter().all(|other| *other == w[0])
                                && w[1 + alike..1 + alike + told] == said[..]
                        };
                        let (mut all, mut right) = (0u32, 0u32);
                        for world in worlds.iter().filter(holds) {
                            all += 1;
                            right += u32::from(world[0] == own);
                        }
                        if all > 0 {
                            highest = highest.max(f64::from(right) / f64::from(all));
                        }
                    }
                }
            }
        }
        highest
    }

    fn permute(values: &mut Vec<u8>, at: usize, worlds: &mut Vec<Vec<u8>>) {
        if at == values.len() {
            worlds.push(values.clone());
            return;
        }
        for other in at..values.len() {
            values.swap(at, other);
            permute(values, at + 1, worlds);
            values.swap(at, other);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn the_most_harmful_knowledge_is_found(
            values in prop::collection::vec(0u8..4, 1..6),
            excluded in 0usize..3, told in 0usize..3, alike in 0usize..3,
        ) {
            let own = values[0];
            let count = |value: u8| values.iter().filter(|v| **v == value).count() as u64;
            let others: Vec<u64> = (0..4).filter(|v| *v != own).map(count).collect();
            let knowledge = Knowledge { excluded, told: told as u64, alike: alike as u64 };
            let found = knowledge.confidence(count(own), &others);
            let expected = naive(&values, excluded, told, alike, own);
            prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }
}
