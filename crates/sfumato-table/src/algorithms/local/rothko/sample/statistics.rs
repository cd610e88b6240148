//! Counts of every partition while tuples are divided: just enough to decide whether it may be
//! published.

use sfumato_core::column::Codes;
use sfumato_core::group::{Histogram, Summary, Tally};
use sfumato_core::traits::Requirements;
use sfumato_core::{FastMap, FastSet};
use sfumato_io::spill::Batch;

use crate::data::tuples::Frame;

/// The counts of a group of tuples.
#[derive(Debug, Clone)]
pub enum Group {
    /// The summary of its records is known.
    Known(Summary),
    /// The people of the group, up to the required number.
    People(FastSet<u64>),
    /// There was no memory to count it.
    Unknown,
}

impl Group {
    /// Add a disjoint group.
    pub fn merge(&mut self, other: &Group, requirements: &Requirements) {
        match (&mut *self, other) {
            (Group::Known(mine), Group::Known(theirs)) => mine.merge(theirs),
            (Group::People(mine), Group::People(theirs)) => {
                let enough = requirements.min_people();
                // Which of them are taken where there are enough says nothing.
                theirs.iter().for_each(|person| {
                    if (mine.len() as u64) < enough {
                        mine.insert(*person);
                    }
                });
            }
            _ => *self = Group::Unknown,
        }
    }

    /// Whether the group may be published.
    pub fn holds(&self, requirements: &Requirements, release: &Summary) -> bool {
        match self {
            Group::Known(summary) => requirements.holds(summary, release),
            Group::People(people) => people.len() as u64 >= requirements.min_people(),
            Group::Unknown => false,
        }
    }
}

/// How groups are counted.
#[derive(Debug)]
enum Counting {
    /// The number of rows is enough.
    Rows,
    /// People are enough, up to a number.
    People { subject: usize, enough: usize, seen: Vec<FastSet<u64>> },
    /// How often values occur: one list per partition and sensitive column.
    Values(Vec<Vec<Counts>>),
    /// Who has which value: numbers for people, and per partition the people and values row by row.
    PeopleWithValues { subject: usize, numbers: FastMap<u64, u32>, seen: Vec<Vec<Vec<u32>>> },
}

#[derive(Debug, Clone)]
enum Counts {
    Dense(Vec<u64>),
    Sparse(FastMap<u32, u64>),
}

/// The number of codes above which domains are counted sparsely.
const DENSE_CODES: usize = 1 << 12;

/// The counts of some partitions.
#[derive(Debug)]
pub struct Statistics {
    rows: Vec<u64>,
    counting: Counting,
    /// The sensitive columns that a model reads, by their places in the frame, with their numbers
    /// of codes.
    sensitive: Vec<Option<(usize, usize)>>,
    bytes: u64,
    max_bytes: u64,
    has_room: bool,
}

/// The sensitive columns that models read, by their places, with their number of codes.
fn read_columns(frame: &Frame, requirements: &Requirements) -> Vec<Option<(usize, usize)>> {
    let places = frame.sensitive();
    let needed = requirements.needed_histograms(places.len());
    let column = |(place, needed): (&usize, bool)| {
        needed.then(|| (*place, frame.columns[*place].column.domain.len() + 1))
    };
    places.iter().zip(needed).map(column).collect()
}

/// About how many bytes the counts of a partition take.
pub fn bytes_of_part(frame: &Frame, requirements: &Requirements) -> u64 {
    let bytes =
        |column: Option<(usize, usize)>| column.map_or(0, |(_, n_codes)| 24 * n_codes as u64);
    let people = frame.subject.map_or(0, |_| 16 * requirements.min_people().min(1 << 30));
    match requirements.is_count_only() {
        true => 8 + people,
        false => 8 + read_columns(frame, requirements).into_iter().map(bytes).sum::<u64>(),
    }
}

impl Statistics {
    /// Counts without any tuple. Counts of who has which value grow with the tuples, and may take a
    /// limited number of bytes.
    pub fn new(frame: &Frame, requirements: &Requirements, n_parts: usize, max_bytes: u64) -> Self {
        let sensitive = read_columns(frame, requirements);
        let counting = match (requirements.is_count_only(), frame.subject) {
            (true, None) => Counting::Rows,
            (true, Some(subject)) => Counting::People {
                subject,
                enough: usize::try_from(requirements.min_people()).unwrap_or(usize::MAX),
                seen: vec![FastSet::default(); n_parts],
            },
            (false, None) => {
                let counts = |column: &Option<(usize, usize)>| match column {
                    Some((_, n_codes)) if *n_codes <= DENSE_CODES => {
                        Counts::Dense(vec![0; *n_codes])
                    }
                    _ => Counts::Sparse(FastMap::default()),
                };
                Counting::Values(vec![sensitive.iter().map(counts).collect(); n_parts])
            }
            (false, Some(subject)) => Counting::PeopleWithValues {
                subject,
                numbers: FastMap::default(),
                seen: vec![vec![Vec::new(); 1 + sensitive.len()]; n_parts],
            },
        };
        Statistics {
            rows: vec![0; n_parts],
            counting,
            sensitive,
            bytes: 0,
            max_bytes,
            has_room: true,
        }
    }

    /// Count a batch whose tuples go to these partitions.
    pub fn count(&mut self, batch: &Batch<'_>, parts: &[u32]) {
        parts.iter().for_each(|part| self.rows[*part as usize] += 1);
        match &mut self.counting {
            Counting::Rows => {}
            Counting::People { subject, enough, seen } => {
                for (person, part) in batch.columns[*subject].iter().zip(parts) {
                    let seen = &mut seen[*part as usize];
                    if seen.len() < *enough {
                        seen.insert(*person);
                    }
                }
            }
            Counting::Values(counts) => {
                for (place, column) in self.sensitive.iter().enumerate() {
                    let Some((column, _)) = column else { continue };
                    for (word, part) in batch.columns[*column].iter().zip(parts) {
                        match &mut counts[*part as usize][place] {
                            Counts::Dense(counts) => counts[*word as usize] += 1,
                            Counts::Sparse(counts) => *counts.entry(*word as u32).or_insert(0) += 1,
                        }
                    }
                }
            }
            Counting::PeopleWithValues { subject, numbers, seen } if self.has_room => {
                for (row, part) in parts.iter().enumerate() {
                    let next = numbers.len() as u32;
                    let number = *numbers.entry(batch.columns[*subject][row]).or_insert(next);
                    let seen = &mut seen[*part as usize];
                    seen[0].push(number);
                    for (values, column) in seen[1..].iter_mut().zip(&self.sensitive) {
                        if let Some((column, _)) = column {
                            values.push(batch.columns[*column][row] as u32);
                            self.bytes += 4;
                        }
                    }
                    self.bytes += 4;
                }
                if self.bytes + 24 * numbers.len() as u64 > self.max_bytes {
                    self.has_room = false;
                    (*numbers, *seen) = (FastMap::default(), Vec::new());
                }
            }
            Counting::PeopleWithValues { .. } => {}
        }
    }

    /// The number of tuples of each partition, and its counts.
    pub fn finish(self) -> Vec<(u64, Group)> {
        let Statistics { rows, counting, sensitive, has_room, .. } = self;
        let n = |part: usize| rows[part];
        let groups: Vec<Group> = match counting {
            Counting::Rows => {
                rows.iter().map(|rows| Group::Known(Summary::of_count(*rows))).collect()
            }
            Counting::People { seen, .. } => seen.into_iter().map(Group::People).collect(),
            Counting::Values(counts) => {
                let histogram = |counts: Counts| match counts {
                    Counts::Dense(counts) => Histogram::from_counts((0u32..).zip(counts)),
                    Counts::Sparse(counts) => Histogram::from_counts(counts),
                };
                let group = |(part, counts): (usize, Vec<Counts>)| {
                    Group::Known(Summary::of_histograms(
                        n(part),
                        counts.into_iter().map(histogram).collect(),
                    ))
                };
                counts.into_iter().enumerate().map(group).collect()
            }
            Counting::PeopleWithValues { .. } if !has_room => vec![Group::Unknown; rows.len()],
            Counting::PeopleWithValues { seen, .. } => {
                let group = |lists: Vec<Vec<u32>>| {
                    let columns: Vec<Codes> = lists.into_iter().map(Codes::U32).collect();
                    let column = |(codes, column): (&Codes, &Option<(usize, usize)>)| {
                        column.map(|(_, n_codes)| (codes.clone(), n_codes))
                    };
                    let values: Vec<_> = columns[1..].iter().zip(&sensitive).map(column).collect();
                    let sensitive = values
                        .iter()
                        .map(|value| value.as_ref().map(|(codes, n)| (codes, *n)))
                        .collect();
                    let tally = Tally { sensitive, subject: Some(&columns[0]) };
                    Group::Known(tally.of_range(0..columns[0].len()))
                };
                seen.into_iter().map(group).collect()
            }
        };
        rows.into_iter().zip(groups).collect()
    }
}
