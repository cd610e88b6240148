//! Paths in memory: every step is a code, and a path is a list of codes in its order.
//!
//! A step is a place at a time, or only a place where paths have no times (pages one after the
//! other). Codes of steps with times ascend with the time, so that a path with times is an
//! ascending list without repetitions; a path without times may repeat its steps.

use sfumato_core::FastMap;
use sfumato_core::sequences::Knows;

use super::sensitive::SensitiveColumn;

/// Lists of codes, one for each record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paths {
    ends: Vec<usize>,
    codes: Vec<u32>,
}

impl Paths {
    /// No paths yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// No paths yet, and room for so many with so many steps.
    pub fn with_room(paths: usize, steps: usize) -> Self {
        Paths { ends: Vec::with_capacity(paths), codes: Vec::with_capacity(steps) }
    }
    /// Append a path.
    pub fn push(&mut self, path: impl IntoIterator<Item = u32>) {
        self.codes.extend(path);
        self.ends.push(self.codes.len());
    }
    /// The number of paths.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// Whether there are no paths.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    /// The number of steps of all paths.
    pub fn n_steps(&self) -> usize {
        self.codes.len()
    }
    /// A path.
    #[inline]
    pub fn get(&self, path: usize) -> &[u32] {
        let start = if path == 0 { 0 } else { self.ends[path - 1] };
        &self.codes[start..self.ends[path]]
    }
    /// All paths.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> + '_ {
        (0..self.len()).map(|path| self.get(path))
    }
    /// Some of the paths.
    pub fn part(&self, records: &[u32]) -> Paths {
        records.iter().map(|record| self.get(*record as usize).iter().copied()).collect()
    }
    /// The paths with every step replaced.
    pub fn mapped(&self, of_code: &[u32]) -> Paths {
        let codes = self.codes.iter().map(|code| of_code[*code as usize]).collect();
        Paths { ends: self.ends.clone(), codes }
    }
    /// How many steps of all paths have each code.
    pub fn counts(&self, n_codes: usize) -> Vec<u64> {
        let mut counts = vec![0; n_codes];
        self.codes.iter().for_each(|code| counts[*code as usize] += 1);
        counts
    }
    /// The bytes that they take in memory.
    pub fn bytes(&self) -> u64 {
        (self.ends.len() * 8 + self.codes.len() * 4) as u64
    }
}

impl<P: IntoIterator<Item = u32>> FromIterator<P> for Paths {
    fn from_iter<I: IntoIterator<Item = P>>(paths: I) -> Self {
        let mut all = Paths::new();
        paths.into_iter().for_each(|path| all.push(path));
        all
    }
}

/// A place at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The rank of the time; 0 where paths have no times. It comes first, so that steps are
    /// ordered by time.
    pub time: u32,
    /// The code of the place.
    pub place: u32,
}

/// All records: their paths, and what stands beside them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathData {
    /// The names of places.
    pub places: Vec<String>,
    /// The times as they are published, ascending. Empty where paths have no times.
    pub times: Vec<String>,
    /// What each code of a step means, ascending.
    pub steps: Vec<Step>,
    /// The path of each record.
    pub paths: Paths,
    /// The sensitive columns beside the paths.
    pub sensitive: Vec<SensitiveColumn>,
    /// The columns beside the paths that an attacker may know.
    pub quasi: Vec<SensitiveColumn>,
}

/// Paths as somebody sees them who knows only a part of each step.
pub struct View {
    /// What each step is to them.
    pub of_step: Vec<u32>,
    /// The number of different steps.
    pub n_codes: usize,
    /// What they know.
    pub knows: Knows,
}

impl PathData {
    /// Whether steps have times.
    pub fn is_timed(&self) -> bool {
        !self.times.is_empty()
    }

    /// The records that have the same values in all columns that an attacker may know, in the order
    /// of their first record. Everybody is in one class if there are no such columns.
    pub fn classes(&self) -> Vec<Vec<u32>> {
        let mut known: FastMap<Vec<u32>, usize> = FastMap::default();
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for record in 0..self.paths.len() {
            let values = self.quasi.iter().map(|column| column.of_record[record]).collect();
            let class = *known.entry(values).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[class].push(record as u32);
        }
        classes
    }

    /// Some of the records, with the same codes.
    pub fn part(&self, records: &[u32]) -> PathData {
        let columns = |all: &[SensitiveColumn]| all.iter().map(|one| one.part(records)).collect();
        PathData {
            places: self.places.clone(),
            times: self.times.clone(),
            steps: self.steps.clone(),
            paths: self.paths.part(records),
            sensitive: columns(&self.sensitive),
            quasi: columns(&self.quasi),
        }
    }

    /// Whether somebody is at several places at one time.
    pub fn is_at_several(&self) -> bool {
        let time = |step: &u32| self.steps[*step as usize].time;
        let is_there = |path: &[u32]| path.windows(2).any(|two| time(&two[0]) == time(&two[1]));
        self.is_timed() && self.paths.iter().any(is_there)
    }

    /// The steps as somebody sees them who knows a part of each. Without times, points are places.
    pub fn view(&self, knows: Knows) -> View {
        let (of_step, n_codes) = match knows {
            Knows::Points => ((0..self.steps.len() as u32).collect(), self.steps.len()),
            Knows::Places => {
                (self.steps.iter().map(|step| step.place).collect(), self.places.len())
            }
            Knows::Times => {
                (self.steps.iter().map(|step| step.time).collect(), self.times.len().max(1))
            }
        };
        View { of_step, n_codes, knows }
    }

    /// The name of a step: `place@time`, or the place where there are no times.
    pub fn step_name(&self, step: u32) -> String {
        let Step { time, place } = self.steps[step as usize];
        let place = &self.places[place as usize];
        match self.times.get(time as usize) {
            Some(time) => format!("{place}@{time}"),
            None => place.clone(),
        }
    }

    /// The name of a step of a view.
    pub fn name_in(&self, knows: Knows, code: u32) -> String {
        match knows {
            Knows::Points => self.step_name(code),
            Knows::Places => self.places[code as usize].clone(),
            Knows::Times => self.times.get(code as usize).cloned().unwrap_or_default(),
        }
    }
}

impl View {
    /// Paths as they are seen. Those who know only times see each time once, as it is with steps.
    pub fn of(&self, paths: &Paths) -> Paths {
        match self.knows {
            Knows::Points | Knows::Places => paths.mapped(&self.of_step),
            Knows::Times => paths
                .iter()
                .map(|path| {
                    let mut times: Vec<u32> =
                        path.iter().map(|step| self.of_step[*step as usize]).collect();
                    times.dedup();
                    times
                })
                .collect(),
        }
    }
}
