//! Fast CSV text: a line is put together in a fixed buffer from cells of prepared text and digits
//! by threes.
//!
//! Cells are never quoted: generators only use words without commas, quotes and line ends (a test
//! checks it).

use crate::date::Date;

/// Longest prepared text, its comma included.
const WIDEST: usize = 32;
/// Room for one line: 24 columns of the widest text, with a margin.
const LINE: usize = 1024;

/// The digits of 0..1000 padded with zeros; the fourth byte is unused, so that a copy is one
/// machine word.
static PADDED: [[u8; 4]; 1000] = triples(false);
/// The digits of 0..1000 without leading zeros, their number in the fourth byte.
static BARE: [[u8; 4]; 1000] = triples(true);

const fn triples(bare: bool) -> [[u8; 4]; 1000] {
    let mut table = [[0; 4]; 1000];
    let mut n = 0;
    while n < 1000 {
        let digits = [b'0' + (n / 100) as u8, b'0' + (n / 10 % 10) as u8, b'0' + (n % 10) as u8];
        let skip = if !bare || n >= 100 {
            0
        } else if n >= 10 {
            1
        } else {
            2
        };
        let mut i = skip;
        while i < 3 {
            table[n][i - skip] = digits[i];
            i += 1;
        }
        table[n][3] = (3 - skip) as u8;
        n += 1;
    }
    table
}

/// A cell's text with its comma, ready to be copied with a length known to the compiler.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    bytes: [u8; WIDEST],
    len: u8,
}

impl Text {
    /// Prepare a text. Longer than 31 bytes is cut: the words are ours, and a test keeps them
    /// shorter.
    pub fn new(text: &str) -> Self {
        let mut bytes = [0; WIDEST];
        let len = text.len().min(WIDEST - 1);
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        bytes[len] = b',';
        Text { bytes, len: len as u8 + 1 }
    }

    /// Prepare many texts.
    pub fn all<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        texts.into_iter().map(Text::new).collect()
    }
}

/// A line under construction.
pub(crate) struct Line {
    bytes: [u8; LINE],
    len: usize,
}

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Line { bytes: [0; LINE], len: 0 }
    }

    /// A prepared cell.
    #[inline]
    pub fn text(&mut self, text: &Text) {
        self.bytes[self.len..self.len + WIDEST].copy_from_slice(&text.bytes);
        self.len += usize::from(text.len);
    }

    /// A cell with a whole number.
    #[inline]
    pub fn number(&mut self, n: u32) {
        self.digits(u64::from(n));
        self.comma();
    }

    /// A cell with an amount given in hundredths, printed with two decimals.
    #[inline]
    pub fn hundredths(&mut self, n: i64) {
        if n < 0 {
            self.byte(b'-');
        }
        let n = n.unsigned_abs();
        self.digits(n / 100);
        self.byte(b'.');
        self.two(n % 100);
        self.comma();
    }

    /// A cell with five digits, zeros in front.
    #[inline]
    pub fn five(&mut self, n: u32) {
        self.two(u64::from(n / 1000 % 100));
        self.padded(u64::from(n % 1000));
        self.comma();
    }

    /// A cell with a letter and at least `width` digits (3 or 6).
    #[inline]
    pub fn tagged(&mut self, letter: u8, n: u64, width: u8) {
        self.byte(letter);
        if width == 6 && n < 1_000_000 {
            self.padded(n / 1000);
            self.padded(n % 1000);
        } else if width == 3 && n < 1000 {
            self.padded(n);
        } else {
            self.digits(n);
        }
        self.comma();
    }

    /// A cell with a date, year-month-day.
    #[inline]
    pub fn date(&mut self, date: Date) {
        let year = date.year as u64;
        self.two(year / 100);
        self.two(year % 100);
        self.byte(b'-');
        self.two(u64::from(date.month));
        self.byte(b'-');
        self.two(u64::from(date.day));
        self.comma();
    }

    /// End the line: its last comma becomes the line end, and all of it goes to `out`.
    #[inline]
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(last) = self.len.checked_sub(1) {
            self.bytes[last] = b'\n';
        }
        out.extend_from_slice(&self.bytes[..self.len]);
        self.len = 0;
    }

    /// Replace the comma just written by a space, to join two prepared words into one cell.
    #[inline]
    pub fn join(&mut self) {
        if let Some(last) = self.len.checked_sub(1) {
            self.bytes[last] = b' ';
        }
    }

    #[inline]
    fn comma(&mut self) {
        self.byte(b',');
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    #[inline]
    fn two(&mut self, n: u64) {
        let digits = PADDED[n as usize];
        self.byte(digits[1]);
        self.byte(digits[2]);
    }

    #[inline]
    fn digits(&mut self, n: u64) {
        if n >= 1_000_000 {
            self.millions(n / 1_000_000);
            self.padded(n / 1000 % 1000);
            self.padded(n % 1000);
        } else if n >= 1000 {
            self.bare(n / 1000);
            self.padded(n % 1000);
        } else {
            self.bare(n);
        }
    }

    /// Kept apart so that the common short numbers stay inlined.
    fn millions(&mut self, n: u64) {
        if n >= 1000 {
            self.millions(n / 1000);
            self.padded(n % 1000);
        } else {
            self.bare(n);
        }
    }

    #[inline]
    fn bare(&mut self, n: u64) {
        let digits = BARE[n as usize];
        self.bytes[self.len..self.len + 4].copy_from_slice(&digits);
        self.len += usize::from(digits[3]);
    }

    #[inline]
    fn padded(&mut self, n: u64) {
        self.bytes[self.len..self.len + 4].copy_from_slice(&PADDED[n as usize]);
        self.len += 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell(write: impl FnOnce(&mut Line)) -> String {
        let mut line = Line::new();
        write(&mut line);
        let mut out = Vec::new();
        line.finish(&mut out);
        String::from_utf8(out).unwrap().trim_end_matches('\n').to_string()
    }

    #[test]
    fn dates_and_texts_print() {
        assert_eq!(cell(|l| l.date(Date { year: 1903, month: 4, day: 9 })), "1903-04-09");
        assert_eq!(cell(|l| l.text(&Text::new("word"))), "word");
        let joined = |l: &mut Line| {
            l.text(&Text::new("two"));
            l.join();
            l.text(&Text::new("words"));
        };
        assert_eq!(cell(joined), "two words");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn numbers_print_as_the_standard_library_does(
            n: u32,
            cents in -1_000_000_000_000i64..1_000_000_000_000,
            tag in 0u64..2_000_000,
        ) {
            prop_assert_eq!(cell(|l| l.number(n)), n.to_string());
            prop_assert_eq!(cell(|l| l.number(n % 2000)), (n % 2000).to_string());
            let sign = if cents < 0 { "-" } else { "" };
            let exact = format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100);
            prop_assert_eq!(cell(|l| l.hundredths(cents)), exact);
            prop_assert_eq!(cell(|l| l.five(n % 100_000)), format!("{:05}", n % 100_000));
            prop_assert_eq!(cell(|l| l.tagged(b'P', tag, 6)), format!("P{tag:06}"));
            prop_assert_eq!(cell(|l| l.tagged(b'C', tag % 1500, 3)), format!("C{:03}", tag % 1500));
        }
    }
}
