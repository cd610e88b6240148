//! Composition: two releases of the same people, each safe, tell more together.

use sfumato_core::registry::{Info, Paper, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;
use super::guess::{CERTAINTY, ON, everybody, is_sure, one_if, sensitive};
use super::links::chance_of;

/// The attack `composition`, an entry of the registry.
pub struct Composition;

static INFO: Info = Info {
    name: "composition",
    summary: "learns the sensitive value that two releases of the same people agree about",
    papers: &[Paper {
        authors: "Srivatsava Ranjit Ganta, Shiva Prasad Kasiviswanathan, Adam Smith",
        title: "Composition attacks and auxiliary information in data privacy",
        venue: "ACM SIGKDD International Conference on Knowledge Discovery and Data Mining",
        year: 2008,
    }],
    params: &[ON, CERTAINTY],
    doc: include_str!("composition.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for Composition {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        let other =
            || stage.other.is_none().then(|| "another release of the same people (--other)".into());
        stage.lacks_sensitive().or_else(other)
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let (column, certainty) = (sensitive(params, stage)?, params.number("certainty"));
        let Some(other) = stage.other.as_deref() else { return Ok(Outcome::default()) };
        let secret = &stage.sensitive[column];
        let theirs = other.sensitive.iter().position(|known| known.name == secret.name);
        let theirs = theirs.ok_or_else(|| {
            sfumato_core::Error::params(format!("the other release has no '{}'", secret.name))
        })?;
        let code_of: FastMap<&str, u32> =
            secret.labels.iter().enumerate().map(|(at, label)| (&label[..], at as u32)).collect();
        let missing = secret.n_codes() as u32 - 1;
        // The code here of a code of the other release.
        let here: Vec<Option<u32>> = (other.sensitive[theirs].labels.iter())
            .map(|label| code_of.get(&label[..]).copied())
            .chain([Some(missing)])
            .collect();
        let overall = secret.overall_belief();
        let (one, two) = (stage.links_by_all(), other.links_by_all());
        let in_one = |person: usize| stage.belief(column, &one.of(person));
        let in_two = |person: usize| {
            let belief = other.belief(theirs, &two.of(person));
            let mut belief: Vec<(u32, f64)> = belief
                .into_iter()
                .filter_map(|(code, chance)| Some((here[code as usize]?, chance)))
                .collect();
            belief.sort_by_key(|(code, _)| *code);
            belief
        };
        let is_learnt = |belief: &[(u32, f64)], person: usize| {
            one_if(is_sure(chance_of(belief, secret.people[person]), certainty))
        };
        let alone = |belief: &(dyn Fn(usize) -> Vec<(u32, f64)> + Sync)| {
            let learnt = everybody(stage, 0.0, |person| is_learnt(&belief(person), person));
            learnt.score.rate().unwrap_or(0.0)
        };
        let baseline = alone(&in_one).max(alone(&in_two));
        let mut outcome = everybody(stage, baseline, |person| {
            is_learnt(&together(&in_one(person), &in_two(person), &overall), person)
        });
        outcome.control = None;
        outcome.remarks.push("guessing is the better of the two releases alone".into());
        Ok(outcome)
    }
}

/// What two independent releases say together: a value counts as often as both have it, relative to
/// how frequent it is anyway.
fn together(one: &[(u32, f64)], two: &[(u32, f64)], overall: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let both = |(code, chance): &(u32, f64)| {
        let product = chance * chance_of(two, *code) / chance_of(overall, *code).max(1e-12);
        (product > 0.0).then_some((*code, product))
    };
    let mut joint: Vec<(u32, f64)> = one.iter().filter_map(both).collect();
    let sum: f64 = joint.iter().map(|(_, product)| product).sum();
    joint.iter_mut().for_each(|(_, product)| *product /= sum);
    joint
}

#[cfg(test)]
mod tests {
    use super::together;

    #[test]
    fn what_only_one_release_allows_is_ruled_out() {
        let overall = [(0, 0.4), (1, 0.3), (2, 0.3)];
        assert_eq!(together(&[(0, 0.5), (1, 0.5)], &[(1, 0.5), (2, 0.5)], &overall), [(1, 1.0)]);
        assert!(together(&[(0, 1.0)], &[(1, 1.0)], &overall).is_empty(), "they contradict");
        let joint = together(&[(0, 0.5), (1, 0.5)], &[(0, 0.5), (1, 0.5)], &overall);
        assert!((joint[0].1 - 3.0 / 7.0).abs() < 1e-12, "{joint:?}");
    }
}
