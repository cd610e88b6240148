//! Writes records as JSON with as much on a line as fits, so that files stay small and differences
//! between versions can be read.

use serde_json::Value;

/// The width of a line in columns.
const WIDTH: usize = 100;

/// A value as text.
pub fn pretty(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, 0, &mut text);
    text.push('\n');
    text
}

/// A value as it is after writing and reading it.
pub fn read_again(value: &Value) -> Result<Value, String> {
    serde_json::from_str(&pretty(value)).map_err(|error| error.to_string())
}

/// Write a value that starts after `before` columns of a line with an indentation of `indent`.
fn write(value: &Value, indent: usize, before: usize, text: &mut String) {
    let line = value.to_string();
    let is_case = indent == 0;
    if !is_case && before + line.chars().count() < WIDTH {
        text.push_str(&line);
        return;
    }
    let new_line = |indent: usize, text: &mut String| {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', indent));
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            text.push('{');
            for (i, (name, field)) in fields.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { "," });
                new_line(indent + 1, text);
                let name = Value::from(name.as_str()).to_string();
                text.push_str(&name);
                text.push_str(": ");
                write(field, indent + 1, indent + 3 + name.chars().count(), text);
            }
            new_line(indent, text);
            text.push('}');
        }
        Value::Array(entries) if !entries.is_empty() => {
            text.push('[');
            for (i, entry) in entries.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { "," });
                new_line(indent + 1, text);
                write(entry, indent + 1, indent + 1, text);
            }
            new_line(indent, text);
            text.push(']');
        }
        _ => text.push_str(&line),
    }
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn what_is_written_is_read_again() {
        let long = "x".repeat(120);
        let value = serde_json::json!({ "a": [1, 2.5, null], "b": { "c": long, "d": [] } });
        let text = pretty(&value);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).ok(), Some(value));
        assert!(text.contains("\n \"a\": [1,2.5,null],\n"), "{text}");
    }
}
