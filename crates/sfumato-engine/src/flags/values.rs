//! How values of flags are written, whatever the kind: lists of names, pairs, whole numbers.

use sfumato_core::{Error, Result};

use super::Flag;

/// Split `a,b,c` and `--flag a --flag b` alike; a name with a comma is written in double quotes.
pub fn names(given: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for list in given {
        let (mut name, mut quoted, mut was_quoted) = (String::new(), false, false);
        let mut chars = list.chars().peekable();
        loop {
            match chars.next() {
                Some('"') if quoted && chars.peek() == Some(&'"') => name.extend(chars.next()),
                Some('"') if quoted || name.trim().is_empty() => {
                    quoted = !quoted;
                    was_quoted = true;
                }
                Some(c) if c != ',' || quoted => name.push(c),
                end => {
                    let taken = std::mem::take(&mut name);
                    let taken = if was_quoted { taken } else { taken.trim().to_string() };
                    if !taken.is_empty() {
                        names.push(taken);
                    }
                    was_quoted = false;
                    if end.is_none() {
                        break;
                    }
                }
            }
        }
    }
    names
}

/// Split `column=value`.
pub fn pair<'a>(flag: &str, given: &'a str) -> Result<(&'a str, &'a str)> {
    given
        .split_once('=')
        .filter(|(column, value)| !column.is_empty() && !value.is_empty())
        .ok_or_else(|| Error::params(format!("--{flag} is written as column=value, not '{given}'")))
}

/// One character; `\t` stands for a tab.
pub fn delimiter(given: &str) -> Result<char> {
    let mut chars = given.chars();
    match (given, chars.next(), chars.next()) {
        ("\\t" | "tab", _, _) => Ok('\t'),
        (_, Some(c), None) => Ok(c),
        _ => Err(Error::params(format!("the delimiter must be one character, not '{given}'"))),
    }
}

/// A whole number that a release.toml can hold.
pub fn whole(flag: &Flag, text: &str) -> Result<i64> {
    text.parse().ok().filter(|n: &i64| *n >= 0).ok_or_else(|| {
        Error::params(format!("{} takes a whole number, not '{text}'", flag.spelling()))
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_are_split_at_commas_outside_quotes() {
        let split = |list: &str| names(&[list.to_string()]);
        assert_eq!(split("a, b,,c"), ["a", "b", "c"]);
        assert_eq!(split("\"Alter, Jahre\",sex"), ["Alter, Jahre", "sex"]);
        assert_eq!(split("\"say \"\"hi\"\"\",it's 5\" wide"), ["say \"hi\"", "it's 5\" wide"]);
        assert_eq!(names(&["a".into(), "b,c".into()]), ["a", "b", "c"]);
    }
}
