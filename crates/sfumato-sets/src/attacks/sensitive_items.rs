//! Sensitive items: the rows that have what is known of a person agree about a sensitive item.

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::{ABSENT, PRESENT, QUERIES, SetStage};

/// The attack `sensitive-items`, an entry of the registry.
pub struct SensitiveItems;

static INFO: Info = Info {
    name: "sensitive-items",
    summary: "learns a sensitive item that the rows with a person's known items share",
    papers: &[Paper {
        authors: "Yabo Xu, Ke Wang, Ada Wai-Chee Fu, Philip S. Yu",
        title: "Anonymizing transaction databases for publication",
        venue: "ACM SIGKDD International Conference on Knowledge Discovery and Data Mining",
        year: 2008,
    }],
    params: &[
        PRESENT,
        ABSENT,
        ParamSpec::with_default(
            "certainty",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "0.8",
            "the least share of a person's rows that must have the item",
        ),
        QUERIES,
    ],
    doc: include_str!("sensitive_items.md"),
    ..Info::DEFAULT
};

impl Attack<SetStage> for SensitiveItems {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["subsets", "buckets", "bitmaps", "generalized"]
    }
    fn lacks(&self, _: &Params, stage: &SetStage) -> Option<String> {
        stage.lacks_sensitive()
    }
    fn play(&self, params: &Params, stage: &SetStage, chance: &mut Chance) -> Result<Outcome> {
        let (present, absent) = (params.count("present") as usize, params.count("absent") as usize);
        let certainty = params.number("certainty") - 1e-9;
        let people: Vec<u32> = (0..stage.people.len() as u32)
            .filter(|person| {
                let person = *person as usize;
                !stage.secrets[person].is_empty() && !stage.people[person].is_empty()
            })
            .collect();
        let asked = chance.sample(params.count("queries") as usize, people.len());
        // How likely a sensitive item is, where each row of a group has it with the same chance.
        let believed = |rows: &mut dyn Iterator<Item = u32>, item: &str| {
            let (mut sum, mut n) = (0.0, 0u64);
            for row in rows {
                let group = stage.group_of_row[row as usize] as usize;
                let has = stage.group_secrets[group].iter().find(|(known, _)| known == item);
                let count = has.map_or(0, |(_, count)| *count);
                sum += f64::from(count) / f64::from(stage.group_sizes[group].max(1));
                n += 1;
            }
            if n == 0 { 0.0 } else { sum / n as f64 }
        };
        // The share of all rows that have each sensitive item.
        let mut shares: FastMap<&str, f64> = FastMap::default();
        for (item, count) in stage.group_secrets.iter().flatten() {
            *shares.entry(item).or_insert(0.0) += f64::from(*count) / stage.n_rows.max(1) as f64;
        }
        let (mut score, mut worst, mut guessed) = (Score::default(), Vec::new(), 0.0);
        for at in &asked {
            let person = people[*at as usize] as usize;
            let known = stage.known(person, present, chance);
            let rows = stage.rows(person, &known, absent);
            let secrets = stage.secrets[person].iter();
            let most = secrets.clone().map(|item| believed(&mut rows.iter().copied(), item));
            let is_learnt = most.fold(0.0, f64::max) >= certainty;
            score.add(f64::from(u8::from(is_learnt)));
            let overall = secrets
                .map(|item| shares.get(&item[..]).copied().unwrap_or(0.0))
                .fold(0.0, f64::max);
            guessed += f64::from(u8::from(overall >= certainty));
            if is_learnt {
                worst.push(Worst { record: person as u64 + 1, chance: 1.0 });
            }
        }
        Ok(Outcome {
            score,
            baseline: guessed / asked.len().max(1) as f64,
            everybody: asked.len() == people.len(),
            worst: Outcome::worst_of(worst.into_iter()),
            ..Outcome::default()
        })
    }
}
