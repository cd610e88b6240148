//! A flow of records from groups of one release to groups of another, and how far it can be
//! changed without losing any.

use sfumato_core::{Error, FastMap, Result};

/// A largest assignment of records of the groups on the left to those on the right.
pub struct Flow {
    /// The place of each group among the nodes.
    place: FastMap<u32, u32>,
    /// Arcs that leave each node.
    leaving: Vec<Vec<u32>>,
    /// Where each arc goes, and what it can still carry. Its reverse has the number with the last
    /// bit changed.
    arcs: Vec<(u32, u64)>,
    value: u64,
}

const SOURCE: u32 = 0;
const SINK: u32 = 1;
/// More than any number of records.
const PLENTY: u64 = u64::MAX / 4;

impl Flow {
    /// The largest flow along edges between groups of these sizes.
    pub fn most(edges: &[(u32, u32)], sizes: &[u64]) -> Self {
        let mut flow = Flow {
            place: FastMap::default(),
            leaving: vec![Vec::new(); 2],
            arcs: Vec::new(),
            value: 0,
        };
        for &(left, right) in edges {
            let from = flow.node(left, sizes[left as usize], true);
            let to = flow.node(right, sizes[right as usize], false);
            flow.arc(from, to, PLENTY);
        }
        let mut residual = flow.residual();
        flow.value = push(&flow.leaving, &mut residual, (SOURCE, SINK), &|_| true);
        flow.arcs.iter_mut().zip(residual).for_each(|(arc, left)| *arc = left);
        flow
    }

    /// How many records are assigned.
    pub fn value(&self) -> u64 {
        self.value
    }

    fn node(&mut self, group: u32, size: u64, is_left: bool) -> u32 {
        if let Some(place) = self.place.get(&group) {
            return *place;
        }
        let place = self.leaving.len() as u32;
        self.leaving.push(Vec::new());
        self.place.insert(group, place);
        match is_left {
            true => self.arc(SOURCE, place, size),
            false => self.arc(place, SINK, size),
        }
        place
    }

    fn arc(&mut self, from: u32, to: u32, room: u64) {
        for (from, to, room) in [(from, to, room), (to, from, 0)] {
            self.leaving[from as usize].push(self.arcs.len() as u32);
            self.arcs.push((to, room));
        }
    }

    fn residual(&self) -> Vec<(u32, u64)> {
        self.arcs.clone()
    }

    fn place(&self, group: u32) -> Result<u32> {
        let place = self.place.get(&group).copied();
        place.ok_or_else(|| Error::internal("a group isn't in the flow of its component"))
    }

    /// The most records that can go from one group to another while all are assigned.
    pub fn most_along(&self, left: u32, right: u32) -> Result<u64> {
        let (from, to) = (self.place(left)?, self.place(right)?);
        let along = |arc: &&u32| arc.is_multiple_of(2) && self.arcs[**arc as usize].0 == to;
        let arc = *self.leaving[from as usize]
            .iter()
            .find(along)
            .ok_or_else(|| Error::internal("groups that can't meet were asked about"))?;
        // What more can go along the arc comes round in a cycle that leaves the source alone: every
        // record stays assigned.
        let is_free = |at: u32| {
            at / 2 != arc / 2
                && self.arcs[at as usize].0 != SOURCE
                && self.arcs[(at ^ 1) as usize].0 != SOURCE
        };
        let carried = self.arcs[(arc ^ 1) as usize].1;
        Ok(carried + push(&self.leaving, &mut self.residual(), (to, from), &is_free))
    }

    /// The fewest records that can be assigned to a group on the right while all are assigned.
    pub fn least_into(&self, right: u32) -> Result<u64> {
        let from = self.place(right)?;
        let to_sink = |arc: &&u32| self.arcs[**arc as usize].0 == SINK;
        let arc = *self.leaving[from as usize]
            .iter()
            .find(to_sink)
            .ok_or_else(|| Error::internal("a group on the left was asked about"))?;
        let is_free = |at: u32| {
            at / 2 != arc / 2
                && self.arcs[at as usize].0 != SOURCE
                && self.arcs[(at ^ 1) as usize].0 != SOURCE
        };
        let carried = self.arcs[(arc ^ 1) as usize].1;
        Ok(carried - push(&self.leaving, &mut self.residual(), (from, SINK), &is_free).min(carried))
    }
}

/// Push as much as possible from one node to another along free arcs: blocking flows on levels.
fn push(
    leaving: &[Vec<u32>],
    arcs: &mut [(u32, u64)],
    (from, to): (u32, u32),
    is_free: &dyn Fn(u32) -> bool,
) -> u64 {
    let mut total = 0;
    loop {
        let level = levels(leaving, arcs, from, is_free);
        if level[to as usize] == u32::MAX {
            return total;
        }
        let mut next = vec![0usize; leaving.len()];
        loop {
            let pushed = block(leaving, arcs, (from, to), (&level, &mut next), is_free);
            if pushed == 0 {
                break;
            }
            total += pushed;
        }
    }
}

fn levels(
    leaving: &[Vec<u32>],
    arcs: &[(u32, u64)],
    from: u32,
    is_free: &dyn Fn(u32) -> bool,
) -> Vec<u32> {
    let mut level = vec![u32::MAX; leaving.len()];
    level[from as usize] = 0;
    let mut queue = vec![from];
    let mut head = 0;
    while let Some(&node) = queue.get(head) {
        head += 1;
        for &arc in &leaving[node as usize] {
            let (to, room) = arcs[arc as usize];
            if room > 0 && level[to as usize] == u32::MAX && is_free(arc) {
                level[to as usize] = level[node as usize] + 1;
                queue.push(to);
            }
        }
    }
    level
}

/// Push along one path of the levels; 0 if there is none. The path is kept here, not on the stack.
fn block(
    leaving: &[Vec<u32>],
    arcs: &mut [(u32, u64)],
    (from, to): (u32, u32),
    (level, next): (&[u32], &mut [usize]),
    is_free: &dyn Fn(u32) -> bool,
) -> u64 {
    let (mut path, mut at): (Vec<u32>, u32) = (Vec::new(), from);
    while at != to {
        match leaving[at as usize].get(next[at as usize]) {
            Some(&arc) => {
                let (target, room) = arcs[arc as usize];
                if room > 0 && level[target as usize] == level[at as usize] + 1 && is_free(arc) {
                    path.push(arc);
                    at = target;
                } else {
                    next[at as usize] += 1;
                }
            }
            None => {
                let Some(arc) = path.pop() else { return 0 };
                at = arcs[(arc ^ 1) as usize].0;
                next[at as usize] += 1;
            }
        }
    }
    let room = path.iter().map(|arc| arcs[*arc as usize].1).min().unwrap_or(0);
    for arc in path {
        arcs[arc as usize].1 -= room;
        arcs[(arc ^ 1) as usize].1 += room;
    }
    room
}
