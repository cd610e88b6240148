//! Corruption: people who tell their own value give away those of others in their class.

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;
use super::guess::{CERTAINTY, ON, is_sure, one_if, sensitive, without_release};
use super::links::chance_of;

/// The attack `corruption`, an entry of the registry.
pub struct Corruption;

static INFO: Info = Info {
    name: "corruption",
    summary: "learns a person's value from what others of the same class tell about themselves",
    papers: &[Paper {
        authors: "Yufei Tao, Xiaokui Xiao, Jiexing Li, Donghui Zhang",
        title: "On anti-corruption privacy preserving publication",
        venue: "IEEE International Conference on Data Engineering",
        year: 2008,
    }],
    params: &[
        ON,
        CERTAINTY,
        ParamSpec::with_default(
            "told",
            ParamKind::Integer { min: 0, max: i64::MAX },
            "1",
            "how many others tell their value",
        ),
    ],
    doc: include_str!("corruption.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for Corruption {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        stage.lacks_sensitive()
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let (column, certainty) = (sensitive(params, stage)?, params.number("certainty"));
        let told = params.count("told") as usize;
        let (links, secret) = (stage.links_by_all(), &stage.sensitive[column]);
        // People who may be in the same rows: what one of them tells is about these.
        let mut alike: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
        for person in 0..stage.n {
            alike.entry(links.of(person)).or_default().push(person as u32);
        }
        let mut sets: Vec<(Vec<u32>, Vec<u32>)> = alike.into_iter().collect();
        sets.sort_by_key(|(_, people)| people[0]);
        let mut chances = vec![0.0; stage.n];
        for (classes, people) in sets {
            let rows = stage.rows_of(&classes) as f64;
            let belief = stage.belief(column, &classes);
            for (place, person) in people.iter().enumerate() {
                let truth = secret.people[*person as usize];
                let mut left: Vec<(u32, f64)> =
                    belief.iter().map(|(code, share)| (*code, share * rows)).collect();
                // Others than the person, each once.
                for other in chance.sample(told, people.len() - 1) {
                    let other = other as usize + usize::from(other as usize >= place);
                    let code = secret.people[people[other] as usize];
                    if let Ok(at) = left.binary_search_by_key(&code, |(known, _)| *known) {
                        left[at].1 = (left[at].1 - 1.0).max(0.0);
                    }
                }
                let rest: f64 = left.iter().map(|(_, count)| count).sum();
                let share = if rest > 0.0 { chance_of(&left, truth) / rest } else { 0.0 };
                chances[*person as usize] = one_if(is_sure(share, certainty));
            }
        }
        let overall = secret.overall_belief();
        let baseline = without_release(stage, |person| {
            one_if(is_sure(chance_of(&overall, secret.people[person]), certainty))
        });
        Ok(Outcome::of_everybody(&chances, baseline))
    }
}
