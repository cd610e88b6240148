//! What a first look at the file says of one column.

use sfumato_core::FastMap;
use sfumato_core::column::Dictionary;
use sfumato_core::dataset::ValueKind;

use super::distinct::Distinct;
use super::kinds::Kinds;
use crate::class_index::{HASH_START, mix};

/// Numbers in a window of so many are counted in a table.
const WINDOW: i64 = 1 << 16;
/// A column whose values needn't be held forgets them from so many on.
const ENOUGH: usize = 1 << 14;

/// The distinct values of a column with how often each occurs, in the order first seen.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// The texts.
    pub texts: Dictionary,
    /// How many rows have each.
    pub counts: Vec<u64>,
    index: FastMap<Box<str>, u32>,
}

impl Values {
    fn add(&mut self, text: &str, rows: u64) {
        let code = match self.index.get(text) {
            Some(code) => *code,
            None => {
                let code = self.texts.push(text);
                self.index.insert(text.into(), code);
                self.counts.push(0);
                code
            }
        };
        self.counts[code as usize] += rows;
    }

    /// Bytes of memory, about.
    pub fn bytes(&self) -> u64 {
        // Texts are held twice, and a slot of the index has its overhead.
        (self.texts.bytes() * 2 + self.texts.len() * 56) as u64
    }
}

/// One column as it was seen.
#[derive(Debug, Clone)]
pub struct Observed {
    /// The name.
    pub name: String,
    /// What its texts could be.
    pub kinds: Kinds,
    /// Rows without a value.
    pub missing: u64,
    /// The first text that means missing.
    pub missing_text: Option<String>,
    /// Whether a null was seen.
    pub has_null: bool,
    /// Its distinct values, while they are held.
    pub values: Option<Values>,
    /// Whole numbers near each other: how often each occurs, from the first of the window on.
    window: Option<(i64, Vec<u64>)>,
    /// How many different values, once they aren't held.
    pub distinct: Distinct,
    /// Whether it is published as it is, so that numbers that mean missing are numbers like others.
    pub passes: bool,
    /// Whether its values must be held: it has a hierarchy, or is counted by models.
    pub must_hold: bool,
    /// Rows whose text isn't of the type that the job asks for, and the first of them.
    pub wrong: Option<(u64, u64)>,
    asked: Option<ValueKind>,
    /// Whether the file says that it holds whole numbers.
    typed: bool,
}

impl Observed {
    /// Nothing seen yet. `asked` is the kind that the job says.
    pub fn new(name: String, passes: bool, must_hold: bool, asked: Option<ValueKind>) -> Self {
        Observed {
            name,
            kinds: Kinds::default(),
            missing: 0,
            missing_text: None,
            has_null: false,
            values: Some(Values::default()),
            window: None,
            distinct: Distinct::default(),
            passes,
            must_hold,
            wrong: None,
            asked,
            typed: false,
        }
    }

    /// Texts of a block with how many rows have each, and the first of these rows.
    pub fn add_texts<'t>(&mut self, texts: impl Iterator<Item = (Option<&'t str>, u64, u64)>, missing: &(dyn Fn(&str) -> bool + Sync)) {
        for (text, rows, first_row) in texts {
            match text {
                None => {
                    self.has_null = true;
                    self.missing += rows;
                }
                Some(text) if missing(text) => {
                    self.missing += rows;
                    self.missing_text.get_or_insert_with(|| text.to_string());
                    if let Some(values) = &mut self.values {
                        values.add(text, rows);
                    }
                }
                Some(text) => {
                    self.kinds.add(text);
                    if self.asked.is_some_and(|kind| kind.parse(text).is_none()) {
                        let (n, first) = self.wrong.unwrap_or((0, first_row));
                        self.wrong = Some((n + rows, first.min(first_row)));
                    }
                    match &mut self.values {
                        Some(values) => values.add(text, rows),
                        None => self.distinct.add(hash_text(text)),
                    }
                }
            }
        }
        self.forget();
    }

    /// Whole numbers of a typed column.
    pub fn add_integers(&mut self, values: &[i64], is_null: Option<&[bool]>) {
        self.typed = true;
        let mut bounds: Option<(i64, i64)> = None;
        let n_null = is_null.map_or(0, |nulls| nulls.iter().filter(|null| **null).count());
        self.has_null |= n_null > 0;
        self.missing += n_null as u64;
        let present = |row: usize| is_null.is_none_or(|nulls| !nulls[row]);
        for (row, value) in values.iter().enumerate() {
            if n_null == 0 || present(row) {
                bounds = Some(bounds.map_or((*value, *value), |(a, b)| (a.min(*value), b.max(*value))));
            }
        }
        let Some((least, most)) = bounds else { return };
        self.kinds.add_integers(least, most);
        if self.values.is_none() && self.window.is_none() {
            let mut previous = None;
            for (row, value) in values.iter().enumerate() {
                if (n_null == 0 || present(row)) && previous != Some(*value) {
                    self.distinct.add(mix(HASH_START, *value as u64));
                    previous = Some(*value);
                }
            }
            return;
        }
        let (base, counts) = self.window.get_or_insert_with(|| (least, Vec::new()));
        if least < *base && most - least < WINDOW {
            let more = (*base - least) as usize;
            counts.splice(0..0, std::iter::repeat_n(0, more));
            *base = least;
        }
        let fits = least >= *base && most.checked_sub(*base).is_some_and(|span| span < WINDOW)
            && counts.len() as i64 <= WINDOW;
        if fits {
            counts.resize(counts.len().max((most - *base) as usize + 1), 0);
            for (row, value) in values.iter().enumerate() {
                if n_null == 0 || present(row) {
                    counts[(*value - *base) as usize] += 1;
                }
            }
            return;
        }
        // Too far apart for a table: held as texts, or not at all.
        self.spell_window();
        let mut counted: FastMap<i64, u64> = FastMap::default();
        for (row, value) in values.iter().enumerate() {
            if n_null == 0 || present(row) {
                *counted.entry(*value).or_default() += 1;
            }
        }
        let mut counted: Vec<(i64, u64)> = counted.into_iter().collect();
        counted.sort_unstable();
        for (value, rows) in counted {
            match &mut self.values {
                Some(values) => values.add(&value.to_string(), rows),
                None => self.distinct.add(mix(HASH_START, value as u64)),
            }
        }
        self.forget();
    }

    /// Write the counted window as values.
    fn spell_window(&mut self) {
        let Some((base, counts)) = self.window.take() else { return };
        for (value, rows) in (base..).zip(counts).filter(|(_, rows)| *rows > 0) {
            if let Some(values) = &mut self.values {
                values.add(&value.to_string(), rows);
            }
        }
        self.forget();
    }

    /// All is seen.
    pub fn finish(&mut self) {
        self.spell_window();
    }

    /// Whether its values can be words of keys, so that they needn't be held.
    pub fn may_be_keys(&self) -> bool {
        let kind = self.asked.unwrap_or_else(|| self.kinds.inferred());
        kind != ValueKind::Text && self.kinds.all(kind)
    }

    /// Drop the values of a column that doesn't need them.
    fn forget(&mut self) {
        let many = self.values.as_ref().is_some_and(|values| values.texts.len() > ENOUGH);
        if many && !self.must_hold && self.may_be_keys() {
            self.drop_values();
        }
    }

    /// Drop the values whatever was wanted: there is no room.
    pub fn drop_values(&mut self) {
        let Some(values) = self.values.take() else { return };
        for text in values.texts.iter() {
            // As later values will be hashed, so that both count alike.
            let hash = match self.typed.then(|| ValueKind::Integer.parse(text)).flatten() {
                Some(key) => mix(HASH_START, key as u64),
                None => hash_text(text),
            };
            self.distinct.add(hash);
        }
    }

    /// Bytes of memory, about.
    pub fn bytes(&self) -> u64 {
        self.values.as_ref().map_or(0, Values::bytes)
    }
}

fn hash_text(text: &str) -> u64 {
    text.as_bytes().chunks(8).fold(mix(HASH_START, text.len() as u64), |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash, u64::from_le_bytes(word))
    })
}
