//! Describes the columns of tuples, and turns tuples into a table in memory.

use sfumato_core::FastMap;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Labels, Table};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{Tuples, width_of};

use crate::data::tuples::Axis;

/// What the words of a column mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Codes of the column's domain, all of which is in memory. Missing is the code after the last.
    Codes,
    /// Keys minus the least key: the domain isn't in memory. Missing is `n_words`.
    Keys {
        /// The least key of the column.
        least: i64,
        /// One more than the largest word, or 0 without values.
        n_words: u64,
    },
    /// Places in a file of texts, which aren't in memory: equal words are equal texts, and equal
    /// texts may have different words. Missing is `n_bytes`.
    Texts {
        /// More than every place: at least the bytes of the file.
        n_bytes: u64,
    },
    /// The person that a row belongs to. Words can only be compared for equality.
    Subject,
}

/// One column of tuples.
#[derive(Debug, Clone)]
pub struct TupleColumn {
    /// What is known about the column, which has no rows. In a column of keys, the domain has its
    /// kind and the format of keys, but no keys.
    pub column: Column,
    /// What its words mean.
    pub cells: Cells,
}

impl TupleColumn {
    /// The geometry of a quasi column.
    pub fn axis(&self) -> Axis<'_> {
        match (self.cells, &self.column.hierarchy) {
            (Cells::Codes, Some(tree)) => Axis::Tree(tree),
            (Cells::Keys { least, n_words }, _) => {
                Axis::Keys { kind: self.column.domain.kind, least, n_words }
            }
            // An ordered domain in memory: its codes are its words.
            _ => Axis::Keys {
                kind: self.column.domain.kind,
                least: 0,
                n_words: self.column.domain.len() as u64,
            },
        }
    }
}

/// The columns of tuples: those of the release in file order, then the subject column, if there is
/// one.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// All columns.
    pub columns: Vec<TupleColumn>,
    /// The place of the subject column.
    pub subject: Option<usize>,
}

impl Frame {
    /// The number of bytes that the words of each column need, missing included.
    pub fn widths(&self) -> Vec<u8> {
        let width = |column: &TupleColumn| match column.cells {
            Cells::Codes => width_of(column.column.domain.len() as u64),
            Cells::Keys { n_words, .. } => width_of(n_words),
            Cells::Texts { n_bytes } => width_of(n_bytes),
            Cells::Subject => 8,
        };
        self.columns.iter().map(width).collect()
    }
    /// The places of the quasi columns.
    pub fn quasi(&self) -> Vec<usize> {
        self.of_role(sfumato_core::dataset::Role::Quasi)
    }
    /// The places of the sensitive columns.
    pub fn sensitive(&self) -> Vec<usize> {
        self.of_role(sfumato_core::dataset::Role::Sensitive)
    }
    fn of_role(&self, role: sfumato_core::dataset::Role) -> Vec<usize> {
        let has_role = |place: &usize| {
            Some(*place) != self.subject && self.columns[*place].column.role == role
        };
        (0..self.columns.len()).filter(has_role).collect()
    }

    /// Make a table of some tuples: `words[column][row]`. Columns of keys get a domain of the
    /// values that occur, and of the least and the largest of all tuples, so that widths are those
    /// of the whole. Each list is freed as soon as it has become codes.
    pub fn table(&self, words: Vec<Vec<u64>>) -> Result<Table> {
        self.table_with(words, &[])
    }

    /// Make a table of some tuples in which additional words get codes: `more` has two words for
    /// each quasi column, or is empty.
    pub fn table_with(&self, words: Vec<Vec<u64>>, more: &[[u64; 2]]) -> Result<Table> {
        let n_rows = words.first().map_or(0, Vec::len);
        if words.iter().any(|words| words.len() != n_rows) {
            return Err(Error::internal("the columns of tuples have different lengths"));
        }
        let columns =
            words.into_iter().enumerate().map(|(place, words)| self.loaded(place, &words, more));
        Ok(self.assemble(n_rows, columns.collect()))
    }

    /// Make a table of some tuples that are needed again.
    pub fn table_of(&self, words: &[Vec<u64>]) -> Table {
        let columns = words.iter().enumerate().map(|(place, words)| self.loaded(place, words, &[]));
        self.assemble(words.first().map_or(0, Vec::len), columns.collect())
    }

    /// Make a table of all tuples.
    pub fn load(&self, tuples: &dyn Tuples) -> Result<Table> {
        self.load_with(tuples, &[])
    }

    /// Make a table of all tuples in which additional words get codes.
    pub fn load_with(&self, tuples: &dyn Tuples, more: &[[u64; 2]]) -> Result<Table> {
        let n_rows = usize::try_from(tuples.n_rows())
            .map_err(|_| Error::resources("there are too many tuples to load"))?;
        // One column after the other: words are wider than codes.
        let columns = (0..self.columns.len()).map(|place| self.load_column(tuples, place, more));
        Ok(self.assemble(n_rows, columns.collect::<Result<_>>()?))
    }

    /// Load one column of all tuples.
    pub fn load_column(
        &self,
        tuples: &dyn Tuples,
        place: usize,
        more: &[[u64; 2]],
    ) -> Result<Loaded> {
        let mut words: Vec<u64> = Vec::with_capacity(tuples.n_rows() as usize);
        tuples.scan(&[place], &mut |batch| {
            words.extend_from_slice(&batch.columns[place]);
            Ok(())
        })?;
        if words.len() as u64 != tuples.n_rows() {
            return Err(Error::internal("the columns of tuples have different lengths"));
        }
        Ok(self.loaded(place, &words, more))
    }

    fn loaded(&self, place: usize, words: &[u64], more: &[[u64; 2]]) -> Loaded {
        if Some(place) == self.subject {
            return Loaded::Subject(dense(words));
        }
        let more =
            self.quasi().iter().position(|quasi| *quasi == place).and_then(|at| more.get(at));
        Loaded::Column(Box::new(
            self.columns[place].fill(words, more.map_or(&[], |more| more.as_slice())),
        ))
    }

    /// Make a table of loaded columns, in the order of the frame.
    pub fn assemble(&self, n_rows: usize, columns: Vec<Loaded>) -> Table {
        let mut table = Table { n_rows, columns: Vec::with_capacity(columns.len()), subject: None };
        for column in columns {
            match column {
                Loaded::Column(column) => table.columns.push(*column),
                Loaded::Subject(codes) => table.subject = Some(codes),
            }
        }
        table
    }
}

/// One column of a table that is being loaded.
#[derive(Debug)]
pub enum Loaded {
    /// A column of the table.
    Column(Box<Column>),
    /// The column that says which rows belong to one person.
    Subject(Codes),
}

impl TupleColumn {
    /// The code of a word in a table of some tuples, or the code of the next larger value if the
    /// word has no code.
    pub fn code(&self, word: u64, domain: &Domain) -> u32 {
        match self.cells {
            Cells::Keys { n_words, .. } if word >= n_words => domain.missing(),
            Cells::Texts { n_bytes } if word >= n_bytes => domain.missing(),
            Cells::Keys { least, .. } => {
                let key = least.wrapping_add_unsigned(word);
                domain.keys.partition_point(|other| *other < key) as u32
            }
            _ => (word as u32).min(domain.missing()),
        }
    }

    /// Fill the column with rows.
    fn fill(&self, words: &[u64], more: &[u64]) -> Column {
        let template = &self.column;
        let (codes, domain) = match self.cells {
            Cells::Keys { least, n_words } => ranks(words, more, &template.domain, least, n_words),
            Cells::Texts { n_bytes } => places(words, n_bytes),
            _ => {
                let n_codes = template.domain.len() + 1;
                (
                    Codes::from_iter(n_codes, words.iter().map(|word| *word as u32)),
                    template.domain.clone(),
                )
            }
        };
        Column { codes, domain, ..template.clone() }
    }
}

/// Turn keys into ranks among those that occur, the least and the largest of the whole.
fn ranks(
    words: &[u64],
    more: &[u64],
    template: &Domain,
    least: i64,
    n_words: u64,
) -> (Codes, Domain) {
    // A bit for each possible word takes no more room than the words themselves.
    let (codes, values) = match n_words <= words.len() as u64 * 64 {
        true => ranks_by_bits(words, more, n_words),
        false => ranks_by_order(words, more, n_words),
    };
    let keys: Vec<i64> = values.iter().map(|word| least.wrapping_add_unsigned(*word)).collect();
    let labels = match &template.labels {
        Labels::Texts(_) => Labels::Spelled { digits: None },
        spelled => spelled.clone(),
    };
    (codes, Domain { kind: template.kind, labels, keys })
}

/// The codes, and the values in order, found by sorting.
fn ranks_by_order(words: &[u64], more: &[u64], n_words: u64) -> (Codes, Vec<u64>) {
    let mut values: Vec<u64> =
        words.iter().chain(more).copied().filter(|word| *word < n_words).collect();
    values.extend((n_words > 0).then_some(0));
    values.extend(n_words.checked_sub(1));
    values.sort_unstable();
    values.dedup();
    let missing = values.len() as u32;
    let rank = |word: &u64| match *word < n_words {
        true => values.binary_search(word).map_or(missing, |rank| rank as u32),
        false => missing,
    };
    (Codes::from_iter(values.len() + 1, words.iter().map(rank)), values)
}

/// The codes, and the values in order, found with one bit for each possible word: a rank is the
/// number of bits before it.
fn ranks_by_bits(words: &[u64], more: &[u64], n_words: u64) -> (Codes, Vec<u64>) {
    let mut bits = vec![0u64; n_words.div_ceil(64) as usize];
    let occurring = words.iter().chain(more).copied().filter(|word| *word < n_words);
    for word in occurring.chain((n_words > 0).then_some(0)).chain(n_words.checked_sub(1)) {
        bits[(word / 64) as usize] |= 1 << (word % 64);
    }
    let mut n = 0;
    let count = |bits: &u64| {
        let before = n;
        n += bits.count_ones();
        before
    };
    let before: Vec<u32> = bits.iter().map(count).collect();
    let rank = |word: &u64| match *word < n_words {
        true => {
            let place = (word / 64) as usize;
            before[place] + (bits[place] & ((1 << (word % 64)) - 1)).count_ones()
        }
        false => n,
    };
    let codes = Codes::from_iter(n as usize + 1, words.iter().map(rank));
    let mut values = Vec::with_capacity(n as usize);
    for (place, bits) in bits.iter().enumerate() {
        let mut bits = *bits;
        while bits != 0 {
            values.push(place as u64 * 64 + u64::from(bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }
    (codes, values)
}

/// Number places of texts in the order in which they are first seen. Their texts aren't known here:
/// the places stand for them.
fn places(words: &[u64], n_bytes: u64) -> (Codes, Domain) {
    let mut ids: FastMap<u64, u32> = FastMap::default();
    let mut seen: Vec<u64> = Vec::new();
    for word in words.iter().filter(|word| **word < n_bytes) {
        ids.entry(*word).or_insert_with(|| {
            seen.push(*word);
            seen.len() as u32 - 1
        });
    }
    let missing = seen.len() as u32;
    let code = |word: &u64| ids.get(word).copied().unwrap_or(missing);
    let codes = Codes::from_iter(seen.len() + 1, words.iter().map(code));
    (codes, Domain::of_texts(seen.iter().map(u64::to_string)))
}

/// Number words in the order in which they are first seen, so that equal words get equal codes.
fn dense(words: &[u64]) -> Codes {
    let mut ids: FastMap<u64, u32> = FastMap::default();
    let codes: Vec<u32> = words
        .iter()
        .map(|word| {
            let next = ids.len() as u32;
            *ids.entry(*word).or_insert(next)
        })
        .collect();
    Codes::from_iter(ids.len(), codes.into_iter())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn both_ways_to_ranks_agree(
            words in prop::collection::vec(0u64..700, 0..60),
                more in prop::collection::vec(0u64..700, 0..3), n_words in 0u64..600,
        ) {
            prop_assert_eq!(ranks_by_bits(&words, &more, n_words),
                ranks_by_order(&words, &more, n_words));
        }
    }

    #[test]
    fn places_of_texts_are_told_apart_and_missing_comes_last() {
        let (codes, domain) = places(&[70, 12, 90, 70, 91], 90);
        assert_eq!(codes.iter().collect::<Vec<_>>(), [0, 1, 2, 0, 2]);
        assert_eq!(
            (domain.labels().collect::<Vec<_>>(), domain.missing()),
            (vec!["70".into(), "12".into()], 2)
        );
    }

    #[test]
    fn labels_are_spelled() {
        let kind = sfumato_core::dataset::ValueKind::Decimal { scale: 2 };
        let template =
            Domain { kind, labels: Labels::Spelled { digits: Some(2) }, keys: Vec::new() };
        let (codes, domain) = ranks(&[50, 300, 7], &[], &template, 100, 201);
        assert_eq!(domain.labels().collect::<Vec<_>>(), ["1.00", "1.07", "1.50", "3.00"]);
        assert_eq!(codes.iter().collect::<Vec<_>>(), [2, 4, 1]);
        assert_eq!((domain.labels.bytes(), domain.label(4).as_ref()), (0, ""));
    }
}
