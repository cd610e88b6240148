//! What exchanging matches after the draw does to the promise that all matches of a record are
//! equally probable. Not a figure of the paper: what we release differs from it in this step.

use sfumato_core::transactions::Transactions;
use sfumato_core::{FastMap, Result};
use sfumato_kernels::nonreciprocal::{RandomStream, extraction};
use sfumato_sets::algorithms::nonreciprocal::greedy_pick::greedy_matches;
use sfumato_sets::algorithms::nonreciprocal::mend::mend;

use crate::bench::trials;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// The figure.
pub struct Equal;

static INFO: FigureInfo = FigureInfo {
    name: "equal",
    caption: "How often an attacker who knows all records and the algorithm finds the true match",
    paper: "Not a figure of the paper, which promises (lines 148 and 170) that no match of a \
    record \
        is the true one with a probability above 1 / l. In the paper labels differ before an \
        assignment is drawn; our releases exchange matches after the draw until labels differ in \
        the release, and the true match is never exchanged.",
    data: "Records are drawn with 6 items, each present with probability 1/2; labels are dealt out \
        at random, as many of each.",
    files: &[],
};

const PROMISE: Gauge = Gauge::Custom {
    measure: "how much more often than 1 in l the most probable match is the true one, in percent",
    control: "a release that tells: the draw is always the first assignment, each record its own",
};
const PAPER: Statement = Statement::new(
    Origin::Line(170),
    "as printed, an attacker finds the true match no more often than 1 in l (here: up to 5 % more, \
        for the luck of draws)",
    PROMISE,
    Rule::AtMost(5.0),
);
const RELEASED: Statement = Statement::new(
    Origin::Ours,
    "with matches exchanged after the draw, an attacker finds the true match no more often than 1 \
        in l (here: up to 5 % more)",
    PROMISE,
    Rule::AtMost(5.0),
);

/// Small enough for every release to be seen often: records, labels, l.
const CASES: [(usize, u32, usize); 3] = [(4, 4, 2), (6, 3, 2), (6, 6, 3)];

/// The releases: who may be whom, and the label of each row.
type Release = (Vec<u32>, Vec<u32>);

/// Of each release, how often each row was the true one of each record.
#[derive(Default)]
struct Seen(FastMap<Release, Vec<u32>>);

impl Seen {
    fn add(&mut self, release: Release, assignment: &[u32]) {
        let n = assignment.len();
        let counts = self.0.entry(release).or_insert_with(|| vec![0; n * n]);
        for (record, row) in assignment.iter().enumerate() {
            counts[record * n + *row as usize] += 1;
        }
    }

    /// The most probable row of a record, by what was seen; `None` of a release never seen.
    fn guess(&self, release: &Release, record: usize, n: usize) -> Option<u32> {
        let counts = self.0.get(release)?;
        let row = |row: &u32| counts[record * n + *row as usize];
        (0..n as u32).max_by_key(row)
    }
}

/// How to release.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Paper,
    Exchanged,
    Told,
}

impl Figure for Equal {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let draws = settings.pick(2_000u64, 60_000, 400_000);
        let mut result = FigureResult::new(
            &INFO,
            format!("{draws} releases to learn from, and as many to guess"),
        );
        let columns = ["1 in l", "as printed", "exchanged", "told (control)", "exchanged records"];
        let mut table = Table::new("True matches found", "records, labels, l", "%", &columns)
            .digits(1)
            .plotted(Plot::None);
        let found = trials("equal", CASES.len() * 3, 1, settings.observer, |number| {
            let how = [How::Paper, How::Exchanged, How::Told][number % 3];
            let found = attacked(CASES[number / 3], how, draws, settings);
            settings.observer.advance(1);
            found
        })?;
        for (case, found) in CASES.iter().zip(found.chunks(3)) {
            let (n, labels, l) = *case;
            let fair = 100.0 / l as f64;
            let about = format!("{n} records, {labels} labels, l = {l}");
            let more = |percent: f64| 100.0 * (percent / fair - 1.0);
            let [paper, exchanged, told] = [0, 1, 2].map(|how| found[how].0);
            let cells = [fair, paper, exchanged, told, found[1].1];
            table.push(format!("{n}, {labels}, {l}"), cells.map(Number::exact).to_vec());
            result.claims.extend([
                PAPER.claim(&about, Measured::new(more(paper), more(told))),
                RELEASED.claim(&about, Measured::new(more(exchanged), more(told))),
            ]);
        }
        result.tables.push(table);
        result.notes.push(
            "The attacker knows all records, the algorithm and how often each label occurs, but \
                no label of anybody, and has seen as many releases of the same records as are \
                guessed: for each record it names the row that was most often the true one in \
                the same release. Both ways to release build the graph from the labels, which an \
                attacker who counts can use; what the exchange adds is the difference between the \
                two columns. The last column has the records whose matches were exchanged."
                .into(),
        );
        Ok(result)
    }
}

/// The percent of true matches found, and of records whose matches were exchanged.
fn attacked(
    (n, n_labels, l): (usize, u32, usize),
    how: How,
    draws: u64,
    settings: &Settings<'_>,
) -> Result<(f64, f64)> {
    let mut random = RandomStream::from_seed(settings.seed_of(&[40, n as u64]));
    let mut set = || (0..6u32).filter(|_| random.below(2) == 0).collect::<Vec<u32>>();
    let sets = Transactions::from_sets(6, (0..n).map(|_| set()));
    let order: Vec<u32> = (0..n as u32).collect();
    let mut random =
        RandomStream::from_seed(settings.seed_of(&[41, n as u64, u64::from(n_labels)]));
    let mut seen = Seen::default();
    let (mut right, mut guessed, mut alike) = (0u64, 0u64, 0usize);
    for draw in 0..2 * draws {
        let labels: Vec<u32> =
            random.permutation(n).into_iter().map(|place| place % n_labels).collect();
        let matches = greedy_matches(&sets, &order, &labels, l, &mut random)?;
        let assignment: Vec<u32> = match how {
            How::Told => order.clone(),
            _ => extraction::draw(&matches, &mut random),
        };
        let graph = match how {
            How::Exchanged => match mend(&matches, &labels, &order, &assignment, &mut random) {
                Ok(mended) => {
                    alike += mended.alike;
                    mended.matches
                }
                // Such a draw is never released.
                Err(_) => continue,
            },
            _ => matches,
        };
        let mut rows: Vec<u32> = graph.all().to_vec();
        rows.chunks_mut(l).for_each(<[u32]>::sort_unstable);
        let mut label_at = vec![0; n];
        assignment.iter().zip(&labels).for_each(|(row, label)| label_at[*row as usize] = *label);
        let release = (rows, label_at);
        if draw < draws {
            seen.add(release, &assignment);
            continue;
        }
        for (record, owned) in assignment.iter().enumerate() {
            // Of a release that was never seen any match is as good as another.
            let guess = seen.guess(&release, record, n);
            let row = guess.unwrap_or(release.0[record * l]);
            right += u64::from(*owned == row);
            guessed += 1;
        }
    }
    let percent = |part: f64, of: f64| 100.0 * part / of.max(1.0);
    Ok((
        percent(right as f64, guessed as f64),
        percent(alike as f64, (2 * draws) as f64 * n as f64),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::observer::Unobserved;

    #[test]
    fn a_release_that_tells_is_found_out_and_a_fair_one_is_not() {
        let settings = Settings {
            size: crate::figure::Size::Tiny,
            seed: 1,
            rows: None,
            data: "nowhere".into(),
            observer: &Unobserved,
        };
        let (told, _) = attacked((4, 4, 2), How::Told, 4_000, &settings).unwrap();
        assert!(told > 95.0, "{told}");
        let (fair, exchanged) = attacked((4, 4, 2), How::Paper, 4_000, &settings).unwrap();
        assert!((45.0..62.0).contains(&fair) && exchanged == 0.0, "{fair}");
    }
}
