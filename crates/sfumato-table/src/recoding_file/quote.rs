//! Quotes texts of a recoding for an SQL statement, or refuses them.

use sfumato_core::dataset::ValueKind;
use sfumato_core::{Error, Result};

/// The quoted name of a column.
pub fn identifier(name: &str) -> Result<String> {
    quoted(name, '"')
}

/// A quoted text.
pub fn text(cell: &str) -> Result<String> {
    quoted(cell, '\'')
}

fn quoted(content: &str, quote: char) -> Result<String> {
    if content.contains('\0') {
        return Err(Error::unsupported(
            "a name or value has a NUL character, which SQL can't write",
        ));
    }
    let doubled = content.replace(quote, &format!("{quote}{quote}"));
    Ok(format!("{quote}{doubled}{quote}"))
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
pub fn table_name(given: &str) -> Result<String> {
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
    Ok(parts.iter().map(|part| identifier(part)).collect::<Result<Vec<_>>>()?.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_quotes() {
        assert_eq!(identifier("say \"hi\"").unwrap(), "\"say \"\"hi\"\"\"");
        assert_eq!(text("it's").unwrap(), "'it''s'");
        assert!(text("a\0b").is_err());
        assert_eq!(number("-1.50").as_deref(), Some("-1.50"));
        assert_eq!(number("2e9").as_deref(), Some("2e9"));
        for bad in ["1; DROP TABLE x", "1 OR 1=1", "", "0x10", "1.", "--1", "e"] {
            assert_eq!(number(bad), None, "{bad}");
        }
        assert_eq!(comment("a\nDROP\r\u{2028}b"), "a DROP  b");
    }

    #[test]
    fn tables_have_schemas() {
        assert_eq!(table_name("people").unwrap(), "\"people\"");
        assert_eq!(table_name("public.people").unwrap(), "\"public\".\"people\"");
        assert_eq!(table_name("\"a.b\".c").unwrap(), "\"a.b\".\"c\"");
        assert_eq!(table_name("\"a\"\"b\"").unwrap(), "\"a\"\"b\"");
        for bad in ["", "a..b", ".", "\"a"] {
            assert!(table_name(bad).is_err(), "{bad}");
        }
    }
}
