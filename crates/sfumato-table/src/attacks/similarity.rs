//! Similarity: values that differ and mean nearly the same give that meaning away.

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;
use super::guess::{ON, everybody, is_sure, one_if, sensitive, without_release};
use super::skewness::LI;
use super::stage::Sensitive;

/// The attack `similarity`, an entry of the registry.
pub struct Similarity;

static INFO: Info = Info {
    name: "similarity",
    summary: "learns about what a person's value is, where those of their rows are close",
    papers: &[LI],
    params: &[
        ON,
        ParamSpec::with_default(
            "certainty",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "0.9",
            "the least share of a person's rows that must be close",
        ),
        ParamSpec::with_default(
            "width",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.1",
            "of numbers: how far apart close values are, as a share of their range",
        ),
        ParamSpec::with_default(
            "level",
            ParamKind::Integer { min: 0, max: 64 },
            "1",
            "of values with a hierarchy: the level whose nodes hold close values",
        ),
    ],
    doc: include_str!("similarity.md"),
    ..Info::DEFAULT
};

/// What counts as close.
enum Close<'a> {
    /// Numbers within an interval of this width.
    Within(&'a [f64], f64),
    /// Values below one node, by the code of the value.
    Below(Vec<u32>),
}

impl<'a> Close<'a> {
    fn new(secret: &'a Sensitive, params: &Params) -> Option<Self> {
        if let Some(tree) = &secret.tree {
            let level = (params.count("level") as usize).min(tree.n_levels() - 1);
            let codes = 0..secret.n_codes() as u32 - 1;
            return Some(Close::Below(codes.map(|code| tree.ancestor(code, level)).collect()));
        }
        let numbers = secret.numbers.as_deref()?;
        let used = || (0..numbers.len()).filter(|code| secret.overall[*code] > 0);
        let least = used().map(|code| numbers[code]).fold(f64::INFINITY, f64::min);
        let most = used().map(|code| numbers[code]).fold(f64::NEG_INFINITY, f64::max);
        Some(Close::Within(numbers, (most - least).max(0.0) * params.number("width")))
    }

    /// Whether a belief is sure of a neighbourhood that holds the truth: the heaviest there is.
    fn is_right(&self, belief: &[(u32, f64)], truth: u32, certainty: f64) -> bool {
        match self {
            Close::Below(nodes) => {
                let node = |code: u32| nodes.get(code as usize).copied();
                let Some(own) = node(truth) else { return false };
                let near = belief.iter().filter(|(code, _)| node(*code) == Some(own));
                is_sure(near.map(|(_, chance)| chance).sum(), certainty)
            }
            Close::Within(numbers, width) => {
                let mut near: Vec<(f64, f64)> = belief
                    .iter()
                    .filter_map(|(code, chance)| Some((*numbers.get(*code as usize)?, *chance)))
                    .collect();
                let Some(truth) = numbers.get(truth as usize) else { return false };
                near.sort_by(|a, b| a.0.total_cmp(&b.0));
                let (mut first, mut mass, mut best) = (0, 0.0, (0.0, f64::NAN));
                for (number, chance) in &near {
                    mass += chance;
                    while number - near[first].0 > width + 1e-9 {
                        mass -= near[first].1;
                        first += 1;
                    }
                    if mass > best.0 + 1e-12 {
                        best = (mass, near[first].0);
                    }
                }
                is_sure(best.0, certainty)
                    && (best.1 - 1e-9..=best.1 + width + 1e-9).contains(truth)
            }
        }
    }
}

impl Attack<TableStage> for Similarity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        let is_close = |secret: &Sensitive| secret.numbers.is_some() || secret.tree.is_some();
        match stage.sensitive.iter().any(is_close) {
            true => None,
            false => Some(
                "a sensitive column of numbers, or one with a hierarchy (--hierarchy COLUMN=FILE)"
                    .into(),
            ),
        }
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let column = match params.text("on") {
            Some(_) => sensitive(params, stage)?,
            None => {
                let is_close =
                    |secret: &Sensitive| secret.numbers.is_some() || secret.tree.is_some();
                stage.sensitive.iter().position(is_close).unwrap_or(0)
            }
        };
        let (links, secret) = (stage.links_by_all(), &stage.sensitive[column]);
        let certainty = params.number("certainty");
        let close = Close::new(secret, params).ok_or_else(|| {
            let message = format!("values of '{}' aren't numbers and have no tree", secret.name);
            sfumato_core::Error::params(message).hint("say --hierarchy COLUMN=FILE")
        })?;
        let right = |belief: &[(u32, f64)], person: usize| {
            one_if(close.is_right(belief, secret.people[person], certainty))
        };
        let overall = secret.overall_belief();
        let baseline = without_release(stage, |person| right(&overall, person));
        let mut outcome = everybody(stage, baseline, |person| {
            right(&stage.belief(column, &links.of(person)), person)
        });
        outcome.remarks.push(format!("about column '{}'", secret.name));
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_interval_counts_if_it_is_heavy_enough() {
        // Table 2.6 of the book: nine salaries from 30 to 35, and one of 80.
        let numbers: Vec<f64> = vec![30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 80.0];
        let counts = [2.0, 1.0, 2.0, 1.0, 1.0, 2.0, 1.0];
        let belief: Vec<(u32, f64)> =
            counts.iter().enumerate().map(|(code, n)| (code as u32, n / 10.0)).collect();
        let close = Close::Within(&numbers, 5.0);
        assert!(close.is_right(&belief, 0, 0.9) && close.is_right(&belief, 5, 0.9));
        assert!(!close.is_right(&belief, 6, 0.9), "80 isn't among them");
        assert!(!close.is_right(&belief, 0, 0.95), "not so sure");
        assert!(!Close::Within(&numbers, 4.0).is_right(&belief, 0, 0.9));
    }
}
