//! Chooses the item that leaves both sides most homogeneous: the least entropy, summed over items
//! and over the two sides.

use sfumato_core::column::Code;

use super::bits::Bits;
use super::rule::{Class, Picker, Rule, may_split};

/// The largest number of items that may split: more would need a table of more than a gibibyte.
pub const MOST_ITEMS: usize = 1 << 14;

/// Items count as independent: the entropy of a side is the sum over items of the bits that tell
/// which of its records have the item. Only items that may still split the class count, as the
/// others can't be told apart by any split below.
pub struct Entropy {
    /// The table of bits for classes of up to all records.
    pub bits: Bits,
}

/// For each pair of items that may split, how many records of the class have both.
#[derive(Default)]
pub struct Pairs {
    /// The items that may still split, by their places in the table.
    open: Vec<u32>,
    /// The items of the table.
    items: Vec<u32>,
    /// For each item, its place in the table; `NONE` for items that may not split.
    place: Vec<u32>,
    both: Vec<u32>,
    row: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Rule for Entropy {
    type Picker<C: Code> = Pairs;
}

impl Pairs {
    /// Add a weight, or subtract it, for each pair of items of a record.
    fn count<C: Code>(&mut self, record: &[C], change: impl Fn(u32) -> u32) {
        let Pairs { place, both, row, items, .. } = self;
        row.clear();
        row.extend(
            record.iter().map(|code| place[code.widen() as usize]).filter(|place| *place != NONE),
        );
        for a in row.iter() {
            let with_a = &mut both[*a as usize * items.len()..][..items.len()];
            for b in row.iter() {
                with_a[*b as usize] = change(with_a[*b as usize]);
            }
        }
    }
}

impl<C: Code> Picker<C, Entropy> for Pairs {
    const WATCHES: bool = true;

    fn start(&mut self, _: &Entropy, class: &Class<'_>, splits: &[u32]) {
        self.items.clear();
        self.items.extend_from_slice(splits);
        self.open.clear();
        self.open.extend(0..splits.len() as u32);
        self.place.clear();
        self.place.resize(class.names.len(), NONE);
        splits
            .iter()
            .enumerate()
            .for_each(|(place, item)| self.place[*item as usize] = place as u32);
        self.both.clear();
        self.both.resize(splits.len() * splits.len(), 0);
    }

    fn enters(&mut self, record: &[C], weight: u32) {
        self.count(record, |count| count + weight);
    }
    fn leaves(&mut self, record: &[C], weight: u32) {
        self.count(record, |count| count - weight);
    }

    fn next(&mut self, rule: &Entropy, counts: &[u32], alive: u32, k: u32) -> Option<u32> {
        let Pairs { open, items, both, .. } = self;
        open.retain(|place| may_split(counts[items[*place as usize] as usize], alive, k));
        let mut best = (f64::INFINITY, None);
        for a in open.iter() {
            let with = counts[items[*a as usize] as usize];
            let with_a = &both[*a as usize * items.len()..][..items.len()];
            let mut entropy = 0.0;
            for b in open.iter() {
                let (count, both) = (counts[items[*b as usize] as usize], with_a[*b as usize]);
                entropy +=
                    rule.bits.to_tell(both, with) + rule.bits.to_tell(count - both, alive - with);
            }
            if entropy < best.0 {
                best = (entropy, Some(items[*a as usize]));
            }
        }
        best.1
    }
}
