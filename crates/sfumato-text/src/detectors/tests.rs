//! A detector is checked by a text with brackets around what it must find, and nothing else.

use super::{Detector, Scan};
use crate::data::Span;

/// Check what a detector finds: `[CLASS:text]` marks it.
pub(crate) fn check(detector: &dyn Detector, marked: &str) {
    let (text, mut expected) = unmark(marked);
    let mut found = Vec::new();
    detector.find(&Scan::new(&text), &mut found);
    found.sort();
    expected.sort();
    let shown = |spans: &[Span]| -> Vec<String> {
        spans.iter().map(|one| format!("{}:{}", one.class, &text[one.start..one.end])).collect()
    };
    assert_eq!(shown(&found), shown(&expected), "{text}");
    assert_eq!(found, expected, "{text}");
}

/// A text without its marks, and what was marked.
pub(crate) fn unmark(marked: &str) -> (String, Vec<Span>) {
    let (mut text, mut spans) = (String::new(), Vec::new());
    let mut rest = marked;
    while let Some(at) = rest.find('[') {
        let colon = rest[at..].find(':').expect("a mark has a colon") + at;
        let end = rest[colon..].find(']').expect("a mark ends") + colon;
        text.push_str(&rest[..at]);
        let (class, inner) = (rest[at + 1..colon].to_string(), &rest[colon + 1..end]);
        spans.push(Span::new(text.len(), text.len() + inner.len(), class));
        text.push_str(inner);
        rest = &rest[end + 1..];
    }
    text.push_str(rest);
    (text, spans)
}

#[test]
fn no_text_panics_and_every_part_is_one_of_the_text() {
    let chosen = super::Chosen::new(&["default".to_string()], std::path::Path::new("")).unwrap();
    let pieces = [
        "€",
        "é",
        "12",
        "4111111111111111",
        ".",
        " ",
        "\n",
        "@",
        "+",
        "(",
        ")",
        "-",
        ":",
        "::",
        "Anna",
        "Dr",
        "www.",
        "http://",
        "age",
        "years",
        "old",
        "/",
        "1987",
        "May",
        "T",
        "🙂",
        "\u{301}",
        "DE89",
        "St",
        "box",
        "MRN",
        "x",
        "[",
        "]",
        "fe80",
        "ß",
        "'",
        "’",
        "%",
        "zip",
    ];
    let mut state = 5u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    for _ in 0..3000 {
        let text: String = (0..1 + next(14)).map(|_| pieces[next(pieces.len())]).collect();
        let found = chosen.find(&text);
        for span in &found {
            assert!(text.get(span.start..span.end).is_some_and(|part| !part.is_empty()), "{text}");
        }
        assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start), "{text}");
    }
}
