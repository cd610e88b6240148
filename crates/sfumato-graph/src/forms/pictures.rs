//! Pictures of graphs for reports: how many nodes have which degree, a small graph before and
//! after, and supernodes.

use sfumato_engine::hash::{HASH_START, mix};
use sfumato_report::{Block, Dot, Stroke};

use crate::data::{Edge, Graph, Supernodes};
use crate::forms::edited::read_back::difference;

/// Graphs with more nodes aren't drawn.
const MOST_NODES: usize = 150;
/// How many supernodes are drawn, the largest.
const MOST_SUPERNODES: usize = 60;
/// How often nodes are moved.
const ROUNDS: usize = 200;

/// How many nodes have which degree, in ranges that double.
pub(crate) fn degrees(before: Option<&Graph>, after: &Graph) -> Block {
    let place = |degree: u32| match degree {
        0 => 0,
        _ => degree.ilog2() as usize + 1,
    };
    let all = before.into_iter().chain([after]);
    let most = all.flat_map(Graph::degrees).map(place).max().unwrap_or(0);
    let counts = |graph: &Graph| {
        let mut counts = vec![0u64; most + 1];
        graph.degrees().into_iter().for_each(|degree| counts[place(degree)] += 1);
        counts
    };
    let label = |place: usize| match place {
        0 => "0".to_string(),
        1 => "1".to_string(),
        _ => format!("{}-{}", 1u64 << (place - 1), (1u64 << place) - 1),
    };
    let before = before.map(|before| ("before".to_string(), counts(before)));
    Block::Columns {
        caption: "How many nodes have which degree".into(),
        x: "neighbours of a node".into(),
        labels: (0..=most).map(label).collect(),
        series: before.into_iter().chain([("release".to_string(), counts(after))]).collect(),
    }
}

/// A small graph with its edges that stayed, came and went. `None` for a larger one.
pub(crate) fn changes(before: &Graph, after: &Graph) -> Option<Block> {
    if before.n() > MOST_NODES || before.n() == 0 {
        return None;
    }
    let (added, gone) = difference(after, before);
    let kept = before.edges().filter(|(a, b)| after.has(*a, *b)).map(|e| (e, Stroke::Plain(10)));
    let added = added.into_iter().map(|edge| (edge, Stroke::Added));
    let gone = gone.into_iter().map(|edge| (edge, Stroke::Gone));
    let lines: Vec<(Edge, Stroke)> = kept.chain(gone).chain(added).collect();
    let ends: Vec<(Edge, f64)> = lines.iter().map(|(edge, _)| (*edge, 1.0)).collect();
    let dot = |(x, y): (u16, u16)| Dot { x, y, radius: 4 };
    Some(Block::Network {
        caption: "The graph: edges that stayed, strong ones came, dashed ones went".into(),
        dots: positions(before.n(), &ends).into_iter().map(dot).collect(),
        lines: lines.into_iter().map(|((a, b), stroke)| (a, b, stroke)).collect(),
    })
}

/// The largest supernodes, as large as they have nodes; lines are as thick as pairs of nodes are
/// likely to be joined.
pub(crate) fn supernodes(published: &Supernodes) -> Option<Block> {
    if published.sizes.is_empty() {
        return None;
    }
    let mut largest: Vec<u32> = (0..published.sizes.len() as u32).collect();
    largest.sort_by_key(|group| std::cmp::Reverse(published.sizes[*group as usize]));
    largest.truncate(MOST_SUPERNODES);
    let place = |group: u32| largest.iter().position(|other| *other == group);
    let size = |group: u32| published.sizes[group as usize] as f64;
    let shares: Vec<(Edge, f64)> = published
        .between
        .iter()
        .filter_map(|(a, b, edges)| {
            let ends = (place(*a)? as u32, place(*b)? as u32);
            Some((ends, *edges as f64 / (size(*a) * size(*b))))
        })
        .collect();
    let most = largest.first().map_or(1.0, |group| size(*group));
    let radius = |group: &u32| (3.0 + 15.0 * (size(*group) / most).sqrt()) as u16;
    let places = positions(largest.len(), &shares);
    let dots =
        places.into_iter().zip(&largest).map(|((x, y), group)| Dot { x, y, radius: radius(group) });
    let thick = |share: f64| Stroke::Plain((5.0 + 60.0 * share) as u16);
    Some(Block::Network {
        caption: match largest.len() < published.sizes.len() {
            true => {
                format!("The {} largest of {} supernodes", largest.len(), published.sizes.len())
            }
            false => "The supernodes".into(),
        },
        dots: dots.collect(),
        lines: shares.iter().map(|((a, b), share)| (*a, *b, thick(*share))).collect(),
    })
}

/// Places for nodes: those that are joined pull each other, and all push. The same graph is always
/// drawn alike.
pub fn positions(n: usize, edges: &[(Edge, f64)]) -> Vec<(u16, u16)> {
    let start = |node: u64, axis: u64| mix(mix(HASH_START, node), axis) as f64 / u64::MAX as f64;
    let mut at: Vec<(f64, f64)> = (0..n as u64).map(|i| (start(i, 1), start(i, 2))).collect();
    let wide = (1.0 / n.max(1) as f64).sqrt();
    for round in 0..ROUNDS {
        let mut force = vec![(0.0f64, 0.0f64); n];
        for a in 0..n {
            for b in 0..a {
                let (x, y) = (at[a].0 - at[b].0, at[a].1 - at[b].1);
                let far = (x * x + y * y).max(1e-6);
                let push = wide * wide / far;
                force[a] = (force[a].0 + x * push, force[a].1 + y * push);
                force[b] = (force[b].0 - x * push, force[b].1 - y * push);
            }
        }
        for ((a, b), weight) in edges {
            let (a, b) = (*a as usize, *b as usize);
            let (x, y) = (at[a].0 - at[b].0, at[a].1 - at[b].1);
            let pull = (x * x + y * y).sqrt() / wide * weight;
            force[a] = (force[a].0 - x * pull, force[a].1 - y * pull);
            force[b] = (force[b].0 + x * pull, force[b].1 + y * pull);
        }
        // Steps become smaller, so that it settles.
        let longest = 0.1 * (1.0 - round as f64 / ROUNDS as f64) + 0.001;
        for (place, (x, y)) in at.iter_mut().zip(&force) {
            let long = (x * x + y * y).sqrt().max(1e-9);
            let step = long.min(longest) / long;
            *place = (place.0 + x * step, place.1 + y * step);
        }
    }
    let ends = |axis: fn(&(f64, f64)) -> f64| {
        let all = at.iter().map(axis);
        (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
    };
    let (of_x, of_y) = (ends(|p| p.0), ends(|p| p.1));
    let share = |value: f64, (low, high): (f64, f64)| {
        (1_000.0 * (value - low) / (high - low).max(1e-9)).round() as u16
    };
    at.iter().map(|(x, y)| (share(*x, of_x), share(*y, of_y))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_what_they_show() {
        let before = Graph::new(5, &[(0, 1), (1, 2), (2, 3)]).0;
        let after = Graph::new(5, &[(0, 1), (1, 2), (0, 3), (0, 2)]).0;
        let Block::Columns { labels, series, .. } = degrees(Some(&before), &after) else {
            panic!("columns");
        };
        assert_eq!(labels, ["0", "1", "2-3"]);
        assert_eq!((&series[0].1[..], &series[1].1[..]), (&[1, 2, 2][..], &[1, 1, 3][..]));
        let Some(Block::Network { dots, lines, .. }) = changes(&before, &after) else {
            panic!("a network");
        };
        let count = |stroke: Stroke| lines.iter().filter(|(_, _, s)| *s == stroke).count();
        assert_eq!((dots.len(), count(Stroke::Added), count(Stroke::Gone)), (5, 2, 1));
        assert!(dots.iter().all(|dot| dot.x <= 1_000 && dot.y <= 1_000));
        assert_eq!(changes(&before, &after), changes(&before, &after));
        assert_eq!(changes(&Graph::new(1_000, &[]).0, &Graph::new(1_000, &[]).0), None);
        let groups = Supernodes { sizes: vec![3, 2], inside: vec![1, 0], between: vec![(0, 1, 4)] };
        let Some(Block::Network { dots, lines, .. }) = supernodes(&groups) else {
            panic!("a network");
        };
        assert!(dots[0].radius > dots[1].radius && lines.len() == 1);
    }
}
