//! K-map: whether a published row fits at least k people of a population.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::TableStage;

/// The attack `k-map`, an entry of the registry.
pub struct KMap;

static INFO: Info = Info {
    name: "k-map",
    summary: "counts rows that fit fewer than k people of a population",
    papers: &[Paper {
        authors: "Latanya Sweeney",
        title: "Computational disclosure control: a primer on data privacy protection",
        venue: "PhD thesis, Massachusetts Institute of Technology",
        year: 2001,
    }],
    params: &[ParamSpec::optional(
        "k",
        ParamKind::Integer { min: 1, max: i64::MAX },
        "the least number of people of the population whom a row may fit; must be said",
    )],
    doc: "\
k-map is k-anonymity counted in the population rather than in the data: every published row fits \
at least `k` people of the
population. The rate is the share of rows that fit fewer; the model holds if it is 0. A row that \
fits nobody of the population is
counted, too: then the population isn't that of the data. In a job, `[attack]` with this attack, \
`population` and `max_rate = 0`
publishes nothing that breaks it.
",
    ..Info::DEFAULT
};

impl Attack<TableStage> for KMap {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, params: &Params, stage: &TableStage) -> Option<String> {
        if stage.population.is_empty() {
            return Some("a population of whom some are in the data (--population)".into());
        }
        let none = params.optional_integer("k").is_none();
        none.then(|| "the number of people: 'k-map(k=5)'".into())
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let k = params.optional_integer("k").unwrap_or(1) as u64;
        let links = stage.links_by_all();
        let of_person: Vec<Vec<u32>> =
            stage.population.clone().into_par_iter().map(|person| links.of(person)).collect();
        let mut fit = vec![0u64; stage.classes.len()];
        of_person.iter().flatten().for_each(|class| fit[*class as usize] += 1);
        let rows = |class: usize| stage.classes[class].rows.len() as u64;
        let few: u64 = (0..fit.len()).filter(|class| fit[*class] < k).map(rows).sum();
        let least = fit.iter().copied().min().unwrap_or(0);
        Ok(Outcome {
            score: Score::new(few as f64, stage.n_rows as u64),
            everybody: true,
            remarks: vec![format!("every row fits at least {least} people of the population")],
            ..Outcome::default()
        })
    }
}
