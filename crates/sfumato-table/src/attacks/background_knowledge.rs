//! Background knowledge: whoever knows which values a person doesn't have concludes more.

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;
use super::guess::{CERTAINTY, ON, everybody, is_sure, one_if, sensitive, without_release};
use super::homogeneity::MACHANAVAJJHALA;
use super::links::chance_of;

/// The attack `background-knowledge`, an entry of the registry.
pub struct BackgroundKnowledge;

static INFO: Info = Info {
    name: "background-knowledge",
    summary: "learns the sensitive value of people of whom some other values are known not to be",
    papers: &[MACHANAVAJJHALA],
    params: &[
        ON,
        CERTAINTY,
        ParamSpec::with_default(
            "excluded",
            ParamKind::Integer { min: 0, max: i64::MAX },
            "1",
            "how many values the attacker knows that the person doesn't have",
        ),
    ],
    doc: include_str!("background_knowledge.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for BackgroundKnowledge {
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
        let (column, certainty) = (sensitive(params, stage)?, params.number("certainty"));
        let excluded = params.count("excluded") as usize;
        let (links, secret) = (stage.links_by_all(), &stage.sensitive[column]);
        let is_learnt = |belief: &[(u32, f64)], person: usize| {
            let truth = secret.people[person];
            one_if(is_sure(left_after(belief, truth, excluded), certainty))
        };
        let overall = secret.overall_belief();
        let baseline = without_release(stage, |person| is_learnt(&overall, person));
        Ok(everybody(stage, baseline, |person| {
            is_learnt(&stage.belief(column, &links.of(person)), person)
        }))
    }
}

/// How likely the truth is once the most likely other values are excluded: the best that so many
/// exclusions can do.
fn left_after(belief: &[(u32, f64)], truth: u32, excluded: usize) -> f64 {
    let mut others: Vec<f64> =
        belief.iter().filter(|(code, _)| *code != truth).map(|(_, chance)| *chance).collect();
    others.sort_by(|a, b| b.total_cmp(a));
    let rest: f64 = others.iter().skip(excluded).sum();
    let truth = chance_of(belief, truth);
    if truth > 0.0 { truth / (truth + rest) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::left_after;

    #[test]
    fn excluding_the_most_likely_others_leaves_the_truth() {
        let belief = [(0, 0.5), (1, 0.3), (2, 0.2)];
        assert_eq!(left_after(&belief, 2, 0), 0.2);
        assert!((left_after(&belief, 2, 1) - 0.4).abs() < 1e-12);
        assert_eq!(left_after(&belief, 2, 2), 1.0);
        assert_eq!(left_after(&belief, 7, 3), 0.0, "who isn't there isn't learnt");
    }
}
