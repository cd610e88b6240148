//! How a column writes its dates or numbers, where that isn't the plain form: `dd/mm/yyyy`,
//! `1.234,5`. Texts are brought into the plain form while they are read; everything behind the
//! reader knows ISO dates and decimal points only.

mod date;
mod guess;
mod number;

pub use guess::Guessed;

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};
use date::DateForm;
use number::NumberForm;

/// How a column writes its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// Dates, with or without a time.
    Date(DateForm),
    /// Numbers.
    Number(NumberForm),
}

impl Written {
    /// The plain form of a text, or `None` if it isn't written this way.
    pub fn plain(&self, text: &str) -> Option<String> {
        match self {
            Written::Date(form) => form.plain(text.trim()),
            Written::Number(form) => form.plain(text.trim()),
        }
    }

    /// Guess how texts that are neither plain numbers nor plain dates are written.
    pub fn guess<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Option<Guessed> {
        guess::guess(texts)
    }
}

impl FromStr for Written {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let has_digits = text.bytes().any(|b| b.is_ascii_digit());
        let found = match has_digits {
            true => NumberForm::parse(text).map(Written::Number),
            false => DateForm::parse(text).map(Written::Date),
        };
        found.ok_or_else(|| {
            Error::params(format!("'{text}' doesn't say how dates or numbers are written")).hint(
                "dates: d or dd, m, mm or mmm (Jan), yy or yyyy, then hh:mm or hh:mm:ss, such as \
                 dd/mm/yyyy; numbers: an example such as 1.234,5 or 1,5",
            )
        })
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::Date(form) => form.fmt(f),
            Written::Number(form) => form.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(form: &str, text: &str) -> Option<String> {
        form.parse::<Written>().unwrap().plain(text)
    }

    #[test]
    fn dates_become_iso() {
        for (form, text, expected) in [
            ("dd/mm/yyyy", "31/12/2024", Some("2024-12-31")),
            ("dd/mm/yyyy", "1/2/1999", Some("1999-02-01")),
            ("mm/dd/yyyy", "12/31/2024", Some("2024-12-31")),
            ("dd/mm/yyyy", "12/31/2024", None),
            ("d-mmm-yyyy", "7-mar-2001", Some("2001-03-07")),
            ("d mmm yyyy", "29 February 2024", Some("2024-02-29")),
            ("yyyymmdd", "20240229", Some("2024-02-29")),
            ("yyyymmdd", "20230229", None),
            ("dd.mm.yy", "01.02.68", Some("2068-02-01")),
            ("dd.mm.yy", "01.02.69", Some("1969-02-01")),
            ("dd/mm/yyyy hh:mm", "31/12/2024 7:05", Some("2024-12-31T07:05:00")),
            ("dd/mm/yyyy hh:mm:ss", "31/12/2024 23:59:60", None),
            ("dd/mm/yyyy", "31/12/2024 ", Some("2024-12-31")),
            ("dd/mm/yyyy", "31/12/24", None),
            ("dd/mm/yyyy", "31-12-2024", None),
        ] {
            assert_eq!(plain(form, text).as_deref(), expected, "{text} as {form}");
        }
    }

    #[test]
    fn numbers_get_a_point() {
        for (form, text, expected) in [
            ("1.234,5", "1.234.567,89", Some("1234567.89")),
            ("1.234,5", "-12,50", Some("-12.50")),
            ("1.234,5", "1234,5", Some("1234.5")),
            ("1.234,5", "1.23,5", None),
            ("1.234,5", "12.5", None),
            ("1,5", "3,25", Some("3.25")),
            ("1,5", "3", Some("3")),
            ("1,5", "1.000,5", None),
            ("1,234.5", "1,234,567.5", Some("1234567.5")),
            ("1,234", "12,345", Some("12345")),
            ("1 234,5", "12\u{a0}345,5", Some("12345.5")),
            ("1'234.5", "1'234.5", Some("1234.5")),
            ("1,5", ",5", None),
            ("1,5", "a,5", None),
            ("1,5", "", None),
        ] {
            assert_eq!(plain(form, text).as_deref(), expected, "{text} as {form}");
        }
    }

    #[test]
    fn forms_are_spelled_as_they_are_read() {
        for form in ["dd/mm/yyyy", "d-mmm-yyyy", "yyyymmdd", "dd.mm.yyyy hh:mm:ss", "1,5"] {
            assert_eq!(form.parse::<Written>().unwrap().to_string(), form);
        }
        for form in ["", "dd/mm", "x", "1.2.3", "yyyy", "mm/dd/dd/yyyy", "1.234.5,6,7"] {
            assert!(form.parse::<Written>().is_err(), "{form}");
        }
    }
}
