//! Columns and items: whoever knows the quasi columns of a person and some items looks for the rows
//! that fit both.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};
use sfumato_sets::attacks::{PRESENT, QUERIES};

use super::MixedStage;

/// The attack `columns-and-items`, an entry of the registry.
pub struct ColumnsAndItems;

static INFO: Info = Info {
    name: "columns-and-items",
    summary: "guesses which row is that of a person whose quasi columns and some items are known",
    papers: &[Paper {
        authors: "G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos",
        title: "Anonymizing data with relational and transaction attributes",
        venue: "ECML PKDD",
        year: 2013,
    }],
    params: &[PRESENT, QUERIES],
    doc: "\
The attacker knows all quasi columns of a person and `present` items, drawn at random. The rows \
whose cells cover the columns and that have all the items, or nodes above them, may be the \
person's, and one of them is guessed. The rate is the mean of one over their number; where items \
were left out it may be that none fits. Guessing is one over all rows.

`km-anonymity` of mixed records with m of at least `present` bounds everybody's chance by 1/k. \
k-anonymity of columns and k^m-anonymity of items, each by itself, don't: two rows of a class \
needn't have the same items.
",
    ..Info::DEFAULT
};

impl Attack<MixedStage> for ColumnsAndItems {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["classes"]
    }
    fn play(&self, params: &Params, stage: &MixedStage, chance: &mut Chance) -> Result<Outcome> {
        let present = params.count("present") as usize;
        let n = stage.people.len();
        let asked = chance.sample(params.count("queries") as usize, n);
        let (mut score, mut worst, mut nowhere) = (Score::default(), Vec::new(), 0);
        for person in &asked {
            let person = *person as usize;
            let items = stage.people.quasi.set(person);
            let known = chance.sample(present, items.len());
            let known: Vec<u32> = known.iter().map(|at| items[*at as usize]).collect();
            let classes = (0..stage.columns.classes.len() as u32)
                .filter(|class| stage.columns.covers(*class, person));
            let rows = classes
                .flat_map(|class| &stage.columns.classes[class as usize].rows)
                .filter(|row| known.iter().all(|item| stage.may_have(**row, *item)))
                .count();
            let right = if rows == 0 { 0.0 } else { 1.0 / rows as f64 };
            nowhere += usize::from(rows == 0);
            score.add(right);
            worst.push(Worst { record: person as u64 + 1, chance: right });
        }
        let mut outcome = Outcome {
            score,
            baseline: 1.0 / stage.columns.n_rows.max(1) as f64,
            everybody: asked.len() == n,
            worst: Outcome::worst_of(worst.into_iter()),
            ..Outcome::default()
        };
        if nowhere > 0 {
            outcome.remarks.push(format!("of {nowhere} people no row has what is known"));
        }
        Ok(outcome)
    }
}
