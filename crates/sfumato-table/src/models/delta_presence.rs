//! Delta-presence: how likely anybody of a population is in the data stays within two bounds.

use std::cmp::Ordering;

use sfumato_core::facts::Fact;
use sfumato_core::group::{Guarantee, Summary};
use sfumato_core::population::{Among, Fitting, Presence};
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope, TOLERANCE};
use sfumato_core::{Error, Result};

use crate::models::exact::Ratio;

/// The model `delta-presence`, an entry of the registry.
pub struct DeltaPresence;

static INFO: Info = Info {
    name: "delta-presence",
    summary: "anybody of a population is in the data with a chance between two bounds",
    papers: &[Paper {
        authors: "M. E. Nergiz, M. Atzori, C. Clifton",
        title: "Hiding the presence of individuals from shared databases",
        venue: "SIGMOD",
        year: 2007,
    }],
    params: &[
        ParamSpec::with_default(
            "min",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0",
            "the least chance with which somebody may be in the data",
        ),
        ParamSpec::required(
            "max",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest chance with which somebody may be in the data",
        ),
    ],
    doc: "\
## What it promises

Somebody has a public table of a population, all of the data among them, and knows everybody's \
quasi values there. Of anybody in
it the release says that the person is in the data with a chance of at least `min` and at most \
`max`: neither that the person is
surely there nor, with `min` above 0, that the person surely isn't.

The chance of a person is, over the classes that may be about the person, the rows of the class \
over the people of the population
whom it may be about. The table is named with `--population-table FILE`, or `path` under \
`[population]`.

## What it does not stop

- Somebody with another table of the population, which has fewer people or other columns.
- Learning a sensitive value of somebody who is known to be in the data. Where `max` is small, \
whoever only knows the population learns it
of nobody with more than that chance.

## Parameters

`max` from the share of the population that is in the data: a release of one class gives everybody \
that chance, so that no release
has a smaller `max` or a larger `min`. With `min` above 0 nobody may be outside all classes.

## Cost

One search for the classes of each person of the population.

## Deviations

Chances of one class are compared exactly. Where classes overlap, a person may be in several, and \
their chances are added up, to 1 at
most; then the tolerance of sums of fractions is 1e-9. Records that aren't in the population are \
an error: the model takes the data for a part of it. A
subject column is refused, since rows are counted.

## Monotonicity

Monotone: the chance of a union lies between those of its parts.
",
    about: About { asks: &[Fact::Population], limits: &[Disclosure::Membership] },
    ..Info::DEFAULT
};

impl Model for DeltaPresence {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, _: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let min = Ratio::of_param(&INFO, params, "min")?;
        let max = Ratio::of_param(&INFO, params, "max")?;
        if min.to_f64() > max.to_f64() {
            return Err(Error::params("delta-presence: min is above max")
                .hint("say the least chance with min and the largest with max"));
        }
        Ok(vec![Box::new(Between { min, max, text: params.describe() })])
    }
}

struct Between {
    min: Ratio,
    max: Ratio,
    text: String,
}

impl Between {
    /// The chance of people whom the same classes may be about, and whether it may be so.
    fn chance(&self, presence: &Presence, fitting: &Fitting) -> (f64, bool) {
        let of = |class: &u32| presence.classes[*class as usize];
        if let [class] = fitting.classes.as_slice() {
            let among = of(class);
            return (among.rows as f64 / among.people as f64, self.holds_among(among));
        }
        let share = |class: &u32| of(class).rows as f64 / of(class).people as f64;
        let chance = fitting.classes.iter().map(share).sum::<f64>().min(1.0);
        let (min, max) = (self.min.to_f64(), self.max.to_f64());
        (chance, chance >= min - TOLERANCE && chance <= max + TOLERANCE)
    }
}

impl Requirement for Between {
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
        let (rows, people) = (u128::from(among.rows), u128::from(among.people));
        self.min.compare(&[rows], &[people]) != Ordering::Less
            && self.max.compare(&[rows], &[people]) != Ordering::Greater
    }
    // What a class says is nothing of a population: that is judged apart.
    fn holds(&self, _: &Summary, _: &Summary) -> bool {
        true
    }
    fn measures(&self) -> Vec<Measure> {
        let (least, most) = (self.min.to_f64(), self.max.to_f64());
        vec![
            Measure { name: "delta_min", required: least, direction: Direction::AtLeast },
            Measure { name: "delta_max", required: most, direction: Direction::AtMost },
        ]
    }
    fn measure(&self, _: &Summary, _: &Summary) -> Vec<f64> {
        vec![f64::INFINITY, 0.0]
    }
    fn is_count_only(&self) -> bool {
        true
    }

    fn judge_presence(&self, presence: &Presence) -> Result<Vec<Guarantee>> {
        if presence.outside > 0 {
            return Err(outside(presence.outside));
        }
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        let (mut too_few, mut too_many) = (0, 0);
        for fitting in &presence.people {
            let (chance, holds) = self.chance(presence, fitting);
            (least, most) = (least.min(chance), most.max(chance));
            // A chance that may not be so is below the least or above the largest, never both.
            let is_low = !holds && chance < self.max.to_f64() && chance < self.min.to_f64();
            too_few += if is_low { fitting.people } else { 0 };
            too_many += if holds || is_low { 0 } else { fitting.people };
        }
        let found = [(least, too_few), (most, too_many)];
        let guarantee = |(measure, (achieved, violations))| Guarantee {
            model: INFO.name,
            requirement: self.text.clone(),
            scope: Scope::Population.name(),
            measure,
            achieved,
            holds: violations == 0,
            violations,
        };
        Ok(self.measures().into_iter().zip(found).map(guarantee).collect())
    }
}

/// The error for records that aren't in the population.
fn outside(rows: u64) -> Error {
    Error::input(format!(
        "delta-presence can't be judged: {rows} records of the data aren't in the population"
    ))
    .hint("name a population table that has everybody of the data, with equal quasi values")
}
