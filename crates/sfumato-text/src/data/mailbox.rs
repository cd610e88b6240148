//! Documents that are the messages of a mailbox (mbox): each begins with a line `From `.
//!
//! A message is looked through as it is, its headers included, since these are full of names. Parts
//! that are encoded (base64, quoted-printable) aren't decoded.

use sfumato_core::{Error, Result};

use super::corpus::Document;
use super::json_lines::Lines;
use super::literal::Literal;

/// Find every message.
pub(super) fn read(file: &str) -> Result<Lines> {
    if !file.starts_with("From ") {
        return Err(Error::input(
            "this isn't a mailbox: its first line doesn't begin with 'From '",
        )
        .at_line(1));
    }
    let mut starts: Vec<usize> = file.match_indices("\nFrom ").map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    starts.push(file.len());
    let mut lines = Lines { documents: Vec::new(), literals: Vec::new(), others: Vec::new() };
    for (at, pair) in starts.windows(2).enumerate() {
        let mut literal = Literal::at(pair[0], true);
        literal.raw.end = pair[1];
        let (name, text) = ((at + 1).to_string(), file[pair[0]..pair[1]].to_string());
        lines.documents.push(Document { name, text, ..Document::default() });
        lines.literals.push(Some(literal));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_begin_with_their_line() {
        let file =
            "From a@b.org Mon\nSubject: x\n\nFrom here on\n>From me\n\nFrom c@d.org Tue\n\ny\n";
        let lines = read(file).unwrap();
        // A line of a body that begins like a message has a sign before it, or else is one.
        let texts: Vec<&str> = lines.documents.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts.len(), 3);
        assert_eq!(texts.concat(), file);
        assert!(texts[2].ends_with("y\n"));
        assert_eq!(read("To: me").err().unwrap().kind.exit_code(), 2);
    }
}
