//! Decisions that aren't true: what a form tells its own verifier to see it fail. Only tests ask
//! for them.
//!
//! A lie is told after the algorithm decided and before anything is written, so that everything
//! after the decision believes it. Whoever writes a form says which lies it must see through.

use sfumato_core::{Error, Result};

use crate::form::Form;
use crate::kind::Kind;

/// What a lie is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// That enough people hide each other.
    Privacy,
    /// What is published of a record.
    Cell,
    /// That a record is there, once.
    Row,
    /// Who matches or supports whom.
    Match,
    /// A number that is published.
    Count,
}

/// A lie about a decision.
pub struct Lie<Data, Decision> {
    /// What is claimed, for messages.
    pub name: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// Tells it: the decision is changed. False where this decision has nothing to lie about, and
    /// then nothing is changed.
    pub tell: fn(&Data, &mut Decision) -> bool,
}

/// Tell a lie of a form by its name. An error where there is none, or where the decision has
/// nothing to lie about.
pub fn tell<K: Kind, F: Form<K>>(
    form: &F,
    name: &str,
    data: &K::Data,
    decision: &mut F::Decision,
) -> Result<()> {
    let lies = form.lies();
    let lie = lies.iter().find(|lie| lie.name == name);
    let lie = lie.ok_or_else(|| Error::params(format!("the form has no lie '{name}'")))?;
    match (lie.tell)(data, decision) {
        true => Ok(()),
        false => Err(Error::unsupported(format!("there is nothing here to lie about: {name}"))),
    }
}
