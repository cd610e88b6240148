//! The field of 256 elements, as AES has it: bytes are polynomials over two elements modulo
//! x^8 + x^4 + x^3 + x + 1. Sums are exclusive ors.

/// The product of two elements.
pub const fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = a << 1 ^ if a & 0x80 == 0 { 0 } else { 0x1b };
        b >>= 1;
    }
    product
}

/// The inverse of an element: its 254th power. That of 0 is 0.
pub const fn inverse(a: u8) -> u8 {
    let (mut power, mut product, mut exponent) = (a, 1, 254u8);
    while exponent != 0 {
        if exponent & 1 == 1 {
            product = times(product, power);
        }
        power = times(power, power);
        exponent >>= 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_standard() {
        // FIPS 197, section 4.2.
        assert_eq!((times(0x57, 0x83), times(0x57, 0x13)), (0xc1, 0xfe));
        for a in 0..=255u8 {
            assert_eq!((times(a, 1), times(a, 0)), (a, 0));
            if a != 0 {
                assert_eq!(times(a, inverse(a)), 1);
            }
            for b in 0..=255u8 {
                assert_eq!(times(a, b), times(b, a));
                // Distributive with a third that depends on both.
                let c = a.wrapping_mul(31) ^ b;
                assert_eq!(times(a, b ^ c), times(a, b) ^ times(a, c));
            }
        }
    }
}
