//! Known items: whoever knows some items of a person, and some that they don't have, looks for the
//! rows that fit.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::{ABSENT, PRESENT, QUERIES, SetStage};

/// The attack `known-items`, an entry of the registry.
pub struct KnownItems;

/// The paper that shows it.
pub const TERROVITIS: Paper = Paper {
    authors: "Manolis Terrovitis, Nikos Mamoulis, Panos Kalnis",
    title: "Privacy-preserving anonymization of set-valued data",
    venue: "Proceedings of the VLDB Endowment 1(1)",
    year: 2008,
};

static INFO: Info = Info {
    name: "known-items",
    summary: "guesses which row is that of a person of whom some items are known",
    papers: &[TERROVITIS],
    params: &[PRESENT, ABSENT, QUERIES],
    doc: include_str!("known_items.md"),
    ..Info::DEFAULT
};

impl Attack<SetStage> for KnownItems {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["subsets", "buckets", "bitmaps", "generalized"]
    }
    fn play(&self, params: &Params, stage: &SetStage, chance: &mut Chance) -> Result<Outcome> {
        let (present, absent) = (params.count("present") as usize, params.count("absent") as usize);
        // Whoever has nothing but sensitive items is known by nothing.
        let people: Vec<u32> = (0..stage.people.len() as u32)
            .filter(|person| !stage.people[*person as usize].is_empty())
            .collect();
        let asked = chance.sample(params.count("queries") as usize, people.len());
        let (mut score, mut worst, mut nowhere) = (Score::default(), Vec::new(), 0);
        for at in &asked {
            let person = people[*at as usize] as usize;
            let known = stage.known(person, present, chance);
            let rows = stage.rows(person, &known, absent).len();
            let right = if rows == 0 { 0.0 } else { 1.0 / rows as f64 };
            nowhere += usize::from(rows == 0);
            score.add(right);
            worst.push(Worst { record: person as u64 + 1, chance: right });
        }
        let mut outcome = Outcome {
            score,
            baseline: 1.0 / stage.n_rows.max(1) as f64,
            everybody: asked.len() == people.len(),
            worst: Outcome::worst_of(worst.into_iter()),
            ..Outcome::default()
        };
        if nowhere > 0 {
            outcome.remarks.push(format!("of {nowhere} people no row has what is known"));
        }
        Ok(outcome)
    }
}
