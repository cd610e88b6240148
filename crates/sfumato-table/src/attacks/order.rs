//! Order: a release whose rows stand in the order of the input says which row is whose.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::TableStage;

/// The attack `order`, an entry of the registry.
pub struct Order;

static INFO: Info = Info {
    name: "order",
    summary: "takes rows for people in the order of the original, of the whole file or of a class",
    papers: &[],
    params: &[],
    doc: include_str!("order.md"),
    ..Info::DEFAULT
};

/// How many rows are aligned at least to know what a random order gives.
const ROWS_AT_RANDOM: usize = 5000;

impl Attack<TableStage> for Order {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn play(&self, _: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let rows: Vec<u32> = (0..stage.n_rows as u32).collect();
        let mut shuffled = rows.clone();
        let times = ROWS_AT_RANDOM.div_ceil(stage.n_rows.max(1)).clamp(1, 50);
        let ways: [(&str, Alignment); 2] = [("of the file", whole), ("inside classes", by_class)];
        let mut best: Option<(f64, Outcome)> = None;
        for (words, align) in ways {
            let aligned = align(stage, &rows);
            let score = Score::new(aligned.iter().filter(|is| **is).count() as f64, 0);
            let score = Score { queries: aligned.len() as u64, ..score };
            let mut at_random = Score::default();
            for _ in 0..times {
                chance.shuffle(&mut shuffled);
                for is_right in align(stage, &shuffled) {
                    at_random.add(f64::from(u8::from(is_right)));
                }
            }
            let baseline = at_random.rate().unwrap_or(0.0);
            let gain = score.rate().unwrap_or(0.0) - baseline;
            if best.as_ref().is_none_or(|(known, _)| gain > *known) {
                let remarks = vec![format!("by the order {words}")];
                let (everybody, control) = (true, None);
                let outcome =
                    Outcome { score, baseline, everybody, remarks, control, ..Outcome::default() };
                best = Some((gain, outcome));
            }
        }
        Ok(best.map(|(_, outcome)| outcome).unwrap_or_default())
    }
}

/// Whether each row, in an order, fits the person that it is taken for.
type Alignment = fn(&TableStage, &[u32]) -> Vec<bool>;

impl TableStage {
    /// Whether a class covers a person.
    pub fn covers(&self, class: u32, person: usize) -> bool {
        self.quasi.iter().all(|column| {
            column.covers[column.text_of_class[class as usize] as usize].has(column.people[person])
        })
    }

    /// Whether a row may be a person's: it covers the quasi values and has the sensitive ones.
    fn fits(&self, row: u32, person: usize) -> bool {
        let agrees = self.sensitive.iter().all(|column| {
            // Linked tables don't say which of the group's values a row has.
            self.form == "buckets" || column.rows[row as usize] == column.people[person]
        });
        agrees && self.covers(self.class_of_row[row as usize], person)
    }
}

/// Rows for people one by one. If people are missing from the release, a row may be that of the
/// next person that it fits, as many places on as are missing.
fn whole(stage: &TableStage, rows: &[u32]) -> Vec<bool> {
    let missing = stage.n.saturating_sub(rows.len());
    let mut next = 0;
    let mut aligned = Vec::with_capacity(rows.len());
    for (place, row) in rows.iter().enumerate() {
        let last = (place + missing).min(stage.n.saturating_sub(1));
        let first = next.max(place);
        let found = (first..=last).find(|person| stage.fits(*row, *person));
        if let Some(person) = found {
            next = person + 1;
        }
        aligned.push(found.is_some());
    }
    aligned
}

/// Rows of a class for the people whom only this class covers, one by one. What is compared is the
/// sensitive values, so there is nothing to compare without any.
fn by_class(stage: &TableStage, rows: &[u32]) -> Vec<bool> {
    if stage.sensitive.is_empty() || stage.form == "buckets" {
        return Vec::new();
    }
    let links = stage.links_by_all();
    let mut people: Vec<Vec<u32>> = vec![Vec::new(); stage.classes.len()];
    for person in 0..stage.n {
        if let [class] = links.of(person)[..] {
            people[class as usize].push(person as u32);
        }
    }
    let mut seen = vec![0usize; stage.classes.len()];
    let mut aligned = Vec::new();
    for row in rows {
        let class = stage.class_of_row[*row as usize] as usize;
        // Only classes of which every row is the row of somebody who is in no other.
        if people[class].len() != stage.classes[class].rows.len() {
            continue;
        }
        let person = people[class][seen[class]] as usize;
        seen[class] += 1;
        let is_same =
            |column: &super::stage::Sensitive| column.rows[*row as usize] == column.people[person];
        aligned.push(stage.sensitive.iter().all(is_same));
    }
    aligned
}
