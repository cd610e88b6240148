//! The messages. Each is one step of one protocol; none has a place for a row of a private table.

use serde::{Deserialize, Serialize};

use sfumato_core::dataset::Role;
use sfumato_core::{Error, Result};

/// A compressed point of the group, or a hash.
pub type Bytes32 = [u8; 32];

/// What a holder says of a column before anything is shared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnNote {
    /// The name.
    pub name: String,
    /// Its role.
    pub role: Role,
}

/// The score of a holder's best candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bid {
    /// The bits of the score, which is never negative, so that all parties compare alike.
    pub score: u64,
    /// The place of its column in the joint table: of equal scores the first column wins.
    pub column: u32,
}

/// Which child each record of a published value belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packed {
    /// How many records.
    pub n: u32,
    /// How many bits each number takes.
    pub width: u8,
    /// The numbers, the lowest bits first.
    pub bits: Vec<u8>,
}

/// How the winner of a round tells the others to divide the records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// The round.
    pub round: u32,
    /// The column, by its place in the joint table.
    pub column: u32,
    /// The number of the published value that is taken apart.
    pub value: u32,
    /// What is published for each child.
    pub labels: Vec<String>,
    /// The child of each record that has the value, in the common order of records.
    pub parts: Packed,
    /// The score, where contributions are counted.
    pub score: Option<u64>,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message {
    /// Who one is: version, the hash of the agreed job, the schema and how many records.
    Hello {
        /// The version of the protocol.
        version: u16,
        /// The hash of the job, so that nobody works on another one.
        job: Bytes32,
        /// The columns that take part.
        columns: Vec<ColumnNote>,
        /// How many records the holder has.
        records: u64,
    },
    /// Identifiers as encrypted points.
    Points(Vec<Bytes32>),
    /// Classes, each as encrypted points of its records.
    Classed(Vec<Vec<Bytes32>>),
    /// A share of the order in which rows are delivered.
    Mix(Bytes32),
    /// The hash of the class of every common record.
    ClassDigest(Bytes32),
    /// The class of every common record, for holders that don't have it.
    Classes {
        /// The classes.
        labels: Vec<String>,
        /// The class of each record.
        of_record: Vec<u32>,
    },
    /// The best local candidate, in clear.
    Score {
        /// The round.
        round: u32,
        /// The bid; none if nothing may be specialised.
        bid: Option<Bid>,
    },
    /// Not-contribute.
    Abstain {
        /// The round.
        round: u32,
    },
    /// Divide the records.
    Instruct(Instruction),
    /// What the owner of a sensitive column says to a candidate.
    Verdict {
        /// The round.
        round: u32,
        /// Whether the models that it judges would hold.
        accepts: bool,
    },
    /// The hash of what a party believes the result to be.
    Digest {
        /// How many specialisations were performed.
        steps: u32,
        /// The hash.
        hash: Bytes32,
    },
    /// Ciphertexts of a comparison.
    Ciphers(Vec<Bytes32>),
    /// What a comparison says: whether the number of whoever sends it is the larger one.
    Larger(bool),
    /// Random shares of numbers.
    Share(Vec<u64>),
    /// Sums of the shares that a party was given.
    Partial(Vec<u64>),
    /// What the leading holder asks all to count.
    Question(Question),
    /// What the leading holder found, and all do.
    Decision(Decision),
    /// Sealed rows on their way through the mix.
    Sealed(Vec<Vec<u8>>),
    /// Nothing goes on, and why.
    Abort(String),
}

/// What the leading holder asks of all. Only sums over all holders answer it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// For each open box and column: does any record lie at or below a number, or above it?
    Reach {
        /// The round.
        round: u32,
        /// For each of the pairs asked the box, the column, and the number.
        at: Vec<Threshold>,
        /// Whether records at or below the number are meant; else those above it.
        below: bool,
    },
    /// For each box: how many records lie at or below a number in a column?
    Count {
        /// The round.
        round: u32,
        /// What to count.
        at: Vec<Threshold>,
    },
    /// What each half of a split would have: records, sensitive values, holders.
    Try {
        /// The round.
        round: u32,
        /// The splits.
        at: Vec<Threshold>,
    },
    /// Whether a holder that subtracts its own rows would see a class too small.
    Insider {
        /// The round.
        round: u32,
        /// For each split that is tried how many records its halves have in all.
        totals: Vec<[u64; 2]>,
    },
}

/// A number in a column of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threshold {
    /// The box.
    pub region: u32,
    /// The column.
    pub column: u32,
    /// The number: records at or below it are on the left.
    pub at: i64,
}

/// What the leading holder lets all do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// Split these boxes; the left half keeps the number of the box, the right half gets the next.
    Split {
        /// The round.
        round: u32,
        /// The splits.
        at: Vec<Threshold>,
    },
    /// The box of each class: least and greatest number of each column.
    Boxes {
        /// For each class its bounds.
        bounds: Vec<Vec<(i64, i64)>>,
    },
    /// The bounds of the domain of each column.
    Domain {
        /// Least and greatest number of each column.
        bounds: Vec<(i64, i64)>,
    },
    /// There is nothing more to split.
    Close {
        /// The round.
        round: u32,
    },
}

impl Packed {
    /// Pack numbers below `n_parts`.
    pub fn new(parts: &[u32], n_parts: usize) -> Self {
        let width = usize::BITS - n_parts.saturating_sub(1).leading_zeros();
        let width = width.max(1) as usize;
        let mut bits = vec![0u8; (parts.len() * width).div_ceil(8)];
        for (place, &part) in parts.iter().enumerate() {
            for bit in (0..width).filter(|bit| part >> bit & 1 == 1) {
                let at = place * width + bit;
                bits[at / 8] |= 1 << (at % 8);
            }
        }
        Packed { n: parts.len() as u32, width: width as u8, bits }
    }

    /// The numbers again. A part that isn't below `n_parts`, or bits that don't belong to the
    /// stated number of records, are errors.
    pub fn parts(&self, n_parts: usize) -> Result<Vec<u32>> {
        let (n, width) = (self.n as usize, usize::from(self.width));
        let wrong = || Error::input("an instruction doesn't say of each record which child it has");
        if width == 0 || width > 32 || self.bits.len() != (n * width).div_ceil(8) {
            return Err(wrong());
        }
        let bit = |at: usize| u64::from(self.bits[at / 8] >> (at % 8) & 1);
        let part = |place: usize| {
            let part = (0..width).map(|b| bit(place * width + b) << b).sum::<u64>();
            if part < n_parts as u64 { Ok(part as u32) } else { Err(wrong()) }
        };
        (0..n).map(part).collect()
    }
}

impl Message {
    /// The name of the kind, for logs, counts and errors.
    pub fn name(&self) -> &'static str {
        match self {
            Message::Hello { .. } => "hello",
            Message::Points(_) => "points",
            Message::Classed(_) => "classed",
            Message::Mix(_) => "mix",
            Message::ClassDigest(_) => "class-digest",
            Message::Classes { .. } => "classes",
            Message::Score { .. } => "score",
            Message::Abstain { .. } => "abstain",
            Message::Instruct(_) => "instruct",
            Message::Verdict { .. } => "verdict",
            Message::Digest { .. } => "digest",
            Message::Ciphers(_) => "ciphers",
            Message::Larger(_) => "larger",
            Message::Share(_) => "share",
            Message::Partial(_) => "partial",
            Message::Question(_) => "question",
            Message::Decision(_) => "decision",
            Message::Sealed(_) => "sealed",
            Message::Abort(_) => "abort",
        }
    }

    /// What the message tells its receiver, in words for the log of revealed values. Points,
    /// ciphertexts and shares say nothing but how many they are.
    pub fn reveals(&self) -> String {
        match self {
            Message::Hello { columns, records, .. } => {
                let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
                format!("{records} records, columns {}", names.join(", "))
            }
            Message::Points(points) => format!("{} encrypted identifiers", points.len()),
            Message::Classed(classes) => format!(
                "{} classes of encrypted records, of {:?} each",
                classes.len(),
                classes.iter().map(Vec::len).collect::<Vec<_>>()
            ),
            Message::Mix(_) => "a random number".into(),
            Message::ClassDigest(_) => "a hash of the classes".into(),
            Message::Classes { of_record, .. } => {
                format!("the class of {} records", of_record.len())
            }
            Message::Score { round, bid: None } => format!("round {round}: no candidate"),
            Message::Score { round, bid: Some(bid) } => {
                format!(
                    "round {round}: score {} of column {}",
                    f64::from_bits(bid.score),
                    bid.column
                )
            }
            Message::Abstain { round } => format!("round {round}: doesn't contribute"),
            Message::Instruct(Instruction { round, column, value, labels, parts, .. }) => format!(
                "round {round}: value {value} of column {column} becomes {} for {} records",
                labels.join(" | "),
                parts.n
            ),
            Message::Verdict { round, accepts } => {
                format!("round {round}: {}", if *accepts { "accepts" } else { "rejects" })
            }
            Message::Digest { steps, .. } => format!("a hash of the result after {steps} steps"),
            Message::Ciphers(all) => format!("{} points of a comparison", all.len()),
            Message::Larger(larger) => {
                format!("own number is {}larger", if *larger { "" } else { "not " })
            }
            Message::Share(all) => format!("{} random shares", all.len()),
            Message::Partial(all) => format!("{} sums of shares", all.len()),
            Message::Question(question) => format!("{question:?}"),
            Message::Decision(decision) => format!("{decision:?}"),
            Message::Sealed(all) => format!("{} sealed rows", all.len()),
            Message::Abort(reason) => format!("stops: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_survive_packing_for_every_width() {
        for n_parts in [1usize, 2, 3, 5, 8, 9, 300] {
            let parts: Vec<u32> = (0..97u32).map(|i| i * 7 % n_parts as u32).collect();
            assert_eq!(Packed::new(&parts, n_parts).parts(n_parts).unwrap(), parts);
        }
    }

    #[test]
    fn a_part_that_is_no_child_is_refused() {
        let packed = Packed::new(&[0, 1, 2], 3);
        assert!(packed.parts(2).is_err());
        let cut = Packed { bits: packed.bits[..0].to_vec(), ..packed.clone() };
        assert!(cut.parts(3).is_err());
        assert!(Packed { width: 0, ..packed }.parts(3).is_err());
    }
}
