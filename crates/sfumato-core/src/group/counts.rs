//! The histograms of many classes in contiguous memory, so that adding them up reads memory
//! sequentially.

use crate::FastMap;
use crate::group::Summary;

/// The largest number of values for which rows are worth their memory.
const WIDEST_ROW: usize = 32;

/// Add rows of a known width. The compiler turns each into a few wide additions.
fn add<const WIDTH: usize>(rows: &[u16], of_class: &[u32], cells: &mut [u32]) {
    let (rows, _) = rows.as_chunks::<WIDTH>();
    let (cells, _) = cells.as_chunks_mut::<WIDTH>();
    for (group, row) in of_class.iter().zip(rows) {
        let sums = &mut cells[*group as usize];
        sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += u32::from(*count));
    }
}

/// Lists of numbers, one per class. Numbers are dense: below `n_items`.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    starts: Vec<usize>,
    items: Vec<u32>,
    n_items: usize,
}

impl Lists {
    /// Make lists from the numbers of each class.
    pub fn new<I: Iterator<Item = u32>>(lists: impl Iterator<Item = I>) -> Self {
        let mut made = Lists { starts: vec![0], ..Lists::default() };
        for list in lists {
            made.items.extend(list);
            made.starts.push(made.items.len());
        }
        made.n_items = made.items.iter().max().map_or(0, |most| *most as usize + 1);
        made
    }
    /// The numbers of a class.
    pub fn of_class(&self, class: usize) -> &[u32] {
        &self.items[self.starts[class]..self.starts[class + 1]]
    }
    /// A bound that all numbers are below.
    pub fn n_items(&self) -> usize {
        self.n_items
    }
}

/// The histograms of all classes for one sensitive column. A value is identified by its place among
/// the codes that occur.
#[derive(Debug, Clone)]
pub struct Counts {
    codes: Vec<u32>,
    places: Lists,
    counts: Vec<u64>,
    /// The histograms as one row of small numbers per class, if there are few values; see
    /// [`Counts::rows`].
    rows: Option<Vec<u16>>,
    width: usize,
    /// If people are counted: which pair of person and value each entry is, and the value of each
    /// pair.
    people: Option<(Lists, Vec<u32>)>,
}

impl Counts {
    /// The histograms of a column. A class without a histogram has no values.
    pub fn new(summaries: &[Summary], column: usize) -> Self {
        let histograms = || summaries.iter().map(|summary| summary.histograms.get(column));
        let entries = || histograms().map(|histogram| histogram.map_or(&[][..], |h| h.entries()));
        let mut codes: Vec<u32> = entries().flatten().map(|(code, _)| *code).collect();
        codes.sort_unstable();
        codes.dedup();
        let place = |code: u32| codes.binary_search(&code).map_or(0, |place| place as u32);
        // Codes are mostly dense and few: then a table is quicker than a search for each of
        // millions of entries.
        let most = codes.last().map_or(0, |code| *code as usize + 1);
        let table: Vec<u32> = match most <= 4 * codes.len() + 1024 {
            true => (0..most as u32).map(place).collect(),
            false => Vec::new(),
        };
        let place = |code: u32| table.get(code as usize).copied().unwrap_or_else(|| place(code));
        let places =
            Lists::new(entries().map(|entries| entries.iter().map(|(code, _)| place(*code))));
        let counts: Vec<u64> = entries().flatten().map(|(_, count)| *count).collect();
        let people =
            histograms().flatten().any(|histogram| histogram.people().is_some()).then(|| {
                let mut numbers: FastMap<(u32, u64), u32> = FastMap::default();
                let mut place_of = Vec::new();
                let pairs = histograms().map(|histogram| {
                    let pairs =
                        histogram.and_then(|histogram| histogram.people()).unwrap_or_default();
                    let number = |pair: &(u32, u64)| {
                        let next = numbers.len() as u32;
                        *numbers.entry(*pair).or_insert_with(|| {
                            place_of.push(place(pair.0));
                            next
                        })
                    };
                    pairs.iter().map(number).collect::<Vec<u32>>().into_iter()
                });
                (Lists::new(pairs), place_of)
            });
        let width = codes.len().next_power_of_two();
        let mut made = Counts { codes, places, counts, rows: None, width, people };
        made.rows = made.as_rows();
        made
    }

    fn as_rows(&self) -> Option<Vec<u16>> {
        let total = self
            .counts
            .iter()
            .try_fold(0u32, |sum, count| sum.checked_add(u32::try_from(*count).ok()?));
        if self.width > WIDEST_ROW || self.people.is_some() || total.is_none() {
            return None;
        }
        let n_classes = self.places.starts.len() - 1;
        let mut rows = vec![0u16; n_classes * self.width];
        for class in 0..n_classes {
            for (place, count) in self.of_class(class) {
                rows[class * self.width + place as usize] = u16::try_from(count).ok()?;
            }
        }
        Some(rows)
    }

    /// Add the rows of all classes to the rows of their groups, which have `width` cells each.
    /// Returns whether that was possible: it isn't if there are many values, large counts, or
    /// counts of people.
    pub fn add_rows(&self, of_class: &[u32], cells: &mut [u32]) -> bool {
        let Some(rows) = &self.rows else { return false };
        match self.width {
            1 => add::<1>(rows, of_class, cells),
            2 => add::<2>(rows, of_class, cells),
            4 => add::<4>(rows, of_class, cells),
            8 => add::<8>(rows, of_class, cells),
            16 => add::<16>(rows, of_class, cells),
            _ => add::<WIDEST_ROW>(rows, of_class, cells),
        }
        true
    }
    /// The number of cells of a row. The cells of the codes come first.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether no class has a value.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }
    /// The codes that occur, ascending.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }
    /// Whether there are rows to add.
    pub fn has_rows(&self) -> bool {
        self.rows.is_some()
    }
    /// The pairs of person and value of each class, and the place of each pair's code.
    pub fn people(&self) -> Option<(&Lists, &[u32])> {
        self.people.as_ref().map(|(pairs, place_of)| (pairs, place_of.as_slice()))
    }
    /// The places of the codes of a class, with their counts.
    pub fn of_class(&self, class: usize) -> impl Iterator<Item = (u32, u64)> + '_ {
        let range = self.places.starts[class]..self.places.starts[class + 1];
        self.places.items[range.clone()].iter().copied().zip(self.counts[range].iter().copied())
    }
}
