//! Rows in random groups, each anonymized on its own, for selections that are unrelated to a
//! target.

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::observer::Unobserved;
use sfumato_evaluate::evaluate::{Arm, Cells, Experiment, Training};
use sfumato_table::Job;

use crate::bench::{RandomStream, TrainingSplit, View};

/// Put training and test rows into `n` groups at random, decide a recoding on each training group,
/// and recode both by it.
pub fn release_by_groups(
    part: &TrainingSplit<'_>,
    job: &Job,
    algorithm: &str,
    n: usize,
    seed: u64,
) -> Result<View> {
    let experiment = Experiment { job, dataset: &part.study.dataset };
    let mut random = RandomStream::new(seed);
    // Training groups are of nearly equal size, so that none is too small.
    let order = random.order(part.training.rows.len());
    let test_group: Vec<usize> = part.split.test.iter().map(|_| random.below(n)).collect();
    let (mut places, mut train, mut test) = (Vec::new(), Vec::new(), Vec::new());
    let mut tested: Vec<u32> = Vec::new();
    for group in 0..n {
        let mut members: Vec<u32> =
            order.iter().skip(group).step_by(n).map(|place| *place as u32).collect();
        members.sort_unstable();
        let training = take(&part.training, &members);
        let anonymized =
            experiment.anonymize(&training, &Arm::new(algorithm), seed, &Unobserved)?;
        let kept = anonymized.kept();
        places.extend(kept.iter().map(|place| members[*place as usize]));
        append(&mut train, anonymized.published_cells(&training));
        let mine = |place: &u32| test_group[*place as usize] == group;
        let mine: Vec<u32> = (0..test_group.len() as u32).filter(mine).collect();
        let rows: Vec<u32> = mine.iter().map(|place| part.split.test[*place as usize]).collect();
        append(&mut test, experiment.assigned_cells(&training, &anonymized, &rows)?);
        tested.extend(mine);
    }
    // Test rows go back into the order of the part.
    let mut back = vec![0u32; tested.len()];
    tested.iter().zip(0..).for_each(|(place, now)| back[*place as usize] = now);
    let test = test.iter().map(|cells| cells.take(&back)).collect();
    Ok(View { places, train, test })
}

/// Some rows of a training, in the codes of all of them: regions of different groups can be
/// compared.
fn take(training: &Training, places: &[u32]) -> Training {
    let rows = places.iter().map(|place| training.rows[*place as usize]).collect();
    let mut columns = training.table.columns.clone();
    columns.iter_mut().for_each(|column| column.codes = column.codes.gather(places));
    let subject = training.table.subject.clone();
    Training { rows, table: Table { n_rows: places.len(), columns, subject } }
}

/// Rows below rows, column by column.
fn append(all: &mut Vec<Cells>, more: Vec<Cells>) {
    if all.is_empty() {
        *all = more;
        return;
    }
    for (cells, more) in all.iter_mut().zip(more) {
        let shift = cells.extents.len() as u32;
        cells.extents.extend(more.extents);
        cells.of_row.extend(more.of_row.into_iter().map(|place| place + shift));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{Study, generated, labelled};
    use sfumato_learn::compare::Split;

    #[test]
    fn every_row_is_recoded_once_and_covered() {
        let study =
            Study::new(&generated("c2", 200, 3, None).unwrap(), labelled(&["class"])).unwrap();
        let part = TrainingSplit::new(
            &study,
            Split { train: (0..150).collect(), test: (150..200).collect() },
        )
        .unwrap();
        let job = study.job(&["k-anonymity(k=5)"], &["classification(target=class)"]);
        let view = release_by_groups(&part, &job, "mondrian", 4, 1).unwrap();
        let mut places = view.places.clone();
        places.sort_unstable();
        assert_eq!(places, (0..150).collect::<Vec<u32>>());
        assert!(view.test.iter().all(|cells| cells.n_rows() == 50));
        for (number, column) in part.features().iter().enumerate() {
            for (row, place) in view.places.iter().enumerate() {
                let code = column.codes.get(*place as usize);
                assert!(matches!(view.train[number].get(row),
                    sfumato_evaluate::evaluate::Extent::Codes { lo, hi } if (lo..hi)
                        .contains(&code)));
            }
        }
    }
}
