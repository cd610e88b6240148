//! Chooses the item that earns most for what it reveals about the records.

use sfumato_core::column::Code;

use super::ahead::Look;
use super::bits::Bits;
use super::rule::{Class, Picker, Rule, may_split};

/// Until the class of a record has k records, log2(n / k) bits may be revealed about a record in a
/// class of n. A split on an item that a share p of the class has reveals H(p) bits about each
/// record and earns the item's utility for the share p: the best split is the one with the most
/// utility per bit.
pub struct Utility<'a> {
    /// The utility of an instance of each item.
    pub utilities: &'a [f64],
    /// The table of bits for classes of up to all records.
    pub bits: Bits,
    /// How many splits of a small class are tried each time.
    pub tried: usize,
}

/// Evaluates every item each time: shares grow while records leave, so no order of the items stays
/// valid.
#[derive(Default)]
pub struct Scan {
    /// The items that may still split, each with its utility.
    splits: Vec<(u32, f64)>,
}

impl Rule for Utility<'_> {
    type Picker<C: Code> = Scan;
    fn ahead(&self) -> Option<Look<'_>> {
        Some(Look { utilities: self.utilities, bits: &self.bits, tried: self.tried })
    }
}

impl<C: Code> Picker<C, Utility<'_>> for Scan {
    fn start(&mut self, rule: &Utility<'_>, class: &Class<'_>, splits: &[u32]) {
        self.splits.clear();
        let worth = |item: &u32| rule.utilities[class.names[*item as usize] as usize];
        self.splits.extend(splits.iter().map(|item| (*item, worth(item))));
    }

    fn next(&mut self, rule: &Utility<'_>, counts: &[u32], alive: u32, k: u32) -> Option<u32> {
        self.splits.retain(|(item, _)| may_split(counts[*item as usize], alive, k));
        let mut best = (f64::NEG_INFINITY, None);
        for (item, worth) in &self.splits {
            let count = counts[*item as usize];
            let score = worth * f64::from(count) / rule.bits.to_tell(count, alive);
            if score > best.0 {
                best = (score, Some(*item));
            }
        }
        best.1
    }
}
