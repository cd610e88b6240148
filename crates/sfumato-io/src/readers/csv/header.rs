//! Judges whether the first line of a CSV file names its columns or is a record itself. The cells
//! of a record must not be published as column names.

use sfumato_core::dataset::ValueKind;
use sfumato_core::{Error, Result};

use crate::readers::csv::record::record;

/// The number of records that are compared with the first line.
const RECORDS: usize = 1000;

/// Texts that often stand for a missing value, in lower case. They are the same in every column and
/// say nothing about it.
pub const MISSING_WORDS: [&str; 16] = [
    "?", "na", "n/a", "#n/a", "null", "nan", "none", "nil", "missing", "unknown", "-", "--", ".",
    "(null)", "(blank)", "\\n",
];

/// What to do about a first line of which it isn't known what it is.
pub const SAY_HEADER: &str =
    "say --header no if the file has no header, or --header yes if these are its names";

/// Whether a text often stands for a missing value.
pub fn is_missing_word(text: &str) -> bool {
    MISSING_WORDS.iter().any(|word| text.trim().eq_ignore_ascii_case(word))
}

/// Refuse a first line that looks like a record. `rest` follows it in the file; `whole` says that
/// nothing follows `rest`.
pub(crate) fn check_names(
    header: &[String],
    rest: &[u8],
    delimiter: u8,
    whole: bool,
) -> Result<()> {
    let kind = |name: &String| ValueKind::infer(std::iter::once(name.as_str()));
    if let Some(field) = header.iter().position(|name| kind(name) != ValueKind::Text) {
        return Err(Error::input(format!(
            "the first line looks like data, not like column names: field {} is of the kind {}",
            field + 1,
            kind(&header[field]).name()
        ))
        .hint(SAY_HEADER));
    }
    let columns = sample(header.len(), rest, delimiter, whole);
    // A word above numbers or dates can only be a name.
    let is_above_others = |(name, values): (&String, &Vec<String>)| {
        let told = || values.iter().map(String::as_str).filter(|value| !is_missing_word(value));
        told().next().is_some()
            && ValueKind::infer(told()) != ValueKind::Text
            && !is_missing_word(name)
    };
    if header.iter().zip(&columns).any(is_above_others) {
        return Ok(());
    }
    let is_value = |field: &usize| columns[*field].contains(&header[*field]);
    let also_values: Vec<usize> = (0..header.len()).filter(is_value).collect();
    match also_values[..] {
        [] => Ok(()),
        [first, ..] => Err(Error::input(format!(
            "the first line looks like a record, not like column names: {} of its {} fields, field \
             {} first, {} again among the values below",
            also_values.len(),
            header.len(),
            first + 1,
            if also_values.len() == 1 { "occurs" } else { "occur" }
        ))
        .hint(SAY_HEADER)),
    }
}

/// The values of the first records, by column; empty ones and records of another length say
/// nothing.
fn sample(n_columns: usize, rest: &[u8], delimiter: u8, whole: bool) -> Vec<Vec<String>> {
    let mut text = rest.to_vec();
    let mut columns = vec![Vec::new(); n_columns];
    let (mut at, mut fields) = (0, Vec::new());
    for _ in 0..RECORDS {
        fields.clear();
        if at >= text.len() {
            break;
        }
        let Ok(next) = record(&mut text, at, delimiter, &mut fields) else { break };
        // A record that may go on after the text isn't known yet.
        if next == text.len() && !whole && text.last() != Some(&b'\n') {
            break;
        }
        at = next;
        if fields.len() != n_columns {
            continue;
        }
        for (values, (from, to)) in columns.iter_mut().zip(&fields) {
            let value = String::from_utf8_lossy(&text[*from as usize..*to as usize]);
            if !value.is_empty() {
                values.push(value.into_owned());
            }
        }
    }
    columns
}

/// Refuse a file whose lines are lists of items rather than rows of a table.
pub(crate) fn refuse_baskets(start: &[u8], whole: bool) -> Result<()> {
    let Some((separator, shown)) = items_separator(start, whole) else { return Ok(()) };
    let call = match separator {
        b' ' => "lines".to_string(),
        _ => format!("'lines(separator={shown})'"),
    };
    Err(Error::input(
        "this looks like baskets, not like a table: each line is a list of items, and their number \
         differs from line to line",
    )
    .hint(format!(
        "say --header yes or no if it is a table; baskets are published by sfumato anonymize DATA \
         --baskets {call} -k 10 -o OUT"
    )))
}

/// What separates the items of each line, if lines are lists of different length: whole numbers
/// between blanks, or anything between commas, semicolons or tabs.
fn items_separator(start: &[u8], whole: bool) -> Option<(u8, &'static str)> {
    let text = String::from_utf8_lossy(start);
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if !whole {
        lines.pop();
    }
    lines.truncate(RECORDS);
    if lines.len() < 3 || text.contains('"') {
        return None;
    }
    let is_number = |item: &str| !item.is_empty() && item.bytes().all(|b| b.is_ascii_digit());
    let are_numbers = lines.iter().all(|line| line.split_whitespace().all(is_number));
    [(b' ', "blank"), (b',', "comma"), (b';', "semicolon"), (b'\t', "tab")].into_iter().find(
        |(separator, _)| {
            let count = |line: &&str| match separator {
                b' ' => line.split_whitespace().count(),
                other => line.split(*other as char).count(),
            };
            let mut counts: Vec<usize> = lines.iter().map(count).collect();
            counts.sort_unstable();
            let longest_run = counts.chunk_by(|a, b| a == b).map(<[usize]>::len).max();
            let different = counts.chunk_by(|a, b| a == b).count();
            // A few broken lines don't make a table a list of baskets.
            (*separator != b' ' || are_numbers)
                && different >= 3
                && longest_run.is_some_and(|run| run * 10 <= counts.len() * 8)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<()> {
        let (first, rest) = text.split_once('\n').unwrap();
        let header: Vec<String> = first.split(',').map(String::from).collect();
        check_names(&header, rest.as_bytes(), b',', true)
    }

    #[test]
    fn a_record_is_no_header() {
        let people = "Ada Byron,f,flu\nMax Weber,m,flu\nEva Hesse,f,gout\n";
        let error = check(people).unwrap_err();
        assert_eq!(
            error.message,
            "the first line looks like a record, not like column names: 2 of its 3 fields, field 2 \
             first, occur again among the values below"
        );
        assert!(check(&format!("name,sex,disease\n{people}")).is_ok());
        // A word above numbers is a name, whatever else the line holds.
        assert!(check("sex,age\nsex,3\nf,4\n").is_ok());
        // A missing word above numbers is none.
        assert!(check("f,n/a\nm,3\nf,4\n").is_err());
        assert!(
            check("f,1\nm,3\n").unwrap_err().message.contains("field 2 is of the kind integer")
        );
        assert!(check("a,b\n").is_ok());
    }

    #[test]
    fn lists_of_items_are_no_table() {
        assert!(refuse_baskets(b"1 2 3\n4 5\n6\n7 8 9 10\n", true).is_err());
        let error = refuse_baskets(b"milk,beer\nmilk\nbeer,nuts,tea\n", true).unwrap_err();
        assert!(error.hint.unwrap().contains("--baskets 'lines(separator=comma)'"));
        assert!(refuse_baskets(b"a,b\n1,2\n3,4\n5,6,7\n", true).is_ok());
        assert!(refuse_baskets(b"what\nI like it\nno\nnever again\n", true).is_ok());
        assert!(refuse_baskets(b"a\n1\n2\n3\n", true).is_ok());
    }
}
