//! E-mail addresses.

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `email`, an entry of the registry.
pub struct Email;

static INFO: Info = Info {
    name: "email",
    summary: "e-mail addresses: a name, an at sign and a domain",
    doc: "A local part of letters, digits and `._%+-`, an at sign, and a domain of at least two \
          labels of which the last has letters only.",
    ..Info::DEFAULT
};

impl Detector for Email {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["EMAIL_ADDRESS"]
    }
    fn strength(&self) -> Strength {
        Strength::Certain
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let text = scan.text;
        for (at, _) in text.match_indices('@') {
            let is_local = |c: &char| c.is_alphanumeric() || "._%+-".contains(*c);
            let before: usize =
                text[..at].chars().rev().take_while(is_local).map(char::len_utf8).sum();
            let is_domain = |c: &char| c.is_alphanumeric() || ".-".contains(*c);
            let after: usize =
                text[at + 1..].chars().take_while(is_domain).map(char::len_utf8).sum();
            let local = text[at - before..at].trim_start_matches(['.', '-', '+', '%']);
            let domain = text[at + 1..at + 1 + after].trim_end_matches(['.', '-']);
            let labels: Vec<&str> = domain.split('.').collect();
            let is_top =
                |label: &&str| label.chars().count() >= 2 && label.chars().all(char::is_alphabetic);
            let is_sound = labels.len() >= 2 && labels.iter().all(|label| !label.is_empty());
            if !local.is_empty() && is_sound && labels.last().is_some_and(is_top) {
                let (start, end) = (at - local.len(), at + 1 + domain.len());
                found.push(Span::new(start, end, "EMAIL_ADDRESS"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn addresses_end_where_they_end() {
        check(&Email, "Write to [EMAIL_ADDRESS:a.b+c@mail.example.org], or @home, a@b, x@1.2");
        check(&Email, "([EMAIL_ADDRESS:jürgen@köln.de])");
    }
}
