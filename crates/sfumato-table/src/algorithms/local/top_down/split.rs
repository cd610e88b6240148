//! Splits a group between two distant records.

use crate::algorithms::shared::points::{Points, grow};
use crate::algorithms::shared::space::Bounds;
use sfumato_kernels::seeded::Seeded;

/// The number of rounds in which the farthest record from the last one is searched; according to
/// the paper a few come near the farthest pair.
const ROUNDS: usize = 6;

/// The two parts of a group of distinct records. `None` if all are equal in price.
pub fn split(points: &Points<'_>, random: &mut Seeded, group: &[u32]) -> Option<[Vec<u32>; 2]> {
    if group.len() < 2 {
        return None;
    }
    let (first, second) = far_pair(points, random, group)?;
    let mut order: Vec<u32> =
        group.iter().copied().filter(|&point| point != first && point != second).collect();
    random.shuffle(&mut order);
    let mut sides = [Side::new(points, first), Side::new(points, second)];
    for point in order {
        let [a, b] = sides.each_ref().map(|side| side.growth(points, point));
        // Equals go to the smaller side, so that a heap of columns without weight is halved and not
        // peeled.
        let right = match a.total_cmp(&b) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => sides[1].weight < sides[0].weight,
        };
        sides[usize::from(right)].add(points, point);
    }
    Some(sides.map(|side| side.members))
}

/// Start anywhere, and go to the farthest record as long as the distance grows.
fn far_pair(points: &Points<'_>, random: &mut Seeded, group: &[u32]) -> Option<(u32, u32)> {
    let mut from = group[random.below(group.len())];
    let mut pair = None;
    let mut apart = f64::NEG_INFINITY;
    for _ in 0..ROUNDS {
        let to = group[points.furthest(from as usize, group)?];
        let distance = points.distance(from as usize, to as usize);
        if to == from || distance <= apart {
            break;
        }
        (pair, apart) = (Some((from, to)), distance);
        from = to;
    }
    // A record that costs as much by itself as with any other is its own furthest: take any other.
    pair.or_else(|| group.iter().find(|&&other| other != from).map(|&other| (from, other)))
}

struct Side {
    members: Vec<u32>,
    weight: usize,
    region: Vec<Bounds>,
    price: f64,
}

impl Side {
    fn new(points: &Points<'_>, seed: u32) -> Self {
        let region = points.region(seed as usize).to_vec();
        let price = points.price(&region);
        Side { members: vec![seed], weight: points.weight(seed as usize), region, price }
    }

    /// How much more the side costs with a point than without.
    fn growth(&self, points: &Points<'_>, point: u32) -> f64 {
        let price = points.hull_price(&self.region, points.region(point as usize), f64::INFINITY);
        let weight = self.weight as f64;
        price * (weight + points.weight(point as usize) as f64) - self.price * weight
    }

    fn add(&mut self, points: &Points<'_>, point: u32) {
        self.members.push(point);
        self.weight += points.weight(point as usize);
        grow(&mut self.region, points.region(point as usize));
        self.price = points.price(&self.region);
    }
}
