//! Quotes texts of a recoding for an SQL statement, or refuses them.

use sfumato_core::dataset::ValueKind;
use sfumato_core::{Error, Result};

use super::Dialect;

impl Dialect {
    /// The quoted name of a column.
    pub(super) fn identifier(self, name: &str) -> Result<String> {
        refuse_nul(name)?;
        Ok(match self {
            Dialect::Ansi | Dialect::DuckDb | Dialect::PostgreSql => doubled(name, '"'),
            Dialect::Spark => doubled(name, '`'),
            Dialect::BigQuery => format!("`{}`", escaped(name, '`')),
        })
    }

    /// A quoted text.
    pub(super) fn text(self, cell: &str) -> Result<String> {
        refuse_nul(cell)?;
        Ok(match self {
            Dialect::Ansi | Dialect::DuckDb | Dialect::PostgreSql => doubled(cell, '\''),
            Dialect::Spark | Dialect::BigQuery => format!("'{}'", escaped(cell, '\'')),
        })
    }
}

fn refuse_nul(content: &str) -> Result<()> {
    match content.contains('\0') {
        true => {
            Err(Error::unsupported("a name or value has a NUL character, which SQL can't write"))
        }
        false => Ok(()),
    }
}

/// Quoted as the standard says: a quote inside is written twice, and a backslash is a letter.
fn doubled(content: &str, quote: char) -> String {
    let doubled = content.replace(quote, &format!("{quote}{quote}"));
    format!("{quote}{doubled}{quote}")
}

/// Written for dialects in which a backslash takes the meaning of what follows.
fn escaped(content: &str, quote: char) -> String {
    let mut text = String::with_capacity(content.len());
    for c in content.chars() {
        match c {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c if c == quote || c == '\\' => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text
}

/// A number as it was written, or `None` if it isn't one.
pub fn number(cell: &str) -> Option<String> {
    let kinds = [ValueKind::Integer, ValueKind::Decimal { scale: 18 }, ValueKind::Float];
    let is_number = kinds.iter().any(|kind| kind.parse(cell).is_some())
        && cell.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    is_number.then(|| cell.to_string())
}

/// A line of a comment that can't end the comment.
pub fn comment(line: &str) -> String {
    line.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect()
}

/// The name of a table, with its schema if one is given: parts are separated by dots, and put in
/// double quotes if they contain a dot.
pub fn table_name(given: &str, dialect: Dialect) -> Result<String> {
    let mut parts = vec![String::new()];
    let mut in_quotes = false;
    let mut chars = given.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if in_quotes && chars.peek() == Some(&'"') => {
                chars.next();
                parts.last_mut().expect("there is always a part").push('"');
            }
            '"' => in_quotes = !in_quotes,
            '.' if !in_quotes => parts.push(String::new()),
            c => parts.last_mut().expect("there is always a part").push(c),
        }
    }
    if in_quotes || parts.iter().any(String::is_empty) {
        return Err(Error::params(format!("'{}' is no name of a table", comment(given))).hint(
            "write --table people or --table schema.people; a name with a dot goes in double \
                quotes",
        ));
    }
    Ok(parts.iter().map(|part| dialect.identifier(part)).collect::<Result<Vec<_>>>()?.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_quotes() {
        for standard in [Dialect::Ansi, Dialect::DuckDb, Dialect::PostgreSql] {
            assert_eq!(standard.identifier("say \"hi\"").unwrap(), "\"say \"\"hi\"\"\"");
            assert_eq!(standard.text("it's \\").unwrap(), "'it''s \\'");
        }
        for other in [Dialect::Spark, Dialect::BigQuery] {
            assert_eq!(other.text("it's \\\n").unwrap(), "'it\\'s \\\\\\n'");
        }
        assert_eq!(Dialect::Spark.identifier("a`b\\").unwrap(), "`a``b\\`");
        assert_eq!(Dialect::BigQuery.identifier("a`b\\").unwrap(), "`a\\`b\\\\`");
        for dialect in Dialect::ALL {
            assert!(dialect.text("a\0b").is_err() && dialect.identifier("a\0b").is_err());
        }
        assert_eq!(number("-1.50").as_deref(), Some("-1.50"));
        assert_eq!(number("2e9").as_deref(), Some("2e9"));
        for bad in ["1; DROP TABLE x", "1 OR 1=1", "", "0x10", "1.", "--1", "e"] {
            assert_eq!(number(bad), None, "{bad}");
        }
        assert_eq!(comment("a\nDROP\r\u{2028}b"), "a DROP  b");
    }

    #[test]
    fn tables_have_schemas() {
        let table_name = |given: &str| table_name(given, Dialect::Ansi);
        assert_eq!(table_name("people").unwrap(), "\"people\"");
        assert_eq!(table_name("public.people").unwrap(), "\"public\".\"people\"");
        assert_eq!(table_name("\"a.b\".c").unwrap(), "\"a.b\".\"c\"");
        assert_eq!(table_name("\"a\"\"b\"").unwrap(), "\"a\"\"b\"");
        for bad in ["", "a..b", ".", "\"a"] {
            assert!(table_name(bad).is_err(), "{bad}");
        }
        let spark = super::table_name("lake.\"my people\"", Dialect::Spark);
        assert_eq!(spark.unwrap(), "`lake`.`my people`");
    }
}
