//! Explains why nothing can be published: which requirement the whole table fails, and by how much.

use sfumato_core::Error;
use sfumato_core::traits::{Direction, Measure, Task};

/// The error for a task whose table can't be published, whole or split.
pub fn infeasible(task: &Task<'_>) -> Error {
    let whole = task.whole();
    let suppressed = match task.max_suppressed {
        0 => String::new(),
        n => format!(", and leaving out up to {n} didn't help"),
    };
    let Some(failing) =
        task.requirements.iter().find(|requirement| !requirement.holds(&whole, &whole))
    else {
        return Error::infeasible(format!("the requirements can't be met together{suppressed}"));
    };
    let measures = failing.measures();
    let achieved: Vec<String> = measures
        .iter()
        .zip(failing.measure(&whole, &whole))
        .map(|(measure, value)| compare(measure, value))
        .collect();
    Error::infeasible(format!(
        "{} can't be met: over the whole table {}{suppressed}",
        failing.describe(),
        achieved.join(", ")
    ))
    .hint(match failing.min_people() > whole.people {
        true => "ask for less: there are not enough people in the data",
        false => "ask for less, or allow more records to be suppressed",
    })
}

fn compare(measure: &Measure, value: f64) -> String {
    let bound = match measure.direction {
        Direction::AtLeast => "at least",
        Direction::AtMost => "at most",
        Direction::Below => "below",
    };
    format!("{} is {} and must be {bound} {}", measure.name, plain(value), plain(measure.required))
}

/// A number for a message: a whole number, or four digits.
fn plain(x: f64) -> String {
    if x.fract() == 0.0 { format!("{x}") } else { format!("{x:.4}") }
}
