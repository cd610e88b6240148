//! Documents in a field of lines of JSON.
//!
//! A line is looked through without being parsed into values, so that every byte outside the field
//! can be written as it was.

use serde::de::IgnoredAny;
use sfumato_core::{Error, Result};

use super::corpus::Document;
use super::literal::Literal;

/// What a file of JSON lines holds.
pub(super) struct Lines {
    pub documents: Vec<Document>,
    pub literals: Vec<Option<Literal>>,
    /// The names of the other fields, in the order in which they were first seen.
    pub others: Vec<String>,
}

/// The fields that are looked for.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    /// The field with the text.
    pub text: &'a str,
    /// The field that says whom a document is about.
    pub subject: Option<&'a str>,
    /// The field that says of which sort a document is.
    pub label: Option<&'a str>,
}

/// Find the text of every line.
pub(super) fn read(file: &str, fields: Fields<'_>) -> Result<Lines> {
    let mut lines = Lines { documents: Vec::new(), literals: Vec::new(), others: Vec::new() };
    let mut start = 0;
    for (number, line) in file.split_inclusive('\n').enumerate() {
        let at = start;
        start += line.len();
        let content = line.trim_end_matches(['\n', '\r']);
        if content.trim().is_empty() {
            continue;
        }
        let located = |error: Error| error.at_line(number as u64 + 1);
        let wrong = |error: serde_json::Error| {
            Error::input("this line isn't an object of JSON").at_column(error.column() as u64)
        };
        serde_json::from_str::<IgnoredAny>(content).map_err(|error| located(wrong(error)))?;
        let mut object = Object { file, at, fields, found: None, about: None, label: None };
        object.read(&mut lines.others).map_err(located)?;
        let (text, literal) = object.found.ok_or_else(|| {
            located(Error::input("this line hasn't the field that holds the text"))
        })?;
        let name = (number + 1).to_string();
        lines.documents.push(Document { name, text, subject: object.about, label: object.label });
        lines.literals.push(literal);
    }
    Ok(lines)
}

/// A top-level object of a line that is known to be valid JSON.
struct Object<'a> {
    file: &'a str,
    at: usize,
    fields: Fields<'a>,
    found: Option<(String, Option<Literal>)>,
    about: Option<String>,
    label: Option<String>,
}

impl Object<'_> {
    fn read(&mut self, others: &mut Vec<String>) -> Result<()> {
        self.blanks();
        if self.byte() != b'{' {
            return Err(Error::input("this line isn't an object of JSON"));
        }
        self.at += 1;
        self.blanks();
        while self.byte() != b'}' {
            if self.byte() == b',' {
                self.at += 1;
                self.blanks();
            }
            let (key, _) = self.string()?;
            self.blanks();
            self.at += 1;
            self.blanks();
            let start = self.at;
            match key == self.fields.text {
                true => self.text()?,
                false => {
                    self.skip()?;
                    if !others.contains(&key) {
                        others.push(key.clone());
                    }
                }
            }
            let value = || Some(self.file[start..self.at].to_string());
            if self.fields.subject == Some(key.as_str()) {
                self.about = value();
            }
            if self.fields.label == Some(key.as_str()) {
                self.label = value();
            }
            self.blanks();
        }
        Ok(())
    }

    /// The value of the field that holds the text.
    fn text(&mut self) -> Result<()> {
        if self.found.is_some() {
            return Err(Error::input("this line has the field with the text twice")
                .hint("only one of the two could be looked at"));
        }
        self.found = Some(match self.byte() {
            b'"' => {
                let (text, literal) = self.string()?;
                (text, Some(literal))
            }
            b'n' => {
                self.skip()?;
                (String::new(), None)
            }
            _ => {
                return Err(Error::input("the field with the text holds something else than text"));
            }
        });
        Ok(())
    }

    fn byte(&self) -> u8 {
        self.file.as_bytes().get(self.at).copied().unwrap_or(b'}')
    }

    fn blanks(&mut self) {
        while self.byte().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// Skip a value: a string, or everything up to the end of it by counting brackets.
    fn skip(&mut self) -> Result<()> {
        let mut depth = 0;
        loop {
            match self.byte() {
                b'"' => {
                    self.string()?;
                    if depth == 0 {
                        return Ok(());
                    }
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return Ok(()),
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return Ok(());
                    }
                }
                b',' if depth == 0 => return Ok(()),
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Read a string, with the place of each of its characters.
    fn string(&mut self) -> Result<(String, Literal)> {
        self.at += 1;
        let mut literal = Literal::at(self.at, true);
        let mut text = String::new();
        loop {
            let rest = &self.file[self.at..];
            let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.byte() != b'\\' {
                break;
            }
            text.push(self.escape()?);
            literal.step(text.len(), self.at);
        }
        literal.raw.end = self.at;
        self.at += 1;
        Ok((text, literal))
    }

    /// Read an escape, of which two may stand for one character.
    fn escape(&mut self) -> Result<char> {
        let rest = &self.file[self.at..];
        let mut length = if rest.as_bytes().get(1) == Some(&b'u') { 6 } else { 2 };
        let of = |escape: &str| serde_json::from_str::<String>(&format!("\"{escape}\"")).ok();
        let one = rest.get(..length).and_then(of);
        let found = one.or_else(|| {
            length = 12;
            rest.get(..length).and_then(of)
        });
        self.at += length;
        found
            .and_then(|text| text.chars().next())
            .ok_or_else(|| Error::input("an escape in this line stands for no character"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_found_whatever_is_around_it() {
        let file = "{\"a\": {\"text\": [\"}\", 1]}, \"text\" : \"x\\u00e9\\n\\ud83d\\ude00y\", \
                    \"id\": \"p\\\"1\"}\n\n{\"text\":null,\"id\":7}\n{\"id\":-2e3,\"text\": \"\"}";
        let fields = Fields { text: "text", subject: Some("id"), label: Some("id") };
        let lines = read(file, fields).unwrap();
        assert_eq!(lines.documents[1].label.as_deref(), Some("7"));
        let texts: Vec<&str> = lines.documents.iter().map(|d| d.text.as_str()).collect();
        assert_eq!(texts, ["xé\n😀y", "", ""]);
        assert_eq!(lines.documents[0].subject.as_deref(), Some("\"p\\\"1\""));
        assert_eq!(lines.documents[1].subject.as_deref(), Some("7"));
        assert_eq!(lines.documents[2].name, "4");
        assert_eq!(lines.others, ["a", "id"]);
        assert!(lines.literals[1].is_none());
        let literal = lines.literals[0].as_ref().unwrap();
        assert_eq!(&file[literal.raw.clone()], "x\\u00e9\\n\\ud83d\\ude00y");
        let mut out = String::new();
        let parts = [(0..1, "\"z\""), (4..8, "é")].into_iter();
        literal.write(file, parts, super::super::Notation::Json, &mut out);
        assert_eq!(out, "\\\"z\\\"\\u00e9\\néy");
    }

    #[test]
    fn what_cannot_be_looked_at_is_refused_with_its_line() {
        for (file, line) in [
            ("{\"text\": \"a\"}\n[1]", 2),
            ("{\"text\": \"a\", \"text\": \"b\"}", 1),
            ("{\"text\": \"a\", \"te\\u0078t\": \"b\"}", 1),
            ("{\"text\": 7}", 1),
            ("{\"other\": 7}", 1),
            ("{\"text\": \"\\ud800\"}", 1),
            ("{\"text\": \"a\"", 1),
        ] {
            let fields = Fields { text: "text", subject: None, label: None };
            let error = read(file, fields).err().unwrap_or_else(|| panic!("{file}"));
            assert_eq!((error.place.line, error.kind.exit_code()), (Some(line), 2), "{file}");
        }
    }
}
