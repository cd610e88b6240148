//! Parquet's hybrid encoding of runs and packed bits, which is used for levels and dictionary
//! indices.

/// Append numbers of `width` bits (1 to 32): long runs as a count and a number, everything else
/// packed, eight numbers at a time.
pub(super) fn encode(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    let mut packed = 0;
    let mut at = 0;
    while at < numbers.len() {
        let first = numbers[at];
        let run = numbers[at..].iter().take_while(|number| **number == first).count();
        // A run ends the packed numbers before it, so it must save more than the bytes of two
        // headers.
        if run >= 8 && run * width as usize >= 64 {
            pack(&numbers[packed..at], width, out);
            varint((run as u64) << 1, out);
            out.extend_from_slice(&first.to_le_bytes()[..width.div_ceil(8) as usize]);
            at += run;
            packed = at;
        } else {
            at = (at + 8).min(numbers.len());
        }
    }
    pack(&numbers[packed..], width, out);
}

/// Append the same number many times.
pub(super) fn repeat(number: u32, times: usize, width: u32, out: &mut Vec<u8>) {
    varint((times as u64) << 1, out);
    out.extend_from_slice(&number.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// The number of bits for numbers below `n`, at least one.
pub(super) fn width(n: usize) -> u32 {
    (usize::BITS - n.saturating_sub(1).leading_zeros()).max(1)
}

/// Pack numbers from the lowest bit on. Only the last ones of a page may be no multiple of eight;
/// they are padded with zeros.
fn pack(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    if numbers.is_empty() {
        return;
    }
    let groups = numbers.len().div_ceil(8);
    varint((groups as u64) << 1 | 1, out);
    let end = out.len() + groups * width as usize;
    let (mut bits, mut held) = (0u64, 0);
    for &number in numbers {
        bits |= u64::from(number) << held;
        held += width;
        if held >= 32 {
            out.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= 32;
            held -= 32;
        }
    }
    out.extend_from_slice(&bits.to_le_bytes()[..held.div_ceil(8) as usize]);
    out.resize(end, 0);
}

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Decode numbers, by the definition of the format.
    fn decode(mut bytes: &[u8], width: u32, n: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        while !bytes.is_empty() {
            let (mut header, mut shift) = (0u64, 0);
            loop {
                let byte = bytes[0];
                bytes = &bytes[1..];
                header |= u64::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            let length = if header & 1 == 0 {
                width.div_ceil(8) as usize
            } else {
                (header >> 1) as usize * width as usize
            };
            let (body, rest) = bytes.split_at(length);
            bytes = rest;
            let bit = |at: usize| u32::from(body[at / 8] >> (at % 8) & 1);
            let number =
                |at: usize, bits: u32| (0..bits as usize).map(|b| bit(at + b) << b).sum::<u32>();
            match header & 1 {
                0 => numbers.extend(std::iter::repeat_n(number(0, width), (header >> 1) as usize)),
                _ => numbers.extend(
                    (0..(header >> 1) as usize * 8).map(|i| number(i * width as usize, width)),
                ),
            }
        }
        assert!(numbers.len() < n + 8);
        numbers.truncate(n);
        numbers
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn what_is_written_can_be_read(
            runs in prop::collection::vec((any::<u32>(), prop_oneof![Just(1usize), 1usize..40]),
                0..60), bits in 1u32..33,
        ) {
            let numbers: Vec<u32> =
                runs.iter().flat_map(|(n, times)| std::iter::repeat_n(n >> (32 - bits), *times))
                    .collect();
            let mut out = Vec::new();
            encode(&numbers, bits, &mut out);
            prop_assert_eq!(decode(&out, bits, numbers.len()), numbers);
        }
    }

    #[test]
    fn widths_and_repetitions() {
        assert_eq!([0, 1, 2, 3, 4, 5, 256, 257].map(width), [1, 1, 1, 2, 2, 3, 8, 9]);
        let mut out = Vec::new();
        repeat(300, 1000, 9, &mut out);
        assert_eq!(decode(&out, 9, 1000), vec![300; 1000]);
    }
}
