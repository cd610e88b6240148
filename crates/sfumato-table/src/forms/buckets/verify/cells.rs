//! Looks up texts of the file in the original, by the text alone.

use std::borrow::Cow;

use sfumato_core::column::{Code, Dictionary};
use sfumato_core::dataset::Column;
use sfumato_core::{FastMap, Result, with_codes};

use sfumato_engine::verify::failed_verification;

/// Looks up texts of a column in those of the original.
pub(crate) struct CellCheck<'a> {
    column: &'a Column,
    /// The code of each text. `None` if texts are formatted from keys, and found by their meaning.
    codes: Option<FastMap<Cow<'a, str>, u32>>,
    /// For each text of the file so far, its code and whether it stands for missing.
    known: Vec<(Option<u32>, bool)>,
}

impl<'a> CellCheck<'a> {
    pub fn new(column: &'a Column) -> Self {
        let domain = &column.domain;
        let codes = (!domain.is_spelled()).then(|| {
            domain.labels().enumerate().map(|(code, label)| (label, code as u32)).collect()
        });
        CellCheck { column, codes, known: Vec::new() }
    }

    pub fn name(&self) -> &str {
        &self.column.name
    }

    /// Look up the texts that are new in the dictionary.
    pub fn learn(&mut self, dictionary: &Dictionary, null: Option<u32>) {
        for code in self.known.len() as u32..dictionary.len() as u32 {
            let text = dictionary.get(code);
            self.known.push(match Some(code) == null {
                true => (None, true),
                false => (self.find(text), text == self.column.missing_text),
            });
        }
    }

    /// The code of a text, or of the number that it spells in another way: typed formats write
    /// numbers in their own way.
    fn find(&self, text: &str) -> Option<u32> {
        let domain = &self.column.domain;
        let known = match &self.codes {
            Some(codes) => codes.get(text).copied(),
            None => domain.find(text),
        };
        known.or_else(|| {
            let key = self.column.native_type.as_ref().and_then(|_| domain.kind.parse(text))?;
            domain.keys.iter().position(|known| *known == key).map(|code| code as u32)
        })
    }

    /// The first of some rows whose text differs from the original.
    pub fn first_other(&self, published: &[u32], first_row: usize) -> Option<usize> {
        let missing = self.column.domain.missing();
        with_codes!(&self.column.codes, codes => {
            published.iter().zip(&codes[first_row..]).position(|(published, code)| {
                let (known, is_missing) = self.known[*published as usize];
                known != Some(code.widen()) && !(is_missing && code.widen() == missing)
            })
        })
    }

    /// The code of a text of the file, if the original has it.
    pub fn code(&self, published: u32) -> Option<u32> {
        match self.known[published as usize] {
            (Some(code), _) => Some(code),
            (None, true) => Some(self.column.domain.missing()),
            (None, false) => None,
        }
    }
}

/// Reads a column of whole numbers from 1.
#[derive(Default)]
pub(super) struct NumberCheck {
    pub numbers: Vec<u32>,
    known: Vec<Option<u32>>,
}

impl NumberCheck {
    pub fn add(&mut self, dictionary: &Dictionary, published: &[u32]) -> Result<()> {
        for code in self.known.len() as u32..dictionary.len() as u32 {
            let text = dictionary.get(code);
            // Another spelling isn't what was written.
            let number =
                text.parse().ok().filter(|number: &u32| *number > 0 && number.to_string() == text);
            self.known.push(number);
        }
        for code in published {
            let number = self.known[*code as usize];
            self.numbers.push(number.ok_or_else(|| {
                failed_verification("the number of a group or a count isn't a number")
            })?);
        }
        Ok(())
    }
}
