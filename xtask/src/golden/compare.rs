//! The differences between a record and a result, in lines of text.

use serde_json::Value;

/// How many characters of a value are shown.
const SHOWN: usize = 160;

/// Every difference, with the path to it.
pub fn differences(old: &Value, new: &Value) -> Vec<String> {
    let mut said = Vec::new();
    walk(old, new, "", &mut said);
    said
}

fn walk(old: &Value, new: &Value, way: &str, said: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            for (name, was) in a {
                match b.get(name) {
                    Some(is) => walk(was, is, &format!("{way}/{name}"), said),
                    None => said.push(format!("{way}/{name}: gone, was {}", short(was))),
                }
            }
            for (name, is) in b.iter().filter(|(name, _)| !a.contains_key(*name)) {
                said.push(format!("{way}/{name}: new, is {}", short(is)));
            }
            // Maps are equal in any order; a report's order is part of what it is.
            let is_same_set = a.len() == b.len() && a.keys().all(|name| b.contains_key(name));
            if is_same_set && !a.keys().eq(b.keys()) {
                said.push(format!("{way}: the order of the keys is another"));
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (was, is)) in a.iter().zip(b).enumerate() {
                walk(was, is, &format!("{way}/{i}"), said);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            // Leave out what is the same at both ends, and show the rest as lines.
            let same = |pair: &(&Value, &Value)| pair.0 == pair.1;
            let front = a.iter().zip(b).take_while(same).count();
            let (a, b) = (&a[front..], &b[front..]);
            let back = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
            let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
            said.extend(a.iter().map(|was| format!("{way}/{front}: - {}", short(was))));
            said.extend(b.iter().map(|is| format!("{way}/{front}: + {}", short(is))));
        }
        _ if old == new => {}
        _ => said.push(format!("{way}: was {}, is {}", short(old), short(new))),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::differences;
    use serde_json::json;

    #[test]
    fn differences_have_their_way() {
        let old = json!({ "a": { "b": 1, "c": 2 }, "l": [1, 2, 3], "s": "x" });
        assert!(differences(&old, &old).is_empty());
        let (ab, ba) = (json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }));
        assert_eq!(differences(&ab, &ba), [": the order of the keys is another"]);
        let new = json!({ "a": { "b": 2, "d": 2 }, "l": [1, 3], "s": "y" });
        assert_eq!(
            differences(&old, &new),
            [
                "/a/b: was 1, is 2",
                "/a/c: gone, was 2",
                "/a/d: new, is 2",
                "/l/1: - 2",
                "/s: was \"x\", is \"y\""
            ]
        );
    }
}
