//! Baskets in memory: those of a file, a part of them, in another order, or generated ones.

use rayon::prelude::*;
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::{Result, with_sets};
use sfumato_generate::{BLOCK_ROWS, Generator};
use sfumato_io::{BasketLayout, BasketOptions, read_baskets};

use super::random::RandomStream;
use crate::figure::Settings;

/// All records of a file of the data folder: a record a line, blanks between items.
pub fn read(file: &str, settings: &Settings<'_>) -> Result<Transactions> {
    let path = settings.data.join(file).display().to_string();
    Ok(read_baskets(&path, &BasketLayout::FIMI, &BasketOptions::default(), settings.observer)?.sets)
}

/// The records in another order, or some of them.
pub fn in_order(sets: &Transactions, order: &[u32]) -> Transactions {
    let mut builder = Builder::new(sets.n_items());
    with_sets!(sets, sets =>
        order.iter().for_each(|record| builder.push(sets.get(*record as usize))));
    builder.finish()
}

/// At most `most` random records, in their order.
pub fn sample(sets: Transactions, most: usize, seed: u64) -> Transactions {
    if most >= sets.len() {
        return sets;
    }
    let chosen = RandomStream::new(seed).order(sets.len()).into_iter().take(most);
    let mut chosen: Vec<u32> = chosen.map(|record| record as u32).collect();
    chosen.sort_unstable();
    in_order(&sets, &chosen)
}

/// At most `most` records, evenly spaced.
pub fn at_most(sets: &Transactions, most: usize) -> Transactions {
    let step = sets.len().div_ceil(most.max(1)).max(1);
    let mut builder = Builder::new(sets.n_items());
    with_sets!(sets, sets =>
        (0..sets.len()).step_by(step).for_each(|record| builder.push(sets.get(record))));
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

/// Baskets of `quest` with some parameters.
pub fn quest(parameters: &str, records: u64, seed: u64) -> Result<Transactions> {
    let call: Call = format!("quest({parameters})").parse()?;
    let generator = sfumato_generate::find(&call.name)?;
    let params = Params::check(generator.info(), &call.args)?;
    let n_items = usize::try_from(params.integer("items")).unwrap_or(1);
    generated(generator, &params, n_items, records, seed)
}

fn parsed(text: &[u8], n_items: usize) -> Transactions {
    let mut builder = Builder::new(n_items);
    let mut codes: Vec<u32> = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let numbers =
            line.trim_ascii_end().split(|byte| *byte == b' ').filter(|number| !number.is_empty());
        codes.clear();
        codes.extend(numbers.map(|digits| {
            digits.iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0')) - 1
        }));
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

    #[test]
    fn samples_and_orders_are_of_the_same_records() {
        let sets = Transactions::from_sets(50, (0..50).map(|item| vec![item]));
        let drawn = sample(sets.clone(), 20, 1);
        let items: Vec<u32> = (0..drawn.len()).map(|record| drawn.set(record)[0]).collect();
        assert!(items.len() == 20 && items.is_sorted_by(|a, b| a < b));
        assert_ne!(drawn, sample(sets.clone(), 20, 2));
        assert_eq!(sample(sets.clone(), 50, 1), sets);
        assert_eq!(in_order(&sets, &[7, 3]), Transactions::from_sets(50, [vec![7], vec![3]]));
    }

    #[test]
    fn quest_is_generated() {
        let sets = quest("items=100, size=5", 500, 1).unwrap();
        assert_eq!((sets.len(), sets.n_items()), (500, 100));
        assert!(sets.n_instances() > 2_000);
    }
}
