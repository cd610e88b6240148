//! Baskets in memory: some of those that were read, or generated ones.

use rayon::prelude::*;
use sfumato_core::registry::Params;
use sfumato_core::sets::{Builder, Transactions};
use sfumato_core::{Result, with_sets};
use sfumato_generate::{BLOCK_ROWS, Generator};

/// At most so many records, evenly taken.
pub fn at_most(sets: &Transactions, most: usize) -> Transactions {
    let step = sets.len().div_ceil(most.max(1)).max(1);
    let mut builder = Builder::new(sets.n_items());
    with_sets!(sets, sets => (0..sets.len()).step_by(step).for_each(|record| builder.push(sets.get(record))));
    builder.finish()
}

/// Baskets of a generator whose items are numbered from 1 on, and whose lines have no keys.
pub fn generated(
    generator: &dyn Generator,
    params: &Params,
    n_items: usize,
    records: u64,
    seed: u64,
) -> Result<Transactions> {
    let starts: Vec<u64> = (0..records).step_by(BLOCK_ROWS as usize).collect();
    let mut builder = Builder::new(n_items);
    // A few blocks at a time: their text is longer than what it says.
    for some in starts.chunks(2 * rayon::current_num_threads()) {
        let block = |start: &u64| -> Result<Transactions> {
            let mut text = Vec::new();
            generator.block(params, seed, *start..records.min(start + BLOCK_ROWS), &mut text)?;
            Ok(parsed(&text, n_items))
        };
        for block in some.par_iter().map(block).collect::<Result<Vec<Transactions>>>()? {
            with_sets!(&block, sets => sets.iter().for_each(|set| builder.push(set)));
        }
    }
    Ok(builder.finish())
}

fn parsed(text: &[u8], n_items: usize) -> Transactions {
    let mut builder = Builder::new(n_items);
    let mut codes: Vec<u32> = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let numbers = line.trim_ascii_end().split(|byte| *byte == b' ').filter(|number| !number.is_empty());
        codes.clear();
        codes.extend(
            numbers.map(|digits| {
                digits.iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0')) - 1
            }),
        );
        builder.push(&codes);
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_codes_from_0_on() {
        let sets = parsed(b"1 3\n\n2\n", 3);
        assert_eq!((sets.set(0), sets.set(1), sets.set(2)), (vec![0, 2], vec![], vec![1]));
        assert_eq!(at_most(&sets, 2).len(), 2);
        assert_eq!(at_most(&sets, 5), sets);
    }
}
