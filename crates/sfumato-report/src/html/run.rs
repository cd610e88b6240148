//! Renders the run itself: times, files, algorithm, randomness.

use serde_json::Value;

use super::page::{Cell, Page};
use crate::numbers::{bytes, count, duration, percent};
use crate::svg::{self, Caption};
use crate::{Report, words};

/// Render the content of the section.
pub(super) fn run(page: &mut Page, report: &Report) {
    let timings = &report.timings_ms;
    let mut parts: Vec<(String, f64)> =
        timings.stages().into_iter().map(|(name, ms)| (name.to_string(), ms)).collect();
    let rest = timings.total - parts.iter().map(|(_, ms)| ms).sum::<f64>();
    if rest > 0.0 {
        parts.push(("other".into(), rest));
    }
    if timings.total > 0.0 {
        let caption = Caption {
            id: "timings",
            title: "Time by stage",
            description: "One bar cut into the stages in the order in which they run; the numbers \
                refer to the table.",
        };
        page.markup(&svg::stacked(&caption, &parts));
        let rows: Vec<Vec<Cell>> = parts
            .iter()
            .enumerate()
            .map(|(place, (name, ms))| {
                let share = percent(ms / timings.total);
                vec![
                    Cell::Head(format!("{} {name}", place + 1)),
                    Cell::Num(duration(*ms)),
                    Cell::Num(share),
                ]
            })
            .collect();
        let caption = format!("Time by stage; {} in all", duration(timings.total));
        page.table(&caption, &[("Stage", false), ("Time", true), ("Share", true)], &rows);
    }
    page.table("Files and program", &[("What", false), ("Value", false)], &facts(report));
}

fn facts(report: &Report) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    let mut fact = |name: &str, value: Cell| rows.push(vec![Cell::Head(name.to_string()), value]);
    if let Some(made) = &report.made {
        fact("Made", Cell::Text(made.clone()));
    }
    let input = &report.input;
    let (format, width) = (&input.format, input.width());
    let size = format!("{format}, {width}, {}, {}", bytes(input.bytes), input.path);
    fact("Read", Cell::Text(size));
    fact("SHA-256 of the input", Cell::Code(input.sha256.clone()));
    if let Some(output) = &report.output {
        fact(
            "Written",
            Cell::Text(format!(
                "{} records, {}, {}",
                count(output.rows),
                bytes(output.bytes),
                output.path
            )),
        );
        fact("SHA-256 of the output", Cell::Code(output.sha256.clone()));
    }
    fact("Algorithm", Cell::Text(report.algorithm.name.clone()));
    for (name, value) in
        [("Parameters", &report.algorithm.params), ("Details", &report.algorithm.details)]
    {
        // The cuts and the engine are told in words below.
        let told = plain(value, &["cuts", "engine"]);
        if !told.is_empty() {
            fact(name, Cell::Text(told));
        }
    }
    let cuts = report.algorithm.cuts();
    if !cuts.is_empty() {
        fact("Each column by itself", Cell::Text(cuts.join("; ")));
    }
    if let Some(engine) = report.algorithm.engine() {
        fact("Out of core", Cell::Text(engine));
    }
    fact("Randomness", Cell::Text(report.seed.note.clone()));
    if let Some(peak) = report.peak_rss_bytes {
        fact("Most memory at once", Cell::Text(bytes(peak)));
    }
    rows
}

/// A value of the report in plain words: `effort: normal; nodes visited: 1,204`.
fn plain(value: &Value, without: &[&str]) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        Value::Number(number) => words::number(number),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            items.iter().map(|item| plain(item, &[])).collect::<Vec<_>>().join(", ")
        }
        Value::Object(map) => {
            let told = map.iter().filter(|(name, _)| !without.contains(&name.as_str()));
            told.map(|(name, value)| match value {
                Value::Object(_) => format!("{} ({})", words::label(name), plain(value, &[])),
                _ => format!("{}: {}", words::label(name), plain(value, &[])),
            })
            .collect::<Vec<_>>()
            .join("; ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn details_are_words_and_no_json() {
        let details = json!({ "effort": "normal", "nodes_visited": 1204, "proven": true,
            "engine": { "x": 1 }, "of": { "a": [1, 2.5] } });
        let told = plain(&details, &["engine"]);
        assert_eq!(told, "effort: normal; nodes visited: 1,204; proven: yes; of (a: 1, 2.5)");
    }
}
