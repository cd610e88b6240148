//! Parses the text of a hierarchy file as rows of fields, and writes such rows. It supports only
//! what these files need: one separator, double quotes, any line ending.

use sfumato_core::error::{Error, Result};

/// The separators that are guessed, the likeliest first.
pub(crate) const SEPARATORS: [char; 4] = [';', '\t', '|', ','];

/// A line that isn't blank: its number, from 1, and its fields.
pub(crate) type Row = (u64, Vec<String>);

/// Parse at most `most` rows. Blank lines and a byte order mark of UTF-8 are skipped.
pub(crate) fn parse(text: &str, separator: char, most: usize) -> Result<Vec<Row>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = Vec::new();
    let mut chars = text.chars().peekable();
    let mut line = 1;
    while chars.peek().is_some() && rows.len() < most {
        let start = line;
        let mut fields = vec![];
        let mut field = String::new();
        let mut quoted = false;
        loop {
            match chars.next() {
                Some('"') if field.is_empty() && !quoted => {
                    quoted = true;
                    let opened = line;
                    loop {
                        match chars.next() {
                            Some('"') if chars.peek() == Some(&'"') => {
                                chars.next();
                                field.push('"');
                            }
                            Some('"') => break,
                            Some(c) => {
                                line += u64::from(c == '\n');
                                field.push(c);
                            }
                            None => {
                                return Err(
                                    Error::input("a closing quote is missing").at_line(opened)
                                );
                            }
                        }
                    }
                }
                Some(c) if c == separator => {
                    fields.push(std::mem::take(&mut field));
                    quoted = false;
                }
                Some('\r') if chars.peek() == Some(&'\n') => {}
                None | Some('\n' | '\r') => {
                    line += 1;
                    break;
                }
                Some(_) if quoted => {
                    return Err(Error::input("text follows a closing quote").at_line(line));
                }
                Some(c) => field.push(c),
            }
        }
        if fields.is_empty() && field.is_empty() && !quoted {
            continue;
        }
        fields.push(field);
        rows.push((start, fields));
    }
    Ok(rows)
}

/// The separator that splits each of the first lines into the same number of fields, more than one.
/// If there is none, the separator that is most frequent in the first line.
pub(crate) fn guess_separator(text: &str) -> char {
    let fields = |separator| -> Vec<usize> {
        let rows = parse(text, separator, 1000).unwrap_or_default();
        rows.iter().map(|(_, fields)| fields.len()).collect()
    };
    let counts = SEPARATORS.map(|separator| (separator, fields(separator)));
    let even = counts.iter().find(|(_, n)| n.first() > Some(&1) && n.iter().all(|m| m == &n[0]));
    if let Some((separator, _)) = even {
        return *separator;
    }
    // A quote that is never closed breaks the text with the separator that is there: reading with
    // it says so.
    let broken =
        SEPARATORS.into_iter().find(|s| text.contains(*s) && parse(text, *s, 1000).is_err());
    // The first of equals: `max_by_key` would take the last.
    let most = counts.iter().rev().max_by_key(|(_, n)| n.first().copied());
    broken.unwrap_or_else(|| most.map_or(';', |(separator, _)| *separator))
}

/// Append a field, in quotes if it needs them. Fields that contain any separator that could be
/// guessed are quoted, so that a reader that guesses reads the same.
pub(crate) fn push_field(out: &mut String, field: &str, separator: char) {
    let special = |c: char| {
        c == separator || SEPARATORS.contains(&c) || matches!(c, '"' | '\n' | '\r' | '\u{feff}')
    };
    if field.is_empty() || field.contains(special) {
        out.push('"');
        out.push_str(&field.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str, separator: char) -> Vec<Vec<String>> {
        parse(text, separator, usize::MAX).unwrap().into_iter().map(|(_, fields)| fields).collect()
    }

    #[test]
    fn quotes_marks_and_line_endings() {
        let rows = parse("\u{feff}\"a;\"\"b\";x\r\n\r\nc;\"y\nz\"\rd;\n", ';', 9).unwrap();
        let expect = [(1, ["a;\"b", "x"]), (3, ["c", "y\nz"]), (5, ["d", ""])];
        assert_eq!(rows, expect.map(|(line, row)| (line, row.map(String::from).to_vec())));
        assert_eq!(fields("a \"b\";c", ';'), [["a \"b\"", "c"]]);
        assert_eq!(fields("\"\"", ';'), [[""]]);
        assert!(fields("\n\r\n", ';').is_empty());
    }

    #[test]
    fn broken_quotes_name_their_line() {
        let message = |text| parse(text, ';', 9).unwrap_err().to_string();
        assert_eq!(message("a;b\nc;\"d\n\n"), "line 2: a closing quote is missing");
        assert_eq!(message("a;\"b\"c"), "line 1: text follows a closing quote");
    }

    #[test]
    fn separators_are_guessed_from_even_lines() {
        assert_eq!(guess_separator("U.S., n.s.;North America;*\nFrance;Europe;*"), ';');
        assert_eq!(guess_separator("a,x\nb,y"), ',');
        assert_eq!(guess_separator("a\tx,1\nb\ty"), '\t');
        assert_eq!(guess_separator("a|x|*\nb|*"), '|');
        assert_eq!(guess_separator("a"), ';');
        assert_eq!(guess_separator(""), ';');
    }
}
