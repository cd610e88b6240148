//! Predicates over columns: `age >= 40 and sex = Male and zip in 10000..19999`. A predicate is a
//! conjunction, so that it describes a rectangle.
//!
//! Names and values are words, or quoted with `'` or `"` where they have blanks. A value of a
//! column with a hierarchy may be the label of any node.

use std::fmt;
use std::ops::Range;

use crate::dataset::{Column, Hierarchy, NodeId};
use crate::error::{Error, Result};

/// A condition on the value of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// The value is this one, or lies below the node with this label.
    Is(String),
    /// The value is less than this one, or at most this one.
    Below(String, Inclusive),
    /// The value is more than this one, or at least this one.
    Above(String, Inclusive),
    /// The value lies between two values, both included.
    Between(String, String),
}

/// Whether the bound itself is allowed.
type Inclusive = bool;

/// One condition of a predicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The column's name.
    pub column: String,
    /// The condition on its value.
    pub bound: Bound,
}

/// Conditions that must all hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Predicate {
    /// The conditions, at least one. A column may occur more than once.
    pub conditions: Vec<Condition>,
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Condition { column, bound }) in self.conditions.iter().enumerate() {
            let and = if i == 0 { "" } else { " and " };
            let column = quoted(column);
            match bound {
                Bound::Is(value) => write!(f, "{and}{column} = {}", quoted(value))?,
                Bound::Below(value, inclusive) => write!(
                    f,
                    "{and}{column} {} {}",
                    if *inclusive { "<=" } else { "<" },
                    quoted(value)
                )?,
                Bound::Above(value, inclusive) => write!(
                    f,
                    "{and}{column} {} {}",
                    if *inclusive { ">=" } else { ">" },
                    quoted(value)
                )?,
                Bound::Between(from, to) => {
                    write!(f, "{and}{column} in {}..{}", quoted(from), quoted(to))?
                }
            }
        }
        Ok(())
    }
}

/// A word as users must write it: in quotes if it could be read as something else.
fn quoted(word: &str) -> String {
    let special = |c: char| c.is_whitespace() || matches!(c, '=' | '<' | '>' | '"' | '\'' | '\\');
    let keyword = ["and", "in"].iter().any(|k| word.eq_ignore_ascii_case(k));
    // A point at an end would run into the two of a range.
    let dotted = word.starts_with('.') || word.ends_with('.') || word.contains("..");
    match word.is_empty() || word.contains(special) || dotted || keyword {
        true => format!("'{}'", word.replace('\\', "\\\\").replace('\'', "\\'")),
        false => word.to_string(),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Quoted(String),
    Sign(&'static str),
}

impl std::str::FromStr for Predicate {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let tokens = tokens(text)?;
        let mut rest = tokens.iter().peekable();
        let mut conditions = Vec::new();
        loop {
            let column = word(text, rest.next(), "a column's name")?;
            let bound = match rest.next() {
                Some((_, Token::Sign(sign))) if *sign != ".." => {
                    let value = word(text, rest.next(), "a value")?;
                    match *sign {
                        "=" => Bound::Is(value),
                        "<" | "<=" => Bound::Below(value, *sign == "<="),
                        _ => Bound::Above(value, *sign == ">="),
                    }
                }
                Some((_, Token::Word(keyword))) if keyword.eq_ignore_ascii_case("in") => {
                    let from = word(text, rest.next(), "a value")?;
                    match rest.next() {
                        Some((_, Token::Sign(".."))) => {}
                        other => return Err(wrong(text, other, "'..' between two values")),
                    }
                    Bound::Between(from, word(text, rest.next(), "a value")?)
                }
                other => return Err(wrong(text, other, "=, <, <=, >, >= or in")),
            };
            conditions.push(Condition { column, bound });
            match rest.next() {
                None => return Ok(Predicate { conditions }),
                Some((_, Token::Word(keyword))) if keyword.eq_ignore_ascii_case("and") => {}
                other => return Err(wrong(text, other, "'and'")),
            }
        }
    }
}

type Placed = (usize, Token);

fn wrong(text: &str, found: Option<&Placed>, expected: &str) -> Error {
    let at = found.map_or(text.chars().count(), |(at, _)| *at) + 1;
    Error::params(format!(
        "can't read the predicate '{text}': {expected} is missing at character \
        {at}"
    ))
    .hint(
        "write it as \"age >= 40 and sex = Male and zip in 10000..19999\"; put names or \
            values with blanks into quotes",
    )
}

fn word(text: &str, token: Option<&Placed>, expected: &str) -> Result<String> {
    match token {
        Some((_, Token::Word(word))) if !word.eq_ignore_ascii_case("and") => Ok(word.clone()),
        Some((_, Token::Quoted(word))) => Ok(word.clone()),
        other => Err(wrong(text, other, expected)),
    }
}

fn tokens(text: &str) -> Result<Vec<Placed>> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        let next = chars.get(at + 1);
        match chars[at] {
            c if c.is_whitespace() => at += 1,
            '=' => {
                at += 1 + usize::from(next == Some(&'='));
                found.push((start, Token::Sign("=")));
            }
            sign @ ('<' | '>') => {
                let inclusive = next == Some(&'=');
                at += 1 + usize::from(inclusive);
                let sign = match (sign, inclusive) {
                    ('<', false) => "<",
                    ('<', true) => "<=",
                    (_, false) => ">",
                    (_, true) => ">=",
                };
                found.push((start, Token::Sign(sign)));
            }
            '.' if next == Some(&'.') => {
                at += 2;
                found.push((start, Token::Sign("..")));
            }
            quote @ ('\'' | '"') => {
                let mut word = String::new();
                at += 1;
                loop {
                    match chars.get(at) {
                        None => {
                            return Err(Error::params(format!(
                                "can't read the predicate '{text}': the quote at character {} \
                                    isn't closed",
                                start + 1
                            )));
                        }
                        Some('\\') if at + 1 < chars.len() => {
                            word.push(chars[at + 1]);
                            at += 2;
                        }
                        Some(c) if *c == quote => break,
                        Some(c) => {
                            word.push(*c);
                            at += 1;
                        }
                    }
                }
                at += 1;
                found.push((start, Token::Quoted(word)));
            }
            _ => {
                let ends = |at: usize| {
                    let c = chars[at];
                    c.is_whitespace()
                        || matches!(c, '=' | '<' | '>' | '"' | '\'')
                        || (c == '.' && chars.get(at + 1) == Some(&'.'))
                };
                while at < chars.len() && !ends(at) {
                    at += 1;
                }
                found.push((start, Token::Word(chars[start..at].iter().collect())));
            }
        }
    }
    Ok(found)
}

impl Predicate {
    /// The rectangle in the space of some columns: the codes that each column may have, or `None`
    /// for columns without a condition.
    pub fn intervals(&self, columns: &[&Column]) -> Result<Vec<Option<Range<u32>>>> {
        let mut intervals: Vec<Option<Range<u32>>> = vec![None; columns.len()];
        for condition in &self.conditions {
            let place = columns
                .iter()
                .position(|column| column.name == condition.column)
                .ok_or_else(|| {
                    let names: Vec<&str> =
                        columns.iter().map(|column| column.name.as_str()).collect();
                    Error::params(format!(
                        "the predicate '{self}' names column '{}', which isn't a quasi column",
                        condition.column
                    ))
                    .hint(format!("the quasi columns are {}", names.join(", ")))
                })?;
            let codes = condition.codes(columns[place])?;
            let interval = &mut intervals[place];
            *interval = Some(match interval.take() {
                None => codes,
                Some(before) => {
                    let start = before.start.max(codes.start);
                    start..before.end.min(codes.end).max(start)
                }
            });
        }
        Ok(intervals)
    }
}

impl Condition {
    /// The codes of a column that satisfy the condition, which are one interval.
    pub fn codes(&self, column: &Column) -> Result<Range<u32>> {
        let domain = &column.domain;
        let all = 0..domain.missing();
        if let Bound::Is(label) = &self.bound {
            if let Some(tree) = &column.hierarchy
                && let Some(codes) = node_codes(tree, label, &column.name)?
            {
                return Ok(codes);
            }
            if !domain.kind.is_ordered() {
                return match domain.labels().position(|known| known == *label) {
                    Some(code) => Ok(code as u32..code as u32 + 1),
                    // A word that no record has selects no record.
                    None => Ok(0..0),
                };
            }
        }
        let is_ordered = domain.kind.is_ordered() && domain.keys.is_sorted();
        if !is_ordered && !domain.is_empty() {
            return Err(Error::params(format!(
                "values of column '{}' can't be compared: they have no order that its codes follow",
                column.name
            ))
            .hint(format!(
                "say {} = VALUE, or the label of a node of its hierarchy",
                quoted(&column.name)
            )));
        }
        let key = |text: &String| {
            domain.kind.parse(text).ok_or_else(|| {
                Error::params(format!(
                    "'{text}' isn't a value of column '{}', whose type is {}",
                    column.name,
                    domain.kind.name()
                ))
            })
        };
        let below = |key: i64| domain.keys.partition_point(|k| *k < key) as u32;
        let up_to = |key: i64| domain.keys.partition_point(|k| *k <= key) as u32;
        Ok(match &self.bound {
            Bound::Is(value) => {
                let key = key(value)?;
                below(key)..up_to(key)
            }
            Bound::Below(value, true) => all.start..up_to(key(value)?),
            Bound::Below(value, false) => all.start..below(key(value)?),
            Bound::Above(value, true) => below(key(value)?)..all.end,
            Bound::Above(value, false) => up_to(key(value)?)..all.end,
            Bound::Between(from, to) => {
                let start = below(key(from)?);
                start..up_to(key(to)?).max(start)
            }
        })
    }
}

/// The leaves below the node with a label. If nested nodes have the same label, the upper one
/// counts.
fn node_codes(tree: &Hierarchy, label: &str, column: &str) -> Result<Option<Range<u32>>> {
    let mut found: Option<Range<u32>> = None;
    for node in (0..tree.n_nodes() as NodeId).filter(|node| tree.label(*node) == label) {
        let codes = tree.lo(node)..tree.hi(node);
        found = match found {
            None => Some(codes),
            Some(known) if known.start <= codes.start && codes.end <= known.end => Some(known),
            Some(known) if codes.start <= known.start && known.end <= codes.end => Some(codes),
            Some(_) => {
                return Err(Error::params(format!(
                    "'{label}' stands at two places of the hierarchy of column '{column}', so that \
                        a predicate can't mean it"
                )));
            }
        };
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Predicate {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let predicate =
            read("age>=40 AND 'marital status' = \"Never married\" and zip in 10..19 and x < -1.5");
        assert_eq!(predicate.conditions.len(), 4);
        assert_eq!(predicate.conditions[0].bound, Bound::Above("40".into(), true));
        assert_eq!(predicate.conditions[1].column, "marital status");
        assert_eq!(predicate.conditions[1].bound, Bound::Is("Never married".into()));
        assert_eq!(predicate.conditions[2].bound, Bound::Between("10".into(), "19".into()));
        assert_eq!(predicate.conditions[3].bound, Bound::Below("-1.5".into(), false));
        assert_eq!(read("x = 1.5").conditions[0].bound, Bound::Is("1.5".into()));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, words) in [
            ("", "a column's name is missing at character 1"),
            ("age", "=, <, <=, >, >= or in is missing"),
            ("age >=", "a value is missing at character 7"),
            ("age = 1 sex = 2", "'and' is missing at character 9"),
            ("age in 3", "'..' between two values is missing"),
            ("age = 'x", "the quote at character 7 isn't closed"),
            ("age = 1 and", "a column's name is missing"),
        ] {
            let error = text.parse::<Predicate>().unwrap_err();
            assert!(error.message.contains(words), "{text}: {}", error.message);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn texts_go_there_and_back(parts in prop::collection::vec((".{1,8}", 0u8..6, ".{0,8}",
            ".{0,8}"), 1..4)) {
            let conditions = parts
                .into_iter()
                .map(|(column, kind, a, b)| Condition {
                    column,
                    bound: match kind {
                        0 => Bound::Is(a),
                        1 => Bound::Below(a, true),
                        2 => Bound::Below(a, false),
                        3 => Bound::Above(a, true),
                        4 => Bound::Above(a, false),
                        _ => Bound::Between(a, b),
                    },
                })
                .collect();
            let predicate = Predicate { conditions };
            prop_assert_eq!(read(&predicate.to_string()), predicate);
        }

        #[test]
        fn no_text_panics(text in ".{0,40}") {
            let _ = text.parse::<Predicate>();
        }
    }
}
