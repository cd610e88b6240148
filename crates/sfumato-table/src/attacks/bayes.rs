//! A naive Bayes classifier that is trained on generalized cells: a cell counts as an equal share
//! of each value that it covers.

use super::TableStage;

/// A trained classifier for one sensitive column.
pub struct Bayes {
    /// The places of the columns that it looks at.
    known: Vec<usize>,
    /// How many rows have each sensitive code.
    totals: Vec<f64>,
    /// For each column: how many bins it has, the bin of each code, and the counts by sensitive
    /// code and bin.
    columns: Vec<Binned>,
}

struct Binned {
    bin_of_code: Vec<u32>,
    n_bins: usize,
    counts: Vec<f64>,
}

/// Numbers are put into at most so many bins: exact ones are too rare to learn from.
const BINS: usize = 24;

/// The bin of each code of a quasi column: numbers by ranges with equally many people, words by
/// themselves.
pub fn bins(stage: &TableStage, column: usize) -> (Vec<u32>, usize) {
    let quasi = &stage.quasi[column];
    if quasi.numbers.is_none() || quasi.n_codes <= BINS {
        return ((0..quasi.n_codes as u32).collect(), quasi.n_codes);
    }
    let mut counts = vec![0usize; quasi.n_codes];
    quasi.people[..stage.n].iter().for_each(|code| counts[*code as usize] += 1);
    let (missing, mut seen) = (quasi.n_codes - 1, 0);
    let mut bins = vec![0u32; quasi.n_codes];
    for code in 0..missing {
        bins[code] = (seen * BINS / stage.n.max(1)).min(BINS - 1) as u32;
        seen += counts[code];
    }
    // Missing is a bin of its own.
    bins[missing] = BINS as u32;
    (bins, BINS + 1)
}

impl Bayes {
    /// Train on the release, for some quasi columns and a sensitive one.
    pub fn new(stage: &TableStage, known: &[usize], sensitive: usize) -> Self {
        let secret = &stage.sensitive[sensitive];
        let totals: Vec<f64> = secret.overall.iter().map(|count| *count as f64).collect();
        let columns = known.iter().map(|column| Binned::new(stage, *column, sensitive)).collect();
        Bayes { known: known.to_vec(), totals, columns }
    }

    /// What it believes about a person.
    pub fn belief(&self, stage: &TableStage, person: usize) -> Vec<(u32, f64)> {
        let mut scores: Vec<(u32, f64)> = Vec::new();
        for (code, total) in self.totals.iter().enumerate().filter(|(_, total)| **total > 0.0) {
            let mut score = total.ln();
            for (place, column) in self.known.iter().zip(&self.columns) {
                let value = stage.quasi[*place].people[person];
                let bin = column.bin_of_code[value as usize] as usize;
                let count = column.counts[code * column.n_bins + bin];
                score += ((count + 1.0) / (total + column.n_bins as f64)).ln();
            }
            scores.push((code as u32, score));
        }
        let most = scores.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = scores.iter().map(|(_, score)| (score - most).exp()).sum();
        scores.iter_mut().for_each(|(_, score)| *score = (*score - most).exp() / sum);
        scores
    }
}

impl Binned {
    fn new(stage: &TableStage, column: usize, sensitive: usize) -> Self {
        let (bin_of_code, n_bins) = bins(stage, column);
        let quasi = &stage.quasi[column];
        let n_secrets = stage.sensitive[sensitive].n_codes();
        // How much of each bin a published text covers.
        let shares: Vec<Vec<(u32, f64)>> = (quasi.covers.iter().zip(&quasi.number_of_text))
            .map(|(cover, number)| {
                let mut bins: Vec<u32> = (0..quasi.n_codes as u32)
                    .filter(|code| cover.has(*code))
                    .map(|code| bin_of_code[code as usize])
                    .collect();
                if bins.is_empty() {
                    // A perturbed number counts as the nearest that somebody has.
                    bins.extend(near(quasi, *number).map(|code| bin_of_code[code]));
                }
                bins.sort_unstable();
                let all = bins.len() as f64;
                let runs = bins.chunk_by(|a, b| a == b);
                runs.map(|run| (run[0], run.len() as f64 / all)).collect()
            })
            .collect();
        let mut counts = vec![0.0; n_secrets * n_bins];
        for (class, text) in stage.classes.iter().zip(&quasi.text_of_class) {
            let group = &stage.groups[class.group as usize];
            let part = class.rows.len() as f64 / group.n as f64;
            for (code, count) in &group.counts[sensitive] {
                for (bin, share) in &shares[*text as usize] {
                    let place = *code as usize * n_bins + *bin as usize;
                    counts[place] += *count as f64 * part * share;
                }
            }
        }
        Binned { bin_of_code, n_bins, counts }
    }
}

/// The code of the number that is nearest to a published one.
fn near(quasi: &super::stage::Quasi, number: Option<f64>) -> Option<usize> {
    let (numbers, number) = (quasi.numbers.as_ref()?, number?);
    let at = numbers.partition_point(|known| *known < number);
    let candidates = [at.checked_sub(1), (at < numbers.len()).then_some(at)];
    let distance = |code: &usize| (numbers[*code] - number).abs();
    candidates.into_iter().flatten().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}
