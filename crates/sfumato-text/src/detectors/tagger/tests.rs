//! The tagger: it learns what it is shown, says the same again, and survives its file.

use super::super::tests::unmark;
use super::*;

fn examples() -> Vec<Example> {
    let names = ["Zorblat", "Quimby", "Vexley", "Draxo", "Plimsy", "Tarkon", "Wumbo", "Hexil"];
    let frames = [
        "Yesterday [PERSON:{}] went home.",
        "I met [PERSON:{}] at [GPE:{}] today",
        "They flew to [GPE:{}] with us",
        "call [PERSON:{}] now",
        "nobody was there at all",
    ];
    let mut all = Vec::new();
    for (at, name) in names.iter().enumerate() {
        for frame in frames {
            let (text, spans) = unmark(&frame.replace("{}", name));
            all.push(Example { text, spans });
        }
        let _ = at;
    }
    all
}

#[test]
fn a_tagger_learns_what_it_is_shown_and_finds_it_elsewhere() {
    let examples = examples();
    let training = Training { folds: 4, ..Training::default() };
    let tagger = training.train(&examples, "t").unwrap();
    for example in &examples {
        assert_eq!(tagger.find(&example.text), example.spans, "{}", example.text);
    }
    // Names that it never saw, by the words around them.
    let (text, spans) = unmark("Yesterday [PERSON:Bolgar] went home.");
    assert_eq!(tagger.find(&text), spans);
    assert_eq!(tagger.find(""), []);
    assert_eq!(tagger, training.train(&examples, "t").unwrap());
    let measured = tagger.measured.total(&[]);
    assert_eq!(measured.there, examples.iter().map(|e| e.spans.len() as u64).sum::<u64>());
    assert!(measured.strict()[2].unwrap() > 0.8, "{measured:?}");
    let again = Tagger::parse(&tagger.to_text(), "t").unwrap();
    assert_eq!(again.to_text(), tagger.to_text());
    for example in &examples {
        assert_eq!(again.find(&example.text), example.spans);
    }
    assert!(Tagger::parse("x", "t").is_err());
    assert!(Tagger::parse("sfumato-tagger 1\nclass A\nafter 0\n", "t").is_err());
    assert!(Tagger::parse("sfumato-tagger 1\nclass A\nzz\n", "t").is_err());
}

/// The best path by looking at all.
fn best_by_search(scores: &[i64], transitions: &[i32], n_tags: usize) -> i64 {
    let length = scores.len() / n_tags;
    let mut best = i64::MIN;
    for code in 0..n_tags.pow(length as u32) {
        let tag = |at: usize| code / n_tags.pow(at as u32) % n_tags;
        let (mut sum, mut before, mut is_allowed) = (0, 0, true);
        for at in 0..length {
            is_allowed &= may_follow(tag(at), if at == 0 { 0 } else { before });
            sum +=
                scores[at * n_tags + tag(at)] + i64::from(transitions[before * n_tags + tag(at)]);
            before = tag(at);
        }
        if is_allowed {
            best = best.max(sum);
        }
    }
    best
}

#[test]
fn the_best_path_is_the_best_of_all() {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as i64 % 21 - 10
    };
    for _ in 0..200 {
        let (n_tags, length) = (5, 4);
        let scores: Vec<i64> = (0..n_tags * length).map(|_| next()).collect();
        let transitions: Vec<i32> = (0..n_tags * n_tags).map(|_| next() as i32).collect();
        let path = best_path(&scores, &transitions, n_tags);
        let mut before = 0;
        let mut sum = 0;
        for (at, tag) in path.iter().enumerate() {
            assert!(may_follow(*tag, before));
            sum += scores[at * n_tags + tag] + i64::from(transitions[before * n_tags + tag]);
            before = *tag;
        }
        assert_eq!(sum, best_by_search(&scores, &transitions, n_tags));
    }
}

#[test]
fn parts_are_counted_by_class() {
    let there = [Span::new(0, 4, "A"), Span::new(6, 10, "A"), Span::new(12, 14, "B")];
    let found = [Span::new(0, 4, "A"), Span::new(6, 8, "B"), Span::new(8, 11, "A")];
    let counts = compare(&there, &found);
    let a = counts.0["A"];
    assert_eq!((a.there, a.found, a.exact, a.touched, a.touching, a.covered), (2, 2, 1, 2, 2, 2));
    let b = counts.0["B"];
    assert_eq!((b.there, b.found, b.exact, b.touched, b.touching, b.covered), (1, 1, 0, 0, 0, 0));
    assert_eq!(a.strict(), [Some(0.5), Some(0.5), Some(0.5)]);
    let (share, low, high) = Measured { there: 10, covered: 9, ..a }.coverage().unwrap();
    assert!(
        (share - 0.9).abs() < 1e-9 && (low - 0.596).abs() < 1e-3 && (high - 0.982).abs() < 1e-3
    );
}
