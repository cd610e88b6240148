//! Best-First: a search through the choices term by term, the most promising first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};

use super::bits::Bits;
use super::problem::Problem;
use super::{CAPABILITIES, TermAlgorithm};
use crate::models::k_safety::ERASE;

/// The algorithm `best-first`, an entry of the registry.
pub struct BestFirst;

static INFO: Info = Info {
    name: "best-first",
    summary: "finds a largest safe set of terms by branch and bound, the most promising first",
    papers: &[ERASE],
    doc: "\
A node is a safe choice among the first r terms. It has two children: without term r + 1, and, \
where that is safe, with it. The node with the
largest bound is taken first, so that the first one that has decided about all terms is a largest \
safe set.

## The bound

The paper leaves it open. Here: for a protected entity e, whoever covers it in the end covers what \
is chosen already, and of the terms of e that
are still open at most as many can stay as the K-th best of these covers has. So of the open terms \
at least those are lost that e has and its
K-th best cover has not; the entity that loses most bounds the node.

## Cost

Exponential in the worst case, and short where the bound is near. It ends with exit code 4 after a \
million nodes; `fast-btop` never does.
",
    capabilities: CAPABILITIES,
    ..Info::DEFAULT
};

/// How many nodes are opened before giving up.
const MOST: usize = 1_000_000;

/// The most terms that a safe set can have that agrees with `chosen` on all terms before `from`.
pub fn bound(problem: &Problem, chosen: &Bits, from: usize) -> usize {
    let open = problem.terms - from;
    let mut rest = Bits::empty(problem.terms);
    (from..problem.terms).for_each(|term| rest.insert(term));
    let mut kept = open;
    for one in &problem.largest {
        let own_open = one.and(&rest);
        let n_open = own_open.len();
        if open - n_open >= kept {
            continue;
        }
        // The entity itself is among the rows: the K-th best of the others is the (K + 1)-th.
        let mut by_size = vec![0u64; n_open + 1];
        for (row, n) in &problem.rows {
            if one.part_is_within(chosen, row) {
                by_size[own_open.shared(row)] += n;
            }
        }
        let mut seen = 0;
        let enough = problem.k.saturating_add(1);
        let cap = (0..=n_open).rev().find(|size| {
            seen += by_size[*size];
            seen >= enough
        });
        kept = kept.min(open - n_open + cap.unwrap_or(0));
    }
    chosen.len() + kept
}

impl TermAlgorithm for BestFirst {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn keep(&self, problem: &Problem) -> Result<Bits> {
        let mut heap = BinaryHeap::new();
        let root = Bits::empty(problem.terms);
        heap.push((bound(problem, &root, 0), 0, Reverse(root)));
        let mut opened = 0;
        // Of equal bounds the node that has decided most is taken, and then one and the same.
        while let Some((_, from, Reverse(chosen))) = heap.pop() {
            if from == problem.terms {
                return Ok(chosen);
            }
            opened += 1;
            if opened > MOST {
                return Err(Error::resources(format!(
                    "best-first opened {MOST} nodes for a document and isn't done"
                ))
                .hint("take --algorithm fast-btop"));
            }
            let mut with = chosen.clone();
            with.insert(from);
            if problem.is_safe(&with) {
                heap.push((bound(problem, &with, from + 1), from + 1, Reverse(with)));
            }
            heap.push((bound(problem, &chosen, from + 1), from + 1, Reverse(chosen)));
        }
        Err(Error::internal("a search began with a set of terms that isn't safe"))
    }
}
