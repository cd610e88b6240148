//! A column of a file for queries: what each text stands for, and its statistics.

use std::sync::Arc;

use sfumato_core::column::RawTable;
use sfumato_core::dataset::{ROOT_LABEL, Role, ValueKind};
use sfumato_core::{Error, Result};

use super::TableQueryRequest;
use super::axis::Axis;
use super::cell::{Cell, Span, Spread};
use super::tree::{Tree, kind_of};
use crate::forms::generalized::statistics::RegionStatistic;

/// A column, or the statistics that are published instead.
pub struct Column<'a> {
    /// The name of the column.
    pub name: String,
    /// The order of its values. `None` for words.
    pub axis: Option<Axis>,
    /// The assumptions of estimates.
    pub spread: Spread,
    /// The place of its cells in the file, and what each text stands for.
    pub cells: Option<(usize, Vec<Cell>)>,
    /// The places of its minimum, maximum and mean in the file, and the key of each text.
    pub parts: [Option<(usize, Vec<Option<i128>>)>; 3],
    /// The hierarchy of the column.
    pub tree: Option<&'a Tree>,
}

/// The ends of a range: `[a..b]`, `[a..b)`, `<b` or `>=a`.
fn ends(text: &str) -> Option<(Option<&str>, Option<&str>)> {
    if let Some(to) = text.strip_prefix('<') {
        return Some((None, Some(to)));
    }
    if let Some(from) = text.strip_prefix(">=") {
        return Some((Some(from), None));
    }
    let (from, to) = text.strip_prefix('[')?.strip_suffix([']', ')'])?.split_once("..")?;
    Some((Some(from), Some(to)))
}

/// Whether a text is a range of numbers, dates or times.
fn is_range(text: &str) -> bool {
    ends(text).is_some_and(|(from, to)| ValueKind::infer(from.into_iter().chain(to)).is_ordered())
}

impl<'a> Column<'a> {
    /// Read a column of a file. In the original every cell is a value. `values` are those with
    /// which queries compare it.
    pub fn new(
        request: &TableQueryRequest,
        raw: &RawTable,
        name: &str,
        tree: Option<&'a Tree>,
        is_original: bool,
        values: &[&str],
    ) -> Result<Self> {
        let spec = request.job.columns.get(name);
        let generalized = !is_original && spec.is_none_or(|spec| spec.role == Role::Quasi);
        let place = |name: &str| raw.columns.iter().position(|column| column.name == name);
        let is_missing =
            |text: &str| text.is_empty() || request.missing().iter().any(|token| token == text);
        // The texts of a column that aren't missing.
        let texts = |place: usize| {
            let column = &raw.columns[place];
            (0..column.values.len() as u32)
                .filter(move |code| Some(*code) != column.null)
                .map(move |code| column.values.get(code))
                .filter(move |text| !is_missing(text))
        };
        let own = place(name);
        let parts: [Option<usize>; 3] = RegionStatistic::ALL
            .map(|part| if is_original { None } else { place(&part.name(name)) });
        // What the kind is read from: leaves of the tree, ends of ranges, exact values, and
        // extremes.
        let mut bare: Vec<&str> = Vec::new();
        for text in own.into_iter().flat_map(texts) {
            match ends(text).filter(|_| generalized) {
                _ if generalized && text == ROOT_LABEL => {}
                _ if tree.is_some_and(|tree| !tree.nodes(text).is_empty()) => {}
                Some((from, to)) => bare.extend(from.into_iter().chain(to)),
                None => bare.push(text),
            }
        }
        bare.extend(parts[..2].iter().flatten().flat_map(|place| texts(*place)));
        let leaves = tree.into_iter().flat_map(Tree::leaves);
        // Where all cells are left open, what they are compared with says what they are.
        let asked = if bare.is_empty() && tree.is_none() { values } else { &[] };
        let kind = kind_of(spec, bare.iter().chain(asked).copied().chain(leaves));
        let means = parts[2].into_iter().flat_map(texts);
        let axis = kind.is_ordered().then(|| Axis::new(kind, means.chain(values.iter().copied())));
        let mut column = Column {
            name: name.to_string(),
            axis,
            spread: Spread { lo: i128::MAX, hi: i128::MIN, words: 0 },
            cells: None,
            parts: [None, None, None],
            tree,
        };
        if let Some(place) = own {
            let file_column = &raw.columns[place];
            let of_text = |text: &str| match is_missing(text) {
                true => Some(Cell::Missing),
                false => column.cell(text, generalized),
            };
            let cells: Vec<Option<Cell>> = (0..file_column.values.len() as u32)
                .map(|code| match Some(code) == file_column.null {
                    true => Some(Cell::Missing),
                    false => of_text(file_column.values.get(code)),
                })
                .collect();
            let unknown = cells.iter().filter(|cell| cell.is_none()).count();
            if unknown > 0 {
                return Err(uninterpretable(name, unknown));
            }
            column.spread.words =
                cells.iter().filter(|cell| matches!(cell, Some(Cell::Word(_)))).count();
            column.cells = Some((place, cells.into_iter().flatten().collect()));
        }
        if let Some(axis) = column.axis {
            for (part, place) in parts.into_iter().enumerate() {
                let keys = |place: usize| {
                    raw.columns[place].values.iter().map(|text| axis.key(text)).collect()
                };
                column.parts[part] = place.map(|place| (place, keys(place)));
            }
        }
        column.spread = column.measured_spread();
        Ok(column)
    }

    /// The places of the column and its statistics in the file.
    pub fn places(&self) -> Vec<usize> {
        let parts = self.parts.iter().flatten().map(|(place, _)| *place);
        self.cells.iter().map(|(place, _)| *place).chain(parts).collect()
    }

    /// What a record's cells stand for together: only values between its minimum and maximum.
    pub fn cell_of(&self, code: &dyn Fn(usize) -> u32) -> Cell {
        let cell = match (&self.cells, self.axis) {
            (Some((place, cells)), _) => cells[code(*place) as usize].clone(),
            (None, Some(_)) => Cell::Span(Span::anything()),
            (None, None) => Cell::AnyWord,
        };
        let part = |part: usize| {
            let (place, keys) = self.parts[part].as_ref()?;
            keys[code(*place) as usize]
        };
        match cell {
            Cell::Span(span) => Cell::Span(span.within(part(0), part(1))),
            other => other,
        }
    }

    /// The range of the column's values, as far as the file says.
    fn measured_spread(&self) -> Spread {
        let mut spread = self.spread;
        let mut add = |key: i128| {
            if key != i128::MIN && key != i128::MAX {
                spread.lo = spread.lo.min(key);
                spread.hi = spread.hi.max(key);
            }
        };
        for cell in self.cells.iter().flat_map(|(_, cells)| cells) {
            if let Cell::Span(span) = cell {
                add(span.lo);
                add(span.hi);
            }
        }
        self.parts
            .iter()
            .flatten()
            .flat_map(|(_, keys)| keys.iter().flatten())
            .for_each(|key| add(*key));
        spread.words = self.tree.map_or(spread.words, |tree| tree.hierarchy.n_leaves());
        spread
    }

    /// What a text stands for. `None` if that is unknown.
    fn cell(&self, text: &str, generalized: bool) -> Option<Cell> {
        if generalized && text == ROOT_LABEL {
            return Some(match self.axis {
                Some(_) => Cell::Span(Span::anything()),
                None => Cell::AnyWord,
            });
        }
        let nodes = self.tree.map_or(&[][..], |tree| tree.nodes(text));
        match (&self.axis, self.tree) {
            (Some(axis), tree) => {
                // A label may look like a value and stand for more: the tree is asked first.
                if let Some(tree) = tree.filter(|tree| generalized && tree.has_inner(nodes)) {
                    return Some(Cell::Span(self.span_of(tree, nodes, axis)));
                }
                if let Some(key) = axis.key(text) {
                    return Some(Cell::Span(Span::exact(key)));
                }
                let (from, to) = ends(text).filter(|_| generalized)?;
                let lo = from.map_or(Some(i128::MIN), |from| axis.key(from))?;
                let hi = to.map_or(Some(i128::MAX), |to| axis.key(to))?;
                Some(Cell::Span(Span { lo, hi, keys: None, may_miss: false }))
            }
            (None, Some(tree)) => match (tree.leaf(text), nodes.is_empty()) {
                (Some(code), _) if !generalized || nodes.len() == 1 => {
                    Some(Cell::Leaves(vec![(code, code + 1)]))
                }
                (_, false) if tree.is_open => Some(Cell::AnyWord),
                (_, false) => Some(Cell::Leaves(outermost(tree, nodes))),
                (_, true) => (tree.is_open || !generalized).then(|| Cell::Word(text.to_string())),
            },
            // A masked code is no word that a record had, nor is a range between other words;
            // `<=50K` is one.
            (None, None) => (!generalized || !(text.contains('*') || is_range(text)))
                .then(|| Cell::Word(text.to_string())),
        }
    }

    /// The values below the nodes of a label.
    pub fn span_of(&self, tree: &Tree, nodes: &[u32], axis: &Axis) -> Span {
        let leaves: Vec<&str> = tree.leaves().collect();
        let mut keys: Vec<i128> = outermost(tree, nodes)
            .into_iter()
            .flat_map(|(lo, hi)| (lo..hi).filter_map(|code| axis.key(leaves[code as usize])))
            .collect();
        keys.sort_unstable();
        match (tree.is_open, keys.first().copied(), keys.last().copied()) {
            (false, Some(lo), Some(hi)) => {
                Span { lo, hi, keys: Some(Arc::new(keys)), may_miss: false }
            }
            _ => Span { may_miss: false, ..Span::anything() },
        }
    }
}

/// The leaves below nodes, as intervals. A node inside another one doesn't count.
pub fn outermost(tree: &Tree, nodes: &[u32]) -> Vec<(u32, u32)> {
    let mut intervals: Vec<(u32, u32)> =
        nodes.iter().map(|node| (tree.hierarchy.lo(*node), tree.hierarchy.hi(*node))).collect();
    intervals.sort_by_key(|(lo, hi)| (*lo, std::cmp::Reverse(*hi)));
    let mut kept: Vec<(u32, u32)> = Vec::new();
    for (lo, hi) in intervals {
        if kept.last().is_none_or(|last| last.1 < hi) {
            kept.push((lo, hi));
        }
    }
    kept
}

fn uninterpretable(name: &str, n: usize) -> Error {
    let what = if n == 1 { "1 label".to_string() } else { format!("{n} labels") };
    Error::params(format!(
        "{what} of column '{name}' can't be interpreted: it is no value, no range and not *"
    ))
    .hint(format!("give its hierarchy with --job release.toml or --hierarchy {name}=FILE"))
}
