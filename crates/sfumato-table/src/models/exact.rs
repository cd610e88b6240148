//! Compares numbers of a user exactly with counts.
//!
//! A bound such as `0.1` has no exact floating-point form, and three people of thirty must satisfy
//! it. So bounds are read from their text as fractions and compared with products of counts in
//! integers, however large they grow.

use std::cmp::Ordering;

use sfumato_core::registry::{Info, Params};
use sfumato_core::{Error, Result};

/// The bound of numerator and denominator, so that a sum of two fits in 128 bits.
const LIMIT: u128 = 10u128.pow(30);

/// A fraction that isn't negative, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio {
    num: u128,
    den: u128,
}

impl Ratio {
    /// The parameter of a model, exactly as written.
    pub(crate) fn of_param(info: &Info, params: &Params, name: &str) -> Result<Self> {
        let text = params.text(name).unwrap_or_default();
        Self::from_decimal(text).ok_or_else(|| {
            Error::params(format!(
                "{}: {name}='{text}' is too long to be compared exactly",
                info.name
            ))
            .hint("write it as a plain decimal of at most 30 digits")
        })
    }

    /// Read `12`, `0.05`, `.5`, `1e-3`. `None` for anything else, for negative numbers and beyond
    /// 30 digits.
    pub(crate) fn from_decimal(text: &str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = || whole.bytes().chain(fraction.bytes());
        if digits().next().is_none() || !digits().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let all: Vec<u8> = digits().collect();
        let kept = all.len() - all.iter().rev().take_while(|b| **b == b'0').count();
        let mut num: u128 = 0;
        for b in &all[..kept] {
            num = num.checked_mul(10)?.checked_add(u128::from(b - b'0'))?;
        }
        if num == 0 {
            return Some(Ratio { num: 0, den: 1 });
        }
        // The trailing zeros that were left out come back through the power of ten.
        let power = i64::from(exponent) - fraction.len() as i64 + (all.len() - kept) as i64;
        let ten = 10u128.checked_pow(u32::try_from(power.unsigned_abs()).ok()?)?;
        let (num, den) = if power >= 0 { (num.checked_mul(ten)?, 1) } else { (num, ten) };
        let common = gcd(num, den);
        let ratio = Ratio { num: num / common, den: den / common };
        (!negative && ratio.num <= LIMIT && ratio.den <= LIMIT).then_some(ratio)
    }

    /// What is above and below the line.
    pub(crate) fn parts(self) -> (u128, u128) {
        (self.num, self.den)
    }
    /// The nearest floating-point number, for reports.
    pub(crate) fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }
    /// This fraction plus one.
    pub(crate) fn plus_one(self) -> Self {
        Ratio { num: self.num + self.den, den: self.den }
    }
    /// Whether the fraction is at least one.
    pub(crate) fn is_one_or_more(self) -> bool {
        self.num >= self.den
    }
    /// The least whole number that is at least `1 / self`; the largest number for zero.
    pub(crate) fn ceil_inverse(self) -> u64 {
        if self.num == 0 {
            u64::MAX
        } else {
            u64::try_from(self.den.div_ceil(self.num)).unwrap_or(u64::MAX)
        }
    }
    /// How the product of `over` compares with this fraction times the product of `under`.
    pub(crate) fn compare(self, over: &[u128], under: &[u128]) -> Ordering {
        let small = product(over).and_then(|x| x.checked_mul(self.den));
        let large = product(under).and_then(|x| x.checked_mul(self.num));
        match (small, large) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => {
                Natural::product(over).times(self.den).cmp(&Natural::product(under).times(self.num))
            }
        }
    }
    /// How `over - minus` compares with this fraction times the product of `under`: for sums beyond
    /// 128 bits.
    pub(crate) fn compare_difference(
        self,
        over: &Natural,
        minus: &Natural,
        under: &[u128],
    ) -> Ordering {
        let right = Natural::product(under).times(self.num).plus(&minus.times(self.den));
        over.times(self.den).cmp(&right)
    }
}

fn product(factors: &[u128]) -> Option<u128> {
    factors.iter().try_fold(1u128, |product, factor| product.checked_mul(*factor))
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A natural number of any size: 32-bit limbs, lowest first, without leading zeros. It is only used
/// if 128 bits are too few.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Natural(Vec<u32>);

impl From<u128> for Natural {
    fn from(mut value: u128) -> Self {
        let mut limbs = Vec::new();
        while value > 0 {
            limbs.push(value as u32);
            value >>= 32;
        }
        Natural(limbs)
    }
}

impl Natural {
    /// The product of some numbers.
    pub(crate) fn product(factors: &[u128]) -> Self {
        factors.iter().fold(Natural::from(1), |product, factor| product.times(*factor))
    }

    /// The product with a number.
    pub(crate) fn times(&self, factor: u128) -> Self {
        self.times_natural(&Natural::from(factor))
    }

    /// The product with another natural number.
    pub(crate) fn times_natural(&self, other: &Natural) -> Self {
        let mut limbs = vec![0u32; self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            let mut carry = 0u64;
            for (j, b) in other.0.iter().enumerate() {
                let sum = u64::from(*a) * u64::from(*b) + u64::from(limbs[i + j]) + carry;
                limbs[i + j] = sum as u32;
                carry = sum >> 32;
            }
            limbs[i + other.0.len()] = carry as u32;
        }
        Natural(limbs).trimmed()
    }

    /// The sum with another natural number.
    pub(crate) fn plus(&self, other: &Natural) -> Self {
        let limb = |n: &Natural, i: usize| u64::from(n.0.get(i).copied().unwrap_or(0));
        let mut carry = 0u64;
        let mut limbs = Vec::with_capacity(self.0.len().max(other.0.len()) + 1);
        for i in 0..=self.0.len().max(other.0.len()) {
            let sum = limb(self, i) + limb(other, i) + carry;
            limbs.push(sum as u32);
            carry = sum >> 32;
        }
        Natural(limbs).trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(text: &str) -> Option<(u128, u128)> {
        Ratio::from_decimal(text).map(|r| (r.num, r.den))
    }

    #[test]
    fn decimals_become_fractions_in_lowest_terms() {
        assert_eq!(ratio("0.1"), Some((1, 10)));
        assert_eq!(ratio("0.50"), Some((1, 2)));
        assert_eq!(ratio("+1.25"), Some((5, 4)));
        assert_eq!(ratio(".5"), Some((1, 2)));
        assert_eq!(ratio("12."), Some((12, 1)));
        assert_eq!(ratio("1200"), Some((1200, 1)));
        assert_eq!(ratio("25e-2"), Some((1, 4)));
        assert_eq!(ratio("2.5E3"), Some((2500, 1)));
        assert_eq!(ratio("-0.0"), Some((0, 1)));
        assert_eq!(ratio("0e999999999"), Some((0, 1)));
        assert_eq!(ratio(&format!("0.{}1", "0".repeat(29))), Some((1, LIMIT)));
        for wrong in ["", ".", "-1", "1e", "x", "1e400", "1e-300", "0x1", "1 ", "NaN", "--1"] {
            assert_eq!(ratio(wrong), None, "{wrong}");
        }
        assert_eq!(ratio(&"9".repeat(31)), None);
        assert_eq!(ratio(&format!("0.{}1", "0".repeat(40))), None);
    }

    #[test]
    fn a_tenth_of_thirty_is_three() {
        let tenth = Ratio::from_decimal("0.1").unwrap();
        assert_eq!(tenth.compare(&[3], &[30]), Ordering::Equal);
        assert_eq!(tenth.compare(&[4], &[30]), Ordering::Greater);
        assert_eq!(tenth.compare(&[2], &[30]), Ordering::Less);
        assert_eq!((tenth.ceil_inverse(), tenth.plus_one()), (10, Ratio { num: 11, den: 10 }));
        assert_eq!(Ratio::from_decimal("0.3").unwrap().ceil_inverse(), 4);
        assert_eq!(Ratio::from_decimal("0").unwrap().ceil_inverse(), u64::MAX);
        assert!(Ratio::from_decimal("1.0").unwrap().is_one_or_more() && !tenth.is_one_or_more());
    }

    #[test]
    fn comparisons_hold_beyond_128_bits() {
        let one = Ratio::from_decimal("1").unwrap();
        let big = u128::MAX;
        assert_eq!(one.compare(&[big, big], &[big, big]), Ordering::Equal);
        assert_eq!(one.compare(&[big, big - 1], &[big, big]), Ordering::Less);
        assert_eq!(one.compare(&[big, big], &[big - 1, big]), Ordering::Greater);
        assert_eq!(one.compare(&[big, 0], &[big, big]), Ordering::Less);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn naturals_agree_with_128_bits(a in 0u128..1 << 62, b in 0u128..1 << 62,
            c in 0u128..1 << 62) {
            let (x, y) = (Natural::from(a), Natural::from(b));
            prop_assert_eq!(x.times(b), Natural::from(a * b));
            prop_assert_eq!(x.plus(&y), Natural::from(a + b));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(Natural::product(&[a, b]).plus(&Natural::from(c)),
                Natural::from(a * b + c));
            // (a + b) * c * 2^96 in both orders, which 128 bits can't hold.
            let shift = 1u128 << 96;
            let left = x.plus(&y).times(c).times(shift);
            prop_assert_eq!(left, x.times(shift).times(c).plus(&y.times(c).times(shift)));
        }
    }
}
