//! Perfect secrecy of a view that isn't published: do the published ones change how likely any of
//! its answers is?
//!
//! A record is critical for a view if some table without it has another answer once it is added. A
//! secret stays perfectly secret, however likely each record is, exactly if no record is critical
//! both for it and for a published view (Miklau and Suciu). For projections and selections of one
//! table, with counts or without, these are the records that the view is of: the table that has
//! nothing else shows a row, and the empty one none. So conditions are what decides, and every
//! value that there can be is looked at, not only those of the data.

use sfumato_core::Result;

use super::atoms::{Records, atoms, meeting};
use super::check::Violation;
use super::sql::View;

/// The published views by which a secret one isn't perfectly secret, each with a record that is
/// critical for both.
pub fn secrecy(views: &[View], secret: &View) -> Result<Vec<Violation>> {
    let mut all = views.to_vec();
    all.push(secret.clone());
    let atoms = atoms(&all, &vec![Vec::new(); all.len()]);
    let hidden = meeting(&secret.condition, false, &atoms)?;
    let mut found = Vec::new();
    for view in views {
        let shown = meeting(&view.condition, false, &atoms)?;
        let both = hidden.iter().find_map(|one| shown.iter().find_map(|other| one.and(other)));
        let Some(Records(columns)) = both else { continue };
        let example = columns.iter().zip(&atoms).map(|(may, atoms)| {
            let first = may.iter().position(|may| *may).unwrap_or(0);
            format!("{} {}", atoms.name, atoms.label(first))
        });
        found.push(Violation {
            by: "secrecy",
            what: format!("{} changes how likely answers of {} are", view.name, secret.name),
            views: vec![view.name.clone()],
            left: vec![format!("both are about a record with {}", list(example.collect()))],
        });
    }
    Ok(found)
}

fn list(parts: Vec<String>) -> String {
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::views::parse;
    use crate::views::sql::{Comparison, Condition};

    const VALUES: [&str; 3] = ["a", "b", "another"];

    fn meets(condition: &Condition, record: [usize; 2]) -> bool {
        match condition {
            Condition::All => true,
            Condition::Compare(column, _, value) => {
                let own = record[usize::from(column == "y")];
                VALUES[own] == value
            }
            Condition::And(all) => all.iter().all(|inner| meets(inner, record)),
            Condition::Or(all) => all.iter().any(|inner| meets(inner, record)),
            Condition::Not(inner) => !meets(inner, record),
        }
    }

    /// The answer of a view on a table, which is a set of the nine records there can be.
    fn answer(view: &View, table: u32) -> BTreeSet<Vec<usize>> {
        let there = (0..9usize).filter(|at| table & (1 << at) != 0).map(|at| [at / 3, at % 3]);
        let rows = there.filter(|record| meets(&view.condition, *record));
        let shown = |record: [usize; 2]| {
            view.columns.iter().map(|name| record[usize::from(name == "y")]).collect()
        };
        rows.map(shown).collect()
    }

    /// Whether answers of two views are independent, where each record is there with chance 1/2.
    fn are_independent(one: &View, other: &View) -> bool {
        let mut both: BTreeMap<_, u64> = BTreeMap::new();
        let (mut first, mut second): (BTreeMap<_, u64>, BTreeMap<_, u64>) = Default::default();
        for table in 0..512 {
            let (a, b) = (answer(one, table), answer(other, table));
            *first.entry(a.clone()).or_default() += 1;
            *second.entry(b.clone()).or_default() += 1;
            *both.entry((a, b)).or_default() += 1;
        }
        first.iter().all(|(a, n)| {
            second.iter().all(|(b, m)| {
                let found = both.get(&(a.clone(), b.clone())).copied().unwrap_or(0);
                found * 512 == n * m
            })
        })
    }

    fn condition() -> impl Strategy<Value = Condition> {
        let compare = (any::<bool>(), 0usize..2).prop_map(|(is_y, value)| {
            let column = if is_y { "y" } else { "x" };
            Condition::Compare(column.into(), Comparison::Equal, VALUES[value].into())
        });
        compare.prop_recursive(2, 6, 2, |inner| {
            prop_oneof![
                inner.clone().prop_map(|one| Condition::Not(Box::new(one))),
                prop::collection::vec(inner.clone(), 2).prop_map(Condition::And),
                prop::collection::vec(inner, 2).prop_map(Condition::Or),
            ]
        })
    }

    fn view() -> impl Strategy<Value = View> {
        let columns = prop_oneof![Just(vec!["x"]), Just(vec!["y"]), Just(vec!["x", "y"])];
        (columns, condition()).prop_map(|(columns, condition)| View {
            name: "v".into(),
            columns: columns.into_iter().map(String::from).collect(),
            condition,
            counts: false,
            distinct: true,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn a_secret_is_kept_exactly_if_answers_are_independent(one in view(), other in view()) {
            // A value that no condition speaks of stands for all others.
            let is_kept = secrecy(std::slice::from_ref(&one), &other).unwrap().is_empty();
            prop_assert_eq!(is_kept, are_independent(&one, &other));
        }
    }

    #[test]
    fn views_of_others_say_nothing_of_a_secret() {
        let views = parse(
            "CREATE VIEW young AS SELECT name FROM t WHERE age < 40; \
             CREATE VIEW old AS SELECT name FROM t WHERE age > 60; \
             CREATE VIEW secret AS SELECT disease FROM t WHERE age > 50 AND age < 65;",
        )
        .unwrap();
        let (secret, published) = views.split_last().unwrap();
        let found = secrecy(published, secret).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].what.starts_with("old changes") && found[0].by == "secrecy");
        assert!(secrecy(&published[..1], secret).unwrap().is_empty());
    }
}
