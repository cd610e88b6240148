//! Tests the population: order, places and parents.

use super::population::Population;
use crate::algorithms::global::cuts::cut_search::class::SplitsOutcome;
use crate::algorithms::global::cuts::cut_search::items::Items;
use sfumato_kernels::seeded::Seeded;

fn member(bits: &[u32]) -> Items {
    let mut items = Items::none(8);
    bits.iter().for_each(|&item| items.insert(item));
    items
}

#[test]
fn what_suppresses_too_much_comes_last_and_the_worst_makes_room() {
    let outcome = |excess, cost| SplitsOutcome { excess, cost };
    let mut population = Population::new(vec![
        (member(&[0]), outcome(1, 0.1)),
        (member(&[1]), outcome(0, 5.0)),
        (member(&[2]), outcome(0, 3.0)),
    ]);
    assert_eq!(population.fittest(), &member(&[2]));
    // The infeasible one goes first, though it is cheap.
    population.insert(member(&[3]), outcome(0, 9.0));
    assert!(!population.has(&member(&[0])) && population.has(&member(&[3])));
    // Worse than the worst: it doesn't join. A twin doesn't either.
    population.insert(member(&[4]), outcome(0, 10.0));
    population.insert(member(&[2]), outcome(0, 1.0));
    assert!(!population.has(&member(&[4])));
    assert_eq!(population.fittest(), &member(&[2]));
    population.insert(member(&[5]), outcome(0, 1.0));
    assert_eq!(population.fittest(), &member(&[5]));
}

#[test]
fn the_fittest_are_parents_three_times_as_often_as_the_worst() {
    let members = (0..8)
        .map(|item| (member(&[item]), SplitsOutcome { excess: 0, cost: f64::from(item) }))
        .collect();
    let population = Population::new(members);
    let mut random = Seeded::new(1);
    let mut times = [0u32; 8];
    for _ in 0..20_000 {
        let (one, other) = population.parents(&mut random);
        for parent in [one, other] {
            times[parent.iter().next().unwrap() as usize] += 1;
        }
    }
    // Chances fall on a line from 1.5 to 0.5: the first eighth has 1.4375 and the last 0.5625 of
    // 5,000.
    assert!((f64::from(times[0]) / 5000.0 - 1.4375).abs() < 0.06, "{times:?}");
    assert!((f64::from(times[7]) / 5000.0 - 0.5625).abs() < 0.06, "{times:?}");
}
