//! Reads tracks of a GeoJSON file: lines with their times, or points that each have one.

use serde_json::Value;
use sfumato_core::{Error, Result};

use super::text_file::Rows;

/// The positions of a file. `id` and `time` are the names of properties.
pub fn rows(text: &str, id: &str, time: &str) -> Result<Rows> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        Error::input("this isn't JSON")
            .at_line(error.line() as u64)
            .at_column(error.column() as u64)
    })?;
    let one = std::slice::from_ref(&value);
    let features: &[Value] = match value["type"].as_str() {
        Some("FeatureCollection") => value["features"].as_array().map_or(&[], Vec::as_slice),
        Some("Feature") => one,
        _ => return Err(wrong(0, "is no feature, and the file is no collection of features")),
    };
    let mut rows = Rows::default();
    for (at, feature) in features.iter().enumerate() {
        let properties = &feature["properties"];
        let who = word(&properties[id])
            .ok_or_else(|| wrong(at, &format!("has no property '{id}' that says whose it is")))?;
        let geometry = &feature["geometry"];
        let times = &properties[time];
        let coordinates = &geometry["coordinates"];
        match geometry["type"].as_str() {
            Some("Point") => {
                let when = word(times).ok_or_else(|| no_time(at, time))?;
                let (x, y) = position(coordinates).ok_or_else(|| wrong(at, "has no position"))?;
                rows.push(&who, x, y, &when);
            }
            Some("LineString") => {
                let positions = coordinates.as_array().map_or(&[][..], Vec::as_slice);
                let times = times.as_array().map_or(&[][..], Vec::as_slice);
                if positions.len() != times.len() {
                    return Err(no_time(at, time));
                }
                for (place, when) in positions.iter().zip(times) {
                    let (x, y) = position(place).ok_or_else(|| wrong(at, "has no position"))?;
                    rows.push(&who, x, y, &word(when).ok_or_else(|| no_time(at, time))?);
                }
            }
            _ => return Err(wrong(at, "is neither a Point nor a LineString")),
        }
    }
    match rows.len() {
        0 => Err(Error::input("the file has no positions")),
        _ => Ok(rows),
    }
}

fn position(value: &Value) -> Option<(f64, f64)> {
    let numbers = value.as_array()?;
    Some((numbers.first()?.as_f64()?, numbers.get(1)?.as_f64()?))
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn wrong(at: usize, what: &str) -> Error {
    Error::input(format!("feature {} {what}", at + 1))
}

fn no_time(at: usize, time: &str) -> Error {
    wrong(at, &format!("has not a time for each position in the property '{time}'"))
        .hint("a Point has one, a LineString a list as long as its coordinates")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_points_are_positions_of_somebody() {
        let text = r#"{"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"who": 7, "at": [0, 60]},
             "geometry": {"type": "LineString", "coordinates": [[16.3, 48.2], [16.4, 48.2, 170]]}},
            {"type": "Feature", "properties": {"who": "b", "at": "30"},
             "geometry": {"type": "Point", "coordinates": [16.3, 48.2]}}]}"#;
        assert_eq!(rows(text, "who", "at").unwrap().len(), 3);
        for (from, to) in [
            ("[0, 60]", "[0]"),
            ("\"who\": 7", "\"whom\": 7"),
            ("LineString", "Polygon"),
            ("[16.3, 48.2]}}]", "[16.3]}}]"),
            ("\"30\"", "null"),
            ("FeatureCollection", "Topology"),
            ("{\"type\"", "[\"type\""),
        ] {
            assert!(rows(&text.replacen(from, to, 1), "who", "at").is_err(), "{from} {to}");
        }
    }
}
