//! Two worlds with the same release: nobody may be able to tell them apart by what it was sent. The
//! seeds are the same in both, so that what depends on random numbers alone is the same, too.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sfumato_collab::coordinator::{DryRun, dry_run};
use sfumato_collab::protocol::{Frame, Message};
use sfumato_collab::transport::Fault;

use crate::support::Folder;
use crate::vertical::{MODEL, loans, two_holders};

/// Every frame: sender, receiver, number, message.
type Transcript = Vec<(usize, usize, u64, Message)>;

/// Writes down what is sent.
#[derive(Default)]
struct Listener(Mutex<Transcript>);

impl Fault for Listener {
    fn strike(
        &self,
        from: usize,
        to: usize,
        number: u64,
        bytes: Vec<u8>,
    ) -> Vec<(Duration, Vec<u8>)> {
        let message = Frame::decode(&bytes).unwrap().message;
        self.0.lock().unwrap().push((from, to, number, message));
        vec![(Duration::ZERO, bytes)]
    }
}

/// What was sent in a run, in an order that doesn't hang on threads.
fn transcript(folder: &Folder, names: &[&str], collaboration: &str, models: &str) -> Transcript {
    let job = folder.job(names, collaboration, models);
    let listener = Arc::new(Listener::default());
    dry_run(&job, &DryRun { fault: Some(listener.clone()) }).unwrap();
    let mut heard = std::mem::take(&mut *listener.0.lock().unwrap());
    heard.sort_by_key(|(from, to, number, _)| (*from, *to, *number));
    heard
}

const CLEAR: &str = "partitioned = \"vertical\"\nid = \"SSN\"\ntarget = \"Class\"\n\
                     scores = \"clear\"\norder = [\"Sex\", \"Job\", \"Salary\"]";

/// The bank with other jobs of some people.
fn bank_with(folder: &Folder, job_of: impl Fn(u32, &'static str) -> &'static str) {
    let mut bank = String::from("SSN,Job,Salary,Class\n99,Mover,12,N\n");
    for (ssn, class, _, job, salary) in loans() {
        bank += &format!("{ssn},{},{salary},{class}\n", job_of(ssn, job));
    }
    folder.write("bank/table.csv", &bank);
}

#[test]
fn what_a_holder_hears_is_the_same_in_all_worlds_with_the_same_release() {
    let folder = two_holders();
    let mut worlds = Vec::new();
    // Within a published class with one value of Class, who has which job is nobody's business.
    for turned in [0u32, 1, 3, 5] {
        bank_with(&folder, |ssn, job| match ssn {
            1..=7 => {
                if (ssn + turned) % 7 < 3 {
                    "Janitor"
                } else {
                    "Mover"
                }
            }
            26..=34 => {
                if (ssn + turned) % 9 < 6 {
                    "Accountant"
                } else {
                    "Lawyer"
                }
            }
            _ => job,
        });
        worlds.push(transcript(&folder, &["loan", "bank"], CLEAR, MODEL));
    }
    assert!(worlds[0].len() > 20);
    for other in &worlds[1..] {
        assert_eq!(&worlds[0], other);
    }
    // The control: a world with another release is told apart.
    bank_with(&folder, |ssn, job| if ssn == 13 { "Carpenter" } else { job });
    assert_ne!(worlds[0], transcript(&folder, &["loan", "bank"], CLEAR, MODEL));
}

/// Rows of four sites, as (age, salary).
fn sites(folder: &Folder, rows: [[(i64, i64); 2]; 4]) {
    for (site, rows) in rows.iter().enumerate() {
        let mut table = String::from("Age,Salary\n");
        rows.iter().for_each(|(age, salary)| table += &format!("{age},{salary}\n"));
        let columns = "Age = { role = \"quasi\" }\nSalary = { role = \"quasi\" }";
        folder.holder(&format!("node{site}"), &table, columns);
    }
}

#[test]
fn nobody_hears_whose_a_row_is() {
    let names = ["node0", "node1", "node2", "node3"];
    let plain = "partitioned = \"horizontal\"";
    let model = "\"k-anonymity(k=2)\"";
    let world = |rows| {
        let folder = Folder::new();
        sites(&folder, rows);
        transcript(&folder, &names, plain, model)
    };
    let book =
        [[(30, 41), (33, 42)], [(45, 55), (56, 42)], [(30, 32), (53, 32)], [(38, 41), (33, 40)]];
    // Nodes 2 and 3 exchange a row of one class.
    let mut exchanged = book;
    (exchanged[2][0], exchanged[3][1]) = (book[3][1], book[2][0]);
    let (one, other) = (world(book), world(exchanged));
    assert_eq!(one.len(), other.len());
    // Sums of shares go to the leader, where only their total says something; sealed rows differ in
    // every world and say how many they are.
    let is_open = |message: &Message| !matches!(message, Message::Partial(_) | Message::Sealed(_));
    for ((_, to, _, a), (_, _, _, b)) in one.iter().zip(&other) {
        match (a, b) {
            (Message::Partial(a), Message::Partial(b)) => {
                assert_eq!((*to, a.len()), (0, b.len()));
            }
            (Message::Sealed(a), Message::Sealed(b)) => assert_eq!(a.len(), b.len()),
            _ => assert_eq!(a, b),
        }
    }
    assert!(one.iter().filter(|(.., message)| is_open(message)).count() > 100);
    // The control: other rows are other sums.
    let mut moved = book;
    moved[3][0] = (60, 60);
    assert_ne!(one, world(moved));
}
