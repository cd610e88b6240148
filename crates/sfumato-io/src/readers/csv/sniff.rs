//! Guesses the delimiter of a CSV file from its first records.

use crate::readers::csv::record::record;

/// The delimiters that are considered, the most common first.
const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
/// The number of records that are considered.
const RECORDS: usize = 32;

/// Guess the delimiter: the one that splits every record into the same number of fields, more than
/// one; of several, the one with the most fields. If there is none, the one with the most fields in
/// the header. `whole`: nothing follows the text.
pub(crate) fn delimiter(text: &[u8], whole: bool) -> u8 {
    let mut best = (false, 1, b',');
    for candidate in CANDIDATES {
        let counts = field_counts(text, candidate, whole);
        let Some(&first) = counts.first() else { continue };
        let regular = counts.iter().all(|&n| n == first);
        // Candidates that never occur are regular too, with one field.
        if first > 1 && (regular, first) > (best.0, best.1) {
            best = (regular, first, candidate);
        }
    }
    best.2
}

/// The number of fields of each of the first records. A record that may continue after the text
/// doesn't count.
fn field_counts(text: &[u8], delimiter: u8, whole: bool) -> Vec<usize> {
    let mut text = text.to_vec();
    let mut counts = Vec::new();
    let mut fields = Vec::new();
    let mut at = 0;
    while at < text.len() && counts.len() < RECORDS {
        fields.clear();
        let Ok(next) = record(&mut text, at, delimiter, &mut fields) else { break };
        if next == text.len() && !whole && text.last() != Some(&b'\n') {
            break;
        }
        let blank = fields.len() == 1 && fields[0].0 == fields[0].1;
        if !blank {
            counts.push(fields.len());
        }
        at = next;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_delimiters() {
        assert_eq!(delimiter(b"a,b\n1,2\n", true), b',');
        assert_eq!(delimiter(b"a;b\n1,5;2,5\n", true), b';');
        assert_eq!(delimiter(b"a\tb, c\n1\t2\n", true), b'\t');
        assert_eq!(delimiter(b"a|b|c\n1|2|3\n", true), b'|');
        assert_eq!(delimiter(b"only\n1\n2\n", true), b',');
        assert_eq!(delimiter(b"", true), b',');
    }

    #[test]
    fn quotes_and_ragged_lines() {
        assert_eq!(delimiter(b"a;b\n\"x,y,z\";2\n\"1;\n2\";3\n", true), b';');
        assert_eq!(delimiter(b"a,b,c\n1,2\n", true), b',');
        // The last line may be cut: it doesn't speak against the comma.
        assert_eq!(delimiter(b"a,b,c\n1,2,3\n4,5", false), b',');
    }
}
