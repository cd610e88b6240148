//! Converts cells to numbers for learners: two per region (its ends), one per exact cell, or the
//! expected one-hot encoding of a tree's leaves.

use sfumato_core::dataset::Column;

use super::cells::{Cells, Extent};

/// How words become numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// Every column by the ends of its region: numbers as they are, words by their place in the
    /// tree.
    Ends,
    /// Words become one number per leaf: its share in the region, with all leaves equally likely.
    /// Columns of more than [`MOST_LEAVES`] words are encoded by their ends.
    OneHot,
}

/// More words than this are not taken apart.
pub const MOST_LEAVES: usize = 30;

impl Encoding {
    /// What suits a learner: linear ones can't cut an order of words into pieces, all others can.
    pub fn of_learner(name: &str) -> Self {
        match name {
            "linear-svm" | "logistic-regression" | "linear-regression" => Encoding::OneHot,
            _ => Encoding::Ends,
        }
    }
}

/// Larger numbers are held here: learners square them.
const LARGEST: f64 = 1e150;

/// Columns of numbers, for learners.
pub type Columns = Vec<Vec<f64>>;

/// Turns the cells of some columns into columns of numbers, by what the training part knows.
pub struct Features<'a> {
    columns: Vec<Feature<'a>>,
    encoding: Encoding,
}

struct Feature<'a> {
    column: &'a Column,
    /// For ordered columns the number of each code.
    numbers: Option<Vec<f64>>,
    has_missing: bool,
    lowest: f64,
    highest: f64,
}

impl<'a> Features<'a> {
    /// Make features for columns of a training table.
    pub fn new(columns: impl IntoIterator<Item = &'a Column>, encoding: Encoding) -> Self {
        Features { columns: columns.into_iter().map(Feature::new).collect(), encoding }
    }

    /// The numbers of training and of test cells, one [`Cells`] per column. A second end that
    /// equals the first in all training rows is left out.
    pub fn numbers(&self, train: &[&Cells], test: &[&Cells]) -> (Columns, Columns) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for ((feature, train), test) in self.columns.iter().zip(train).zip(test) {
            for numbers in feature.numbers_of(self.encoding, train) {
                left.push(spread(&numbers.of(train), train));
                right.push(spread(&numbers.of(test), test));
            }
        }
        (left, right)
    }
}

fn spread(of_extent: &[f64], cells: &Cells) -> Vec<f64> {
    cells.of_row.iter().map(|place| of_extent[*place as usize]).collect()
}

/// One number made of a column's cells.
struct Number<'a, 'b> {
    feature: &'b Feature<'a>,
    which: Which,
}

#[derive(Clone, Copy)]
enum Which {
    Low,
    High,
    Middle,
    Leaf(u32),
    Missing,
}

impl Number<'_, '_> {
    fn of(&self, cells: &Cells) -> Vec<f64> {
        cells.extents.iter().map(|extent| self.feature.number(self.which, *extent)).collect()
    }
}

impl<'a> Feature<'a> {
    fn new(column: &'a Column) -> Self {
        let n = column.domain.len() as u32;
        // Texts that mean missing in a column that passes through have a code and no number.
        let numbers = column.domain.kind.is_ordered().then(|| {
            let number =
                |code| column.domain.number(code).map_or(f64::NAN, |x| x.clamp(-LARGEST, LARGEST));
            (0..n).map(number).collect::<Vec<f64>>()
        });
        let (lowest, highest) = match &numbers {
            Some(numbers) => ends(numbers),
            None => (0.0, f64::from(n.max(1) - 1)),
        };
        let counts = column.codes.counts(column.domain.len() + 1);
        let texts =
            if column.domain.keys.is_empty() { counts.len() - 1 } else { column.domain.keys.len() };
        let has_missing = counts[texts..].iter().any(|count| *count > 0);
        Feature { column, numbers, has_missing, lowest, highest }
    }

    /// The numbers that are made from a column, given its training cells.
    fn numbers_of(&self, encoding: Encoding, train: &Cells) -> Vec<Number<'a, '_>> {
        let n = self.column.domain.len();
        let mut which = Vec::new();
        if encoding == Encoding::OneHot && self.numbers.is_none() && n <= MOST_LEAVES {
            // Two leaves that are always the other's rest are one number.
            let leaves = if n == 2 && !self.has_missing { 1 } else { n as u32 };
            which.extend((0..leaves).map(Which::Leaf));
        } else {
            let is_used = used(train);
            let is_exact = |(extent, is_used): (&Extent, bool)| {
                !is_used || self.number(Which::Low, *extent) == self.number(Which::High, *extent)
            };
            match train.extents.iter().zip(is_used).all(is_exact) {
                true => which.push(Which::Middle),
                false => which.extend([Which::Low, Which::High]),
            }
        }
        if self.has_missing {
            which.push(Which::Missing);
        }
        which.into_iter().map(|which| Number { feature: self, which }).collect()
    }

    fn number(&self, which: Which, extent: Extent) -> f64 {
        let n = self.column.domain.len() as u32;
        let width = f64::from(n) + f64::from(u8::from(self.has_missing));
        match which {
            Which::Low => self.ends(extent).0,
            Which::High => self.ends(extent).1,
            Which::Middle => {
                let (lo, hi) = self.ends(extent);
                lo / 2.0 + hi / 2.0
            }
            Which::Leaf(leaf) => match extent {
                Extent::Codes { lo, hi } if (lo..hi).contains(&leaf) => 1.0 / f64::from(hi - lo),
                Extent::Any => 1.0 / width,
                _ => 0.0,
            },
            Which::Missing => match extent {
                Extent::Missing => 1.0,
                Extent::Any => 1.0 / width,
                _ => 0.0,
            },
        }
    }

    /// Missing stands in the middle of the range, with a number of its own beside it.
    fn ends(&self, extent: Extent) -> (f64, f64) {
        let middle = self.lowest / 2.0 + self.highest / 2.0;
        match extent {
            Extent::Any => (self.lowest, self.highest),
            Extent::Missing => (middle, middle),
            Extent::Number(x) => (x.clamp(-LARGEST, LARGEST), x.clamp(-LARGEST, LARGEST)),
            Extent::Codes { lo, hi } if lo >= hi => (middle, middle),
            Extent::Codes { lo, hi } => match &self.numbers {
                None => (f64::from(lo), f64::from(hi - 1)),
                Some(numbers) => {
                    let (low, high) = ends(&numbers[lo as usize..hi as usize]);
                    if low > high { (middle, middle) } else { (low, high) }
                }
            },
        }
    }
}

/// The least and the largest of some numbers, those that aren't any left out; of none, `(0, 0)`.
fn ends(numbers: &[f64]) -> (f64, f64) {
    let finite = numbers.iter().copied().filter(|x| !x.is_nan());
    let ends =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
    if ends.0 > ends.1 { (0.0, 0.0) } else { ends }
}

fn used(cells: &Cells) -> Vec<bool> {
    let mut used = vec![false; cells.extents.len()];
    cells.of_row.iter().for_each(|place| used[*place as usize] = true);
    used
}
