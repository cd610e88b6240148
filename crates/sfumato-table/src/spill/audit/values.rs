//! The distinct cells of a column, numbered in the order in which they are first seen.

use sfumato_core::FastMap;
use sfumato_core::column::{Codes, Dictionary, RawColumn};
use sfumato_io::LocalCells;

/// Which cells mean a missing value.
pub struct MissingCells<'a> {
    /// Whether a text means a missing value.
    pub text: &'a (dyn Fn(&str) -> bool + Sync),
    /// The numbers that mean a missing value.
    pub numbers: &'a [i64],
}

/// Cells of one column with their codes.
#[derive(Debug, Default)]
pub struct Values {
    texts: FastMap<Box<str>, u32>,
    numbers: FastMap<i64, u32>,
    null: Option<u32>,
    len: u32,
    text_bytes: u64,
}

impl Values {
    /// The approximate number of bytes of memory.
    pub fn bytes(&self) -> u64 {
        // A slot of a map with its share of free ones, and what the allocator adds to each text.
        let slots = self.texts.capacity() as u64 * 28 + self.numbers.capacity() as u64 * 20;
        slots + self.text_bytes + self.texts.len() as u64 * 16
    }
    /// The number of values.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    fn null(&mut self) -> u32 {
        let len = &mut self.len;
        *self.null.get_or_insert_with(|| next(len))
    }

    fn text(&mut self, text: &str) -> u32 {
        match self.texts.get(text) {
            Some(code) => *code,
            None => {
                let code = next(&mut self.len);
                self.text_bytes += text.len() as u64;
                self.texts.insert(text.into(), code);
                code
            }
        }
    }

    fn number(&mut self, number: i64) -> u32 {
        let len = &mut self.len;
        *self.numbers.entry(number).or_insert_with(|| next(len))
    }

    /// The codes of a block's cells. If `missing` is given, cells that mean missing become null.
    pub fn encode(
        &mut self,
        cells: &LocalCells<'_>,
        missing: Option<&MissingCells<'_>>,
        codes: &mut Vec<u32>,
    ) {
        codes.clear();
        match cells {
            LocalCells::Texts { codes: local, texts, null } => {
                // Texts that no row has get no code, so that codes don't depend on how a file was
                // written.
                let mut code_of: Vec<Option<u32>> = vec![None; texts.len()];
                for code in *local {
                    let known = code_of[*code as usize];
                    let found = known.unwrap_or_else(|| {
                        let text = texts.get(*code);
                        match Some(*code) == *null
                            || missing.is_some_and(|missing| (missing.text)(text))
                        {
                            true => self.null(),
                            false => self.text(text),
                        }
                    });
                    code_of[*code as usize] = Some(found);
                    codes.push(found);
                }
            }
            LocalCells::Integers { values, is_null } => {
                let mut last: Option<(i64, u32)> = None;
                for (row, value) in values.iter().enumerate() {
                    let is_missing = is_null.is_some_and(|nulls| nulls[row])
                        || missing.is_some_and(|missing| missing.numbers.contains(value));
                    codes.push(match last {
                        _ if is_missing => self.null(),
                        Some((number, code)) if number == *value => code,
                        _ => {
                            let code = self.number(*value);
                            last = Some((*value, code));
                            code
                        }
                    });
                }
            }
        }
    }

    /// The cells by code; `None` is null.
    pub fn spell(self) -> Vec<Option<Box<str>>> {
        let mut spelled = vec![None; self.len as usize];
        self.texts.into_iter().for_each(|(text, code)| spelled[code as usize] = Some(text));
        for (number, code) in self.numbers {
            spelled[code as usize] = Some(number.to_string().into());
        }
        spelled
    }

    /// A column without rows.
    pub fn into_raw(self, name: &str, native_type: Option<String>) -> RawColumn {
        let null = self.null;
        let values: Dictionary =
            self.spell().iter().map(|text| text.as_deref().unwrap_or_default()).collect();
        RawColumn { name: name.to_string(), codes: Codes::for_domain(1), values, null, native_type }
    }
}

fn next(len: &mut u32) -> u32 {
    *len += 1;
    *len - 1
}
