//! The parts of a text that say something of a person: what detectors find, the names that are
//! known of the person, and values of quasi columns.

use sfumato_core::FastMap;
use sfumato_text::data::{Class, Span, TermIndex, fold, tokens};
use sfumato_text::detectors::Chosen;

use super::attribute::Attribute;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Where it is, and what it is.
    pub span: Span,
    /// The attributes that it may be a value of; none where it names somebody.
    pub of: Vec<usize>,
}

/// Finds parts.
pub struct Extractor {
    /// The detectors.
    pub chosen: Chosen,
    /// The attributes of the view.
    pub attributes: Vec<Attribute>,
}

/// The names that are known of a person.
#[derive(Debug, Clone, Default)]
pub struct Names {
    whole: TermIndex,
    seen: FastMap<String, ()>,
}

impl Names {
    /// Learn a name; its words are names, too. Returns whether it was new.
    pub fn add(&mut self, name: &str) -> bool {
        let words = tokens(name);
        let folded = fold(name);
        if words.is_empty() || words.len() > 5 || self.seen.contains_key(&folded) {
            return false;
        }
        self.seen.insert(folded, ());
        let is_word = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() >= 3;
        if is_word(name) {
            self.whole.add(name);
        }
        for word in words.iter().map(|token| &name[token.start..token.end]) {
            if is_word(word) && word.chars().next().is_some_and(char::is_uppercase) {
                self.whole.add(word);
            }
        }
        true
    }
}

impl Extractor {
    /// The parts of a text, in order and without overlaps. Names are those known of the person.
    pub fn find(&self, text: &str, names: Option<&Names>) -> Vec<Part> {
        let of_class = |class: &str| -> Vec<usize> {
            let has = |at: &usize| self.attributes[*at].classes.iter().any(|known| known == class);
            (0..self.attributes.len()).filter(has).collect()
        };
        let mut parts: Vec<Part> = self
            .chosen
            .find(text)
            .into_iter()
            .map(|span| Part { of: of_class(&span.class), span })
            .collect();
        if let Some(names) = names {
            let known = names.whole.find(text).into_iter();
            // A name is written with a capital; the same word without one is another word.
            let known = known.filter(|one| text[one.start..].starts_with(char::is_uppercase));
            let spans = known.map(|one| Span::new(one.start, one.end, "PERSON"));
            add(&mut parts, spans.map(|span| Part { span, of: Vec::new() }).collect());
        }
        let mut values: Vec<Part> = Vec::new();
        for (at, attribute) in self.attributes.iter().enumerate() {
            let mark = attribute.mark();
            let class = mark.trim_matches(['[', ']']).to_string();
            for one in attribute.terms.find(text) {
                let is_same =
                    |part: &&mut Part| (part.span.start, part.span.end) == (one.start, one.end);
                match values.iter_mut().find(is_same) {
                    Some(part) => part.of.push(at),
                    None => {
                        let span = Span::new(one.start, one.end, Class::Owned(class.clone()));
                        values.push(Part { span, of: vec![at] });
                    }
                }
            }
        }
        add(&mut parts, values);
        parts
    }
}

/// Add parts where nothing is yet, longer ones first.
fn add(parts: &mut Vec<Part>, mut more: Vec<Part>) {
    more.sort_by_key(|part| (std::cmp::Reverse(part.span.end - part.span.start), part.span.start));
    for part in more {
        if !parts.iter().any(|known| known.span.overlaps(&part.span)) {
            parts.push(part);
        }
    }
    parts.sort_by(|one, other| one.span.cmp(&other.span));
}
