//! Reads utilities of items from a small file with an item and a number on each line.

use sfumato_core::{Error, FastMap, Result};

use crate::text::read_text;

/// Read a file of items and their utilities. See [`parse_utilities`].
pub fn read_utilities(path: &str, names: &[String]) -> Result<Vec<f64>> {
    let text = read_text(path)?;
    parse_utilities(&text, names).map_err(|error| error.in_file(crate::input::display_name(path)))
}

/// Parse the utility of each of the named items. Every line has an item, a comma, semicolon, tab or
/// blank, and a number of at least 0. The last such mark of the line counts, so that names may
/// contain them, and a name may be in double quotes. Blank lines are skipped; a first line whose
/// number isn't one is a header. Unknown items, repeated items and missing items are errors.
pub fn parse_utilities(text: &str, names: &[String]) -> Result<Vec<f64>> {
    let codes: FastMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let mut utilities: Vec<Option<f64>> = vec![None; names.len()];
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |message: String| Error::input(message).at_line(number);
        let Some((item, utility)) = halves(line) else {
            return Err(wrong("this line has no item and number".into())
                .hint("every line is an item, a comma or a blank, and what it is worth"));
        };
        let code = codes.get(item.as_ref());
        let Ok(utility) = utility.parse::<f64>() else {
            // A header names columns, never an item.
            if number == 1 && code.is_none() {
                continue;
            }
            return Err(wrong("what an item is worth must be a number".into()));
        };
        if !(utility.is_finite() && utility >= 0.0) {
            return Err(wrong("what an item is worth must be at least 0 and finite".into()));
        }
        let Some(code) = code else {
            return Err(wrong(format!("item '{item}' is in no record"))
                .hint("take the line away if the item really doesn't occur"));
        };
        if utilities[*code].replace(utility).is_some() {
            return Err(wrong(format!("item '{item}' is there twice")));
        }
    }
    let left_out = utilities.iter().filter(|utility| utility.is_none()).count();
    if let Some(first) = utilities.iter().position(Option::is_none) {
        let message = format!("{left_out} items are left out, the first is '{}'", names[first]);
        return Err(Error::input(message).hint("say what each item is worth; 0 is allowed"));
    }
    Ok(utilities.into_iter().flatten().collect())
}

/// The item and the number of a line.
fn halves(line: &str) -> Option<(std::borrow::Cow<'_, str>, &str)> {
    let mark = line.rfind([',', ';', '\t', ' '])?;
    let (mut item, utility) = (line[..mark].trim(), line[mark + 1..].trim());
    if line[mark..].starts_with([' ', '\t']) {
        // "item, 5" has one mark, not two.
        item = item.strip_suffix([',', ';']).unwrap_or(item).trim_end();
    }
    if item.is_empty() || utility.is_empty() {
        return None;
    }
    let quoted = item.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    Some((quoted.map_or(item.into(), |inner| inner.replace("\"\"", "\"").into()), utility))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["1", "big, red", "x"].map(str::to_owned).to_vec()
    }

    #[test]
    fn marks_headers_and_quotes() {
        for text in [
            "1,2\n\"big, red\",0.5\nx,0\n",
            "item;worth\r\nx;0\r\n\r\n1;2\r\nbig, red;0.5",
            "x 0\n1\t2\nbig, red 0.5\n",
            "x, 0\n1, 2\n\"big, red\", 0.5\n",
        ] {
            let expected: &[f64] = &[2.0, 0.5, 0.0];
            assert_eq!(parse_utilities(text, &names()).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn mistakes_are_located() {
        let error = |text: &str| parse_utilities(text, &names()).unwrap_err().to_string();
        assert_eq!(error("1,2\ny,3"), "line 2: item 'y' is in no record");
        assert_eq!(error("1,2\n1,3"), "line 2: item '1' is there twice");
        assert_eq!(
            error("1,2\nx,-3"),
            "line 2: what an item is worth must be at least 0 and finite"
        );
        assert_eq!(error("x,NaN"), "line 1: what an item is worth must be at least 0 and finite");
        assert_eq!(error("1,2\nx,a"), "line 2: what an item is worth must be a number");
        assert_eq!(error("1,a"), "line 1: what an item is worth must be a number");
        assert_eq!(error("1"), "line 1: this line has no item and number");
        assert_eq!(error("x,1"), "2 items are left out, the first is '1'");
    }
}
