//! What classes achieve that were brought together bucket by bucket.

use sfumato_core::group::{ClassTable, Guarantee, Summary, evaluate};
use sfumato_core::traits::{ClassSizes, Direction, Requirements};
use sfumato_core::{FastMap, Result};

use super::ClassRuns;

/// Classes that are asked about together.
const TOGETHER: usize = 1024;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grouped {
    /// What each list of requirements asks for and what is achieved, in their order.
    pub guarantees: Vec<Vec<Guarantee>>,
    /// How many classes have so many people, smallest first.
    pub people: Vec<(u64, u64)>,
    /// How many classes have so many records, smallest first.
    pub rows: Vec<(u64, u64)>,
}

struct Part {
    classes: ClassTable,
    found: Vec<Vec<Guarantee>>,
    people: FastMap<u64, u64>,
    rows: FastMap<u64, u64>,
}

impl Part {
    fn ask(&mut self, asked: &[&Requirements]) {
        for (found, requirements) in self.found.iter_mut().zip(asked) {
            join(found, evaluate(requirements, &self.classes), requirements);
        }
        self.classes.summaries.clear();
    }
}

impl ClassRuns {
    /// Ask requirements about each class, against a release. All of them must be about classes. Sizes are in people.
    pub fn finish(self, asked: &Requirements, release: &Summary) -> Result<(Vec<Guarantee>, ClassSizes)> {
        let mut grouped = self.ask(&[asked], release, &|_, _| None)?;
        Ok((grouped.guarantees.pop().unwrap_or_default(), sizes(&grouped.people)))
    }

    /// Ask several lists of requirements about each class. `seen` makes of a class what the requirements see, for codes that mean something
    /// else by now.
    pub fn ask(
        self,
        asked: &[&Requirements],
        release: &Summary,
        seen: &(impl Fn(&[u8], &Summary) -> Option<Summary> + Sync),
    ) -> Result<Grouped> {
        let begin = || Part {
            classes: ClassTable { keys: Vec::new(), summaries: Vec::new(), release: release.clone() },
            found: vec![Vec::new(); asked.len()],
            people: FastMap::default(),
            rows: FastMap::default(),
        };
        let add = |part: &mut Part, key: &[u8], summary: &Summary| {
            *part.people.entry(summary.people).or_default() += 1;
            *part.rows.entry(summary.rows).or_default() += 1;
            part.classes.summaries.push(seen(key, summary).unwrap_or_else(|| summary.clone()));
            if part.classes.summaries.len() == TOGETHER {
                part.ask(asked);
            }
            Ok(())
        };
        let mut whole = begin();
        for mut part in self.fold(&begin, &add)? {
            part.ask(asked);
            for ((found, more), requirements) in whole.found.iter_mut().zip(part.found).zip(asked) {
                join(found, more, requirements);
            }
            part.people.iter().for_each(|(size, n)| *whole.people.entry(*size).or_default() += n);
            part.rows.iter().for_each(|(size, n)| *whole.rows.entry(*size).or_default() += n);
        }
        // Without any class there is still something to say about each requirement.
        whole.ask(asked);
        Ok(Grouped { guarantees: whole.found, people: sorted(whole.people), rows: sorted(whole.rows) })
    }
}

/// Sizes from how many classes have each.
pub fn sizes(counted: &[(u64, u64)]) -> ClassSizes {
    ClassSizes::from_counts(counted.iter().copied())
}

fn sorted(sizes: FastMap<u64, u64>) -> Vec<(u64, u64)> {
    let mut sizes: Vec<(u64, u64)> = sizes.into_iter().collect();
    sizes.sort_unstable();
    sizes
}

/// The worse of what two sets of classes achieve.
fn join(mine: &mut Vec<Guarantee>, theirs: Vec<Guarantee>, requirements: &Requirements) {
    if mine.is_empty() {
        *mine = theirs;
        return;
    }
    for (mine, theirs) in mine.iter_mut().zip(&theirs) {
        mine.violations += theirs.violations;
        // Not a number is what no class achieves, and no class is the worst.
        mine.achieved = match mine.achieved.is_nan() {
            true => theirs.achieved,
            false if theirs.achieved.is_nan() => mine.achieved,
            false => mine.measure.direction.worse(mine.achieved, theirs.achieved),
        };
    }
    let mut rest = mine.as_mut_slice();
    for requirement in requirements.iter() {
        let n = requirement.measures().len().min(rest.len());
        let (of_one, others) = rest.split_at_mut(n);
        rest = others;
        let breaks = |found: &Guarantee| match found.measure.direction {
            Direction::AtLeast => found.achieved < found.measure.required,
            Direction::AtMost => found.achieved > found.measure.required,
            Direction::Below => found.achieved >= found.measure.required,
        };
        let tells_which = of_one.iter().any(breaks);
        for found in of_one {
            found.holds = found.violations == 0 || (tells_which && !breaks(found));
        }
    }
}
