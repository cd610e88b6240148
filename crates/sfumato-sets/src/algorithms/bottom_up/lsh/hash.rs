//! Hash functions for sparse sets: each bit is an "or" of random items, enough of them that about
//! half of all records have one.

use sfumato_kernels::seeded::Seeded;

/// The share of records above which an item is skipped as long as others can be found.
const TOO_MANY: f64 = 0.65;

/// For each item, the bits that it sets in the key of a record.
pub struct Hash {
    bits_of_item: Vec<u32>,
}

impl Hash {
    /// A random hash function. `frequencies` are the shares of records with each item.
    pub fn random(frequencies: &[f64], bits: u32, random: &mut Seeded) -> Self {
        let known: Vec<usize> =
            (0..frequencies.len()).filter(|item| frequencies[*item] > 0.0).collect();
        let mut bits_of_item = vec![0u32; frequencies.len()];
        for bit in (0..bits).map(|bit| 1 << bit) {
            let mut without = 1.0;
            // Items are drawn with repetition, as often as there are twice over: after that, what
            // there is must do.
            for _ in 0..2 * known.len() {
                let item = known[random.below(known.len())];
                let new = bits_of_item[item] & bit == 0;
                if new && 1.0 - without * (1.0 - frequencies[item]) <= TOO_MANY {
                    bits_of_item[item] |= bit;
                    without *= 1.0 - frequencies[item];
                }
                if without <= 0.5 {
                    break;
                }
            }
            if without > 0.99 && !known.is_empty() {
                bits_of_item[known[random.below(known.len())]] |= bit;
            }
        }
        Hash { bits_of_item }
    }

    /// The key of a set.
    #[inline]
    pub fn key(&self, items: impl Iterator<Item = u32>) -> u32 {
        items.fold(0, |key, item| key | self.bits_of_item[item as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_half_of_the_records_have_a_bit() {
        let mut random = Seeded::new(3);
        for frequencies in [vec![0.01; 500], (0..300).map(|i| 0.9 / f64::from(i + 1)).collect()] {
            let hash = Hash::random(&frequencies, 20, &mut random);
            for bit in 0..20 {
                let without: f64 = (0..frequencies.len())
                    .filter(|item| hash.bits_of_item[*item] >> bit & 1 == 1)
                    .map(|item| 1.0 - frequencies[item])
                    .product();
                assert!((0.35..=0.5).contains(&without), "bit {bit}: {without}");
            }
        }
    }

    #[test]
    fn items_that_nearly_all_have_still_give_bits() {
        let hash = Hash::random(&[0.9, 0.0, 0.95], 8, &mut Seeded::new(1));
        assert_eq!(hash.bits_of_item[0] | hash.bits_of_item[2], 0xff);
        assert_eq!(hash.bits_of_item[1], 0);
        assert_eq!(Hash::random(&[], 3, &mut Seeded::new(1)).key([].into_iter()), 0);
    }
}
