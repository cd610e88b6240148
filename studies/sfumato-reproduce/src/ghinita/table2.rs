//! Table II: the probability of finding a transaction from some of its items.

use sfumato_core::column::Code;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::{Result, with_sets};

use super::data::{BMS, FILES};
use crate::bench::RandomStream;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// Table II.
pub struct Table2;

static INFO: FigureInfo = FigureInfo {
    name: "table2",
    caption: "Probability of re-identification from known items",
    paper: "From 1, 2, 3 and 4 items, randomly chosen, a transaction is re-identified with \
        probability 0.3, 9.5, 24.3 and 50.0 % on BMS1 and 0.8, 18.8, 41.6 and 91.1 % on BMS2. How \
        the items are chosen, \
and what is done with transactions that have fewer, isn't said.",
    data: "BMS-WebView-1 and BMS-WebView-2, all items known ones.",
    files: FILES,
};

/// How known items may be drawn and what may be meant by the probability. `k` is how many are
/// known.
const READINGS: [&str; 5] = ["printed", "(a)", "(b)", "(c)", "(d)"];

const PRINTED: Statement = Statement::new(
    Origin::Line(343),
    "the printed probabilities are those of the plain rule: random items of a random transaction, \
        one over the number of transactions that have them",
    Gauge::Custom {
        measure: "numbers of the eight that are met but for their last digit and a tenth",
        control: "the eight printed numbers in random order",
    },
    Rule::AtLeast(8.0),
);
const SPARSER: Statement = Statement::new(
    Origin::Line(350),
    "four known items re-identify transactions of BMS2, the sparser set, more often than of BMS1",
    Gauge::MeanGap,
    Rule::Above(0.0),
);
const NINETY: Statement = Statement::new(
    Origin::Line(350),
    "on BMS2 more than 90 % are re-identified from four items",
    Gauge::Custom { measure: "percent re-identified, reading (a)", control: "the same of BMS1" },
    Rule::Above(90.0),
);

impl Figure for Table2 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let draws = settings.pick(200, 4_000, 20_000);
        let mut result =
            FigureResult::new(&INFO, format!("{draws} random draws for each number and reading"));
        let mut off: Vec<String> = Vec::new();
        let mut both: Vec<(f64, f64)> = Vec::new();
        for (number, bms) in BMS.iter().enumerate() {
            let sets = bms.read(settings)?;
            let lists = Lists::new(&sets);
            let title = format!("Table II: {}", bms.name);
            let mut table = Table::new(&title, "known items", "re-identified, %", &READINGS)
                .digits(2)
                .plotted(Plot::None);
            for known in 1..=4usize {
                let seed = settings.seed_of(&[2, number as u64, known as u64]);
                let readings = readings(&sets, &lists, known, draws, seed);
                let printed = bms.identified[known - 1];
                let cells = [printed].into_iter().chain(readings.iter().map(|share| 100.0 * share));
                table.push(known, cells.map(Number::exact).collect());
                both.push((100.0 * readings[0], printed));
                if !is_met(100.0 * readings[0], printed) {
                    off.push(format!(
                        "{} from {known}: {:.1} instead of {printed} %",
                        bms.name,
                        100.0 * readings[0]
                    ));
                }
            }
            result.tables.push(table);
        }
        let mut nulls = settings.nulls();
        let printed: Vec<f64> = both.iter().map(|pair| pair.1).collect();
        let met = |printed: &[f64]| {
            both.iter().zip(printed).filter(|(pair, p)| is_met(pair.0, **p)).count() as f64
        };
        let words =
            if off.is_empty() { "all eight".into() } else { format!("not {}", off.join("; ")) };
        let four: Vec<f64> = result.tables.iter().map(|table| table.means(1)[3]).collect();
        result.claims.extend([
            PRINTED.claim(
                "",
                Measured::new(met(&printed), met(&nulls.shuffled(&printed))).told(words),
            ),
            SPARSER.claim("", nulls.pairs(SPARSER.gauge(), &[(four[1], four[0])])),
            NINETY.claim("", Measured::new(four[1], four[0])),
        ]);
        result.notes.push(
            "Readings. (a) A random transaction among those with at least as many items as are \
                known, random items of it, and the mean of one over the number of transactions \
                that have them all. \
(b) The same draws, but only transactions count that are the only ones with these items. (c) As \
(a) with any transaction; of one that has fewer items all are known. (d) As (a), but \
every set of so many items within a transaction is as likely as any other, so that long \
transactions are drawn more often."
                .into(),
        );
        result.notes.push(
            "For one item (a) gives the printed numbers. For two and more no reading gives those \
                of both data sets: on BMS1 they lie above (a) and on BMS2 around it, up to four \
                items, where they \
are far above. The records that the paper drew from may have been other ones."
                .into(),
        );
        Ok(result)
    }
}

/// Whether a number is the printed one but for its last digit and a tenth, for the luck of draws.
fn is_met(found: f64, printed: f64) -> bool {
    (found - printed).abs() <= 0.05 + 0.1 * printed
}

/// The records that have each item, ascending.
struct Lists {
    starts: Vec<usize>,
    records: Vec<u32>,
}

impl Lists {
    fn new(sets: &Transactions) -> Self {
        let mut starts = vec![0usize];
        for (item, count) in sets.counts().into_iter().enumerate() {
            starts.push(starts[item] + count as usize);
        }
        let mut next = starts.clone();
        let mut records = vec![0u32; starts.last().copied().unwrap_or(0)];
        with_sets!(sets, sets => for (record, set) in sets.iter().enumerate() {
            for item in set {
                let place = &mut next[item.widen() as usize];
                records[*place] = record as u32;
                *place += 1;
            }
        });
        Lists { starts, records }
    }

    fn of(&self, item: u32) -> &[u32] {
        &self.records[self.starts[item as usize]..self.starts[item as usize + 1]]
    }

    /// How many records have all of some items: those of the rarest one that have the others.
    fn matching<C: Code>(&self, sets: Sets<'_, C>, items: &[u32]) -> usize {
        let Some(rarest) = items.iter().min_by_key(|item| self.of(**item).len()) else {
            return sets.len();
        };
        let has = |record: u32, item: &u32| {
            sets.get(record as usize).binary_search_by(|own| own.widen().cmp(item)).is_ok()
        };
        self.of(*rarest)
            .iter()
            .filter(|record| items.iter().all(|item| has(**record, item)))
            .count()
    }
}

/// The probability by each reading.
fn readings(sets: &Transactions, lists: &Lists, known: usize, draws: usize, seed: u64) -> [f64; 4] {
    let mut random = RandomStream::new(seed);
    let long = (0..sets.len()).filter(|record| sets.size(*record) >= known).collect::<Vec<usize>>();
    // How many sets of the known size the transactions have, up to each of them.
    let mut so_far = Vec::with_capacity(long.len());
    let mut sum = 0usize;
    for record in &long {
        sum += (0..known).fold(1, |n, i| n * (sets.size(*record) - i) / (i + 1));
        so_far.push(sum);
    }
    if long.is_empty() {
        return [0.0; 4];
    }
    let mut sums = [0.0; 4];
    for _ in 0..draws {
        let record = long[random.below(long.len())];
        let n = matching(sets, lists, record, known, &mut random);
        sums[0] += 1.0 / n as f64;
        sums[1] += f64::from(u8::from(n == 1));
        let record = random.below(sets.len());
        sums[2] += 1.0 / matching(sets, lists, record, known, &mut random) as f64;
        let place = random.below(sum);
        let record = long[so_far.partition_point(|end| *end <= place)];
        sums[3] += 1.0 / matching(sets, lists, record, known, &mut random) as f64;
    }
    sums.map(|sum| sum / draws as f64)
}

/// How many records have the known items of a record: some of its items at random, or all if it has
/// no more.
fn matching(
    sets: &Transactions,
    lists: &Lists,
    record: usize,
    known: usize,
    random: &mut RandomStream,
) -> usize {
    let mut items = sets.set(record);
    for place in 0..known.min(items.len()) {
        let other = place + random.below(items.len() - place);
        items.swap(place, other);
    }
    items.truncate(known);
    with_sets!(sets, sets => lists.matching(sets, &items))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_of_a_small_set() {
        // Two equal pairs and a single item that all have.
        let sets = Transactions::from_sets(3, [vec![0, 1], vec![0, 1], vec![0, 2], vec![0]]);
        let lists = Lists::new(&sets);
        let count = |items: &[u32]| with_sets!(&sets, sets => lists.matching(sets, items));
        assert_eq!(
            (count(&[0]), count(&[1, 0]), count(&[0, 2]), count(&[1, 2]), count(&[])),
            (4, 2, 1, 0, 4)
        );
        let [a, b, c, d] = readings(&sets, &lists, 2, 4_000, 1);
        // Of three transactions with two items one is unique; of all four the last one is known by
        // one item.
        assert!((a - 2.0 / 3.0).abs() < 0.03 && (b - 1.0 / 3.0).abs() < 0.05, "{a} {b}");
        assert!((c - (0.5 + 0.5 + 1.0 + 0.25) / 4.0).abs() < 0.03, "{c}");
        assert!((d - 2.0 / 3.0).abs() < 0.03, "{d}");
        assert_eq!(readings(&sets, &lists, 3, 10, 1), [0.0; 4]);
    }
}
