//! Ways to extract assignments, and the time of each.

use sfumato_core::Result;
use sfumato_core::matches::Matches;
use sfumato_kernels::nonreciprocal::{Closing, Extraction, RandomStream, Walk};

use crate::bench::clock::single_thread_seconds;
use crate::figure::Settings;
use crate::found::{Number, Plot, Table};

/// A way to walk.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// What the curve is called.
    pub name: &'static str,
    walk: Walk,
    closing: Closing,
}

/// The paper's two, whose walks end at their own start, the two whose walks end at any row that
/// nobody holds, and the second reading of backtracking.
pub const WAYS: [Way; 5] = [
    Way { name: "closed walk", walk: Walk::Closed, closing: Closing::Own },
    Way { name: "backtracking", walk: Walk::Backtracking, closing: Closing::Own },
    Way { name: "closed, any end", walk: Walk::Closed, closing: Closing::Any },
    Way { name: "backtr., any end", walk: Walk::Backtracking, closing: Closing::Any },
    Way { name: "backtr., forgetful", walk: Walk::ForgetfulBacktracking, closing: Closing::Own },
];

/// What the two readings of the paper's baseline are.
pub const READINGS: &str = "\
**Two readings of backtracking.** The paper says that its baseline never visits a node twice on a \
walk, and not whether a node that was gone back from counts. `backtracking` marks a row for the \
whole walk, so that a walk tries each edge once, which gives the paper's bound of k n^2. \
`backtr., forgetful` may visit it again another way; since that can take for ever, marks stay \
after \
ten times as many steps as there are records.";

/// What the extraction of all assignments takes: time and steps, a row for each graph.
pub struct Walks {
    /// Seconds.
    pub times: Table,
    /// Steps for each edge of the graph.
    pub steps: Table,
}

impl Walks {
    /// A table without measurements.
    pub fn new(title: &str, rows_are: &str, plot: Plot) -> Self {
        let names = WAYS.map(|way| way.name);
        let table = |what: &str, measure: &str| {
            Table::new(&format!("{title}: {what}"), rows_are, measure, &names).plotted(plot)
        };
        Walks {
            times: table("time", "processor time, s").digits(4),
            steps: table("steps", "steps for each edge").digits(2),
        }
    }

    /// Measure all ways on a graph.
    pub fn measure(
        &mut self,
        label: usize,
        matches: &Matches,
        seed: u64,
        settings: &Settings<'_>,
    ) -> Result<()> {
        let (mut times, mut steps) = (Vec::new(), Vec::new());
        for way in WAYS {
            let (seconds, per_edge) = taken(way, matches, seed, settings)?;
            times.push(Number::exact(seconds));
            steps.push(Number::exact(per_edge));
        }
        self.times.push(label, times);
        self.steps.push(label, steps);
        Ok(())
    }

    /// The closed walk beside one of the others, row by row: seconds, or steps.
    pub fn beside(&self, other: usize, of_steps: bool) -> Vec<(f64, f64)> {
        let table = if of_steps { &self.steps } else { &self.times };
        let closed = if other == ANY_END { ANY_CLOSED } else { 0 };
        table.means(closed).into_iter().zip(table.means(other)).collect()
    }
}

/// The places of the ways.
pub const BACKTRACKING: usize = 1;
pub const ANY_CLOSED: usize = 2;
pub const ANY_END: usize = 3;
pub const FORGETFUL: usize = 4;

/// Numbers from the least to the most, in words.
pub fn range(numbers: &[f64]) -> String {
    let (least, most) = numbers
        .iter()
        .fold((f64::MAX, 0f64), |(least, most), number| (least.min(*number), most.max(*number)));
    format!("{least:.2} to {most:.2}")
}

/// Seconds and steps for each edge to extract all assignments of a graph.
fn taken(way: Way, matches: &Matches, seed: u64, settings: &Settings<'_>) -> Result<(f64, f64)> {
    let mut random = RandomStream::from_seed(seed);
    let (mut steps, mut edges) = (0, 0);
    let seconds = single_thread_seconds(settings.pick(0.0, 0.05, 2.0), || {
        let mut extraction = Extraction::new(matches, way.walk, way.closing, &mut random);
        edges += extraction.by_ref().map(|assignment| assignment.len()).sum::<usize>();
        steps += extraction.steps();
        Ok(())
    })?;
    Ok((seconds, steps as f64 / edges.max(1) as f64))
}
