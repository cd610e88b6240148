//! Logarithm and exponential from additions, multiplications and divisions, which are the same on
//! every machine.

const LN_2: f64 = std::f64::consts::LN_2;

/// The natural logarithm of a number above 0, to about 13 digits.
#[inline]
pub(crate) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh s, and |s| is below 0.172.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let z = s * s;
    let series = 1.0 / 13.0;
    let series = series * z + 1.0 / 11.0;
    let series = series * z + 1.0 / 9.0;
    let series = series * z + 1.0 / 7.0;
    let series = series * z + 1.0 / 5.0;
    let series = series * z + 1.0 / 3.0;
    let series = series * z + 1.0;
    exponent as f64 * LN_2 + 2.0 * s * series
}

/// The logarithm of a number uniform in (0, 1), made of 32 bits.
#[inline]
pub(crate) fn ln_of_word(word: u32) -> f64 {
    ln((f64::from(word) + 0.5) * (1.0 / 4_294_967_296.0))
}

/// e to the power of a number that isn't above 700; 0 below -700.
pub(crate) fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let whole = (x / LN_2 + 0.5).floor();
    let rest = x - whole * LN_2;
    // |rest| is at most 0.35: 14 terms are enough.
    let mut sum = 1.0;
    for n in (1..=14).rev() {
        sum = 1.0 + sum * rest / f64::from(n);
    }
    sum * f64::from_bits(((whole as i64 + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn they_agree_with_the_library(x in 1e-12f64..1e9, y in -690f64..690.0) {
            prop_assert!((ln(x) - x.ln()).abs() <= 1e-11 * x.ln().abs().max(1.0));
            prop_assert!((exp(y) / y.exp() - 1.0).abs() < 1e-11);
        }
    }

    #[test]
    fn ends() {
        assert_eq!((ln(1.0), exp(0.0), exp(-1e9)), (0.0, 1.0, 0.0));
        assert!(ln_of_word(0) < -22.0 && ln_of_word(u32::MAX) < 0.0);
    }
}
