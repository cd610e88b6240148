//! What a published text can stand for, as whoever reads it understands it: a range, a label of a
//! hierarchy, a masked text, any value, or only itself.

use sfumato_core::FastMap;
use sfumato_core::dataset::{Hierarchy, LevelTable, NodeId, ROOT_LABEL, ValueKind};

/// What a text can stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Any value.
    Any,
    /// Numbers, dates or times between two ends, of which either may be missing.
    Span(Span),
    /// The leaves of a hierarchy below a label, as intervals.
    Leaves(Vec<(u32, u32)>),
    /// A text in which stars hide characters.
    Mask(Vec<char>),
    /// A text that says nothing about others by itself.
    Word,
}

/// Values of an order between two ends, both included; ends that are left out come as the next key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The order: numbers, dates and times aren't compared with each other.
    order: u8,
    low: i64,
    high: i64,
}

/// How texts are read as keys. Numbers have up to six digits behind the point.
const ORDERS: [ValueKind; 4] =
    [ValueKind::Decimal { scale: 6 }, ValueKind::Date, ValueKind::DateTime, ValueKind::Time];

fn key(text: &str) -> Option<(u8, i64)> {
    let text = text.trim();
    (0u8..).zip(ORDERS).find_map(|(order, kind)| Some((order, kind.parse(text)?)))
}

impl Span {
    fn of(from: Option<&str>, to: Option<&str>, open: (bool, bool)) -> Option<Self> {
        let ends = (from.map(key), to.map(key));
        let (low, high) = match ends {
            (Some(low), Some(high)) => (Some(low?), Some(high?)),
            (Some(low), None) => (Some(low?), None),
            (None, Some(high)) => (None, Some(high?)),
            (None, None) => return None,
        };
        let order = low.or(high)?.0;
        if [low, high].into_iter().flatten().any(|(other, _)| other != order) {
            return None;
        }
        let low = low.map_or(i64::MIN, |(_, key)| key.saturating_add(i64::from(open.0)));
        let high = high.map_or(i64::MAX, |(_, key)| key.saturating_sub(i64::from(open.1)));
        Some(Span { order, low, high })
    }

    /// `[a..b]`, `[a..b)`, `[a-b]`, `a-b`, `<b`, `>=a` or a single value.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if key(text).is_some() {
            return Span::of(Some(text), Some(text), (false, false));
        }
        for (sign, is_low, open) in
            [(">=", true, false), ("<=", false, false), (">", true, true), ("<", false, true)]
        {
            if let Some(end) = text.strip_prefix(sign) {
                return match is_low {
                    true => Span::of(Some(end), None, (open, false)),
                    false => Span::of(None, Some(end), (false, open)),
                };
            }
        }
        let open = (text.starts_with('(') || text.starts_with(']'), text.ends_with([')', '[']));
        let inner = text.trim_matches(['[', ']', '(', ')']);
        [("..", 0), (";", 0), (",", 0), (" - ", 0), ("-", 1)].into_iter().find_map(
            |(mark, from)| {
                let places = inner.match_indices(mark).filter(|(at, _)| *at >= from);
                places
                    .filter_map(|(at, _)| {
                        Span::of(Some(&inner[..at]), Some(&inner[at + mark.len()..]), open)
                    })
                    .find(|span| span.low <= span.high)
            },
        )
    }

    fn meets(&self, other: &Span) -> Option<bool> {
        (self.order == other.order).then_some(self.low <= other.high && other.low <= self.high)
    }
}

/// The labels of a hierarchy, each with the leaves below it.
#[derive(Debug, Clone, Default)]
pub struct Labels(FastMap<String, Vec<(u32, u32)>>);

impl Labels {
    /// Those of a tree.
    pub fn of_tree(tree: &Hierarchy) -> Self {
        let mut labels = Labels::default();
        for node in 0..tree.n_nodes() as NodeId {
            labels.add(tree.label(node), (tree.lo(node), tree.hi(node)));
        }
        labels
    }

    /// Those of a table of levels.
    pub fn of_levels(levels: &LevelTable) -> Self {
        let mut labels = Labels::default();
        for level in &levels.levels {
            for (leaf, label) in (0u32..).zip(level.iter()) {
                labels.add(label, (leaf, leaf + 1));
            }
        }
        labels
    }

    /// Those that were noted with releases, and the texts of these: what isn't a label is a leaf.
    pub fn of_noted<'a>(
        noted: impl Iterator<Item = (&'a String, &'a Vec<String>)>,
        texts: impl Iterator<Item = &'a String>,
    ) -> Self {
        let mut labels = Labels::default();
        let mut leaves: FastMap<&str, u32> = FastMap::default();
        let mut number = |leaf: &'a str| {
            let next = leaves.len() as u32;
            *leaves.entry(leaf).or_insert(next)
        };
        for (label, below) in noted {
            for leaf in below {
                let leaf = number(leaf);
                labels.add(label, (leaf, leaf + 1));
            }
        }
        for text in texts.filter(|text| Cell::of_text(text) == Cell::Word) {
            if !labels.0.contains_key(text.as_str()) && !text.is_empty() {
                let leaf = number(text);
                labels.add(text, (leaf, leaf + 1));
            }
        }
        labels
    }

    fn add(&mut self, label: &str, leaves: (u32, u32)) {
        let all = self.0.entry_ref(label).or_default();
        match all.last_mut().filter(|last| last.1 == leaves.0) {
            Some(last) => last.1 = leaves.1,
            None => all.push(leaves),
        }
    }

    /// What a text stands for: a label, any value, or nothing that the hierarchy knows.
    pub fn cell(&self, text: &str) -> Option<Cell> {
        match self.0.get(text) {
            _ if text == ROOT_LABEL => Some(Cell::Any),
            // A missing value stands for itself.
            None if text.is_empty() => Some(Cell::Word),
            found => found.map(|leaves| Cell::Leaves(leaves.clone())),
        }
    }
}

impl Cell {
    /// Whether every value that another text can stand for is one that this can stand for, as far
    /// as that is known.
    pub fn is_above(&self, other: &Cell) -> bool {
        match (self, other) {
            (Cell::Any, _) => true,
            (Cell::Span(a), Cell::Span(b)) => {
                a.order == b.order && a.low <= b.low && b.high <= a.high
            }
            (Cell::Leaves(a), Cell::Leaves(b)) => {
                let within = |(lo, hi): &(u32, u32)| {
                    (*lo..*hi).all(|leaf| a.iter().any(|(lo, hi)| (*lo..*hi).contains(&leaf)))
                };
                b.iter().all(within)
            }
            _ => false,
        }
    }
    /// What a text says by itself.
    pub fn of_text(text: &str) -> Cell {
        match text {
            ROOT_LABEL => Cell::Any,
            text => match Span::parse(text) {
                Some(span) => Cell::Span(span),
                None if text.contains('*') => Cell::Mask(text.chars().collect()),
                None => Cell::Word,
            },
        }
    }

    /// Whether two texts can be about the same value; `None` if that can't be told from them.
    pub fn meets(&self, own: &str, other: &Cell, theirs: &str) -> Option<bool> {
        match (self, other) {
            _ if own == theirs => Some(true),
            (Cell::Any, _) | (_, Cell::Any) => Some(true),
            (Cell::Span(a), Cell::Span(b)) => a.meets(b),
            (Cell::Leaves(a), Cell::Leaves(b)) => {
                Some(a.iter().any(|(lo, hi)| b.iter().any(|(other, end)| lo < end && other < hi)))
            }
            (Cell::Mask(mask), Cell::Mask(other)) => masks_meet(mask, other),
            (Cell::Mask(mask), _) => masks_meet(mask, &theirs.chars().collect::<Vec<_>>()),
            (_, Cell::Mask(mask)) => masks_meet(mask, &own.chars().collect::<Vec<_>>()),
            // A missing value isn't below any label, nor in any range.
            _ if own.is_empty() || theirs.is_empty() => Some(false),
            (Cell::Word | Cell::Span(_) | Cell::Leaves(_), _) => None,
        }
    }
}

/// Masks hide characters one by one, so that only texts of one length can be the same.
fn masks_meet(mask: &[char], other: &[char]) -> Option<bool> {
    match mask.len() == other.len() {
        true => Some(mask.iter().zip(other).all(|(a, b)| a == b || *a == '*' || *b == '*')),
        false => None,
    }
}
