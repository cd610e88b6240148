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

/// The paper's two, whose walks end at their own start, and the two whose walks end at any row that
/// nobody holds.
pub const WAYS: [Way; 4] = [
    Way { name: "closed walk", walk: Walk::Closed, closing: Closing::Own },
    Way { name: "backtracking", walk: Walk::Backtracking, closing: Closing::Own },
    Way { name: "closed, any end", walk: Walk::Closed, closing: Closing::Any },
    Way { name: "backtr., any end", walk: Walk::Backtracking, closing: Closing::Any },
];

/// What holds of the paper's main claim about time and what doesn't, as the full runs show it.
pub const WHY_NOT_FASTER: &str = "\
**The closed walk isn't an order of magnitude faster here.** Time follows steps. Where walks end \
at their own start, as the paper has it, the closed walk takes about twice the steps of \
backtracking for larger k, and \
that isn't the ring's doing: with rows renumbered at random (fig7_b) it takes more still. Our \
guess, not tested: where a walk finds all ways visited, backtracking gives up a step or a few, \
while the closed walk gives \
up the whole loop back to where it goes again; the records of the loop are left for later walks. \
The paper reasons the other way round, that backtracking must undo the loop. Where walks end at \
any free row, both \
take nearly the same steps, and times differ little. Our backtracking marks a row for the whole \
walk, also when it has gone back from it, so that a walk tries each edge once, \
which gives the paper's bound of k n^2. A baseline that searches lists for what it has visited, or \
goes again where it has gone back from, would be slower; the paper's text doesn't say what its own \
does.";

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

    /// How many times as long as the closed walk backtracking takes, in seconds and in steps, row
    /// by row; ends are the paper's, or any.
    pub fn ratios(&self, any_end: bool) -> (Vec<f64>, Vec<f64>) {
        let closed = if any_end { 2 } else { 0 };
        let of = |table: &Table| -> Vec<f64> {
            let pairs = table.means(closed).into_iter().zip(table.means(closed + 1));
            pairs.map(|(closed, backtracking)| backtracking / closed.max(1e-9)).collect()
        };
        (of(&self.times), of(&self.steps))
    }
}

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
