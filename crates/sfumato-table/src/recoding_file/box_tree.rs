//! A tree of bounding boxes over regions of the quasi columns' space, which finds the regions of a
//! record by visiting few of them.
//!
//! Saved recodings use it for new rows, and evaluations for test rows. It knows nothing about
//! models: callers decide what may be published.

use sfumato_core::dataset::Column;
use sfumato_core::recoding::{SUPPRESSED, Value};

/// What is searched: for each column, the codes that a region must contain.
pub trait Point: Sync {
    /// The codes `lo..hi` that the region must contain in a column. `None` if there is no
    /// condition.
    fn span(&self, column: usize) -> Option<(u32, u32)>;
}

impl Point for [u32] {
    fn span(&self, column: usize) -> Option<(u32, u32)> {
        Some((self[column], self[column] + 1))
    }
}

impl Point for [Option<(u32, u32)>] {
    fn span(&self, column: usize) -> Option<(u32, u32)> {
        self[column]
    }
}

/// A region in codes: one interval per column. Missing is the code after the domain.
#[derive(Clone)]
pub struct Region {
    /// The class of the region.
    pub class: u32,
    intervals: Vec<(u32, u32)>,
    /// The loss of its cells.
    pub loss: f64,
}

impl Region {
    /// The region of a class.
    pub fn new(quasi: &[&Column], class: u32, intervals: Vec<(u32, u32)>) -> Self {
        let loss =
            quasi.iter().zip(&intervals).map(|(c, i)| value_of(c, *i).ncp(c) * c.weight).sum();
        Region { class, intervals, loss }
    }

    /// Whether a point lies in the region.
    pub fn contains<P: Point + ?Sized>(&self, point: &P) -> bool {
        contains(&self.intervals, point)
    }
}

fn contains<P: Point + ?Sized>(intervals: &[(u32, u32)], point: &P) -> bool {
    intervals.iter().enumerate().all(|(column, (lo, hi))| match point.span(column) {
        Some((from, to)) => *lo <= from && to <= *hi,
        None => true,
    })
}

/// The interval of codes of a value, missing included as the code after the domain.
pub fn interval_of(column: &Column, value: Value) -> (u32, u32) {
    let missing = column.domain.missing();
    match value {
        Value::Any => (0, missing + 1),
        Value::Missing => (missing, missing + 1),
        value => {
            let codes = value.codes(column);
            (codes.start, codes.end)
        }
    }
}

/// The smallest value that covers an interval of codes.
pub fn value_of(column: &Column, (lo, hi): (u32, u32)) -> Value {
    let missing = column.domain.missing();
    Value::covering(column, lo, hi.min(missing), hi > missing)
}

/// The tree of bounding boxes.
pub struct BoxTree {
    root: Option<Node>,
}

struct Node {
    bounds: Vec<(u32, u32)>,
    content: Content,
}

enum Content {
    Leaf(Vec<Region>),
    Inner(Box<Node>, Box<Node>),
}

impl BoxTree {
    /// Make the tree of some regions.
    pub fn new(regions: Vec<Region>) -> Self {
        BoxTree { root: (!regions.is_empty()).then(|| Node::new(regions)) }
    }

    /// The class of the region with the least loss among those that contain a point and are
    /// allowed.
    pub fn smallest_containing<P: Point + ?Sized>(
        &self,
        point: &P,
        allowed: impl Fn(u32) -> bool,
    ) -> u32 {
        let mut best: Option<(f64, u32)> = None;
        if let Some(root) = &self.root {
            root.visit(point, &mut |region| {
                let candidate = (region.loss, region.class);
                if best.is_none_or(|best| candidate < best) && allowed(region.class) {
                    best = Some(candidate);
                }
            });
        }
        best.map_or(SUPPRESSED, |(_, class)| class)
    }

    /// The class of the region whose loss grows least if it is extended to contain a point.
    pub fn least_growth<P: Point + ?Sized>(&self, quasi: &[&Column], point: &P) -> u32 {
        let mut best: Option<(f64, u32)> = None;
        let mut stack: Vec<&Node> = self.root.iter().collect();
        while let Some(node) = stack.pop() {
            match &node.content {
                Content::Inner(left, right) => stack.extend([left.as_ref(), right.as_ref()]),
                Content::Leaf(regions) => {
                    for region in regions {
                        let grown =
                            |(place, (column, (lo, hi))): (usize, (&&Column, &(u32, u32)))| {
                                let (from, to) = point.span(place).unwrap_or((*lo, *hi));
                                value_of(column, ((*lo).min(from), (*hi).max(to))).ncp(column)
                                    * column.weight
                            };
                        let loss: f64 =
                            quasi.iter().zip(&region.intervals).enumerate().map(grown).sum();
                        let candidate = (loss - region.loss, region.class);
                        if best.is_none_or(|best| candidate < best) {
                            best = Some(candidate);
                        }
                    }
                }
            }
        }
        best.map_or(SUPPRESSED, |(_, class)| class)
    }
}

impl Node {
    fn new(mut regions: Vec<Region>) -> Self {
        let n_columns = regions[0].intervals.len();
        let bounds: Vec<(u32, u32)> = (0..n_columns)
            .map(|c| {
                let lo = regions.iter().map(|r| r.intervals[c].0).min().unwrap_or(0);
                let hi = regions.iter().map(|r| r.intervals[c].1).max().unwrap_or(0);
                (lo, hi)
            })
            .collect();
        if regions.len() <= 8 {
            return Node { bounds, content: Content::Leaf(regions) };
        }
        // Split by the middle of the column in which the regions' centres spread most.
        let centre = |region: &Region, c: usize| region.intervals[c].0 + region.intervals[c].1;
        let spread = |c: usize| {
            let centres = regions.iter().map(|region| centre(region, c));
            centres.clone().max().unwrap_or(0) - centres.min().unwrap_or(0)
        };
        let column = (0..n_columns).max_by_key(|c| spread(*c)).unwrap_or(0);
        regions.sort_by_key(|region| centre(region, column));
        let right = regions.split_off(regions.len() / 2);
        let (left, right) = (Box::new(Node::new(regions)), Box::new(Node::new(right)));
        Node { bounds, content: Content::Inner(left, right) }
    }

    fn visit<P: Point + ?Sized>(&self, point: &P, found: &mut impl FnMut(&Region)) {
        if !contains(&self.bounds, point) {
            return;
        }
        match &self.content {
            Content::Leaf(regions) => {
                regions.iter().filter(|region| region.contains(point)).for_each(found)
            }
            Content::Inner(left, right) => {
                left.visit(point, found);
                right.visit(point, found);
            }
        }
    }
}
