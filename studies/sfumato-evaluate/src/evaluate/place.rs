//! Finds places for raw texts in the domain of a training column, which may lack them.

use std::borrow::Cow;

use sfumato_core::FastMap;
use sfumato_core::column::RawColumn;
use sfumato_core::dataset::{Column, Role};

use super::cells::Extent;

/// For each raw code of a column, its place in the training column.
pub struct Places {
    /// The cell as it is: for the original data.
    pub exact: Vec<Extent>,
    /// The codes `lo..hi` that a published region must have to take the cell in; `None` if the tree
    /// doesn't know it, so that only its root is true of it.
    pub spans: Vec<Option<(u32, u32)>>,
}

impl Places {
    /// Look every text of a raw column up. `is_missing` says which texts mean missing.
    pub fn new(raw: &RawColumn, column: &Column, is_missing: impl Fn(&str) -> bool) -> Self {
        let index: FastMap<Cow<'_, str>, u32> = column.domain.labels().zip(0..).collect();
        let is_sorted = column.domain.keys.is_sorted();
        let mut places = Places { exact: Vec::new(), spans: Vec::new() };
        for (code, text) in raw.values.iter().enumerate() {
            let missing = raw.null == Some(code as u32) || is_missing(text);
            let (exact, span) = match missing {
                true => (Extent::Missing, Some(missing_span(column))),
                false => place(column, &index, is_sorted, text),
            };
            places.exact.push(exact);
            places.spans.push(span);
        }
        places
    }
}

fn missing_span(column: &Column) -> (u32, u32) {
    let missing = column.domain.missing();
    (missing, missing + 1)
}

fn place(
    column: &Column,
    index: &FastMap<Cow<'_, str>, u32>,
    is_sorted: bool,
    text: &str,
) -> (Extent, Option<(u32, u32)>) {
    let exact = |code: u32| (Extent::Codes { lo: code, hi: code + 1 }, Some((code, code + 1)));
    let domain = &column.domain;
    // Another spelling of a number is that number: look by key first.
    let key = domain.kind.parse(text).filter(|_| is_sorted && !domain.keys.is_empty());
    let Some(key) = key else {
        return match index.get(text) {
            Some(code) => exact(*code),
            None if domain.kind.is_ordered() && domain.kind.parse(text).is_some() => {
                (Extent::Number(number(column, text)), None)
            }
            None => (Extent::Any, None),
        };
    };
    let above = domain.keys.partition_point(|known| *known < key) as u32;
    if domain.keys.get(above as usize) == Some(&key) {
        return exact(above);
    }
    let last = domain.keys.len() as u32 - 1;
    let (below, above) = (above.saturating_sub(1), above.min(last));
    let value = domain.kind.number(key);
    let span = match column.hierarchy {
        // A tree's node that has both neighbours has what lies between them.
        Some(_) => (below, above + 1),
        None => {
            let apart = |code: u32| (domain.number(code).unwrap_or(f64::INFINITY) - value).abs();
            let nearest = if apart(above) < apart(below) { above } else { below };
            (nearest, nearest + 1)
        }
    };
    // Only quasi columns are published in regions.
    (Extent::Number(value), (column.role == Role::Quasi).then_some(span))
}

fn number(column: &Column, text: &str) -> f64 {
    column.domain.kind.parse(text).map_or(f64::NAN, |key| column.domain.kind.number(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::column::Codes;
    use sfumato_core::dataset::{Domain, Hierarchy, Missing, ValueKind};

    fn column(values: &[&str]) -> Column {
        let kind = ValueKind::infer(values.iter().copied());
        let keys = values.iter().filter_map(|value| kind.parse(value)).collect();
        let domain = Domain { kind, labels: values.iter().collect(), keys };
        let tree =
            (!kind.is_ordered()).then(|| Hierarchy::flat(domain.len(), &domain.texts()).unwrap());
        Column {
            name: "a".into(),
            role: Role::Quasi,
            codes: Codes::U8(Vec::new()),
            domain,
            hierarchy: tree,
            weight: 1.0,
            missing: Missing::Value,
            missing_text: String::new(),
            native_type: None,
        }
    }

    fn places(column: &Column, texts: &[&str]) -> Places {
        let raw = RawColumn {
            name: "a".into(),
            codes: Codes::U8(Vec::new()),
            values: texts.iter().collect(),
            null: None,
            native_type: None,
        };
        Places::new(&raw, column, |text| text.is_empty())
    }

    #[test]
    fn numbers_are_placed_between_codes() {
        let column = column(&["10", "20", "40"]);
        let texts = ["20", "22", "31", "-5", "99", "", "020"];
        let found = places(&column, &texts);
        let spans: Vec<_> = found.spans.iter().map(|span| span.map(|span| span.0)).collect();
        assert_eq!(spans, [Some(1), Some(1), Some(2), Some(0), Some(2), Some(3), None]);
        assert_eq!(found.exact[1], Extent::Number(22.0));
        assert_eq!(found.exact[0], Extent::Codes { lo: 1, hi: 2 });
        assert_eq!(found.exact[5], Extent::Missing);
        assert_eq!(found.exact[6], Extent::Any, "a text among numbers is no number");
    }

    #[test]
    fn words_that_the_tree_lacks_fit_only_its_root() {
        let column = column(&["f", "m"]);
        let found = places(&column, &["m", "x", ""]);
        assert_eq!(found.spans, [Some((1, 2)), None, Some((2, 3))]);
        assert_eq!(found.exact, [Extent::Codes { lo: 1, hi: 2 }, Extent::Any, Extent::Missing]);
    }

    #[test]
    fn numbers_with_a_tree_fit_what_has_both_neighbours() {
        let mut column = column(&["10", "20", "40"]);
        column.hierarchy = Some(Hierarchy::flat(3, &column.domain.texts()).unwrap());
        let found = places(&column, &["15", "5", "50"]);
        assert_eq!(found.spans, [Some((0, 2)), Some((0, 1)), Some((2, 3))]);
    }
}
