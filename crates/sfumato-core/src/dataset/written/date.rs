//! Dates in an order and with separators of their own, such as `dd/mm/yyyy hh:mm`.

use std::fmt;

use jiff::civil::{Date, DateTime, Time};

/// The order of day, month, year and time, and what stands between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateForm {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// One or two digits; two, where digits follow at once.
    Day,
    Month,
    /// The name of a month, or its first three letters, in English.
    MonthName,
    Year,
    /// Two digits: 00 to 68 are of this century, 69 to 99 of the last, as POSIX reads them.
    ShortYear,
    Hour,
    Minute,
    Second,
    Other(char),
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

impl DateForm {
    /// Read a form such as `dd/mm/yyyy`. Behind hours `mm` means minutes.
    pub(super) fn parse(text: &str) -> Option<DateForm> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let run = rest.chars().take_while(|c| *c == first).count();
            let (part, length) = match (first, run) {
                ('d', 1 | 2) => (Part::Day, run),
                ('m', 1 | 2) if parts.contains(&Part::Hour) => (Part::Minute, run),
                ('m', 1 | 2) => (Part::Month, run),
                ('m', 3 | 4) => (Part::MonthName, run),
                ('y', 2) => (Part::ShortYear, run),
                ('y', 4) => (Part::Year, run),
                ('h', 1 | 2) => (Part::Hour, run),
                ('s', 1 | 2) => (Part::Second, run),
                (letter, _) if letter.is_alphanumeric() && letter != 'T' => return None,
                (other, _) => (Part::Other(other), other.len_utf8()),
            };
            parts.push(part);
            rest = &rest[length..];
        }
        let count = |wanted: &[Part]| parts.iter().filter(|part| wanted.contains(part)).count();
        let is_whole = count(&[Part::Day]) == 1
            && count(&[Part::Month, Part::MonthName]) == 1
            && count(&[Part::Year, Part::ShortYear]) == 1
            && count(&[Part::Hour]) <= 1
            && count(&[Part::Minute]) == count(&[Part::Hour])
            && count(&[Part::Second]) <= count(&[Part::Minute]);
        is_whole.then(|| DateForm { text: text.to_string(), parts })
    }

    /// The date as ISO 8601 writes it.
    pub(super) fn plain(&self, text: &str) -> Option<String> {
        let mut rest = text;
        let (mut year, mut month, mut day) = (0i16, 0i8, 0i8);
        let (mut clock, mut has_time) = ([0i8; 3], false);
        for (at, part) in self.parts.iter().enumerate() {
            let next_is_digit = self
                .parts
                .get(at + 1)
                .is_some_and(|next| !matches!(next, Part::Other(_) | Part::MonthName));
            let two = |rest: &mut &str| digits(rest, if next_is_digit { 2 } else { 1 }, 2);
            match part {
                Part::Day => day = two(&mut rest)? as i8,
                Part::Month => month = two(&mut rest)? as i8,
                Part::MonthName => month = month_name(&mut rest)?,
                Part::Year => year = digits(&mut rest, 4, 4)?,
                Part::ShortYear => {
                    let short = digits(&mut rest, 2, 2)?;
                    year = if short < 69 { 2000 + short } else { 1900 + short };
                }
                Part::Hour => {
                    has_time = true;
                    clock[0] = two(&mut rest)? as i8;
                }
                Part::Minute => clock[1] = digits(&mut rest, 2, 2)? as i8,
                Part::Second => clock[2] = digits(&mut rest, 2, 2)? as i8,
                Part::Other(c) => rest = rest.strip_prefix(*c)?,
            }
        }
        let date = Date::new(year, month, day).ok().filter(|_| rest.is_empty())?;
        if !has_time {
            return Some(date.to_string());
        }
        let time = Time::new(clock[0], clock[1], clock[2], 0).ok()?;
        Some(DateTime::from_parts(date, time).to_string())
    }
}

/// Take a whole number of so many digits from the front.
fn digits(rest: &mut &str, least: usize, most: usize) -> Option<i16> {
    let n = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let number = (n >= least).then(|| rest[..n].parse().ok()).flatten()?;
    *rest = &rest[n..];
    Some(number)
}

/// Take the name of a month from the front.
fn month_name(rest: &mut &str) -> Option<i8> {
    let n = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let word = rest[..n].to_ascii_lowercase();
    let found = MONTHS.iter().position(|month| word == *month || word == month[..3])?;
    *rest = &rest[n..];
    Some(found as i8 + 1)
}

impl fmt::Display for DateForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
