//! What published texts may stand for, where neither a tree nor our own notation explains them:
//! masks such as `130**` and half-open ranges such as `[20..30)`, as other tools write them.

use sfumato_core::dataset::Column;

use crate::forms::generalized::cover::{Cover, TextCovers};

/// What the texts of one column may stand for.
pub struct Labels<'a> {
    column: &'a Column,
    texts: TextCovers<'a>,
}

impl<'a> Labels<'a> {
    /// The labels of a column of the original.
    pub fn new(column: &'a Column) -> Self {
        Labels { column, texts: TextCovers::new(column) }
    }

    /// What null stands for.
    pub fn of_null(&self) -> Cover {
        self.texts.of_null()
    }

    /// What a text stands for.
    pub fn of_text(&self, text: &str) -> Cover {
        let cover = self.texts.of_text(text);
        match cover == Cover::nothing() {
            false => cover,
            true => self.of_range(text).or_else(|| self.of_mask(text)).unwrap_or(cover),
        }
    }

    /// `[a..b)`, `[a-b)`, `[a-b]`, `<b`, `>=a`.
    fn of_range(&self, text: &str) -> Option<Cover> {
        let range = range_of(self.column, text)?;
        let mut cover = Cover::nothing();
        cover.add(range.0, range.1);
        Some(cover)
    }

    /// `130**`: values of the same length that agree in all characters but the stars.
    fn of_mask(&self, text: &str) -> Option<Cover> {
        if !text.contains('*') || text.chars().all(|c| c == '*') {
            return None;
        }
        let mask: Vec<char> = text.chars().collect();
        let fits = |label: &str| {
            label.chars().count() == mask.len()
                && label.chars().zip(&mask).all(|(c, mask)| *mask == '*' || *mask == c)
        };
        let mut cover = Cover::nothing();
        for (code, label) in self.column.domain.labels().enumerate() {
            if fits(&label) {
                cover.add(code as u32, code as u32 + 1);
            }
        }
        Some(cover)
    }
}

/// The codes of a range of an ordered column.
fn range_of(column: &Column, text: &str) -> Option<(u32, u32)> {
    let domain = &column.domain;
    if !domain.kind.is_ordered() {
        return None;
    }
    let below = |text: &str| {
        let key = domain.kind.parse(text.trim())?;
        Some(domain.keys.partition_point(|known| *known < key) as u32)
    };
    let up_to = |text: &str| {
        let key = domain.kind.parse(text.trim())?;
        Some(domain.keys.partition_point(|known| *known <= key) as u32)
    };
    if let Some(end) = text.strip_prefix('<') {
        return Some((0, below(end)?));
    }
    if let Some(start) = text.strip_prefix(">=") {
        return Some((below(start)?, domain.len() as u32));
    }
    let inner = text.strip_prefix('[').or_else(|| text.strip_prefix('('))?;
    let (inner, is_closed) = match (inner.strip_suffix(']'), inner.strip_suffix(')')) {
        (Some(inner), _) => (inner, true),
        (None, Some(inner)) => (inner, false),
        _ => return None,
    };
    let ends = inner.split_once("..").or_else(|| inner.split_once(','));
    // A minus may stand before a number, and between two.
    let dash = || inner.char_indices().skip(1).find(|(_, c)| *c == '-').map(|(at, _)| at);
    let (from, to) = match ends {
        Some(ends) => ends,
        None => dash().map(|at| (&inner[..at], &inner[at + 1..]))?,
    };
    let is_open = text.starts_with('(');
    let lo = if is_open { up_to(from)? } else { below(from)? };
    let hi = if is_closed { up_to(to)? } else { below(to)? };
    Some((lo, hi))
}

/// Whether a text that covers nobody is understood all the same: a value or a range that the
/// original doesn't have.
pub fn is_readable(column: &Column, text: &str, has_tree: bool) -> bool {
    match column.domain.kind.is_ordered() {
        true => column.domain.kind.parse(text).is_some() || range_of(column, text).is_some(),
        // Without a tree that was named a word may be the label of one.
        false => has_tree,
    }
}
