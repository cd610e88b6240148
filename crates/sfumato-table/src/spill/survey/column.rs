//! What the first pass finds about one column.

use sfumato_core::FastMap;
use sfumato_core::column::Dictionary;
use sfumato_core::dataset::{Canonical, ValueKind};
use sfumato_engine::hash::{HASH_START, hash_text, mix};
use sfumato_io::spill::text_bytes;

use super::distinct::Distinct;
use super::kinds::Kinds;
use crate::data::encode::{Spellings, count_near};

/// The size of a window of numbers that are counted in a table.
const WINDOW: i64 = 1 << 16;
/// The number of values from which on a column forgets them, if they aren't needed.
const ENOUGH: usize = 1 << 14;

/// The number of bytes of the longest whole number.
const LONGEST_INTEGER: usize = 20;

/// The distinct values of a column with how often each occurs, in the order in which they are first
/// seen.
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

    /// The approximate number of bytes of memory.
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
    /// The kinds that all its texts could have.
    pub kinds: Kinds,
    /// Rows without a value.
    pub missing: u64,
    /// The first text that means missing.
    pub missing_text: Option<String>,
    /// Whether a null was seen.
    pub has_null: bool,
    /// The distinct values, while they are stored.
    pub values: Option<Values>,
    /// Whole numbers close to each other: how often each occurs, from the first of the window on.
    window: Option<(i64, Vec<u64>)>,
    /// The number of different values, if they aren't stored.
    pub distinct: Distinct,
    /// Whether it is published as it is, so that numbers that mean missing are ordinary numbers.
    pub passes: bool,
    /// Whether its values must be stored: it has a hierarchy, or models count it.
    pub must_hold: bool,
    /// Whether its texts needn't be stored even if they aren't numbers or dates: they can wait in a
    /// file, or nobody asks what they are.
    pub may_spill: bool,
    /// The number of bytes that the texts of all rows would take in a file, at most.
    pub text_bytes: u64,
    /// The number of rows whose text doesn't have the type in the job, and the first of them.
    pub wrong: Option<(u64, u64)>,
    asked: Option<ValueKind>,
    /// The form in which texts are taken, if spellings of one value are to be one text.
    canonical: Option<Canonical>,
    /// Whether blank texts are missing.
    trims: bool,
    /// How many distinct texts weren't in that form, approximately.
    respelled: Distinct,
    /// Whether the file says that it holds whole numbers.
    typed: bool,
}

impl Observed {
    /// A column before anything is seen. `asked` is the kind in the job.
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
            may_spill: false,
            text_bytes: 0,
            wrong: None,
            asked,
            canonical: None,
            trims: false,
            respelled: Distinct::default(),
            typed: false,
        }
    }

    /// The same column, where spellings of a value don't matter. Texts of people are taken in
    /// their canonical form; those of values stay what they are, since one of them is published.
    pub fn by_form(self, canonical: Option<Canonical>, of_people: bool) -> Self {
        let trims = canonical.is_some();
        Observed { canonical: canonical.filter(|_| of_people), trims, ..self }
    }

    /// What was found about spellings of texts that are taken in a canonical form. Nearly equal
    /// ones are only looked for among texts that are held.
    pub fn spellings(&self) -> Spellings {
        let texts = self.values.iter().flat_map(|values| values.texts.iter());
        Spellings { merged: self.respelled.estimate() as usize, near: count_near(texts) }
    }

    /// Texts of a block with how many rows have each, and the first of these rows.
    pub fn add_texts<'t>(
        &mut self,
        texts: impl Iterator<Item = (Option<&'t str>, u64, u64)>,
        missing: &(dyn Fn(&str) -> bool + Sync),
    ) {
        for (text, rows, first_row) in texts {
            self.text_bytes += rows * text_bytes(text.map_or(0, str::len));
            match text {
                None => {
                    self.has_null = true;
                    self.missing += rows;
                }
                Some(text) if missing(text) || self.trims && missing(text.trim()) => {
                    self.missing += rows;
                    self.missing_text.get_or_insert_with(|| text.to_string());
                    if let Some(values) = &mut self.values {
                        values.add(text, rows);
                    }
                }
                Some(text) => {
                    let form = self.canonical.map(|canonical| canonical.of(text));
                    if form.as_deref().is_some_and(|form| form != text) {
                        self.respelled.add(hash_text(text));
                    }
                    let text = form.as_deref().unwrap_or(text);
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
        let n_null = is_null.map_or(0, |nulls| nulls.iter().filter(|null| **null).count());
        match is_null {
            Some(nulls) if n_null > 0 => {
                self.has_null = true;
                self.missing += n_null as u64;
                let present =
                    values.iter().zip(nulls).filter(|(_, null)| !**null).map(|(value, _)| *value);
                self.add_present(&present.collect::<Vec<i64>>());
            }
            _ => self.add_present(values),
        }
    }

    fn add_present(&mut self, values: &[i64]) {
        self.typed = true;
        self.text_bytes += values.len() as u64 * text_bytes(LONGEST_INTEGER);
        let (Some(least), Some(most)) =
            (values.iter().min().copied(), values.iter().max().copied())
        else {
            return;
        };
        self.kinds.add_integers(least, most);
        if self.values.is_none() {
            return values
                .iter()
                .for_each(|value| self.distinct.add(mix(HASH_START, *value as u64)));
        }
        if self.count_in_window(values, least, most) {
            return;
        }
        // Too far apart for a table: held as texts, or not at all.
        self.spell_window();
        let mut counted: FastMap<i64, u64> = FastMap::default();
        values.iter().for_each(|value| *counted.entry(*value).or_default() += 1);
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

    /// Count numbers that are close to each other. Returns false if they aren't.
    fn count_in_window(&mut self, values: &[i64], least: i64, most: i64) -> bool {
        let spelled = self.values.as_ref().is_some_and(|values| !values.texts.is_empty());
        if spelled && self.window.is_none() {
            return false;
        }
        let (base, end) = match &self.window {
            None => (least, most),
            Some((base, counts)) => (least.min(*base), most.max(base + counts.len() as i64 - 1)),
        };
        let Some(span) = end.checked_sub(base).filter(|span| *span < WINDOW) else { return false };
        let (first, counts) = self.window.get_or_insert_with(|| (base, Vec::new()));
        counts.splice(0..0, std::iter::repeat_n(0, (*first - base) as usize));
        counts.resize(span as usize + 1, 0);
        *first = base;
        values.iter().for_each(|value| counts[(*value - base) as usize] += 1);
        true
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

    /// Finish after all rows were seen.
    pub fn finish(&mut self) {
        self.spell_window();
    }

    /// Whether its values can be keys, so that they needn't be stored.
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

    /// Drop the values in any case, because there is no memory.
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

    /// The approximate number of bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.values.as_ref().map_or(0, Values::bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn numbers_are_counted_like_their_texts(
            blocks in prop::collection::vec(prop::collection::vec((any::<bool>(), -40i64..40),
                0..20), 0..6), shift in 0u32..24,
        ) {
            let (mut typed, mut plain) =
                (Observed::new("x".into(), false, true, None),
                    Observed::new("x".into(), false, true, None));
            let mut row = 0;
            for block in blocks {
                let values: Vec<i64> = block.iter().map(|(_, value)| value << shift).collect();
                let nulls: Vec<bool> = block.iter().map(|(null, _)| *null).collect();
                typed.add_integers(&values, Some(&nulls));
                let texts: Vec<Option<String>> =
                    values.iter().zip(&nulls)
                        .map(|(value, null)| (!null).then(|| value.to_string())).collect();
                plain.add_texts(texts.iter().map(|text| { row += 1; (text.as_deref(), 1, row) }),
                    &|_| false);
            }
            typed.finish();
            plain.finish();
            let counts = |observed: &Observed| {
                let values = observed.values.as_ref().unwrap();
                let mut counts: Vec<(String, u64)> =
                    values.texts.iter().map(String::from).zip(values.counts.iter().copied())
                        .collect();
                counts.sort();
                counts
            };
            prop_assert_eq!(counts(&typed), counts(&plain));
            prop_assert_eq!(typed.missing, plain.missing);
            let kind = plain.kinds.inferred();
            prop_assert_eq!(typed.kinds.inferred(), kind);
            prop_assert_eq!(typed.kinds.resolve(kind).bounds, plain.kinds.resolve(kind).bounds);
        }
    }
}
