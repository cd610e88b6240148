//! Membership: whether a person is in the data at all.

use rayon::prelude::*;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::guess::one_if;

/// The attack `membership`, an entry of the registry.
pub struct Membership;

/// The paper that bounds it.
pub const NERGIZ: Paper = Paper {
    authors: "Mehmet Ercan Nergiz, Maurizio Atzori, Chris Clifton",
    title: "Hiding the presence of individuals from shared databases",
    venue: "ACM SIGMOD International Conference on Management of Data",
    year: 2007,
};

static INFO: Info = Info {
    name: "membership",
    summary: "guesses who of a population, or of people inside and outside, is in the data",
    papers: &[NERGIZ],
    params: &[],
    doc: include_str!("membership.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for Membership {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        (stage.population.is_empty() && stage.control.is_empty()).then(|| {
            "a population of whom some are in the data (--population), or people who aren't \
             (--control)"
                .into()
        })
    }
    fn play(&self, _: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        match stage.population.is_empty() {
            false => Ok(of_population(stage)),
            true => Ok(inside_or_outside(stage)),
        }
    }
}

/// How likely each person of the population is in the data: of the rows of a class, each is that of
/// one of the people whom it covers.
pub fn presence(stage: &TableStage) -> Vec<f64> {
    let links = stage.links_by_all();
    let of_person: Vec<Vec<u32>> =
        stage.population.clone().into_par_iter().map(|person| links.of(person)).collect();
    let mut covered = vec![0u64; stage.classes.len()];
    for classes in &of_person {
        classes.iter().for_each(|class| covered[*class as usize] += 1);
    }
    let share = |class: &u32| {
        let class = *class as usize;
        stage.classes[class].rows.len() as f64 / covered[class].max(1) as f64
    };
    let chance = |classes: &Vec<u32>| classes.iter().map(share).sum::<f64>().min(1.0);
    of_person.iter().map(chance).collect()
}

/// Who of the population is in the original: as many people with the same quasi values as there are
/// records of them.
pub fn members(stage: &TableStage) -> Vec<bool> {
    let key = |person: usize| -> Vec<u32> {
        stage.quasi.iter().map(|column| column.people[person]).collect()
    };
    let mut left: FastMap<Vec<u32>, u64> = FastMap::default();
    (0..stage.n).for_each(|person| *left.entry(key(person)).or_insert(0) += 1);
    let is_in = |person: usize| {
        let left = left.get_mut(&key(person)).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    };
    stage.population.clone().map(is_in).collect()
}

fn of_population(stage: &TableStage) -> Outcome {
    let (presence, members) = (presence(stage), members(stage));
    let n = members.len();
    let inside = members.iter().filter(|is| **is).count();
    let mut score = Score::default();
    for (chance, is_in) in presence.iter().zip(&members) {
        // Where both are equally likely, either guess is right half of the time.
        score.add(match *chance {
            chance if (chance - 0.5).abs() < 1e-12 => 0.5,
            chance => one_if((chance > 0.5) == *is_in),
        });
    }
    let share = inside as f64 / n.max(1) as f64;
    let least = presence.iter().copied().fold(1.0, f64::min);
    let most = presence.iter().copied().fold(0.0, f64::max);
    let named = presence.iter().zip(&members).enumerate().filter(|(_, (_, is_in))| **is_in);
    let worst = named.map(|(at, (chance, _))| Worst { record: at as u64 + 1, chance: *chance });
    let mut outcome = Outcome {
        score,
        baseline: share.max(1.0 - share),
        everybody: true,
        worst: Outcome::worst_of(worst),
        remarks: vec![
            format!(
                "people of the population are in the data with chances {least:.4} to {most:.4}"
            ),
            "worst records are rows of the population".into(),
        ],
        ..Outcome::default()
    };
    if inside < stage.n {
        let missing = stage.n - inside;
        outcome.remarks.push(format!("{missing} people of the data aren't in the population"));
    }
    outcome
}

/// People of the data and people who aren't in it, equally many on average: whoever is in a row is
/// taken to be in the data.
fn inside_or_outside(stage: &TableStage) -> Outcome {
    let links = stage.links_by_all();
    let is_covered = |person: usize| !links.of(person).is_empty();
    let inside = (0..stage.n).into_par_iter().filter(|person| is_covered(*person)).count();
    let outside =
        stage.control.clone().into_par_iter().filter(|person| is_covered(*person)).count();
    let (inside, outside) =
        (inside as f64 / stage.n as f64, outside as f64 / stage.control.len() as f64);
    let queries = 2 * stage.n.min(stage.control.len()) as u64;
    let score = Score::new((inside + 1.0 - outside) / 2.0 * queries as f64, queries);
    let remark = format!(
        "rows cover {:.4} of the people inside and {:.4} of those outside",
        inside, outside
    );
    Outcome { score, baseline: 0.5, everybody: true, remarks: vec![remark], ..Outcome::default() }
}
