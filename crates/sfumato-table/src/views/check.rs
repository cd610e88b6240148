//! What views tell together: rows that can be about too few people or values, joins with small
//! groups, and counts that fix a few records.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use sfumato_core::column::RawTable;
use sfumato_core::{Error, Result};

use super::atoms::{Atoms, atoms};
use super::cells::{Cover, cover, families};
use super::sql::{Comparison, Condition, View};

/// What is asked of views.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The column that says who a record is about.
    pub identifier: String,
    /// The column that nobody may learn of a person.
    pub sensitive: String,
    /// Columns that are known of a person: groups of joins that agree on them must be large.
    pub quasi: Vec<String>,
    /// The least number of pairs, records or values.
    pub k: u64,
    /// The highest share of a sensitive value in a group of a join.
    pub confidence: Option<f64>,
    /// Whether it is known that each person has one sensitive value.
    pub one_value: bool,
}

/// Something that views tell, with the views that prove it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Violation {
    /// `record-sets`, `one-value`, `join`, `confidence`, `counts` or `secrecy`.
    pub by: &'static str,
    /// What is told.
    pub what: String,
    /// The views that prove it: without any of them it isn't told.
    pub views: Vec<String>,
    /// What is left: pairs, values or records.
    pub left: Vec<String>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Found {
    /// How many views were put together.
    pub views: usize,
    /// How many rows they show.
    pub rows: usize,
    /// What they tell.
    pub violations: Vec<Violation>,
}

/// Check views of a table.
pub fn check(views: &[View], data: &RawTable, asked: &Asked) -> Result<Found> {
    let bags = views.iter().map(|view| shown(view, data)).collect::<Result<Vec<_>>>()?;
    let distinct: Vec<Vec<Vec<String>>> = bags
        .iter()
        .map(|rows| rows.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect())
        .collect();
    let mut violations = by_record_sets(views, &distinct, asked)?;
    for one in 0..views.len() {
        for other in one + 1..views.len() {
            let pair = [one, other].map(|at| (&views[at], &bags[at], &distinct[at]));
            violations.extend(by_join(pair, asked));
            violations.extend(by_counts(pair, asked));
        }
    }
    Ok(Found { views: views.len(), rows: distinct.iter().map(Vec::len).sum(), violations })
}

/// The rows of a view, as often as they are there.
pub(super) fn shown(view: &View, data: &RawTable) -> Result<Vec<Vec<String>>> {
    let column = |name: &str| {
        data.column(name).ok_or_else(|| {
            let known = data.header.join(", ");
            Error::input(format!("{}: the table has no column '{name}'", view.name))
                .hint(format!("its columns are {known}"))
        })
    };
    let text = |name: &str, row: usize| -> Result<&str> {
        let column = column(name)?;
        Ok(column.values.get(column.codes.get(row)))
    };
    let mut rows = Vec::new();
    for row in 0..data.n_rows {
        if meets(&view.condition, &|name| text(name, row))? {
            let cells = view.columns.iter().map(|name| Ok(text(name, row)?.to_string()));
            rows.push(cells.collect::<Result<_>>()?);
        }
    }
    Ok(rows)
}

fn meets<'a>(condition: &Condition, text: &dyn Fn(&str) -> Result<&'a str>) -> Result<bool> {
    match condition {
        Condition::All => Ok(true),
        Condition::Not(inner) => Ok(!meets(inner, text)?),
        Condition::And(all) => {
            all.iter().try_fold(true, |so_far, one| Ok(meets(one, text)? && so_far))
        }
        Condition::Or(all) => {
            all.iter().try_fold(false, |so_far, one| Ok(meets(one, text)? || so_far))
        }
        Condition::Compare(column, how, value) => {
            let own = text(column)?;
            let number = sfumato_core::dataset::ValueKind::Decimal { scale: 6 };
            match (number.parse(own), number.parse(value), how) {
                (Some(own), Some(value), Comparison::Equal) => Ok(own == value),
                (Some(own), Some(value), Comparison::Below) => Ok(own < value),
                (Some(own), Some(value), Comparison::Above) => Ok(own > value),
                (_, _, Comparison::Equal) => Ok(own == value),
                _ => Err(Error::input(format!(
                    "column '{column}' isn't one of numbers: below and above say nothing of it"
                ))),
            }
        }
    }
}

/// Rows that, put together with all other views, can be about fewer than k pairs of a person and a
/// value.
fn by_record_sets(
    views: &[View],
    shown: &[Vec<Vec<String>>],
    asked: &Asked,
) -> Result<Vec<Violation>> {
    let atoms = atoms(views, shown);
    let families = families(views, shown, &atoms)?;
    let find = |name: &str| atoms.iter().position(|atoms| atoms.name == name);
    let columns = (find(&asked.identifier), find(&asked.sensitive));
    let others = |view: usize| (0..views.len()).filter(|at| *at != view).collect::<Vec<_>>();
    let is_told = |cover: &Cover| !cover.is_open && (cover.pairs.len() as u64) < asked.k;
    let mut found = Vec::new();
    let mut covers: Vec<((usize, usize), Cover)> = Vec::new();
    for (view, rows) in shown.iter().enumerate() {
        for (row, cells) in rows.iter().enumerate() {
            let own = cover(&families, (view, row), &others(view), &atoms, columns)?;
            if is_told(&own) {
                // Leave out each view without which it is told all the same.
                let mut needed = others(view);
                for at in others(view) {
                    let fewer: Vec<usize> = needed.iter().copied().filter(|v| *v != at).collect();
                    if is_told(&cover(&families, (view, row), &fewer, &atoms, columns)?) {
                        needed = fewer;
                    }
                }
                let proof = [view].into_iter().chain(needed);
                found.push(Violation {
                    by: "record-sets",
                    what: format!(
                        "({}) of {} can be about {} pairs of {} and {}",
                        cells.join(", "),
                        views[view].name,
                        own.pairs.len(),
                        asked.identifier,
                        asked.sensitive
                    ),
                    views: proof.map(|at| views[at].name.clone()).collect(),
                    left: told(&own.pairs, &atoms, columns),
                });
            }
            covers.push(((view, row), own));
        }
    }
    if asked.one_value {
        found.extend(by_one_value(views, &covers, &atoms, columns, asked));
    }
    Ok(found)
}

fn told(
    pairs: &BTreeSet<(usize, usize)>,
    atoms: &[Atoms],
    columns: (Option<usize>, Option<usize>),
) -> Vec<String> {
    let (Some(who), Some(what)) = columns else { return Vec::new() };
    let words = |(person, value): &(usize, usize)| {
        format!("{}, {}", atoms[who].label(*person), atoms[what].label(*value))
    };
    pairs.iter().map(words).collect()
}

/// Where each person has one value, all rows about a person are about the same value: values that
/// not all of them can be about are ruled out, until nothing changes. This never overlooks what is
/// ruled out for certain by it, and it isn't all that can be concluded.
fn by_one_value(
    views: &[View],
    covers: &[((usize, usize), Cover)],
    atoms: &[Atoms],
    columns: (Option<usize>, Option<usize>),
    asked: &Asked,
) -> Vec<Violation> {
    let mut values: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut proof: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let closed: Vec<_> = covers.iter().filter(|(_, cover)| !cover.is_open).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for ((view, _), cover) in &closed {
            let may = |(who, what): &&(usize, usize)| {
                values.get(who).is_none_or(|values| values.contains(what))
            };
            let left: BTreeSet<(usize, usize)> = cover.pairs.iter().filter(may).copied().collect();
            let people: BTreeSet<usize> = left.iter().map(|(who, _)| *who).collect();
            let [who] = people.into_iter().collect::<Vec<_>>()[..] else { continue };
            let own: BTreeSet<usize> = left.iter().map(|(_, what)| *what).collect();
            let known = values.get(&who);
            let both: BTreeSet<usize> =
                own.iter().copied().filter(|what| known.is_none_or(|k| k.contains(what))).collect();
            if known != Some(&both) {
                values.insert(who, both);
                proof.entry(who).or_default().insert(*view);
                changed = true;
            }
        }
    }
    let (Some(who_column), Some(_)) = columns else { return Vec::new() };
    let is_told = |(_, values): &(&usize, &BTreeSet<usize>)| (values.len() as u64) < asked.k;
    let violation = |(who, values): (&usize, &BTreeSet<usize>)| Violation {
        by: "one-value",
        what: format!(
            "{} can have {} values of {}, if everybody has one",
            atoms[who_column].label(*who),
            values.len(),
            asked.sensitive
        ),
        // Any view may have ruled out the others' values.
        views: views.iter().map(|view| view.name.clone()).collect(),
        left: told(&values.iter().map(|what| (*who, *what)).collect(), atoms, columns),
    };
    values.iter().filter(is_told).map(violation).collect()
}

type Side<'a> = (&'a View, &'a Vec<Vec<String>>, &'a Vec<Vec<String>>);

/// The places in two views of the columns that both have.
fn shared(one: &View, other: &View) -> Vec<(usize, usize)> {
    let place = |(at, name): (usize, &String)| {
        Some((at, other.columns.iter().position(|column| column == name)?))
    };
    one.columns.iter().enumerate().filter_map(place).collect()
}

fn key(row: &[String], places: impl Iterator<Item = usize>) -> Vec<String> {
    places.map(|at| row[at].clone()).collect()
}

/// Groups of the natural join of two views that agree on what is known of a person.
fn by_join([one, other]: [Side<'_>; 2], asked: &Asked) -> Vec<Violation> {
    let on = shared(one.0, other.0);
    let place = |name: &String| {
        let of = |view: &View| view.columns.iter().position(|column| column == name);
        of(one.0).map(|at| (true, at)).or_else(|| of(other.0).map(|at| (false, at)))
    };
    let known: Vec<(bool, usize)> = asked.quasi.iter().filter_map(place).collect();
    let is_across = known.iter().any(|(is_one, _)| *is_one) && known.iter().any(|(one, _)| !one);
    let secret = place(&asked.sensitive);
    let spans = is_across || secret.is_some_and(|(of, _)| known.iter().any(|(is, _)| *is != of));
    if on.is_empty() || known.is_empty() || !spans {
        return Vec::new();
    }
    let rows = |side: Side<'_>| {
        if side.0.distinct || side.0.counts { side.2.clone() } else { side.1.clone() }
    };
    let mut groups: BTreeMap<Vec<String>, BTreeMap<String, u64>> = BTreeMap::new();
    for a in &rows(one) {
        let own = key(a, on.iter().map(|(at, _)| *at));
        for b in rows(other).iter().filter(|b| key(b, on.iter().map(|(_, at)| *at)) == own) {
            let cell = |(is_one, at): &(bool, usize)| {
                if *is_one { a[*at].clone() } else { b[*at].clone() }
            };
            let group = groups.entry(known.iter().map(cell).collect()).or_default();
            *group.entry(secret.as_ref().map(cell).unwrap_or_default()).or_default() += 1;
        }
    }
    let views = vec![one.0.name.clone(), other.0.name.clone()];
    let mut found = Vec::new();
    for (group, values) in groups {
        let n: u64 = values.values().sum();
        let told = |by, what| Violation {
            by,
            what,
            views: views.clone(),
            left: values.iter().map(|(value, n)| format!("{value}: {n}")).collect(),
        };
        let shown = group.join(", ");
        if n < asked.k {
            found.push(told("join", format!("({shown}) has {n} records of the join")));
        }
        let most = values.values().max().copied().unwrap_or(0);
        if secret.is_some() && asked.confidence.is_some_and(|h| most as f64 > h * n as f64) {
            let what = format!("({shown}) has one {} in {most} of {n}", asked.sensitive);
            found.push(told("confidence", what));
        }
    }
    found
}

/// Combinations of two marginals of which counts say that there are some, and fewer than k: the
/// least and the most records that a cell of both can have (Frechet).
fn by_counts([one, other]: [Side<'_>; 2], asked: &Asked) -> Vec<Violation> {
    if !one.0.counts || !other.0.counts || one.0.condition != other.0.condition {
        return Vec::new();
    }
    let on = shared(one.0, other.0);
    if on.len() == one.0.columns.len() || on.len() == other.0.columns.len() {
        return Vec::new();
    }
    let count = |rows: &Vec<Vec<String>>, places: &dyn Fn(&Vec<String>) -> Vec<String>| {
        let mut counts: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        rows.iter().for_each(|row| *counts.entry(places(row)).or_default() += 1);
        counts
    };
    let of_one = |row: &Vec<String>| key(row, on.iter().map(|(at, _)| *at));
    let of_other = |row: &Vec<String>| key(row, on.iter().map(|(_, at)| *at));
    let whole = count(one.1, &of_one);
    let (first, second) = (count(one.1, &Clone::clone), count(other.1, &Clone::clone));
    let mut found = Vec::new();
    for (a, n_a) in &first {
        for (b, n_b) in second.iter().filter(|(b, _)| of_other(b) == of_one(a)) {
            let n = whole.get(&of_one(a)).copied().unwrap_or(0);
            let (least, most) = ((n_a + n_b).saturating_sub(n), *n_a.min(n_b));
            if least > 0 && most < asked.k {
                found.push(Violation {
                    by: "counts",
                    what: format!(
                        "({}) with ({}) has at least {least} and at most {most} records",
                        a.join(", "),
                        b.join(", ")
                    ),
                    views: vec![one.0.name.clone(), other.0.name.clone()],
                    left: vec![format!("{least}..{most}")],
                });
            }
        }
    }
    found
}
