//! Writes tables as CSV. Fields are quoted where needed.

/// Append a line.
pub fn push_line(text: &mut String, fields: &[String]) {
    for (place, field) in fields.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        text.push_str(&quote(field));
    }
    text.push('\n');
}

/// A field, in quotes if it needs them.
fn quote(field: &str) -> std::borrow::Cow<'_, str> {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")).into(),
        false => field.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::push_line;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut text = String::new();
        push_line(&mut text, &["a b", "", "x,y", "say \"hi\"", "two\nlines"].map(String::from));
        assert_eq!(text, "a b,,\"x,y\",\"say \"\"hi\"\"\",\"two\nlines\"\n");
    }
}
