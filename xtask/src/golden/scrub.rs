//! Removes what varies from run to run, and shortens what nobody reads.
//!
//! It must not remove more than that: everything that isn't named here is compared.

use std::path::Path;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// Keys of reports that say how long something took, how much memory it used, or which version it
/// was. Keys that end in `_ms` and `_seconds` do so too.
const VARYING: [&str; 6] = ["peak_rss_bytes", "accounted", "timings", "ms", "seconds", "version"];

/// Keys whose long value also stands elsewhere.
const REPEATED: [&str; 5] = ["job", "job_toml", "largest_losses", "metrics_by_column", "sample"];

/// Lists with more entries are recorded as a hash.
const LONGEST_LIST: usize = 9;

/// Texts with more lines are recorded as a hash.
const LONGEST_TEXT: usize = 80;

/// A report without the keys that vary.
pub fn json(value: Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(fields.into_iter().filter_map(field).collect()),
        Value::Array(entries) if entries.len() > LONGEST_LIST => {
            let n = entries.len();
            hashed(n, &Value::Array(entries.into_iter().map(json).collect()).to_string())
        }
        Value::Array(entries) => Value::Array(entries.into_iter().map(json).collect()),
        other => other,
    }
}

fn field((name, value): (String, Value)) -> Option<(String, Value)> {
    let is_time = name.ends_with("_ms") || name.ends_with("_seconds");
    if is_time || VARYING.contains(&name.as_str()) {
        None
    } else if REPEATED.contains(&name.as_str()) {
        Some((name, hashed(1, &value.to_string())))
    } else {
        Some((name, json(value)))
    }
}

fn hashed(n: usize, text: &str) -> Value {
    let digest: String =
        Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let mut kept = Map::new();
    kept.insert("entries".into(), n.into());
    kept.insert("sha256".into(), digest.into());
    kept.into()
}

/// A printed line without what varies. `None` if nothing else remains.
pub fn line(line: &str) -> Option<String> {
    let bare = line.trim_start();
    if bare.starts_with("time  ") {
        return None;
    }
    let end = if bare.starts_with("engine  ") { line.rfind(", in ") } else { None };
    Some(line[..end.unwrap_or(line.len())].to_string())
}

/// The printed lines, or a hash of them if there are many.
pub fn lines(lines: Vec<Value>) -> Value {
    if lines.len() <= LONGEST_TEXT {
        return lines.into();
    }
    let (n, text) = (lines.len(), Value::Array(lines).to_string());
    hashed(n, &text)
}

/// The bytes of a file without what varies. `None` if all bytes are compared.
pub fn file(path: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    match path.extension()?.to_str()? {
        "json" => {
            let report: Value = serde_json::from_slice(bytes).ok()?;
            let is_report = report.get("timings_ms").is_some() || report.get("timings").is_some();
            is_report.then(|| json(report).to_string().into_bytes())
        }
        "html" => Some(without_run(&String::from_utf8_lossy(bytes)).into_bytes()),
        _ => None,
    }
}

/// A page without the words that say when it was made.
fn without_date(page: &str) -> String {
    const DATE: &str = "2026-11-18 13:00 UTC";
    let is_date = |text: &str| {
        text.chars()
            .zip(DATE.chars())
            .filter(|(found, model)| match model.is_ascii_digit() {
                true => found.is_ascii_digit(),
                false => found == model,
            })
            .count()
            == DATE.len()
    };
    let mut parts = page.split("made ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str("made ");
        kept.push_str(if is_date(part) { &part[DATE.len()..] } else { part });
    }
    kept
}

/// A page without its section about the run, which shows times and memory, and without its date.
fn without_run(page: &str) -> String {
    let page = &without_date(page);
    let Some((before, rest)) = page.split_once("<h2 id=\"run-h\">") else { return page.into() };
    let after = rest.split_once("<h2 ").map_or("", |(_, after)| after);
    format!("{before}{after}")
}

#[cfg(test)]
mod tests {
    use super::{json, line, without_date};
    use serde_json::json;

    #[test]
    fn the_date_of_a_page_is_gone() {
        let page = |date: &str| format!("<p>Release made {date}, of homemade data made here");
        assert_eq!(without_date(&page("2026-11-18 22:15 UTC")), page(""));
        assert_eq!(without_date(&page("by hand")), page("by hand"));
    }

    #[test]
    fn what_varies_is_gone_and_the_rest_stays() {
        let report = json!({ "a": 1, "timings_ms": { "read": 2 }, "e": { "ms": 3, "reads": 4 } });
        assert_eq!(json(report), json!({ "a": 1, "e": { "reads": 4 } }));
        assert_eq!(line("  time        31 ms, at most 25.7 MiB"), None);
        let engine = line("  engine      tree, read 3 times, in 1 s (2 s)");
        assert_eq!(engine.as_deref(), Some("  engine      tree, read 3 times"));
    }
}
