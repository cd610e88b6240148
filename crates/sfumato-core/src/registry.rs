//! What every entry of a family tells about itself, and how the words of a user become its parameters.
//!
//! The CLI, the catalogue, the docs and the tests over all entries read these structures, so that adding an
//! entry is one new file and one line in its family's list.

use std::collections::BTreeMap;
use std::fmt;

use crate::error::{Error, Result};

/// A publication an entry comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper {
    /// Authors, as cited.
    pub authors: &'static str,
    /// Title.
    pub title: &'static str,
    /// Journal, conference or publisher.
    pub venue: &'static str,
    /// Year.
    pub year: u16,
}

/// Everything a user reads about an entry without running it.
#[derive(Debug, Clone, Copy)]
pub struct Info {
    /// The kebab-case name; also the doc page's name.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it comes from.
    pub papers: &'static [Paper],
    /// What it takes.
    pub params: &'static [ParamSpec],
    /// Markdown for the reference page: what it promises or computes, what it doesn't, cost, deviations.
    pub doc: &'static str,
}

/// One parameter: its name, type, allowed range, default and help.
#[derive(Debug, Clone, Copy)]
pub struct ParamSpec {
    /// The name as typed.
    pub name: &'static str,
    /// The type and allowed range.
    pub kind: ParamKind,
    /// The default, as typed; `None` if it must be given (or may be left out, see `optional`).
    pub default: Option<&'static str>,
    /// Whether it may be left out without a default.
    pub optional: bool,
    /// One line.
    pub help: &'static str,
}

/// Types of parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A whole number in a closed range.
    Integer {
        /// Smallest allowed.
        min: i64,
        /// Largest allowed.
        max: i64,
    },
    /// A finite number in a range.
    Number {
        /// Smallest allowed.
        min: f64,
        /// Whether `min` itself is excluded.
        above: bool,
        /// Largest allowed.
        max: f64,
    },
    /// `true` or `false`.
    Flag,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Any text, such as a column's name.
    Text,
    /// A list in brackets: `[a, b]`; a single word is a list of one.
    List,
}

impl ParamSpec {
    /// A parameter that must be given.
    pub const fn required(name: &'static str, kind: ParamKind, help: &'static str) -> Self {
        ParamSpec { name, kind, default: None, optional: false, help }
    }
    /// A parameter with a default.
    pub const fn with_default(
        name: &'static str,
        kind: ParamKind,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        ParamSpec { name, kind, default: Some(default), optional: true, help }
    }
    /// A parameter that may be left out.
    pub const fn optional(name: &'static str, kind: ParamKind, help: &'static str) -> Self {
        ParamSpec { name, kind, default: None, optional: true, help }
    }

    fn check(&self, owner: &str, value: &Argument) -> Result<()> {
        let wrong = |allowed: String| {
            Err(Error::params(format!("{owner}: {} must be {allowed}, not '{value}'", self.name)))
        };
        match (&self.kind, value) {
            (ParamKind::List, _) => Ok(()),
            (_, Argument::List(_)) => wrong("a single value".into()),
            (ParamKind::Integer { min, max }, Argument::Word(text)) => match text.parse::<i64>() {
                Ok(n) if (*min..=*max).contains(&n) => Ok(()),
                _ if *max == i64::MAX => wrong(format!("a whole number of at least {min}")),
                _ => wrong(format!("a whole number from {min} to {max}")),
            },
            (ParamKind::Number { min, above, max }, Argument::Word(text)) => match text.parse::<f64>() {
                Ok(x) if x.is_finite() && x <= *max && (x > *min || (!above && x == *min)) => Ok(()),
                _ => {
                    let lower = match (above, *min == f64::MIN) {
                        (_, true) => String::new(),
                        (true, _) => format!(" above {min}"),
                        (false, _) => format!(" of at least {min}"),
                    };
                    let upper = if *max == f64::MAX { String::new() } else { format!(" and at most {max}") };
                    wrong(format!("a number{lower}{upper}"))
                }
            },
            (ParamKind::Flag, Argument::Word(text)) if text == "true" || text == "false" => Ok(()),
            (ParamKind::Flag, _) => wrong("true or false".into()),
            (ParamKind::Choice(words), Argument::Word(text)) if words.contains(&text.as_str()) => Ok(()),
            (ParamKind::Choice(words), _) => wrong(format!("one of {}", words.join(", "))),
            (ParamKind::Text, Argument::Word(_)) => Ok(()),
        }
    }
}

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
            write!(f, "\"{}\"", self.0.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
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
            let args: Vec<String> = self.args.iter().map(|(name, value)| format!("{name}={value}")).collect();
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
        Err(Error::params(format!("can't read '{}': {what} at character {at}", self.whole))
            .hint("write it as name(param=value, list=[a, b]), for example l-diversity-entropy(l=3, on=disease)"))
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
        if self.rest.trim().is_empty() { Ok(Call { name, args }) } else { self.fail("unexpected text") }
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

/// Parameters that were checked against their specification, defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    owner: &'static str,
    values: BTreeMap<&'static str, Argument>,
}

impl Params {
    /// Check what a user wrote against what an entry takes.
    pub fn check(info: &'static Info, args: &BTreeMap<String, Argument>) -> Result<Self> {
        for name in args.keys() {
            if !info.params.iter().any(|spec| spec.name == name) {
                let known: Vec<_> = info.params.iter().map(|spec| spec.name).collect();
                let hint = match known.is_empty() {
                    true => format!("{} takes no parameters", info.name),
                    false => format!("it takes {}", known.join(", ")),
                };
                return Err(
                    Error::params(format!("{} has no parameter '{name}'", info.name)).hint(hint)
                );
            }
        }
        let mut values = BTreeMap::new();
        for spec in info.params {
            let default = || spec.default.map(|text| Argument::Word(text.to_string()));
            match args.get(spec.name).cloned().or_else(default) {
                Some(value) => {
                    spec.check(info.name, &value)?;
                    values.insert(spec.name, value);
                }
                None if spec.optional => {}
                None => {
                    return Err(Error::params(format!("{} needs the parameter '{}'", info.name, spec.name))
                        .hint(format!("{}: {}", spec.name, spec.help)));
                }
            }
        }
        Ok(Params { owner: info.name, values })
    }

    /// The values as written, defaults included.
    pub fn values(&self) -> &BTreeMap<&'static str, Argument> {
        &self.values
    }
    /// The entry's name with all its parameters, defaults included.
    pub fn describe(&self) -> String {
        let args = self.values.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
        Call { name: self.owner.to_string(), args }.to_string()
    }
    /// A text, if given.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.values.get(name) {
            Some(Argument::Word(text)) => Some(text),
            _ => None,
        }
    }
    /// A list, if given.
    pub fn list(&self, name: &str) -> Option<Vec<String>> {
        self.values.get(name).map(|value| match value {
            Argument::Word(word) => vec![word.clone()],
            Argument::List(items) => items.clone(),
        })
    }
    /// A whole number that the specification requires or defaults.
    pub fn integer(&self, name: &str) -> i64 {
        self.parsed(name)
    }
    /// A number that the specification requires or defaults.
    pub fn number(&self, name: &str) -> f64 {
        self.parsed(name)
    }
    /// A flag that the specification requires or defaults.
    pub fn flag(&self, name: &str) -> bool {
        self.parsed(name)
    }
    /// A number that may have been left out.
    pub fn optional_number(&self, name: &str) -> Option<f64> {
        self.values.contains_key(name).then(|| self.parsed(name))
    }
    /// A whole number that may have been left out.
    pub fn optional_integer(&self, name: &str) -> Option<i64> {
        self.values.contains_key(name).then(|| self.parsed(name))
    }

    fn parsed<T: std::str::FromStr>(&self, name: &str) -> T {
        self.text(name)
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("{}: '{name}' was checked against its ParamSpec", self.owner))
    }
}

/// Find an entry by name; the error lists near names.
pub fn find<'a, T: ?Sized>(
    family: &str,
    all: &[&'a T],
    info: impl Fn(&T) -> &'static Info,
    name: &str,
) -> Result<&'a T> {
    if let Some(entry) = all.iter().find(|entry| info(entry).name == name) {
        return Ok(*entry);
    }
    let mut near: Vec<_> = all.iter().map(|e| info(e).name).map(|n| (edit_distance(n, name), n)).collect();
    near.sort_unstable();
    let hint = match near.first() {
        Some((distance, best)) if *distance <= 3 || best.contains(name) || name.contains(best) => {
            format!("did you mean {best}? 'sfumato list {family}s' shows all")
        }
        _ => format!("'sfumato list {family}s' shows all"),
    };
    Err(Error::params(format!("there is no {family} '{name}'")).hint(hint))
}

/// Levenshtein distance, for hints only.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Declares the modules of a family and the one list of its entries.
///
/// `registry! { dyn Model: k_anonymity::KAnonymity, ... }` expands to `mod k_anonymity;` for each and
/// `pub static ALL: &[&dyn Model]`. rustfmt doesn't follow modules declared by a macro: `cargo xtask test`
/// formats every file that git knows.
#[macro_export]
macro_rules! registry {
    ($(#[$doc:meta])* dyn $family:path: $($module:ident :: $entry:ident),+ $(,)?) => {
        $(pub mod $module;)+
        $(#[$doc])*
        pub static ALL: &[&dyn $family] = &[$(&$module::$entry),+];
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    static INFO: Info = Info {
        name: "sample",
        summary: "",
        papers: &[],
        params: &[
            ParamSpec::required("k", ParamKind::Integer { min: 1, max: i64::MAX }, "size"),
            ParamSpec::with_default("c", ParamKind::Number { min: 0.0, above: true, max: 1.0 }, "0.5", ""),
            ParamSpec::optional("on", ParamKind::Text, ""),
            ParamSpec::optional("values", ParamKind::List, ""),
        ],
        doc: "",
    };

    fn check(text: &str) -> Result<Params> {
        let call: Call = text.parse()?;
        Params::check(&INFO, &call.args)
    }

    #[test]
    fn reads_words_lists_and_quotes() {
        let params = check("sample(k=5, on=\"a, \\\"b\\\"\", values=[HIV, \"x y\"])").unwrap();
        assert_eq!(params.integer("k"), 5);
        assert_eq!(params.number("c"), 0.5);
        assert_eq!(params.text("on"), Some("a, \"b\""));
        assert_eq!(params.list("values").unwrap(), ["HIV", "x y"]);
    }

    #[test]
    fn display_parses_back() {
        for text in ["sample", "sample(k=5)", "sample(k=5, on=\"a,b\", values=[x, \"y=z\"])"] {
            let call: Call = text.parse().unwrap();
            assert_eq!(call.to_string().parse::<Call>().unwrap(), call);
        }
    }

    #[test]
    fn errors_name_the_parameter_and_its_range() {
        let message = |text| check(text).unwrap_err().to_string();
        assert_eq!(message("sample"), "sample needs the parameter 'k'");
        assert_eq!(message("sample(k=0)"), "sample: k must be a whole number of at least 1, not '0'");
        assert_eq!(message("sample(k=2, c=0)"), "sample: c must be a number above 0 and at most 1, not '0'");
        assert_eq!(message("sample(k=2, z=1)"), "sample has no parameter 'z'");
        assert_eq!(message("sample(k=2"), "can't read 'sample(k=2': ',' or ')' is missing at character 11");
        assert_eq!(message("sample(k=2, k=3)"), "can't read 'sample(k=2, k=3)': 'k' is given twice at character 16");
    }
}
