//! Frames between holders: whatever comes over the wire is refused or read, and what is read can be
//! written and taken into an inbox.

use sfumato_collab::protocol::message::{Decision, Question, Threshold};
use sfumato_collab::protocol::{Bid, Frame, Instruction, Message, Packed, VERSION};
use sfumato_collab::transport::Inbox;

use crate::targets::shape;

const SESSION: [u8; 16] = [7; 16];

/// A frame of each kind that has a shape of its own.
pub fn samples() -> Vec<Vec<u8>> {
    let at = vec![Threshold { region: 0, column: 1, at: -3 }];
    let instruction = Instruction {
        round: 1,
        column: 0,
        value: 0,
        labels: vec!["Blue-collar".into(), "White-collar".into()],
        parts: Packed::new(&[0, 1, 1], 2),
        score: None,
    };
    let messages = [
        Message::Points(vec![[1; 32]]),
        Message::Score { round: 0, bid: Some(Bid { score: 1, column: 0 }) },
        Message::Instruct(instruction),
        Message::Share(vec![1, u64::MAX]),
        Message::Question(Question::Try { round: 2, at: at.clone() }),
        Message::Decision(Decision::Split { round: 2, at }),
        Message::Sealed(vec![vec![0; 40]]),
        Message::Abort("why".into()),
    ];
    let frame = |message: Message| {
        Frame { version: VERSION, session: SESSION, from: 0, number: 0, message }.encode()
    };
    messages.into_iter().filter_map(|message| frame(message).ok()).collect()
}

/// Feed bytes as they are, and with a head that fits them: a checksum mustn't keep broken bodies
/// from the reader.
pub fn feed(input: &[u8]) -> String {
    let body = input.get(8..).unwrap_or_default();
    let fitting = Frame::with_head(body);
    let read = Frame::decode(input).or_else(|_| Frame::decode(&fitting));
    let frame = match read {
        Ok(frame) => frame,
        Err(error) => return shape(&error.message),
    };
    let again = frame.encode().and_then(|bytes| Frame::decode(&bytes));
    assert!(again.is_ok_and(|again| again == frame), "a frame changes when it is written");
    let name = frame.message.name();
    assert!(!frame.message.reveals().is_empty());
    if let Message::Instruct(instruction) = &frame.message {
        let n_parts = instruction.labels.len();
        if let Ok(parts) = instruction.parts.parts(n_parts) {
            assert!(parts.iter().all(|part| (*part as usize) < n_parts));
        }
    }
    let taken = Inbox::new(SESSION, 0).put(frame);
    format!("{name} {}", taken.is_ok())
}
