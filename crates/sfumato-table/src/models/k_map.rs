//! k-map: every published row may be about at least k people of a population.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Least};
use sfumato_core::group::{Guarantee, Summary};
use sfumato_core::population::{Among, Presence};
use sfumato_core::registry::{About, Disclosure, Info, Paper, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};

use crate::models::bound;

/// The model `k-map`, an entry of the registry.
pub struct KMap;

static INFO: Info = Info {
    name: "k-map",
    summary: "every published row may be about at least k people of a population",
    papers: &[Paper {
        authors: "L. Sweeney",
        title: "Computational disclosure control: a primer on data privacy protection",
        venue: "PhD thesis, Massachusetts Institute of Technology",
        year: 2001,
    }],
    params: &[bound::K],
    doc: "\
## What it promises

Somebody has a table of a population and knows everybody's quasi values there, but not who is in \
the data. Every published row may
be about at least `k` people of the population, so that it is linked to the right one with a \
chance of at most 1/`k`. It is k-anonymity counted in the
population rather than in the data: a class may have one row, if `k` people fit it.

The table is named with `--population-table FILE`, or `path` under `[population]`.

## What it does not stop

- Somebody who knows who is in the data: for that attacker a class of one row is that person's.
- Learning a sensitive value.
- Learning that somebody is in the data, or isn't; that is delta-presence.

## Parameters

`k` is the least number of people of the population.

## Cost

One search for the classes of each person of the population.

## Deviations

The data needn't be a part of the population. A row that fits nobody of it fits fewer than `k`.

## Monotonicity

Monotone: a union fits whoever its parts fit.
",
    about: About { asks: &[Fact::Population], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl Model for KMap {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, _: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        Ok(vec![Box::new(Mapped { k: params.count("k"), text: params.describe() })])
    }
}

struct Mapped {
    k: u64,
    text: String,
}

impl Requirement for Mapped {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        Scope::Population
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        true
    }
    fn holds_among(&self, among: Among) -> bool {
        among.rows == 0 || among.people >= self.k
    }
    // What a class says is nothing of a population: that is judged apart.
    fn holds(&self, _: &Summary, _: &Summary) -> bool {
        true
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, _: &Summary, _: &Summary) -> Vec<f64> {
        vec![f64::INFINITY]
    }
    fn is_count_only(&self) -> bool {
        true
    }

    fn judge_presence(&self, presence: &Presence) -> Result<Vec<Guarantee>> {
        let published = presence.classes.iter().filter(|among| among.rows > 0);
        let found = Least {
            least: published.clone().map(|among| among.people).min().unwrap_or(0),
            violations: published.filter(|among| among.people < self.k).count() as u64,
        };
        let asked = (INFO.name, self.text.clone());
        let about = ("k", Scope::Population.name());
        Ok(vec![Guarantee::at_least(asked, about, self.k, found)])
    }
}
