//! Parses lines of names: blocks that the fast parser doesn't take, and those with mistakes, which
//! are reported here.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};
use sfumato_core::column::{Codes, Dictionary};

use crate::baskets::Separator;
use crate::baskets::lines::{Rules, is_blank, push_key};
use crate::baskets::pieces::{Meaning, Piece};
use crate::intern::LocalColumn;
use crate::readers::blocks::TextError;

/// The records of a block of whole lines.
pub(crate) fn parse(bytes: &[u8], rules: &Rules<'_>) -> Result<Piece, TextError> {
    let mut names = Names {
        rules,
        bytes,
        interned: LocalColumn::new(0, 1 << 10, None),
        known: Vec::new(),
        codes: Vec::with_capacity(bytes.len() / 8),
        lengths: Vec::new(),
        keys: Dictionary::new(),
        repeated: 0,
        missing: 0,
    };
    let mut start = 0;
    for newline in memchr_iter(b'\n', bytes) {
        let end = if bytes[start..newline].ends_with(b"\r") { newline - 1 } else { newline };
        names.line(start, end)?;
        start = newline + 1;
    }
    Ok(names.finish())
}

struct Names<'a> {
    rules: &'a Rules<'a>,
    bytes: &'a [u8],
    interned: LocalColumn,
    /// For each code, whether it is an item, and the last record that had it, counted from 1.
    known: Vec<(bool, u32)>,
    codes: Vec<u32>,
    lengths: Vec<u32>,
    keys: Dictionary,
    repeated: u64,
    missing: u64,
}

impl Names<'_> {
    fn line(&mut self, mut start: usize, end: usize) -> Result<(), TextError> {
        if let Some(found) = memchr(b'\r', &self.bytes[start..end]) {
            return Err(TextError::at(start + found, "there is a carriage return inside a line")
                .hint("convert the line ends to LF or CR LF"));
        }
        let first = self.codes.len();
        if self.rules.key {
            let (key, after) = self.field(start, end);
            if key.is_empty() {
                return Err(TextError::at(start, "this line has no key"));
            }
            self.refuse_quote(key.start)?;
            if self.rules.keep_keys {
                push_key(&mut self.keys, &self.bytes[key]);
            }
            start = after;
        }
        // A line without items, or with nothing after its key.
        if !self.is_blank(&self.bytes[start.min(end)..end]) {
            while start <= end {
                let (item, after) = self.field(start, end);
                start = after;
                if !item.is_empty() {
                    self.item(item)?;
                } else if self.rules.separator != Separator::Blank {
                    return Err(TextError::at(item.start, "there is an item without a name")
                        .hint("is there a separator too many?"));
                }
            }
        }
        self.lengths.push((self.codes.len() - first) as u32);
        Ok(())
    }

    /// Whether all bytes are blank. Such bytes around an item are ignored, and a line of nothing
    /// else is a blank line.
    fn is_blank(&self, bytes: &[u8]) -> bool {
        let significant = matches!(self.rules.separator, Separator::Char(' ' | '\t'));
        bytes.iter().all(|byte| !significant && is_blank(*byte))
    }

    /// The field that begins at `start`, and the start of the next field, which is after the end of
    /// the line if there is none.
    fn field(&self, start: usize, end: usize) -> (Range<usize>, usize) {
        let line = &self.bytes[start..end];
        let blanks = |bytes: &[u8]| bytes.iter().take_while(|byte| is_blank(**byte)).count();
        let separator = match self.rules.separator {
            Separator::Blank => {
                let skipped = blanks(line);
                let length = line[skipped..].iter().take_while(|byte| !is_blank(**byte)).count();
                let item = start + skipped..start + skipped + length;
                return (item.clone(), item.end + 1);
            }
            Separator::Char(separator) => separator,
        };
        let mut buffer = [0; 4];
        let needle = separator.encode_utf8(&mut buffer).as_bytes();
        let found = memmem::find(line, needle);
        let next = found.map_or(end + 1, |found| start + found + needle.len());
        let field = &line[..found.unwrap_or(line.len())];
        if self.is_blank(field) || matches!(separator, ' ' | '\t') {
            return (start..if self.is_blank(field) { start } else { start + field.len() }, next);
        }
        let after = field.iter().rev().take_while(|byte| is_blank(**byte)).count();
        (start + blanks(field)..start + field.len() - after, next)
    }

    fn item(&mut self, item: Range<usize>) -> Result<(), TextError> {
        self.refuse_quote(item.start)?;
        let code = self.interned.intern(self.bytes, item.start, item.end);
        if code as usize == self.known.len() {
            self.known.push((!self.rules.missing.contains(&self.bytes[item]), 0));
        }
        let record = self.lengths.len() as u32 + 1;
        let (is_item, last) = &mut self.known[code as usize];
        if !*is_item {
            self.missing += 1;
        } else if std::mem::replace(last, record) == record {
            self.repeated += 1;
        } else {
            self.codes.push(code);
        }
        Ok(())
    }

    /// Refuse a quoted name. It may contain a separator, and splitting there would make two items
    /// of one.
    fn refuse_quote(&self, at: usize) -> Result<(), TextError> {
        if self.rules.separator != Separator::Blank && self.bytes[at] == b'"' {
            return Err(TextError::at(
                at,
                "a name begins with a quote, which lines of items can't have",
            )
            .hint("take the quotes away, or use a table with a row for each item"));
        }
        Ok(())
    }

    fn finish(self) -> Piece {
        let text = |((start, end), (is_item, _)): (&(u32, u32), &(bool, u32))| {
            let text = std::str::from_utf8(&self.bytes[*start as usize..*end as usize]);
            // What isn't UTF-8 was found before, and is the error of this block.
            is_item.then(|| text.unwrap_or("").to_owned())
        };
        let texts: Vec<Option<String>> =
            self.interned.spans().iter().zip(&self.known).map(text).collect();
        Piece {
            codes: Codes::from_iter(texts.len(), self.codes.iter().copied()),
            lengths: self.lengths,
            meaning: Meaning::Texts(texts),
            keys: self.keys,
            repeated: self.repeated,
            missing: self.missing,
        }
    }
}
