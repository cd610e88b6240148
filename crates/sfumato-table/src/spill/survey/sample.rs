//! Draws a random sample of the rows while neither their number nor their meaning is known.
//!
//! A row is kept if its hash is small; when there are too many the bound is halved. Given the
//! number of rows that are kept, every choice of that many rows is equally likely.

use sfumato_core::column::Dictionary;

use sfumato_engine::hash::mix;

/// The cells of one column of the sampled rows.
#[derive(Debug, Clone)]
pub enum SampledCells {
    /// Texts, one per row; `None` is null.
    Texts(Dictionary, Vec<bool>),
    /// Whole numbers, with what is null.
    Integers(Vec<i64>, Vec<bool>),
}

/// The sample.
#[derive(Debug, Clone)]
pub struct Sample {
    seed: u64,
    most: usize,
    /// The number of bytes that texts may take.
    most_bytes: u64,
    /// The bound below which the hash of a row must be.
    below: u64,
    /// The hash of each row kept, in the order of the rows.
    hashes: Vec<u64>,
    /// One per column; decided by the first block.
    pub columns: Vec<Option<SampledCells>>,
}

impl Sample {
    /// A sample of at most `most` rows of `n_columns` columns, whose texts take at most
    /// `most_bytes` bytes, as far as one row doesn't take more.
    pub fn new(seed: u64, (most, most_bytes): (usize, u64), n_columns: usize) -> Self {
        Sample {
            seed,
            most: most.max(1),
            most_bytes,
            below: u64::MAX,
            hashes: Vec::new(),
            columns: vec![None; n_columns],
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Choose which of some consecutive rows are kept, counted from the first.
    pub fn choose(&mut self, first_row: u64, n_rows: usize) -> Vec<u32> {
        let mut chosen = Vec::new();
        for row in 0..n_rows as u64 {
            let hash = mix(self.seed, first_row + row);
            if hash < self.below {
                chosen.push(row as u32);
                self.hashes.push(hash);
            }
        }
        chosen
    }

    /// Add texts of a column, one per chosen row.
    pub fn push_texts<'t>(&mut self, column: usize, texts: impl Iterator<Item = Option<&'t str>>) {
        let cells = self.columns[column]
            .get_or_insert_with(|| SampledCells::Texts(Dictionary::new(), Vec::new()));
        if let SampledCells::Texts(dictionary, nulls) = cells {
            for text in texts {
                dictionary.push(text.unwrap_or(""));
                nulls.push(text.is_none());
            }
        }
    }

    /// Add numbers of a column, one per chosen row.
    pub fn push_integers(&mut self, column: usize, numbers: impl Iterator<Item = Option<i64>>) {
        let cells = self.columns[column]
            .get_or_insert_with(|| SampledCells::Integers(Vec::new(), Vec::new()));
        if let SampledCells::Integers(values, nulls) = cells {
            for number in numbers {
                values.push(number.unwrap_or(0));
                nulls.push(number.is_none());
            }
        }
    }

    /// The number of bytes of memory.
    pub fn bytes(&self) -> u64 {
        let bytes = |cells: &SampledCells| match cells {
            SampledCells::Texts(_, nulls) => nulls.capacity(),
            SampledCells::Integers(values, nulls) => {
                values.capacity() * size_of::<i64>() + nulls.capacity()
            }
        };
        let others: usize = self.columns.iter().flatten().map(bytes).sum();
        self.text_bytes() + (others + self.hashes.capacity() * size_of::<u64>()) as u64
    }

    fn text_bytes(&self) -> u64 {
        let bytes = |cells: &SampledCells| match cells {
            SampledCells::Texts(texts, _) => texts.bytes() as u64,
            SampledCells::Integers(..) => 0,
        };
        self.columns.iter().flatten().map(bytes).sum()
    }

    /// Drop rows until there is room again. Called when all columns of a block are in.
    pub fn thin(&mut self) {
        while self.hashes.len() > self.most
            || (self.hashes.len() > 1 && self.text_bytes() > self.most_bytes)
        {
            self.below /= 2;
            let below = self.below;
            let kept: Vec<bool> = self.hashes.iter().map(|hash| *hash < below).collect();
            for cells in self.columns.iter_mut().flatten() {
                match cells {
                    SampledCells::Texts(texts, nulls) => {
                        *texts = texts
                            .iter()
                            .zip(&kept)
                            .filter(|(_, kept)| **kept)
                            .map(|(text, _)| text)
                            .collect();
                        retain(nulls, &kept);
                    }
                    SampledCells::Integers(values, nulls) => {
                        retain(values, &kept);
                        retain(nulls, &kept);
                    }
                }
            }
            self.hashes.retain(|hash| *hash < below);
        }
    }
}

fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next().copied().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_whole_and_are_spread_evenly() {
        let mut sample = Sample::new(7, (1000, u64::MAX), 2);
        for first in (0..100_000u64).step_by(500) {
            let chosen = sample.choose(first, 500);
            let row = |r: &u32| first + u64::from(*r);
            let texts: Vec<String> = chosen.iter().map(|r| row(r).to_string()).collect();
            sample.push_texts(0, texts.iter().map(|text| Some(text.as_str())));
            sample.push_integers(1, chosen.iter().map(|r| Some(row(r) as i64)));
            sample.thin();
        }
        assert!((400..=1000).contains(&sample.len()), "{}", sample.len());
        let [Some(SampledCells::Texts(texts, _)), Some(SampledCells::Integers(numbers, _))] =
            &sample.columns[..]
        else {
            panic!("both columns were sampled");
        };
        assert_eq!(texts.len(), sample.len());
        assert!(texts.iter().zip(numbers).all(|(text, number)| text == number.to_string()));
        assert!(numbers.is_sorted());
        let first_half =
            numbers.iter().filter(|row| **row < 50_000).count() as f64 / sample.len() as f64;
        assert!((0.42..0.58).contains(&first_half), "{first_half}");
    }

    #[test]
    fn long_texts_make_a_smaller_sample() {
        let mut sample = Sample::new(7, (1000, 10_000), 1);
        let text = "x".repeat(500);
        for first in (0..2000u64).step_by(100) {
            let chosen = sample.choose(first, 100);
            sample.push_texts(0, chosen.iter().map(|_| Some(text.as_str())));
            sample.thin();
        }
        assert!((1..=20).contains(&sample.len()), "{}", sample.len());
        assert!(sample.text_bytes() <= 10_000);
    }
}
