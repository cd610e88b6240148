//! Levels made of runs of neighbouring values, and the labels of such runs.
//!
//! The labels name the first and the last value of a run, so they contain real cells.

use sfumato_core::FastSet;
use sfumato_core::column::Dictionary;
use sfumato_core::dataset::{Domain, LevelTable};

/// Make the table of a domain from the ends of the runs at each level above the leaves. Ends
/// ascend, and the last one is the size of the domain; each level's ends are among those of the
/// level below.
pub(crate) fn from_ends(domain: &Domain, levels: &[Vec<usize>]) -> LevelTable {
    let mut table = LevelTable { levels: vec![domain.texts().into_owned()] };
    for ends in levels {
        let mut labels = Dictionary::new();
        let mut used = FastSet::default();
        let mut start = 0;
        for &end in ends {
            let label = unused(span(domain, start, end), &mut used);
            (start..end).for_each(|_| {
                labels.push(&label);
            });
            start = end;
        }
        table.levels.push(labels);
    }
    table
}

fn span(domain: &Domain, start: usize, end: usize) -> String {
    let (first, last) = (domain.label(start as u32), domain.label(end as u32 - 1));
    if start + 1 == end { first.to_string() } else { format!("[{first}..{last}]") }
}

/// A label that isn't used yet. Words with dots or brackets can make two runs look alike
/// (`[a..b..c]`), and equal labels would merge the runs.
fn unused(label: String, used: &mut FastSet<String>) -> String {
    let mut candidate = label.clone();
    let mut number = 1;
    while !used.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{label} ({number})");
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_look_alike_stay_apart() {
        let domain = Domain::of_texts(["a", "b..c", "a..b", "c", "z"]);
        let table = from_ends(&domain, &[vec![2, 4, 5]]);
        let labels: Vec<_> = table.levels[1].iter().collect();
        assert_eq!(labels, ["[a..b..c]", "[a..b..c]", "[a..b..c] (2)", "[a..b..c] (2)", "z"]);
    }
}
