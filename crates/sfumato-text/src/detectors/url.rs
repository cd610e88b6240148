//! Addresses of pages and domains.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `url`, an entry of the registry.
pub struct Url;

static INFO: Info = Info {
    name: "url",
    summary: "addresses of pages: http, https and ftp, and what begins with www",
    doc: "From `http://`, `https://`, `ftp://` or `www.` up to a blank, a quote or an angle \
          bracket. Punctuation at the end of a sentence isn't part of it.",
    ..Info::DEFAULT
};

const BEGINNINGS: [&str; 4] = ["http://", "https://", "ftp://", "www."];

impl Detector for Url {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["DOMAIN_NAME"]
    }
    fn strength(&self) -> Strength {
        Strength::Certain
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let text = scan.text;
        let mut from = 0;
        for token in &scan.tokens {
            let (start, rest) = (token.start, &text[token.start..]);
            let begins = |beginning: &&str| {
                rest.get(..beginning.len()).is_some_and(|head| head.eq_ignore_ascii_case(beginning))
            };
            if start < from || !BEGINNINGS.iter().any(begins) {
                continue;
            }
            let is_end = |c: char| c.is_whitespace() || "\"'<>|{}`".contains(c);
            let length = rest.find(is_end).unwrap_or(rest.len());
            let address = rest[..length].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']']);
            let host = address.split("://").last().unwrap_or_default();
            if host.trim_start_matches("www.").contains('.') {
                from = start + address.len();
                found.push(Span::new(start, from, "DOMAIN_NAME"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn addresses_end_before_punctuation() {
        check(
            &Url,
            "See [DOMAIN_NAME:https://www.Example.org/a?b=c#d]. Or (\
                     [DOMAIN_NAME:www.example.de]), http: www.x",
        );
    }
}
