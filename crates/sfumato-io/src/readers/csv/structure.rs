//! Finds the delimiters and newlines of a text without quotes, 64 bytes at a time.

/// Write where each field begins into `bounds`, in order: `bounds[i]..bounds[i + 1] - 1` is field
/// `i`. The window ends in a newline. Returns the numbers of fields and of newlines.
pub(crate) fn fields(
    bytes: &[u8],
    window: std::ops::Range<usize>,
    delimiter: u8,
    bounds: &mut Vec<u32>,
) -> (usize, usize) {
    let needed = window.len() + 1;
    if bounds.len() < needed {
        bounds.resize(needed, 0);
    }
    let bounds = &mut bounds[..needed];
    bounds[0] = window.start as u32;
    let (mut n, mut newlines) = (0, 0);
    let mut base = window.start as u32;
    let mut add = |word: &[u8; 64]| {
        let (either, newline) = marks(word, delimiter);
        newlines += newline.count_ones() as usize;
        let mut rest = either;
        while rest != 0 {
            n += 1;
            bounds[n] = base + rest.trailing_zeros() + 1;
            rest &= rest - 1;
        }
        base += 64;
    };
    let (words, tail) = bytes[window].as_chunks::<64>();
    words.iter().for_each(&mut add);
    if !tail.is_empty() {
        // NUL is neither a delimiter nor a newline.
        let mut word = [0; 64];
        word[..tail.len()].copy_from_slice(tail);
        add(&word);
    }
    (n, newlines)
}

/// A bit for each byte that is a delimiter or a newline, and for each that is a newline.
///
/// The comparisons are a plain loop that the compiler turns into vector instructions; what it can't
/// do is gather one bit per byte, so that is done by multiplication, eight bytes at a time.
#[inline]
fn marks(word: &[u8; 64], delimiter: u8) -> (u64, u64) {
    let mut either = [0u8; 64];
    let mut newline = [0u8; 64];
    for i in 0..64 {
        newline[i] = u8::from(word[i] == b'\n');
        either[i] = u8::from(word[i] == delimiter) | newline[i];
    }
    (gather(&either), gather(&newline))
}

/// Gather 64 bytes of 0 or 1 into 64 bits.
#[inline]
fn gather(flags: &[u8; 64]) -> u64 {
    let (lanes, _) = flags.as_chunks::<8>();
    lanes.iter().enumerate().fold(0, |bits, (i, lane)| {
        bits | (u64::from_le_bytes(*lane).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn marks_are_exact(word in proptest::collection::vec(prop_oneof![Just(b','), Just(b'\n'),
            any::<u8>()], 64)) {
            let word: [u8; 64] = word.try_into().unwrap();
            let (either, newline) = marks(&word, b',');
            for (i, byte) in word.iter().enumerate() {
                prop_assert_eq!(newline >> i & 1 == 1, *byte == b'\n');
                prop_assert_eq!(either >> i & 1 == 1, *byte == b'\n' || *byte == b',');
            }
        }
    }

    #[test]
    fn fields_of_a_window() {
        let text = format!("skip\na,bb,{}\n,\n", "c".repeat(70));
        let mut bounds = Vec::new();
        let (n, newlines) = fields(text.as_bytes(), 5..text.len(), b',', &mut bounds);
        assert_eq!((n, newlines), (5, 2));
        assert_eq!(bounds[..=n], [5, 7, 10, 81, 82, 83]);
    }
}
