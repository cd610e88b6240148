//! The two synthetic corpora of the data folder, for an example and for tests.

use std::io::Read as _;
use std::path::Path;

use sfumato_text::data::Span;
use sfumato_text::detectors::tagger::Example;

/// The classes that patterns find, as the public detector was measured on them.
pub const PATTERNS: [&str; 8] = [
    "CREDIT_CARD",
    "PHONE_NUMBER",
    "EMAIL_ADDRESS",
    "DOMAIN_NAME",
    "IBAN_CODE",
    "US_SSN",
    "IP_ADDRESS",
    "US_DRIVER_LICENSE",
];

/// The classes that the shipped tagger learns: those of which patterns say little.
pub const LEARNED: [&str; 6] =
    ["PERSON", "GPE", "ORGANIZATION", "STREET_ADDRESS", "TITLE", "DATE_TIME"];

/// A text with its tags, and the sentence that it was made from.
pub struct Text {
    /// The text with its tags.
    pub example: Example,
    /// The sentence, without what was put into it.
    pub template: String,
}

/// An example with the classes that a tagger learns.
pub fn learned(example: &Example) -> Example {
    let is_learned = |span: &&Span| LEARNED.contains(&span.class.as_ref());
    let spans = example.spans.iter().filter(is_learned).cloned().collect();
    Example { text: example.text.clone(), spans }
}

/// Read a corpus: offsets in characters become offsets in bytes, and classes the names used here.
pub fn load(path: &Path) -> Result<Vec<Text>, Box<dyn std::error::Error>> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path)?).read_to_string(&mut text)?;
    let all: Vec<serde_json::Value> = serde_json::from_str(&text)?;
    let mut texts = Vec::new();
    for one in &all {
        let text = one["full_text"].as_str().unwrap_or_default().to_string();
        let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mut spans = Vec::new();
        for span in one["spans"].as_array().into_iter().flatten() {
            let place = |key: &str| {
                let at = span[key].as_u64().unwrap_or_default() as usize;
                bytes[at.min(bytes.len() - 1)]
            };
            let class = match span["entity_type"].as_str().unwrap_or_default() {
                "LOCATION" => "GPE",
                "ADDRESS" => "STREET_ADDRESS",
                "PREFIX" => "TITLE",
                other => other,
            };
            let (start, end) = (place("start_position"), place("end_position"));
            if start < end {
                spans.push(Span::new(start, end, class.to_string()));
            }
        }
        spans.sort();
        let mut kept: Vec<Span> = Vec::new();
        for span in spans {
            if kept.last().is_none_or(|last| !last.overlaps(&span)) {
                kept.push(span);
            }
        }
        texts.push(Text {
            example: Example { text, spans: kept },
            template: template(one["masked"].as_str().unwrap_or_default()),
        });
    }
    Ok(texts)
}

/// A sentence without the names of what was put into it.
fn template(masked: &str) -> String {
    let mut out = String::new();
    let mut rest = masked;
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        out.push_str("{}");
        rest = rest[at..].find("}}").map_or("", |end| &rest[at + end + 2..]);
    }
    (out + rest).to_lowercase()
}
