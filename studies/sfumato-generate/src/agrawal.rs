//! The synthetic loan data of the classification literature: nine attributes and, if asked, a
//! label.
//!
//! This file draws the attributes; the label functions are in `label`.

use std::ops::Range;

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use crate::draw::Draw;
use crate::text::{Line, Text};
use crate::{Generator, levels};

mod label;

use label::{Constants, Function, Record};

/// See [`Info::doc`].
pub struct Agrawal;

static INFO: Info = Info {
    name: "agrawal",
    summary: "nine loan attributes and the label functions that classifiers are tested with",
    papers: &[
        Paper {
            authors: "R. Agrawal, T. Imielinski, A. Swami",
            title: "Database Mining: A Performance Perspective",
            venue: "IEEE Transactions on Knowledge and Data Engineering 5(6)",
            year: 1993,
        },
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Workload-Aware Anonymization Techniques for Large-Scale Datasets",
            venue: "ACM Transactions on Database Systems 33(3)",
            year: 2008,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "label",
            ParamKind::Choice(Function::CHOICES),
            "none",
            "labels each row: c1 to c10 add a column class (A or B), r7 and r10 a number target",
        ),
        ParamSpec::with_default(
            "constants",
            ParamKind::Choice(&["fixed", "random"]),
            "fixed",
            "the printed constants of c2 to c6, or constants drawn over their attributes' ranges",
        ),
        ParamSpec::optional(
            "constants_seed",
            ParamKind::Integer { min: 0, max: i64::MAX },
            "seed of the random constants, to share them between data sets; left out, the seed of \
                the rows",
        ),
    ],
    doc: "\
Attributes, all whole numbers, bounds included:

| column | distribution |
|---|---|
| salary | uniform in 20,000 to 150,000 |
| commission | 0 if salary is at least 75,000, else uniform in 10,000 to 75,000 |
| age | uniform in 20 to 80 |
| elevel | uniform in 0 to 4 |
| car | uniform in 1 to 20 |
| zipcode | uniform in 0 to 9 |
| hvalue | zipcode x h x 100,000 with h uniform in 0.5 to 1.5 |
| hyears | uniform in 1 to 30 |
| loan | uniform in 0 to 500,000 |

The amounts are continuous in the papers; here they are rounded to whole units. No noise is added \
to them.

Labels c2, c4 to c7, c9, r7 and r10 follow the 2008 paper; a bound of c5 that is hard to read \
there is taken
as 300K, and c7 and c9 subtract 0.2 loan. It uses function 3 without printing it: c3, and for \
completeness
c1, c8 and c10, are those of the 1993 generator. The class is A where the function holds, else B; \
c8 and c10
put nearly every row in A.

`constants=random` reads \"independently at random over the range of the attribute\" as follows: \
every bound
is uniform over its attribute's range (30,000 to 150,000 for salary + commission), the two bounds \
of an
interval and the two limits of the age bands are put in order, and intervals that share a printed \
bound don't
share a drawn one. It is offered for c2 to c6; the paper never varies the others.

Hierarchies for elevel and car go with the data. The paper uses such constraints but doesn't print \
them: the
trees are ours.",
    ..Info::DEFAULT
};

const NAMES: [&str; 9] =
    ["salary", "commission", "age", "elevel", "car", "zipcode", "hvalue", "hyears", "loan"];

impl Generator for Agrawal {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn check(&self, params: &Params) -> Result<()> {
        let function = Function::of(params.text("label").unwrap_or("none"));
        let random = params.text("constants") == Some("random");
        if random && !function.is_some_and(Function::has_constants) {
            return Err(Error::params(
                "agrawal: constants=random goes with label c2, c3, c4, c5 or c6",
            )
            .hint("leave constants out, or choose one of these labels"));
        }
        Ok(())
    }

    fn columns(&self, params: &Params) -> Vec<String> {
        let label = Function::of(params.text("label").unwrap_or("none")).map(Function::column);
        NAMES.into_iter().chain(label).map(str::to_string).collect()
    }

    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        self.check(params)?;
        let function = Function::of(params.text("label").unwrap_or("none"));
        let constants = function.map(|function| constants_of(params, function, seed));
        let mut draw = Draw::block(seed, &rows)?;
        let (a, b) = (Text::new("A"), Text::new("B"));
        let mut line = Line::new();
        for _ in rows {
            let record = draw_record(&mut draw);
            for n in record.cells() {
                line.number(n);
            }
            if let (Some(function), Some(constants)) = (function, &constants) {
                match function.is_class() {
                    true => line.text(if function.holds(constants, &record) { &a } else { &b }),
                    false => line.hundredths(function.hundredths(&record)),
                }
            }
            line.finish(out);
        }
        Ok(())
    }

    fn companions(&self, _params: &Params) -> Vec<(String, String)> {
        let elevel = (0..5).map(|level: u32| {
            let group = if level < 2 { "[0-1]" } else { "[2-4]" };
            levels::named(&[&level.to_string(), group])
        });
        // Makers count from 1, so the bands of five start at 1, 6, 11 and 16.
        let car = (1..=20).map(|maker: u32| {
            let band = |width: u32| {
                let low = (maker - 1) / width * width + 1;
                format!("[{low}-{}]", low + width - 1)
            };
            vec![maker.to_string(), band(5), band(10)]
        });
        vec![
            ("agrawal_hierarchy_elevel.csv".into(), levels::file(elevel)),
            ("agrawal_hierarchy_car.csv".into(), levels::file(car)),
        ]
    }
}

/// The constants are drawn apart from the rows, so that rows don't change with the label.
fn constants_of(params: &Params, function: Function, seed: u64) -> Constants {
    if params.text("constants") == Some("random") {
        let given = params.optional_integer("constants_seed").and_then(|n| u64::try_from(n).ok());
        Constants::random(function, &mut Draw::shared(given.unwrap_or(seed)))
    } else {
        Constants::fixed(function)
    }
}

#[inline]
fn draw_record(draw: &mut Draw) -> Record {
    let salary = draw.between(20_000, 150_000);
    let commission = if salary >= 75_000 { 0 } else { draw.between(10_000, 75_000) };
    let age = draw.between(20, 80);
    let elevel = draw.below(5);
    let car = draw.between(1, 20);
    let zipcode = draw.below(10);
    let hvalue = draw.between(zipcode * 50_000, zipcode * 150_000);
    let hyears = draw.between(1, 30);
    let loan = draw.between(0, 500_000);
    Record { salary, commission, age, elevel, car, zipcode, hvalue, hyears, loan }
}

#[cfg(test)]
mod tests;
