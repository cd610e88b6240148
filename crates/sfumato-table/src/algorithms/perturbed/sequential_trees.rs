//! Made-up values by trees, one column after the other: each is drawn from the records that agree
//! with the columns made up before.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};

use super::values::recoded;
use super::{Draws, Perturbing, PerturbingAlgorithm, Takes};

/// The algorithm `sequential-trees`, an entry of the registry.
pub struct SequentialTrees;

static INFO: Info = Info {
    name: "sequential-trees",
    summary: "make up all quasi values by trees, column after column; promises nothing",
    papers: &[
        Paper {
            authors: "Jerome P. Reiter",
            title: "Using CART to generate partially synthetic public use microdata",
            venue: "Journal of Official Statistics",
            year: 2005,
        },
        Paper {
            authors: "Beata Nowok, Gillian M. Raab, Chris Dibben",
            title: "synthpop: bespoke creation of synthetic data in R",
            venue: "Journal of Statistical Software",
            year: 2016,
        },
    ],
    params: &[ParamSpec::with_default(
        "leaf",
        ParamKind::Integer { min: 1, max: 1_000_000 },
        "5",
        "how many records a leaf has at least",
    )],
    doc: "The first quasi column is drawn from its values as often as they occur. For every next \
          one a tree is grown on the originals that tells its values by the columns before it: \
          the split that leaves the least impurity, until a leaf would have fewer than `leaf` \
          records. Each made-up record goes down the tree by the values that were made up for it \
          and gets the value of a random record of its leaf. The order of columns is that of the \
          file. Other columns stay as they are, and rows of the file have nothing to do with the \
          made-up values beside them.\n\n\
          In the file is checked that every value is one of the column's, and that no value is \
          far more or less frequent in the first column than chance allows. Nothing is promised: \
          trees can learn a record by heart, values that one person has are drawn, and rare \
          combinations come back. Play `distance-linkage` and `attribute-inference` with it.",
    capabilities: Capabilities { draws: true, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// No tree is deeper.
const DEEPEST: u32 = 30;

/// A tree over codes of earlier columns.
enum Tree {
    /// The records of a leaf.
    Leaf(Vec<u32>),
    /// The column that is asked for, whether each of its codes goes left, and both sides.
    Split(usize, Vec<bool>, Box<(Tree, Tree)>),
}

/// What a tree is grown on.
struct Growing<'a> {
    /// The codes of earlier columns and how many each has.
    known: &'a [(Vec<u32>, usize)],
    /// The codes of the column that is told.
    told: &'a [u32],
    /// How many codes it has.
    n_told: usize,
    leaf: usize,
}

impl Growing<'_> {
    fn grow(&self, rows: Vec<u32>, deep: u32) -> Tree {
        let first = rows.first().map(|row| self.told[*row as usize]);
        let is_pure = rows.iter().all(|row| Some(self.told[*row as usize]) == first);
        if deep == DEEPEST || rows.len() < 2 * self.leaf || is_pure {
            return Tree::Leaf(rows);
        }
        let best = (0..self.known.len())
            .filter_map(|column| self.split(column, &rows).map(|(gain, left)| (gain, column, left)))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, column, left)) = best else { return Tree::Leaf(rows) };
        let codes = &self.known[column].0;
        let (one, other): (Vec<u32>, Vec<u32>) =
            rows.into_iter().partition(|row| left[codes[*row as usize] as usize]);
        let sides = (self.grow(one, deep + 1), self.grow(other, deep + 1));
        Tree::Split(column, left, Box::new(sides))
    }

    /// The best split by a column: how much purer both sides are, and which codes go left. Codes
    /// are ordered by how large the told code is on average, which is the best order for two
    /// values and for numbers.
    fn split(&self, column: usize, rows: &[u32]) -> Option<(f64, Vec<bool>)> {
        let (codes, n_codes) = &self.known[column];
        let mut order: Vec<(f64, u32)> = Vec::new();
        let mut sums = vec![(0u64, 0u64); *n_codes];
        for row in rows {
            let (n, sum) = &mut sums[codes[*row as usize] as usize];
            *n += 1;
            *sum += u64::from(self.told[*row as usize]);
        }
        for (code, (n, sum)) in (0u32..).zip(&sums) {
            if *n > 0 {
                order.push((*sum as f64 / *n as f64, code));
            }
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut place = vec![0usize; *n_codes];
        order.iter().enumerate().for_each(|(at, (_, code))| place[*code as usize] = at);
        let mut sorted: Vec<(usize, u32)> = rows
            .iter()
            .map(|row| (place[codes[*row as usize] as usize], self.told[*row as usize]))
            .collect();
        sorted.sort_unstable();
        // Squares of counts on both sides tell the Gini impurity, and change little by little.
        let mut counts = [vec![0u64; self.n_told], vec![0u64; self.n_told]];
        sorted.iter().for_each(|(_, told)| counts[1][*told as usize] += 1);
        let mut squares = [0u64, counts[1].iter().map(|n| n * n).sum()];
        let n = sorted.len();
        let before = squares[1] as f64 / n as f64;
        let mut best: Option<(f64, usize)> = None;
        for (at, (place, told)) in sorted.iter().enumerate() {
            let told = *told as usize;
            squares[0] += 2 * counts[0][told] + 1;
            squares[1] -= 2 * counts[1][told] - 1;
            counts[0][told] += 1;
            counts[1][told] -= 1;
            let (left, right) = (at + 1, n - at - 1);
            let is_end = sorted.get(at + 1).is_none_or(|(next, _)| next == place);
            if is_end || left < self.leaf || right < self.leaf {
                continue;
            }
            let gain = squares[0] as f64 / left as f64 + squares[1] as f64 / right as f64 - before;
            if gain > 1e-9 && best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, *place));
            }
        }
        // Codes that no record here has go right.
        best.map(|(gain, last)| {
            let mut left = vec![false; *n_codes];
            order[..=last].iter().for_each(|(_, code)| left[*code as usize] = true);
            (gain, left)
        })
    }
}

impl Tree {
    /// The records of the leaf of somebody whose earlier codes are known.
    fn leaf(&self, code: &dyn Fn(usize) -> u32) -> &[u32] {
        match self {
            Tree::Leaf(rows) => rows,
            Tree::Split(column, left, sides) if left[code(*column) as usize] => sides.0.leaf(code),
            Tree::Split(_, _, sides) => sides.1.leaf(code),
        }
    }
}

impl PerturbingAlgorithm for SequentialTrees {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn takes(&self) -> Takes {
        Takes::Any
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let n = task.table.n_rows;
        let mut known: Vec<(Vec<u32>, usize)> = Vec::new();
        let mut made: Vec<Vec<u32>> = Vec::new();
        for column in &task.columns {
            let told: Vec<u32> = column.codes.iter().collect();
            let n_told = column.domain.len() + 1;
            let leaf = params.integer("leaf").unsigned_abs() as usize;
            let growing = Growing { known: &known, told: &told, n_told, leaf };
            let tree = growing.grow((0..n as u32).collect(), 0);
            let drawn = (0..n).map(|row| {
                let leaf = tree.leaf(&|column: usize| made[column][row]);
                told[leaf[draws.below(leaf.len() as u64) as usize] as usize]
            });
            let drawn: Vec<u32> = drawn.collect();
            made.push(drawn);
            known.push((told, n_told));
        }
        let columns = task.columns.iter().zip(made);
        Ok(columns.map(|(column, codes)| recoded(column, codes.into_iter())).collect())
    }

    fn fault(&self, _: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        let n = task.table.n_rows as f64;
        for (place, (before, after)) in task.columns.iter().zip(after).enumerate() {
            let mut counts = vec![(0f64, 0f64); before.domain.len() + 1];
            before.codes.iter().for_each(|code| counts[code as usize].0 += 1.0);
            let to: Vec<Option<u32>> = (0..after.domain.len() as u32)
                .map(|code| before.domain.find(&after.domain.label(code)))
                .chain([Some(before.domain.missing())])
                .collect();
            for code in after.codes.iter() {
                let Some(code) = to[code as usize].filter(|code| counts[*code as usize].0 > 0.0)
                else {
                    return Some(format!("column '{}' has a value nobody has", before.name));
                };
                counts[code as usize].1 += 1.0;
            }
            // Only the first column is drawn as often as its values occur.
            let is_wrong = |(old, new): &(f64, f64)| {
                (old - new).abs() > 8.0 * (old * (1.0 - old / n)).sqrt() + 20.0
            };
            if place == 0 && counts.iter().any(is_wrong) {
                let name = &before.name;
                return Some(format!(
                    "values of column '{name}' aren't as frequent as they should"
                ));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::SeedableRng as _;
    use sfumato_core::dataset::Table;
    use sfumato_core::registry::Call;

    use super::*;
    use crate::algorithms::tabulated::cells::{Cells, table};

    fn sample() -> Table {
        let of = |f: &dyn Fn(usize) -> usize| (0..2000).map(|row| f(row).to_string()).collect();
        table(vec![
            ("a".into(), of(&|row| row * 7 % 5)),
            ("b".into(), of(&|row| row * 7 % 5 / 2)),
            // Told by both together and by neither alone.
            ("c".into(), of(&|row| (row * 7 % 5 + row / 3 % 2) % 2)),
            ("d".into(), of(&|row| row / 3 % 2)),
        ])
    }

    #[test]
    fn what_goes_together_stays_together() {
        let (table, call): (Table, Call) = (sample(), "sequential-trees".parse().unwrap());
        let params = Params::check(&INFO, &call.args).unwrap();
        let task = Perturbing::of(&table, None);
        let mut draws = Draws(ChaCha20Rng::seed_from_u64(9));
        let made = SequentialTrees.perturb(&params, &task, &mut draws).unwrap();
        let after: Vec<&Column> = made.iter().collect();
        assert_eq!(SequentialTrees.fault(&params, &task, &after), None);
        let made = Table { n_rows: 2000, columns: made.clone(), subject: None };
        let (one, other) =
            (Cells::of(&table).unwrap().counts(), Cells::of(&made).unwrap().counts());
        let off: i64 = one.iter().zip(&other).map(|(a, b)| (a - b).abs()).sum();
        assert!(off < 400, "{off} of 4000");
        // b and d follow from what is before them: no combination that isn't there is made up.
        assert!(one.iter().zip(&other).all(|(a, b)| *a > 0 || *b == 0), "{one:?} {other:?}");
    }

    #[test]
    fn values_nobody_has_and_other_counts_are_seen() {
        let (table, call): (Table, Call) = (sample(), "sequential-trees".parse().unwrap());
        let params = Params::check(&INFO, &call.args).unwrap();
        let task = Perturbing::of(&table, None);
        let mut columns: Vec<Column> = task.columns.iter().map(|c| (*c).clone()).collect();
        columns[0] = recoded(task.columns[0], std::iter::repeat_n(0, 2000));
        let after: Vec<&Column> = columns.iter().collect();
        assert!(SequentialTrees.fault(&params, &task, &after).is_some());
        let mut columns: Vec<Column> = task.columns.iter().map(|c| (*c).clone()).collect();
        columns[1] = recoded(task.columns[1], std::iter::repeat_n(3, 2000));
        let after: Vec<&Column> = columns.iter().collect();
        assert!(SequentialTrees.fault(&params, &task, &after).is_some(), "none is missing");
    }
}
