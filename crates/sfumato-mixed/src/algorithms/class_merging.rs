//! Rounds of merging: a class whose items lose most joins the class with which both together lose
//! least.

use std::cmp::Ordering;

use rayon::prelude::*;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::Task;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_table::algorithms::shared::space::{Bounds, Space};

use super::MixedAlgorithm;
use super::items::Publisher;

/// The algorithm.
pub struct ClassMerging;

static INFO: Info = Info {
    name: "class-merging",
    summary: "merges classes of columns while that loses less of columns and items together",
    papers: &[Paper {
        authors: "G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos",
        title: "Anonymizing data with relational and transaction attributes",
        venue: "ECML PKDD",
        year: 2013,
    }],
    params: &[
        ParamSpec::with_default(
            "classes",
            ParamKind::Text,
            "mondrian",
            "the algorithm for tables that makes the first classes",
        ),
        ParamSpec::with_default(
            "by",
            ParamKind::Choice(&["both", "columns", "items", "nothing"]),
            "both",
            "by what classes are near each other: half of those that are tried by columns and half \
             by items, all by one of them, or none is merged unless it has to be",
        ),
        ParamSpec::with_default(
            "weight",
            ParamKind::Number { min: 0.0, max: 1.0, above: false },
            "0.5",
            "how much a loss of items weighs; the rest is the weight of a loss in columns",
        ),
        ParamSpec::with_default(
            "candidates",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "6",
            "how many classes are tried for each",
        ),
        ParamSpec::with_default(
            "rounds",
            ParamKind::Integer { min: 0, max: 1_000_000 },
            "3",
            "after how many rounds it ends",
        ),
    ],
    doc: include_str!("class_merging.md"),
    capabilities: Capabilities {
        serves: &[Fact::Classes, Fact::SensitiveValues, Fact::Combinations],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

/// A class, and what it loses.
struct Class {
    rows: Vec<u32>,
    region: Vec<Bounds>,
    /// What is lost in columns, as a share of all that can be.
    columns: f64,
    /// The same of items. Infinite if no promise about them can be kept.
    items: f64,
    /// The different items.
    has: Vec<u32>,
}

/// The task, and what its losses are measured by.
struct Merging<'a> {
    space: &'a Space<'a>,
    publisher: &'a Publisher<'a>,
    /// What is lost in columns if all rows are published alike.
    all_columns: f64,
    weight: f64,
    by: &'a str,
    candidates: usize,
}

impl MixedAlgorithm for ClassMerging {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn first(&self, params: &Params) -> String {
        params.text("classes").unwrap_or("mondrian").into()
    }
    fn improve(
        &self,
        params: &Params,
        task: &Task<'_>,
        space: &Space<'_>,
        publisher: &Publisher<'_>,
        classes: Vec<Vec<u32>>,
    ) -> Result<Vec<Vec<u32>>> {
        let all: Vec<u32> = classes.concat();
        if all.is_empty() {
            return Ok(classes);
        }
        let merging = Merging {
            space,
            publisher,
            all_columns: space.price(&space.around(&all)) * all.len() as f64,
            weight: params.number("weight"),
            by: params.text("by").unwrap_or("both"),
            candidates: params.count("candidates") as usize,
        };
        let of = |rows: Vec<u32>| merging.class(rows);
        let mut classes: Vec<Option<Class>> =
            classes.into_par_iter().map(|rows| of(rows).map(Some)).collect::<Result<_>>()?;
        let rounds = params.count("rounds");
        for round in 0.. {
            // Those that can't be published as they are join others, whatever round it is.
            let must = round >= rounds || merging.by == "nothing";
            if !merging.round(&mut classes, must, task)? {
                break;
            }
        }
        let left = classes.iter().flatten().filter(|class| class.items.is_infinite()).count();
        if left > 0 {
            return Err(Error::infeasible(
                "too many of all records have the same sensitive item, or there are too few",
            )
            .hint("ask for a smaller k or a larger h, or bring more data"));
        }
        Ok(classes.into_iter().flatten().map(|class| class.rows).collect())
    }
}

impl Merging<'_> {
    fn class(&self, rows: Vec<u32>) -> Result<Class> {
        let region = self.space.around(&rows);
        let columns = self.lost_in(&region, rows.len());
        let items = self.lost_of(&rows)?;
        let has = self.publisher.items_of(&rows);
        Ok(Class { rows, region, columns, items, has })
    }

    fn lost_in(&self, region: &[Bounds], n: usize) -> f64 {
        match self.all_columns > 0.0 {
            true => self.space.price(region) * n as f64 / self.all_columns,
            false => 0.0,
        }
    }

    fn lost_of(&self, rows: &[u32]) -> Result<f64> {
        let all = self.publisher.instances().max(1) as f64;
        let published = self.publisher.publish(rows)?;
        Ok(published.map_or(f64::INFINITY, |published| published.loss / all))
    }

    fn total(&self, columns: f64, items: f64) -> f64 {
        // A weight of 0 must not make a class that can't be published look like one that can.
        match items.is_finite() {
            true => self.weight * items + (1.0 - self.weight) * columns,
            false => f64::INFINITY,
        }
    }

    /// One round, the classes whose items lose most first. Returns whether any were merged.
    fn round(&self, classes: &mut [Option<Class>], must: bool, task: &Task<'_>) -> Result<bool> {
        let items = |at: &usize| classes[*at].as_ref().map_or(0.0, |class| class.items);
        let is_asked = |at: &usize| if must { items(at).is_infinite() } else { items(at) > 0.0 };
        let mut order: Vec<usize> = (0..classes.len()).filter(is_asked).collect();
        order.sort_by(|a, b| items(b).total_cmp(&items(a)).then(a.cmp(b)));
        let mut has_merged = false;
        for at in order {
            if task.observer.cancelled() {
                return Err(Error::new(ErrorKind::Cancelled, "the run was stopped"));
            }
            let Some((other, rows)) = self.best(classes, at)? else { continue };
            classes[at] = None;
            classes[other] = Some(self.class(rows)?);
            has_merged = true;
        }
        Ok(has_merged)
    }

    /// The class that another should join, and the rows of both. `None` if it should join none.
    fn best(&self, classes: &[Option<Class>], at: usize) -> Result<Option<(usize, Vec<u32>)>> {
        let Some(own) = &classes[at] else { return Ok(None) };
        let before = self.total(own.columns, own.items);
        let tried: Vec<Result<(f64, usize)>> = self
            .near(classes, at, own)
            .into_par_iter()
            .filter_map(|other| Some((other, classes[other].as_ref()?)))
            .map(|(other, class)| {
                let rows = [&own.rows[..], &class.rows].concat();
                let region: Vec<Bounds> =
                    own.region.iter().zip(&class.region).map(|(a, b)| a.hull(*b)).collect();
                let columns = self.lost_in(&region, rows.len());
                let after = self.total(columns, self.lost_of(&rows)?);
                let both = before + self.total(class.columns, class.items);
                // Whoever can't be published joins somebody, even if both can't be yet.
                let gain = match (both.is_finite(), after.is_finite()) {
                    (false, false) => columns,
                    (false, true) => after - 1e9,
                    (true, _) => after - both,
                };
                Ok((gain, other))
            })
            .collect();
        let tried = tried.into_iter().collect::<Result<Vec<_>>>()?;
        let least = tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let wanted = least.filter(|(gain, _)| before.is_infinite() || *gain < 0.0);
        Ok(wanted.and_then(|(_, other)| {
            let class = classes[other].as_ref()?;
            Some((other, [&own.rows[..], &class.rows].concat()))
        }))
    }

    /// The classes that are tried: those whose region grows least, and those that have most items
    /// in common.
    fn near(&self, classes: &[Option<Class>], at: usize, own: &Class) -> Vec<usize> {
        let others = || {
            let others = classes.iter().enumerate().filter(move |(other, _)| *other != at);
            others.filter_map(|(other, class)| Some((other, class.as_ref()?)))
        };
        let (by_columns, by_items) = match self.by {
            "columns" | "nothing" => (self.candidates, 0),
            "items" => (0, self.candidates),
            _ => (self.candidates.div_ceil(2), self.candidates / 2),
        };
        let least = |mut all: Vec<(f64, usize)>, n: usize| {
            let order = |a: &(f64, usize), b: &(f64, usize)| -> Ordering {
                a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
            };
            all.sort_unstable_by(order);
            all.truncate(n);
            all.into_iter().map(|(_, other)| other)
        };
        let growth = |(other, class): (usize, &Class)| {
            let hull = own.region.iter().zip(&class.region).map(|(a, b)| a.hull(*b));
            let n = own.rows.len() + class.rows.len();
            let hull: Vec<Bounds> = hull.collect();
            (self.lost_in(&hull, n) - own.columns - class.columns, other)
        };
        let unlike = |(other, class): (usize, &Class)| (-jaccard(&own.has, &class.has), other);
        let mut chosen: Vec<usize> = Vec::new();
        if by_columns > 0 {
            chosen.extend(least(others().map(growth).collect(), by_columns));
        }
        if by_items > 0 {
            chosen.extend(least(others().map(unlike).collect(), by_items));
        }
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }
}

/// The share of all items of two ascending lists that both have.
fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, 0usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                both += 1;
                i += 1;
                j += 1;
            }
        }
    }
    both as f64 / (a.len() + b.len() - both).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::jaccard;

    #[test]
    fn shares_of_common_items() {
        assert_eq!(jaccard(&[1, 2, 3], &[2, 3, 4]), 0.5);
        assert_eq!((jaccard(&[], &[]), jaccard(&[1], &[1])), (0.0, 1.0));
    }
}
