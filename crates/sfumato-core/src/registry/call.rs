//! The syntax with which users ask for an entry: `name(param=value, list=[a, b])`. Parses and
//! prints it.

use std::collections::BTreeMap;
use std::fmt;

use crate::error::{Error, Result};

/// The value of one parameter as the user wrote it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// A single word, number or quoted text.
    Word(String),
    /// A list in brackets.
    List(Vec<String>),
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Word(text) => write!(f, "{}", Quoted(text)),
            Argument::List(items) => {
                write!(f, "[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, Quoted(item))?;
                }
                write!(f, "]")
            }
        }
    }
}

/// Quotes a text only where the grammar of [`Call`] needs it.
struct Quoted<'a>(&'a str);
impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = !self.0.is_empty()
            && self.0.trim() == self.0
            && !self.0.contains(['(', ')', '[', ']', ',', '=', '"', '\\', '\n']);
        if plain {
            write!(f, "{}", self.0)
        } else {
            write!(
                f,
                "\"{}\"",
                self.0.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
            )
        }
    }
}

/// What a user writes to ask for an entry: `name(param=value, list=[a, b], text="x, y")`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The entry's name.
    pub name: String,
    /// The parameters as written.
    pub args: BTreeMap<String, Argument>,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if !self.args.is_empty() {
            let args: Vec<String> =
                self.args.iter().map(|(name, value)| format!("{name}={value}")).collect();
            write!(f, "({})", args.join(", "))?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Call {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Parser { rest: text, whole: text }.call()
    }
}

struct Parser<'a> {
    rest: &'a str,
    whole: &'a str,
}

impl Parser<'_> {
    fn fail<T>(&self, what: &str) -> Result<T> {
        let at = self.whole.len() - self.rest.len() + 1;
        Err(Error::params(format!("can't read '{}': {what} at character {at}", self.whole)).hint(
            "write it as name(param=value, list=[a, b]), for example l-diversity-entropy(l=3, \
                on=disease)",
        ))
    }
    fn eat(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
    fn word(&mut self) -> Result<String> {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with('"') {
            return self.quoted();
        }
        let end = self.rest.find(['(', ')', '[', ']', ',', '=', '"']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word.trim().is_empty() {
            return self.fail("a word is missing");
        }
        self.rest = rest;
        Ok(word.trim().to_string())
    }
    fn quoted(&mut self) -> Result<String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[i + 1..];
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, c)) => text.push(c),
                    None => break,
                },
                c => text.push(c),
            }
        }
        self.fail("a closing quote is missing")
    }
    fn call(mut self) -> Result<Call> {
        let name = self.word()?;
        let mut args = BTreeMap::new();
        if self.eat('(') && !self.eat(')') {
            loop {
                let key = self.word()?;
                if !self.eat('=') {
                    return self.fail("'=' is missing");
                }
                let value = if self.eat('[') { self.list()? } else { Argument::Word(self.word()?) };
                if args.insert(key.clone(), value).is_some() {
                    return self.fail(&format!("'{key}' is given twice"));
                }
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    return self.fail("',' or ')' is missing");
                }
            }
        }
        if self.rest.trim().is_empty() {
            Ok(Call { name, args })
        } else {
            self.fail("unexpected text")
        }
    }
    fn list(&mut self) -> Result<Argument> {
        let mut items = Vec::new();
        if self.eat(']') {
            return Ok(Argument::List(items));
        }
        loop {
            items.push(self.word()?);
            if self.eat(']') {
                return Ok(Argument::List(items));
            }
            if !self.eat(',') {
                return self.fail("',' or ']' is missing");
            }
        }
    }
}
