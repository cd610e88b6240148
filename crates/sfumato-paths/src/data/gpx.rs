//! Reads tracks of a GPX file: every `trk` is one, with the positions of its segments.
//!
//! Only what is needed is looked at: names of tracks, `lat` and `lon` of their points, and times.

use sfumato_core::{Error, Result};

use super::text_file::Rows;

/// A piece of a file of XML.
enum Piece<'a> {
    /// A tag without its brackets.
    Tag(&'a str),
    /// What stands between tags.
    Text(&'a str),
}

/// The tags and texts of XML, one after the other. Comments and what begins with `?` or `!` are
/// left
/// out.
fn pieces(xml: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = xml;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            if let Some(after) = rest.strip_prefix("<!--") {
                rest = after.find("-->").map_or("", |end| &after[end + 3..]);
                continue;
            }
            if let Some(after) = rest.strip_prefix('<') {
                let end = after.find('>').unwrap_or(after.len());
                let tag = &after[..end];
                rest = after.get(end + 1..).unwrap_or("");
                match tag.starts_with(['?', '!']) {
                    true => continue,
                    false => return Some(Piece::Tag(tag)),
                }
            }
            let end = rest.find('<').unwrap_or(rest.len());
            let text = &rest[..end];
            rest = &rest[end..];
            return Some(Piece::Text(text));
        }
    })
}

/// The name of a tag, without the prefix of its namespace.
fn name(tag: &str) -> &str {
    let name = tag.trim_end_matches('/').split_whitespace().next().unwrap_or("");
    let (end, name) = name.strip_prefix('/').map_or(("", name), |name| ("/", name));
    let local = name.rsplit(':').next().unwrap_or(name);
    if end.is_empty() { local } else { &tag[..0] }
}

/// Whether a tag ends an element of a name.
fn ends(tag: &str, of: &str) -> bool {
    tag.strip_prefix('/').is_some_and(|name| name.trim().rsplit(':').next() == Some(of))
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let at = rest.find('=')?;
        let found = rest[..at].trim_end().rsplit(char::is_whitespace).next()?;
        let value = rest[at + 1..].trim_start();
        let quote = value.chars().next().filter(|c| *c == '"' || *c == '\'')?;
        let end = value[1..].find(quote)?;
        if found == key {
            return Some(&value[1..=end]);
        }
        rest = &value[end + 2..];
    }
}

fn unescape(text: &str) -> String {
    let plain = text.trim().replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&apos;", "'").replace("&amp;", "&")
}

/// The positions of a file. A track without a name, or with that of another, is called by its
/// number.
pub fn rows(xml: &str) -> Result<Rows> {
    let mut rows = Rows::default();
    let mut names: Vec<String> = Vec::new();
    let (mut number, mut id) = (0, String::new());
    let (mut is_track, mut is_point) = (false, false);
    let mut reading = "";
    let mut point: (Option<f64>, Option<f64>, String) = Default::default();
    for piece in pieces(xml) {
        match piece {
            Piece::Tag(tag) => {
                reading = "";
                match name(tag) {
                    "trk" => {
                        number += 1;
                        is_track = true;
                        id = format!("track {number}");
                    }
                    "trkpt" if is_track => {
                        let number = |key| attribute(tag, key)?.trim().parse::<f64>().ok();
                        point = (number("lat"), number("lon"), String::new());
                        is_point = !tag.ends_with('/');
                        if !is_point {
                            return Err(no_time(number_of(&rows)));
                        }
                    }
                    "name" if is_track && !is_point => reading = "name",
                    "time" if is_point => reading = "time",
                    _ => {}
                }
                if ends(tag, "trk") {
                    is_track = false;
                } else if ends(tag, "trkpt") && is_point {
                    is_point = false;
                    let place = number_of(&rows);
                    let (Some(lat), Some(lon)) = (point.0, point.1) else {
                        return Err(Error::input(format!(
                            "point {place} of the tracks has no lat or lon"
                        )));
                    };
                    if point.2.is_empty() {
                        return Err(no_time(place));
                    }
                    rows.push(&id, lon, lat, &point.2);
                }
            }
            Piece::Text(text) if reading == "name" => {
                let said = unescape(text);
                if !said.is_empty() && !names.contains(&said) {
                    names.push(said.clone());
                    id = said;
                }
            }
            Piece::Text(text) if reading == "time" => point.2 = text.trim().to_string(),
            Piece::Text(_) => {}
        }
    }
    match rows.len() {
        0 => Err(Error::input("the file has no points of tracks")
            .hint("points are <trkpt lat=.. lon=..> with a <time>, inside <trk>")),
        _ => Ok(rows),
    }
}

fn number_of(rows: &Rows) -> usize {
    rows.len() + 1
}

fn no_time(place: usize) -> Error {
    Error::input(format!("point {place} of the tracks has no time"))
        .hint("a path is where somebody was and when: leave such points out first")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::column::Provenance;

    #[test]
    fn tracks_have_names_points_and_times() {
        let xml = "<?xml version=\"1.0\"?><gpx xmlns=\"http://x\"><!-- <trk> --><trk><name>A \
        &amp; B</name>\n\
                   <trkseg><trkpt lat=\"48.2\" \
                   lon='16.3'><ele>1</ele><time>2020-01-01T00:00:00Z</time>\
                   <name>not this</name></trkpt></trkseg></trk>\
                   <trk><trkseg><trkpt lon=\"16.4\" \
                   lat=\"48.25\"><time>2020-01-01T00:01:00Z</time></trkpt>\
                   </trkseg></trk></gpx>";
        let table = rows(xml).unwrap().table(["i", "x", "y", "t"], Provenance::default());
        let row = |n: usize| {
            let cell =
                |c: &sfumato_core::column::RawColumn| c.values.get(c.codes.get(n)).to_string();
            table.columns.iter().map(cell).collect::<Vec<_>>()
        };
        assert_eq!(table.n_rows, 2);
        assert_eq!(row(0), ["A & B", "16.3", "48.2", "2020-01-01T00:00:00Z"]);
        assert_eq!(row(1), ["track 2", "16.4", "48.25", "2020-01-01T00:01:00Z"]);
        for wrong in [
            "",
            "<gpx><trk><trkpt lat=\"1\" lon=\"2\"></trkpt></trk></gpx>",
            "<gpx><trk><trkpt lat=\"1\" lon=\"2\"/></trk></gpx>",
            "<gpx><trk><trkpt lat=\"1\"><time>2020-01-01T00:01:00Z</time></trkpt></trk></gpx>",
            "<gpx><trk><trkpt lat=\"1",
        ] {
            assert!(rows(wrong).is_err(), "{wrong}");
        }
    }
}
