//! Guesses how a column writes its dates or numbers, from all of its values. What several forms
//! could mean isn't guessed.

use super::number::NumberForm;
use super::{DateForm, Written};

/// What was guessed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guessed {
    /// All values are written in one way, and could be written in no other.
    One {
        /// How they are written.
        written: Written,
        /// Why no other form fits, in words.
        reason: String,
    },
    /// All values fit several ways that mean different things: somebody must say which it is.
    Several(Vec<Written>),
}

/// Forms of dates that occur in practice. Of forms with the same order the first is guessed.
const DATES: [&str; 24] = [
    "dd/mm/yyyy",
    "mm/dd/yyyy",
    "dd-mm-yyyy",
    "mm-dd-yyyy",
    "dd.mm.yyyy",
    "yyyy/mm/dd",
    "yyyy.mm.dd",
    "d-mmm-yyyy",
    "d mmm yyyy",
    "mmm d, yyyy",
    "dd/mm/yyyy hh:mm",
    "mm/dd/yyyy hh:mm",
    "dd/mm/yyyy hh:mm:ss",
    "mm/dd/yyyy hh:mm:ss",
    "dd-mm-yyyy hh:mm",
    "mm-dd-yyyy hh:mm",
    "dd.mm.yyyy hh:mm",
    "dd.mm.yyyy hh:mm:ss",
    "yyyy/mm/dd hh:mm",
    "yyyy/mm/dd hh:mm:ss",
    "dd/mm/yy",
    "mm/dd/yy",
    "dd.mm.yy",
    "dd-mm-yy",
];

/// Forms of numbers, those without marks between thousands first.
const NUMBERS: [NumberForm; 5] = [
    NumberForm::DECIMAL_COMMA,
    NumberForm::POINTS_AND_COMMA,
    NumberForm::BLANKS_AND_COMMA,
    NumberForm::COMMAS_AND_POINT,
    NumberForm::QUOTES_AND_POINT,
];

pub(super) fn guess<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Option<Guessed> {
    // Most columns are words: the first value says so.
    let first = texts.clone().next()?;
    if !first.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let fits = |written: &Written| texts.clone().all(|text| written.plain(text).is_some());
    let dates = DATES.iter().filter_map(|form| Some(Written::Date(DateForm::parse(form)?)));
    let dates: Vec<Written> = dates.filter(|written| fits(written)).collect();
    if let Some(found) = one_of(dates, texts.clone()) {
        return Some(found);
    }
    let numbers: Vec<Written> =
        NUMBERS.into_iter().map(Written::Number).filter(|written| fits(written)).collect();
    one_of(numbers, texts)
}

/// The form, if all that fit mean the same.
fn one_of<'a>(
    fitting: Vec<Written>,
    texts: impl Iterator<Item = &'a str> + Clone,
) -> Option<Guessed> {
    let written = fitting.first()?.clone();
    let same =
        |other: &&Written| texts.clone().all(|text| other.plain(text) == written.plain(text));
    let others: Vec<Written> = fitting.iter().filter(|other| !same(other)).cloned().collect();
    if !others.is_empty() {
        let mut several = vec![written];
        several.extend(others);
        return Some(Guessed::Several(several));
    }
    // Forms with a mark between thousands fit plain numbers too; name the one that is needed.
    let reason = match &written {
        Written::Date(_) => {
            let n = texts.clone().count();
            format!("all {n} values are dates as {written}, and in no other order")
        }
        Written::Number(form) => {
            let marked = texts.clone().filter(|text| form.has_thousands(text)).count();
            match marked {
                0 => format!("all values are numbers as {written}"),
                n => format!("all values are numbers as {written}, {n} with thousands marked"),
            }
        }
    };
    Some(Guessed::One { written, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(texts: &[&str]) -> String {
        match guess(texts.iter().copied()) {
            None => "nothing".into(),
            Some(Guessed::One { written, .. }) => written.to_string(),
            Some(Guessed::Several(forms)) => {
                forms.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
            }
        }
    }

    #[test]
    fn one_value_decides_for_the_column() {
        assert_eq!(guessed(&["01/02/2020", "31/12/2019"]), "dd/mm/yyyy");
        assert_eq!(guessed(&["01/02/2020", "12/31/2019"]), "mm/dd/yyyy");
        assert_eq!(guessed(&["01/02/2020", "03/04/2019"]), "dd/mm/yyyy or mm/dd/yyyy");
        // Where both orders name the same days there is nothing to choose.
        assert_eq!(guessed(&["01/01/2020", "02/02/2019"]), "dd/mm/yyyy");
        assert_eq!(guessed(&["31/12/2019", "12/31/2019"]), "nothing");
        assert_eq!(guessed(&["3-Mar-2020", "31-dec-2019"]), "d-mmm-yyyy");
        assert_eq!(guessed(&["31/12/2019 12:00"]), "dd/mm/yyyy hh:mm");
        assert_eq!(guessed(&["31/12/19", "1/1/20"]), "dd/mm/yy");
    }

    #[test]
    fn commas_and_points() {
        assert_eq!(guessed(&["1,5", "20", "3,25"]), "1,5");
        assert_eq!(guessed(&["1.234,5", "20,25"]), "1.234,5");
        assert_eq!(guessed(&["1,234.5", "20"]), "1,234.5");
        assert_eq!(guessed(&["1,234,567", "20"]), "1,234.5");
        assert_eq!(guessed(&["1,234", "5,678"]), "1,5 or 1,234.5");
        assert_eq!(guessed(&["1,234", "5,67"]), "1,5");
        assert_eq!(guessed(&["12 345,6", "1"]), "1 234,5");
        assert_eq!(guessed(&["flu", "1,5"]), "nothing");
        assert_eq!(guessed(&["1,5", "flu"]), "nothing");
        assert_eq!(guessed(&["007", "12"]), "nothing");
        assert_eq!(guessed(&[]), "nothing");
    }
}
