//! The language of queries: `count`, `sum(age)`, `avg(age)`, `min(age)`, `max(age)`, each with
//! `where PREDICATE` or without.

use std::fmt;

use sfumato_core::workload::Predicate;
use sfumato_core::{Error, Result};

/// The aggregate of the selected records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// How many there are.
    Count,
    /// The sum of a column.
    Sum,
    /// The mean of a column.
    Avg,
    /// The smallest value of a column.
    Min,
    /// The largest value of a column.
    Max,
}

impl Aggregate {
    const ALL: [(Aggregate, &'static str); 5] = [
        (Aggregate::Count, "count"),
        (Aggregate::Sum, "sum"),
        (Aggregate::Avg, "avg"),
        (Aggregate::Min, "min"),
        (Aggregate::Max, "max"),
    ];
    /// The name of the aggregate in a query.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(known, _)| *known == self).map_or("", |(_, name)| *name)
    }
}

/// A query.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The aggregate.
    pub aggregate: Aggregate,
    /// The aggregated column. `None` for `count`.
    pub column: Option<String>,
    /// The predicate that selects records. `None` selects all.
    pub predicate: Option<Predicate>,
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.aggregate.name())?;
        self.column.as_ref().map_or(Ok(()), |column| write!(f, "({column})"))?;
        self.predicate.as_ref().map_or(Ok(()), |predicate| write!(f, " where {predicate}"))
    }
}

fn wrong(text: &str, what: &str) -> Error {
    Error::params(format!("can't read the query '{text}': {what}")).hint(
        "write it as \"count where age >= 40\", \"avg(age)\" or \"sum(pay) where zip in \
            10000..19999\"",
    )
}

impl std::str::FromStr for Query {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let trimmed = text.trim();
        let end = trimmed.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(trimmed.len());
        let (word, mut rest) = (&trimmed[..end], trimmed[end..].trim_start());
        let named = Aggregate::ALL.iter().find(|(_, name)| name.eq_ignore_ascii_case(word));
        let aggregate =
            named.ok_or_else(|| wrong(text, "it must begin with count, sum, avg, min or max"))?.0;
        let mut column = None;
        if let Some(inside) = rest.strip_prefix('(') {
            let (name, after) =
                argument(inside).ok_or_else(|| wrong(text, "the bracket isn't closed"))?;
            column = Some(name).filter(|name| !name.is_empty() && name != "*");
            rest = after.trim_start();
        }
        match (aggregate, &column) {
            (Aggregate::Count, Some(_)) => {
                return Err(wrong(text, "count has no column: it counts the selected records"));
            }
            (Aggregate::Count, None) | (_, Some(_)) => {}
            (_, None) => {
                return Err(wrong(text, &format!("{word} needs a column, as in {word}(age)")));
            }
        }
        let keyword = rest.get(..5).filter(|word| word.eq_ignore_ascii_case("where"));
        let predicate = match (rest.is_empty(), keyword) {
            (true, _) => None,
            (false, Some(_)) if !rest[5..].starts_with(|c: char| c.is_alphanumeric()) => {
                Some(rest[5..].parse()?)
            }
            _ => return Err(wrong(text, "after what is asked comes 'where' or nothing")),
        };
        Ok(Query { aggregate, column, predicate })
    }
}

/// The name in brackets, quoted or not, and what follows the bracket.
fn argument(inside: &str) -> Option<(String, &str)> {
    let inside = inside.trim_start();
    match inside.chars().next()? {
        quote @ ('\'' | '"') => {
            let (name, after) = inside[1..].split_once(quote)?;
            Some((name.to_string(), after.trim_start().strip_prefix(')')?))
        }
        _ => inside.split_once(')').map(|(name, after)| (name.trim().to_string(), after)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let read = |text: &str| text.parse::<Query>().unwrap();
        assert_eq!(
            read("count"),
            Query { aggregate: Aggregate::Count, column: None, predicate: None }
        );
        assert_eq!(read(" COUNT(*) where age >= 40").to_string(), "count where age >= 40");
        assert_eq!(read("avg( 'net pay' )").column.as_deref(), Some("net pay"));
        assert_eq!(
            read("max(age.min) WHERE sex = m and age < 3").to_string(),
            "max(age.min) where sex = m and age < 3"
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, words) in [
            ("", "must begin with"),
            ("median(age)", "must begin with"),
            ("sum", "sum needs a column"),
            ("sum()", "sum needs a column"),
            ("count(age)", "count has no column"),
            ("sum(age", "isn't closed"),
            ("count age > 3", "comes 'where'"),
            ("count where", "a column's name is missing"),
            ("count wherever = 3", "comes 'where'"),
        ] {
            let error = text.parse::<Query>().unwrap_err();
            assert!(error.message.contains(words), "{text}: {}", error.message);
        }
    }
}
