//! Small data for tests, and random ones.

use sfumato_core::combinations::Share;
use sfumato_core::sequences::{AskedSequences, Knows};
use sfumato_paths::data::{PathData, Paths, SensitiveColumn, Step};

/// Table 14.1 of the book as a CSV of points.
pub const BOOK: &[(&str, &str, &str)] = &[
    ("1", "b2 d3 c4 f6 c7", "AIDS"),
    ("2", "f6 c7 e8", "Flu"),
    ("3", "d3 c4 f6 e8", "Fever"),
    ("4", "b2 c5 c7 e8", "Flu"),
    ("5", "d3 c7 e8", "Fever"),
    ("6", "c5 f6 e8", "Diabetes"),
    ("7", "b2 f6 c7 e8", "Diabetes"),
    ("8", "b2 c5 f6 c7", "AIDS"),
];

/// The points of a table, as a file that `points(id=ID, place=LOC, time=T)` reads.
pub fn csv(rows: &[(&str, &str, &str)]) -> String {
    let mut text = String::from("ID,LOC,T,diagnosis\n");
    for (id, path, value) in rows {
        for step in path.split(' ') {
            text += &format!("{id},{},{},{value}\n", &step[..1], &step[1..]);
        }
    }
    text
}

/// Paths of letters and digits with a value beside each.
pub fn data(rows: &[(&str, &str)]) -> PathData {
    let mut steps: Vec<(u32, String)> = rows
        .iter()
        .flat_map(|(path, _)| path.split(' ').filter(|step| !step.is_empty()))
        .map(|step| (step[1..].parse().unwrap(), step[..1].to_string()))
        .collect();
    steps.sort();
    steps.dedup();
    let mut places: Vec<String> = steps.iter().map(|step| step.1.clone()).collect();
    places.sort();
    places.dedup();
    let mut times: Vec<u32> = steps.iter().map(|step| step.0).collect();
    times.dedup();
    let code = |step: &(u32, String)| Step {
        time: times.iter().position(|time| *time == step.0).unwrap() as u32,
        place: places.iter().position(|place| *place == step.1).unwrap() as u32,
    };
    let codes: Vec<Step> = steps.iter().map(code).collect();
    let path = |(path, _): &(&str, &str)| -> Vec<u32> {
        path.split(' ')
            .filter(|step| !step.is_empty())
            .map(|step| {
                let step = (step[1..].parse().unwrap(), step[..1].to_string());
                steps.iter().position(|known| *known == step).unwrap() as u32
            })
            .collect()
    };
    let mut values: Vec<String> = Vec::new();
    let of_record = rows
        .iter()
        .map(|(_, value)| {
            let known = values.iter().position(|known| known == value);
            known.unwrap_or_else(|| {
                values.push(value.to_string());
                values.len() - 1
            }) as u32
        })
        .collect();
    PathData {
        quasi: Vec::new(),
        places: places.clone(),
        times: times.iter().map(u32::to_string).collect(),
        steps: codes,
        paths: rows.iter().map(path).collect::<Paths>(),
        sensitive: vec![SensitiveColumn {
            name: "diagnosis".into(),
            is_missing: vec![false; values.len()],
            values,
            of_record,
            native_type: None,
        }],
    }
}

/// A question about sequences.
pub fn asked(length: usize, required: u64, most: f64, values: Option<&[&str]>) -> AskedSequences {
    AskedSequences {
        length,
        required,
        most: Share::of_decimal(most).unwrap(),
        values: values.map(|values| values.iter().map(|value| value.to_string()).collect()),
        knows: Knows::Points,
    }
}

/// A generator of small numbers that needs nothing: the tests are the same everywhere.
pub struct Random(pub u64);

impl Random {
    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}
