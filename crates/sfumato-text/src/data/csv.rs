//! Documents in a column of a CSV file.
//!
//! Fields are found by their bytes, so that every byte outside the column can be written as it was.

use sfumato_core::{Error, Result};

use super::corpus::Document;
use super::json_lines::{Fields, Lines};
use super::literal::Literal;

/// One field: its text, and where it is.
struct Field {
    text: String,
    literal: Literal,
}

/// The delimiter that the first line has most of.
pub(super) fn guess_delimiter(file: &str) -> u8 {
    let first = file.lines().next().unwrap_or_default();
    let count = |delimiter: &u8| first.bytes().filter(|b| b == delimiter).count();
    // Of equals the last is taken: a comma, where there is none of any.
    *b"|\t;,".iter().max_by_key(|delimiter| count(delimiter)).unwrap_or(&b',')
}

/// All rows of a small file, each with the line that it begins at.
pub(super) fn rows(file: &str, delimiter: u8) -> Result<Vec<(u64, Vec<String>)>> {
    let mut rows = Rows { file, delimiter, at: 0, line: 1 };
    let mut all = Vec::new();
    loop {
        let line = rows.line;
        let Some(row) = rows.next()? else { return Ok(all) };
        all.push((line, row.into_iter().map(|field| field.text).collect()));
    }
}

/// Find the text of every row.
pub(super) fn read(
    file: &str,
    delimiter: u8,
    Fields { text: column, subject, label }: Fields<'_>,
) -> Result<Lines> {
    let mut rows = Rows { file, delimiter, at: 0, line: 1 };
    if file.starts_with('\u{feff}') {
        rows.at = 3;
    }
    let header = rows.next()?.unwrap_or_default();
    let names: Vec<&str> = header.iter().map(|field| field.text.as_str()).collect();
    let place = |name: &str| {
        let mut places = (0..names.len()).filter(|at| names[*at] == name);
        match (places.next(), places.next()) {
            (Some(one), None) => Ok(one),
            (None, _) => Err(Error::input(format!("there is no column '{name}'")).at_line(1)),
            _ => Err(Error::input(format!("there are two columns '{name}'")).at_line(1)),
        }
    };
    let text_at = place(column)?;
    let subject_at = subject.map(place).transpose()?;
    let label_at = label.map(place).transpose()?;
    let others = names.iter().filter(|name| **name != column).map(|name| name.to_string());
    let mut lines = Lines { documents: Vec::new(), literals: Vec::new(), others: others.collect() };
    loop {
        let line = rows.line;
        let Some(mut row) = rows.next()? else { return Ok(lines) };
        // A line without anything is no row.
        if names.len() > 1 && row.len() == 1 && row[0].text.is_empty() {
            continue;
        }
        if row.len() != names.len() {
            let message = format!("this row has {} fields, not {}", row.len(), names.len());
            return Err(Error::input(message).at_line(line));
        }
        let about = subject_at.map(|at| row[at].text.clone());
        let label = label_at.map(|at| row[at].text.clone());
        let Field { text, literal } = row.swap_remove(text_at);
        let name = (lines.documents.len() + 1).to_string();
        lines.documents.push(Document { name, text, subject: about, label });
        lines.literals.push(Some(literal));
    }
}

/// The rows of a file, one after the other.
struct Rows<'a> {
    file: &'a str,
    delimiter: u8,
    at: usize,
    line: u64,
}

impl Rows<'_> {
    fn byte(&self) -> Option<u8> {
        self.file.as_bytes().get(self.at).copied()
    }

    /// The next row; none after the last.
    fn next(&mut self) -> Result<Option<Vec<Field>>> {
        if self.at >= self.file.len() {
            return Ok(None);
        }
        let mut fields = Vec::new();
        loop {
            let field = match self.byte() {
                Some(b'"') => self.quoted()?,
                _ => self.bare(),
            };
            fields.push(field);
            match self.byte() {
                Some(b) if b == self.delimiter => self.at += 1,
                Some(b'\r' | b'\n') => {
                    let is_pair = self.file[self.at..].starts_with("\r\n");
                    self.at += if is_pair { 2 } else { 1 };
                    self.line += 1;
                    return Ok(Some(fields));
                }
                None => return Ok(Some(fields)),
                Some(_) => {
                    return Err(Error::input("a quoted field goes on after its quote")
                        .at_line(self.line)
                        .hint("a quote inside a field is written twice"));
                }
            }
        }
    }

    fn bare(&mut self) -> Field {
        let mut literal = Literal::at(self.at, false);
        while self.byte().is_some_and(|b| b != self.delimiter && b != b'\n' && b != b'\r') {
            self.at += 1;
        }
        literal.raw.end = self.at;
        Field { text: self.file[literal.raw.clone()].to_string(), literal }
    }

    fn quoted(&mut self) -> Result<Field> {
        let first_line = self.line;
        self.at += 1;
        let mut literal = Literal::at(self.at, true);
        let mut text = String::new();
        loop {
            let rest = &self.file[self.at..];
            let Some(plain) = rest.find('"') else {
                return Err(Error::input("a quote is never closed").at_line(first_line));
            };
            text.push_str(&rest[..plain]);
            self.line += rest[..plain].bytes().filter(|b| *b == b'\n').count() as u64;
            self.at += plain;
            if !rest[plain..].starts_with("\"\"") {
                break;
            }
            text.push('"');
            self.at += 2;
            literal.step(text.len(), self.at);
        }
        literal.raw.end = self.at;
        self.at += 1;
        Ok(Field { text, literal })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Notation;
    use super::*;

    #[test]
    fn fields_are_found_and_replaced_in_place() {
        let file = "id,note,x\r\n1,\"a \"\"b\"\", c\nd\",y\r\n2,plain,\"\"\n";
        assert_eq!(guess_delimiter(file), b',');
        let fields = Fields { text: "note", subject: Some("id"), label: Some("x") };
        let lines = read(file, b',', fields).unwrap();
        assert_eq!(lines.documents[0].label.as_deref(), Some("y"));
        assert_eq!(lines.documents[0].text, "a \"b\", c\nd");
        assert_eq!(lines.documents[1].subject.as_deref(), Some("2"));
        assert_eq!(lines.others, ["id", "x"]);
        let notation = Notation::Csv { delimiter: b',' };
        let written = |row: usize, parts: &[(std::ops::Range<usize>, &str)]| {
            let mut out = String::new();
            let literal = lines.literals[row].as_ref().unwrap();
            literal.write(file, parts.iter().cloned(), notation, &mut out);
            out
        };
        assert_eq!(written(0, &[(3..4, "\"")]), "a \"\"\"\"\"\", c\nd");
        assert_eq!(written(1, &[(0..2, "x, y")]), "\"x, yain\"");
        assert_eq!(written(1, &[]), "plain");
    }

    #[test]
    fn broken_files_are_refused_with_their_line() {
        for (file, line) in [
            ("a,note\n1\n", 2),
            ("a,note\n1,\"x\n", 2),
            ("a,note\n1,\"x\"y\n", 2),
            ("a,b\n1,2\n", 1),
            ("note,note\n1,2\n", 1),
        ] {
            let fields = Fields { text: "note", subject: None, label: None };
            let error = read(file, b',', fields).err().unwrap_or_else(|| panic!("{file}"));
            assert_eq!((error.place.line, error.kind.exit_code()), (Some(line), 2), "{file}");
        }
    }
}
