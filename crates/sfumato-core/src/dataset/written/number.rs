//! Numbers with a decimal comma or with marks between thousands, such as `1.234,5`.

use std::fmt;

/// The decimal mark and the mark between thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberForm {
    decimal: Option<char>,
    thousands: Option<char>,
}

/// What may stand between thousands.
const THOUSANDS: [char; 4] = ['.', ',', '\'', ' '];

impl NumberForm {
    pub(super) const DECIMAL_COMMA: NumberForm = NumberForm { decimal: Some(','), thousands: None };
    pub(super) const POINTS_AND_COMMA: NumberForm =
        NumberForm { decimal: Some(','), thousands: Some('.') };
    pub(super) const BLANKS_AND_COMMA: NumberForm =
        NumberForm { decimal: Some(','), thousands: Some(' ') };
    pub(super) const COMMAS_AND_POINT: NumberForm =
        NumberForm { decimal: Some('.'), thousands: Some(',') };
    pub(super) const QUOTES_AND_POINT: NumberForm =
        NumberForm { decimal: Some('.'), thousands: Some('\'') };

    /// Read a form from an example: `1.234,5`, `1,5`. One mark before three digits stands between
    /// thousands.
    pub(super) fn parse(text: &str) -> Option<NumberForm> {
        let marks: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).map(blank).collect();
        let after_last = text.chars().rev().take_while(char::is_ascii_digit).count();
        let form = match marks[..] {
            [one] if after_last == 3 => NumberForm { decimal: None, thousands: Some(one) },
            [one] => NumberForm { decimal: Some(one), thousands: None },
            [thousands, decimal] if thousands != decimal => {
                NumberForm { decimal: Some(decimal), thousands: Some(thousands) }
            }
            _ => return None,
        };
        let is_known = form.decimal.is_none_or(|mark| matches!(mark, '.' | ','))
            && form.thousands.is_none_or(|mark| THOUSANDS.contains(&mark));
        (is_known && form.plain(text).is_some()).then_some(form)
    }

    /// The number with a decimal point and without marks between thousands.
    pub(super) fn plain(&self, text: &str) -> Option<String> {
        let (sign, number) = match text.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = match self.decimal.and_then(|mark| number.split_once(mark)) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (number, None),
        };
        let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if fraction.is_some_and(|fraction| !are_digits(fraction)) {
            return None;
        }
        let is_mark = |c: char| Some(blank(c)) == self.thousands;
        let groups: Vec<&str> = whole.split(is_mark).collect();
        let are_thousands = groups.len() == 1
            || (groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3));
        if !are_thousands || !groups.iter().all(|group| are_digits(group)) {
            return None;
        }
        // Digits with zeros before them are codes, such as those of places.
        if groups[0].len() > 1 && groups[0].starts_with('0') {
            return None;
        }
        let fraction = fraction.map_or(String::new(), |fraction| format!(".{fraction}"));
        Some(format!("{sign}{}{fraction}", groups.concat()))
    }

    /// Whether a text has a mark between thousands.
    pub(super) fn has_thousands(&self, text: &str) -> bool {
        text.chars().any(|c| Some(blank(c)) == self.thousands)
    }
}

/// All blanks are one: a no-break blank often stands between thousands.
fn blank(c: char) -> char {
    if matches!(c, '\u{a0}' | '\u{202f}' | '\u{2009}') { ' ' } else { c }
}

impl fmt::Display for NumberForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.thousands, self.decimal) {
            (Some(thousands), Some(decimal)) => write!(f, "1{thousands}234{decimal}5"),
            (Some(thousands), None) => write!(f, "1{thousands}234"),
            (None, Some(decimal)) => write!(f, "1{decimal}5"),
            (None, None) => f.write_str("1"),
        }
    }
}
