//! Walks through the worlds of people who share groups, one person after the other.

use super::Group;
use crate::seeded::Seeded;

/// People who share groups, directly or through others.
pub(super) struct Component {
    pub(super) people: Vec<u32>,
    /// The groups of each person, in the order of the releases.
    of_person: Vec<Vec<u32>>,
    /// The fewest and the most members of each group that have the value.
    bounds: Vec<(u64, u64)>,
    sizes: Vec<u64>,
}

/// The components of some people.
pub(super) fn components(n: usize, releases: &[Vec<Group>]) -> Vec<Component> {
    let groups: Vec<&Group> = releases.iter().flatten().collect();
    let mut of_person: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (at, group) in (0u32..).zip(&groups) {
        group.members.iter().for_each(|person| of_person[*person as usize].push(at));
    }
    let mut found = Vec::new();
    let (mut seen, mut group_seen) = (vec![false; n], vec![u32::MAX; groups.len()]);
    for first in 0..n {
        if seen[first] || of_person[first].is_empty() {
            continue;
        }
        let mut component =
            Component { people: Vec::new(), of_person: Vec::new(), bounds: vec![], sizes: vec![] };
        // Those who share a group come one after the other, so that a group is full early.
        let mut open = std::collections::VecDeque::from([first as u32]);
        seen[first] = true;
        while let Some(person) = open.pop_front() {
            component.people.push(person);
            for at in &of_person[person as usize] {
                if group_seen[*at as usize] != u32::MAX {
                    continue;
                }
                let group = groups[*at as usize];
                group_seen[*at as usize] = component.bounds.len() as u32;
                component.bounds.push((group.holders.saturating_sub(group.made_up), group.holders));
                component.sizes.push(group.members.len() as u64);
                for other in &group.members {
                    if !std::mem::replace(&mut seen[*other as usize], true) {
                        open.push_back(*other);
                    }
                }
            }
        }
        let own = |person: &u32| {
            let groups = of_person[*person as usize].iter();
            groups.map(|at| group_seen[*at as usize]).collect()
        };
        component.of_person = component.people.iter().map(own).collect();
        found.push(component);
    }
    found
}

/// A walk through the worlds of a component.
pub(super) struct Search<'a> {
    component: &'a Component,
    /// How many members of each group have the value so far, and how many aren't decided.
    having: Vec<u64>,
    open: Vec<u64>,
    /// In how many worlds each person has the value.
    pub(super) with: Vec<u128>,
}

impl<'a> Search<'a> {
    pub(super) fn new(component: &'a Component) -> Self {
        Search {
            component,
            having: vec![0; component.bounds.len()],
            open: component.sizes.clone(),
            with: vec![0; component.people.len()],
        }
    }

    /// Decide that a person has the value from one of the person's groups on; behind the last of
    /// them, never. Whether groups can still be as they should.
    fn decide(&mut self, person: usize, since: usize) -> bool {
        let component = self.component;
        let mut fits = true;
        for (at, group) in component.of_person[person].iter().enumerate() {
            let group = *group as usize;
            self.open[group] -= 1;
            self.having[group] += u64::from(at >= since);
            let (fewest, most) = component.bounds[group];
            fits &= self.having[group] <= most && self.having[group] + self.open[group] >= fewest;
        }
        fits
    }

    fn undo(&mut self, person: usize, since: usize) {
        let component = self.component;
        for (at, group) in component.of_person[person].iter().enumerate() {
            self.open[*group as usize] += 1;
            self.having[*group as usize] -= u64::from(at >= since);
        }
    }

    /// Count all worlds; `None` if that takes more steps than allowed.
    pub(super) fn count(&mut self, most: u64) -> Option<u128> {
        let mut budget = most;
        self.count_from(0, &mut budget)
    }

    fn count_from(&mut self, person: usize, budget: &mut u64) -> Option<u128> {
        if person == self.component.people.len() {
            return Some(1);
        }
        let never = self.component.of_person[person].len();
        let mut all = 0u128;
        for since in 0..=never {
            *budget = budget.checked_sub(1)?;
            let fits = self.decide(person, since);
            let found = match fits {
                true => self.count_from(person + 1, budget),
                false => Some(0),
            };
            self.undo(person, since);
            let found = found?;
            all += found;
            if since < never {
                self.with[person] += found;
            }
        }
        Some(all)
    }

    /// Draw a world: each person in turn takes one of the choices that fit, all alike. Gives the
    /// logarithm of the weight, and who has the value. `None` if nothing fits.
    pub(super) fn draw(mut self, random: &mut Seeded) -> Option<(f64, Vec<bool>)> {
        let (mut weight, mut holders) = (0.0, Vec::new());
        for person in 0..self.component.people.len() {
            let never = self.component.of_person[person].len();
            let fits = |search: &mut Self, since: usize| {
                let fits = search.decide(person, since);
                search.undo(person, since);
                fits
            };
            let choices: Vec<usize> = (0..=never).filter(|since| fits(&mut self, *since)).collect();
            if choices.is_empty() {
                return None;
            }
            let since = choices[random.below(choices.len())];
            weight += (choices.len() as f64).ln();
            self.decide(person, since);
            holders.push(since < never);
        }
        Some((weight, holders))
    }
}
