//! Messages that are lost, delayed, doubled, moved, cut and changed, and holders that are killed:
//! either the release is the one that it would have been, or there is none.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sfumato_collab::coordinator::{DryRun, dry_run, release};
use sfumato_collab::holder::Part;
use sfumato_collab::job::Agreement;
use sfumato_collab::protocol::message::Question;
use sfumato_collab::protocol::{Frame, Message, Packed};
use sfumato_collab::transport::Fault;
use sfumato_core::Result;

use crate::horizontal::{NAMES, PLAIN, nodes};
use crate::support::{Folder, sorted};
use crate::vertical::{MODEL, pooled, two_holders};

const JOB: &str = "partitioned = \"vertical\"\nid = \"SSN\"\ntarget = \"Class\"\n\
                   scores = \"clear\"\ntimeout = \"3s\"\norder = [\"Sex\", \"Job\", \"Salary\"]";

type Delivered = Vec<(Duration, Vec<u8>)>;

/// Does something to the frame with a number among all.
struct Strike<F> {
    seen: AtomicU64,
    what: F,
}

impl<F: Fn(u64, Vec<u8>) -> Delivered + Send + Sync> Fault for Strike<F> {
    fn strike(&self, _: usize, _: usize, _: u64, bytes: Vec<u8>) -> Delivered {
        (self.what)(self.seen.fetch_add(1, Ordering::SeqCst), bytes)
    }
}

fn strike<F: Fn(u64, Vec<u8>) -> Delivered + Send + Sync + 'static>(what: F) -> Arc<dyn Fault> {
    Arc::new(Strike { seen: AtomicU64::new(0), what })
}

fn run(folder: &Folder, job: &Agreement, fault: Arc<dyn Fault>) -> Result<Vec<String>> {
    let path = folder.path().join("release.csv");
    drop(std::fs::remove_file(&path));
    let began = Instant::now();
    let parts = dry_run(job, &DryRun { fault: Some(fault) });
    assert!(began.elapsed() < Duration::from_secs(60), "nobody waits beyond the time");
    let parts: Vec<Part> = parts?.into_iter().map(|(part, _)| part).collect();
    release(job, &parts)?;
    let text = std::fs::read_to_string(&path).unwrap();
    Ok(sorted(text.lines().skip(1)))
}

fn nothing_released(folder: &Folder) -> bool {
    !folder.path().join("release.csv").exists()
}

#[test]
fn delayed_doubled_and_moved_messages_change_nothing() {
    let folder = two_holders();
    let job = folder.job(&["loan", "bank"], JOB, MODEL);
    let expected = pooled(&folder);
    let ms = Duration::from_millis;
    let delayed = strike(move |number, bytes| vec![(ms(number * 7 % 30), bytes)]);
    let doubled = strike(move |_, bytes| vec![(ms(0), bytes.clone()), (ms(20), bytes)]);
    let moved = strike(move |number, bytes| {
        vec![(if number.is_multiple_of(2) { ms(40) } else { ms(0) }, bytes)]
    });
    for fault in [delayed, doubled, moved] {
        assert_eq!(run(&folder, &job, fault).unwrap(), expected);
    }
}

#[test]
fn cut_and_changed_messages_release_nothing() {
    let folder = two_holders();
    let job = folder.job(&["loan", "bank"], JOB, MODEL);
    let zero = Duration::ZERO;
    for struck in [0, 3, 9, 14, 20] {
        let cut = strike(move |number, mut bytes| {
            bytes.truncate(if number == struck { bytes.len() / 2 } else { bytes.len() });
            vec![(zero, bytes)]
        });
        assert!(run(&folder, &job, cut).is_err(), "{struck}");
        assert!(nothing_released(&folder));
        let changed = strike(move |number, mut bytes| {
            let last = bytes.len() - 1;
            bytes[last] ^= u8::from(number == struck);
            vec![(zero, bytes)]
        });
        assert!(run(&folder, &job, changed).is_err(), "{struck}");
        assert!(nothing_released(&folder));
    }
}

#[test]
fn a_lost_message_ends_the_run_in_time() {
    let folder = two_holders();
    let quick = JOB.replace("3s", "500ms");
    let job = folder.job(&["loan", "bank"], &quick, MODEL);
    for struck in [1, 8, 15] {
        let lost =
            strike(
                move |number, bytes| {
                    if number == struck { Vec::new() } else { vec![(Duration::ZERO, bytes)] }
                },
            );
        let error = run(&folder, &job, lost).unwrap_err();
        assert!(error.message.contains("sent nothing for"), "{error}");
        assert!(nothing_released(&folder));
    }
}

/// A party that dies instead of sending.
struct Kill {
    seat: usize,
    after: u64,
}

impl Fault for Kill {
    fn strike(&self, _: usize, _: usize, _: u64, bytes: Vec<u8>) -> Delivered {
        vec![(Duration::ZERO, bytes)]
    }
    fn kills(&self, seat: usize, sent: u64) -> bool {
        seat == self.seat && sent == self.after
    }
}

#[test]
fn a_holder_killed_at_any_message_releases_nothing() {
    let folder = two_holders();
    let job = folder.job(&["loan", "bank"], &JOB.replace("3s", "500ms"), MODEL);
    let expected = pooled(&folder);
    for seat in [0, 1] {
        let mut deaths = 0;
        for after in 0.. {
            match run(&folder, &job, Arc::new(Kill { seat, after })) {
                // It had sent all that it had to before it was to die.
                Ok(rows) => {
                    assert_eq!(rows, expected);
                    break;
                }
                Err(_) => {
                    assert!(nothing_released(&folder));
                    deaths += 1;
                }
            }
        }
        // Hello, points twice, classes, six rounds, digest and order at least.
        assert!(deaths >= 11, "{deaths}");
    }
}

/// A bank that tells the other holder another division than the one that it does itself.
struct Liar;

impl Fault for Liar {
    fn strike(&self, from: usize, _: usize, _: u64, bytes: Vec<u8>) -> Delivered {
        let mut frame = Frame::decode(&bytes).unwrap();
        if from == 1
            && let Message::Instruct(instruction) = &mut frame.message
        {
            let mut parts = instruction.parts.parts(instruction.labels.len()).unwrap();
            parts.swap(0, 1);
            let last = parts.len() - 1;
            parts.swap(2, last);
            parts.rotate_left(1);
            instruction.parts = Packed::new(&parts, instruction.labels.len());
        }
        vec![(Duration::ZERO, frame.encode().unwrap())]
    }
}

#[test]
fn a_holder_that_tells_one_thing_and_does_another_is_found_out() {
    let folder = two_holders();
    let job = folder.job(&["loan", "bank"], JOB, MODEL);
    let error = run(&folder, &job, Arc::new(Liar)).unwrap_err();
    let is_found = ["different results", "can't be met", "doesn't say of each record", "divides"]
        .iter()
        .any(|words| error.message.contains(words));
    assert!(is_found, "{error}");
    assert!(nothing_released(&folder));
}

/// Changes the messages of one party on their way.
struct Change<F> {
    from: usize,
    what: F,
}

impl<F: Fn(&mut Message) + Send + Sync> Fault for Change<F> {
    fn strike(&self, from: usize, _: usize, _: u64, bytes: Vec<u8>) -> Delivered {
        let mut frame = Frame::decode(&bytes).unwrap();
        if from == self.from {
            (self.what)(&mut frame.message);
        }
        vec![(Duration::ZERO, frame.encode().unwrap())]
    }
}

#[test]
fn a_leader_that_asks_about_other_boxes_is_refused() {
    let folder = nodes(false);
    let job = folder.job(&NAMES, PLAIN, "\"k-anonymity(k=2)\"");
    let outside = |message: &mut Message| {
        if let Message::Question(Question::Count { at, .. }) = message {
            at[0].at += 1_000_000;
        }
    };
    let unknown = |message: &mut Message| {
        if let Message::Question(Question::Try { at, .. }) = message {
            at[0].region = 99;
        }
    };
    let faults: [Arc<dyn Fault>; 2] =
        [Arc::new(Change { from: 0, what: outside }), Arc::new(Change { from: 0, what: unknown })];
    for fault in faults {
        let error = run(&folder, &job, fault).unwrap_err();
        assert!(error.message.contains("approved splits"), "{error}");
        assert!(nothing_released(&folder));
    }
}

#[test]
fn a_holder_that_says_no_score_and_acts_on_one_is_found_out() {
    let folder = two_holders();
    let job = folder.job(&["loan", "bank"], JOB, MODEL);
    let silent = |message: &mut Message| {
        if let Message::Score { bid, .. } = message {
            *bid = None;
        }
    };
    let error = run(&folder, &job, Arc::new(Change { from: 1, what: silent })).unwrap_err();
    assert!(error.message.contains("where") && error.message.contains("was due"), "{error}");
    assert!(nothing_released(&folder));
}

/// A bank that shows a column that isn't its own.
#[test]
fn a_holder_that_specialises_for_another_is_refused() {
    let folder = two_holders();
    let job = folder.job(&["loan", "bank"], JOB, MODEL);
    let foreign = |message: &mut Message| match message {
        Message::Score { bid: Some(bid), .. } => bid.column = 0,
        Message::Instruct(instruction) => instruction.column = 0,
        _ => {}
    };
    let error = run(&folder, &job, Arc::new(Change { from: 1, what: foreign })).unwrap_err();
    assert!(error.message.contains("isn't its own"), "{error}");
    assert!(nothing_released(&folder));
}
