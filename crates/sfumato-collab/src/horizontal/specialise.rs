//! Distributed top-down specialization: the leading holder specialises one value of one column for
//! all records, the one that tells most about the class per lost anonymity, until none may be.
//!
//! It asks the questions of the distributed Mondrian and tells its splits, so that the others
//! follow both alike. It learns how many records of which class every candidate would separate,
//! also of candidates that are never performed.

use sfumato_core::dataset::Hierarchy;
use sfumato_core::group::Summary;
use sfumato_core::{Error, Result};
use sfumato_table::algorithms::global::cuts::specialise::marginal::info_gain;

use super::boxes::Boxes;
use super::lead::Leader;
use crate::holder::StepNote;
use crate::protocol::message::{Decision, Question, Threshold};

/// A published value that may be taken apart.
#[derive(Debug, Clone)]
struct Candidate {
    column: usize,
    whole: (i64, i64),
    children: Vec<(i64, i64)>,
    /// The nodes of the children, if the column has a tree.
    nodes: Vec<u32>,
}

/// What a candidate would do.
struct Effect {
    score: f64,
    allowed: bool,
    /// For each box that it takes apart how many records each child has.
    rows: Vec<(u32, Vec<u64>)>,
}

/// Lead until nothing may be specialised.
pub fn specialise(leader: &mut Leader<'_, '_>) -> Result<Boxes> {
    let (domain, whole) = leader.begin(true)?;
    leader.judges.refuse_sites()?;
    if leader.counting.own.target.is_none() {
        return Err(Error::params("top-down-specialization needs a target that the job names")
            .hint("say target = \"income\" and its values in [collaboration]"));
    }
    let mut sizes = vec![whole.summary.rows];
    let mut open: Vec<Candidate> = Vec::new();
    for (column, &bounds) in domain.iter().enumerate() {
        open.extend(candidate(leader, (column, bounds, Hierarchy::ROOT), &sizes)?);
    }
    let mut steps = Vec::new();
    let mut splits = 0;
    loop {
        let effects = effects(leader, &open, &sizes, &whole.summary)?;
        // What fails now fails in everything more exact.
        let mut left: Vec<(Candidate, Effect)> =
            open.into_iter().zip(effects).filter(|(_, effect)| effect.allowed).collect();
        let better = |a: &usize, b: &usize| {
            let key = |at: &usize| (left[*at].0.column, left[*at].0.whole.0);
            left[*a].1.score.total_cmp(&left[*b].1.score).then(key(b).cmp(&key(a)))
        };
        let Some(best) = (0..left.len()).max_by(better) else { break };
        let (candidate_, effect) = left.remove(best);
        open = left.into_iter().map(|(candidate, _)| candidate).collect();
        splits += perform(leader, &candidate_, &effect, &mut sizes)?;
        steps.push(note(leader, &candidate_, effect.score));
        for (child, &bounds) in candidate_.children.iter().enumerate() {
            let node = candidate_.nodes.get(child).copied().unwrap_or(Hierarchy::ROOT);
            open.extend(candidate(leader, (candidate_.column, bounds, node), &sizes)?);
        }
    }
    let bounds = leader.counting.space.regions.clone();
    let mut boxes = leader.finish(bounds, &sizes, splits)?;
    boxes.steps = steps;
    Ok(boxes)
}

/// How a value could be taken apart: into the children of its node, below only children; or,
/// without a tree, at the median of the records that have it.
fn candidate(
    leader: &mut Leader<'_, '_>,
    (column, whole, node): (usize, (i64, i64), u32),
    sizes: &[u64],
) -> Result<Option<Candidate>> {
    if let Some(tree) = &leader.counting.own.quasi[column].tree {
        let mut node = node;
        while tree.children(node).len() == 1 {
            node = tree.children(node).start;
        }
        let nodes: Vec<u32> = tree.children(node).collect();
        let children =
            nodes.iter().map(|&n| (i64::from(tree.lo(n)), i64::from(tree.hi(n)) - 1)).collect();
        let found = Candidate { column, whole, children, nodes };
        return Ok((!found.nodes.is_empty()).then_some(found));
    }
    let regions = regions(leader, column, whole, sizes);
    let rows: u64 = regions.iter().map(|region| sizes[*region as usize]).sum();
    let (mut lo, mut hi) = whole;
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        let at = |region: &u32| Threshold { region: *region, column: column as u32, at: middle };
        let at = regions.iter().map(at).collect();
        let counts = leader.sums(Question::Count { round: leader.round, at })?;
        match 2 * counts.iter().sum::<u64>() >= rows {
            true => hi = middle,
            false => lo = middle + 1,
        }
    }
    // Nothing may be left above the median: then the split is before it.
    let at = if lo == whole.1 { lo - 1 } else { lo };
    let children = vec![(whole.0, at), (at + 1, whole.1)];
    let found = Candidate { column, whole, children, nodes: Vec::new() };
    Ok((whole.0 < whole.1 && rows > 0).then_some(found))
}

/// The boxes with records that have a value.
fn regions(leader: &Leader<'_, '_>, column: usize, whole: (i64, i64), sizes: &[u64]) -> Vec<u32> {
    let regions = leader.counting.space.regions.iter().enumerate();
    let is_it = |(region, bounds): &(usize, &Vec<(i64, i64)>)| {
        bounds[column] == whole && sizes[*region] > 0
    };
    regions.filter(is_it).map(|(region, _)| region as u32).collect()
}

/// What each candidate would do, asked for all at once.
fn effects(
    leader: &mut Leader<'_, '_>,
    open: &[Candidate],
    sizes: &[u64],
    whole: &Summary,
) -> Result<Vec<Effect>> {
    let width = leader.counting.width();
    let mut at = Vec::new();
    let places: Vec<Vec<u32>> = open
        .iter()
        .map(|candidate| regions(leader, candidate.column, candidate.whole, sizes))
        .collect();
    for (candidate, regions) in open.iter().zip(&places) {
        for &region in regions {
            let cuts = &candidate.children[..candidate.children.len() - 1];
            let column = candidate.column as u32;
            at.extend(cuts.iter().map(|(_, hi)| Threshold { region, column, at: *hi }));
        }
    }
    if at.is_empty() {
        return Ok(Vec::new());
    }
    let sums = leader.sums(Question::Try { round: leader.round, at })?;
    let mut tried = sums.chunks(2 * width);
    let mut effects = Vec::with_capacity(open.len());
    for (candidate, regions) in open.iter().zip(&places) {
        let mut rows = Vec::new();
        let mut of_child: Vec<Vec<u64>> = vec![Vec::new(); candidate.children.len()];
        let (mut allowed, mut after) = (!regions.is_empty(), u64::MAX);
        for &region in regions {
            let mut before = vec![0; width];
            let mut children = Vec::with_capacity(of_child.len());
            let mut last = vec![0; width];
            for _ in 1..of_child.len() {
                let both = tried.next().ok_or_else(|| Error::internal("a sum is missing"))?;
                // Records at or below the end of a child, less those of the children before.
                children.push(difference(&both[..width], &before));
                before = both[..width].to_vec();
                last = both[width..].to_vec();
            }
            children.push(last);
            for (child, sums) in of_child.iter_mut().zip(&children) {
                let classes = leader.classes(sums);
                child.resize(classes.len(), 0);
                child.iter_mut().zip(classes).for_each(|(all, n)| *all += n);
            }
            for sums in children.iter().filter(|sums| sums[0] > 0) {
                allowed &= leader.judges.holds(sums, whole);
                after = after.min(sums[0]);
            }
            rows.push((region, children.iter().map(|sums| sums[0]).collect()));
        }
        let is_touched = |region: &usize| regions.contains(&(*region as u32));
        let others = (0..sizes.len()).filter(|r| sizes[*r] > 0 && !is_touched(r));
        let after = others.map(|region| sizes[region]).min().unwrap_or(u64::MAX).min(after);
        let now = sizes.iter().copied().filter(|rows| *rows > 0).min().unwrap_or(0);
        let all: Vec<u64> = (0..of_child[0].len())
            .map(|class| of_child.iter().map(|child| child[class]).sum())
            .collect();
        let gain = info_gain(&all, &of_child);
        let score = gain / (now as f64 - after.min(now) as f64 + 1.0);
        effects.push(Effect { score, allowed, rows });
    }
    Ok(effects)
}

fn difference(upto: &[u64], before: &[u64]) -> Vec<u64> {
    upto.iter().zip(before).map(|(upto, before)| upto.saturating_sub(*before)).collect()
}

/// Split off one child after the other from all boxes with the value.
fn perform(
    leader: &mut Leader<'_, '_>,
    candidate: &Candidate,
    effect: &Effect,
    sizes: &mut Vec<u64>,
) -> Result<u32> {
    let column = candidate.column as u32;
    let mut rest: Vec<u32> = effect.rows.iter().map(|(region, _)| *region).collect();
    let mut splits = 0;
    for (child, (_, hi)) in candidate.children[..candidate.children.len() - 1].iter().enumerate() {
        let at: Vec<Threshold> =
            rest.iter().map(|&region| Threshold { region, column, at: *hi }).collect();
        leader.counting.split(&at)?;
        leader.tell(Decision::Split { round: leader.round, at: at.clone() })?;
        splits += at.len() as u32;
        for (rest, (_, rows)) in rest.iter_mut().zip(&effect.rows) {
            let after: u64 = rows[child + 1..].iter().sum();
            sizes[*rest as usize] = rows[child];
            *rest = sizes.len() as u32;
            sizes.push(after);
        }
    }
    Ok(splits)
}

fn note(leader: &Leader<'_, '_>, candidate: &Candidate, score: f64) -> StepNote {
    let quasi = &leader.counting.own.quasi[candidate.column];
    let label = |(lo, hi): (i64, i64)| match &quasi.tree {
        Some(tree) => tree.label(tree.smallest_cover(lo as u32, hi as u32 + 1)).to_string(),
        None => format!("[{lo}..{hi}]"),
    };
    StepNote {
        column: quasi.name.clone(),
        value: label(candidate.whole),
        children: candidate.children.iter().map(|child| label(*child)).collect(),
        holder: leader.wire.name(super::LEADER),
        score: Some(score),
    }
}
