//! Groups of two releases that can meet, in components: what happens in one says nothing of the
//! others.

use sfumato_core::chain::{Chain, ChainRelease, PublishedClass};
use sfumato_core::{Error, FastMap, Result};

use super::flow::Flow;

/// The groups of two releases, with what can meet what.
pub struct Components {
    /// The classes that somebody can be in both of.
    pub pairs: Vec<(u32, u32)>,
    /// For each pair the groups of the same sensitive value, as edges.
    edges: Vec<Vec<Edge>>,
    /// The groups of each class of the second release.
    groups_of_second: Vec<Vec<u32>>,
    /// The sensitive value of each group, those of the first release before those of the second.
    values: Vec<u32>,
    /// The component of each group, those of the first release before those of the second.
    component: Vec<u32>,
    sizes: Vec<u64>,
    components: Vec<Component>,
}

/// Two groups that can meet.
#[derive(Clone, Copy)]
struct Edge {
    first: u32,
    second: u32,
}

#[derive(Default)]
struct Component {
    of_first: u64,
    of_second: u64,
    n_first: u64,
    n_second: u64,
    n_edges: u64,
    /// What counts alone can't say: an assignment of all records of the first.
    flow: Option<Flow>,
}

impl Component {
    /// Whether every group of the first can meet every group of the second.
    fn is_complete(&self) -> bool {
        self.n_edges == self.n_first * self.n_second
    }
}

impl Components {
    /// Find the components of two releases, and check that the second can have all records of the
    /// first.
    pub fn of(chain: &Chain, first: &ChainRelease, second: &ChainRelease) -> Result<Self> {
        let n_first: usize = first.classes.iter().map(|class| class.values.len()).sum();
        let starts = |classes: &[PublishedClass], from: usize| -> Vec<u32> {
            let begin = |next: &mut u32, class: &PublishedClass| {
                let start = *next;
                *next += class.values.len() as u32;
                Some(start)
            };
            classes.iter().scan(from as u32, begin).collect()
        };
        let (of_first, of_second) = (starts(&first.classes, 0), starts(&second.classes, n_first));
        let both = first.classes.iter().chain(&second.classes);
        let sizes: Vec<u64> = both.flat_map(|class| class.values.iter().map(|(_, n)| *n)).collect();
        let all = first.classes.iter().chain(&second.classes);
        let values = all.flat_map(|class| class.values.iter().map(|(value, _)| *value)).collect();
        let pairs = pairs(chain, first, second);
        let edges_of = |&(a, b): &(u32, u32)| {
            let (one, other) = (&first.classes[a as usize], &second.classes[b as usize]);
            common(one, other)
                .map(|(x, y)| Edge {
                    first: of_first[a as usize] + x,
                    second: of_second[b as usize] + y,
                })
                .collect::<Vec<_>>()
        };
        let edges: Vec<Vec<Edge>> = pairs.iter().map(edges_of).collect();
        let component = join(sizes.len(), edges.iter().flatten());
        let groups = |(class, start): (&PublishedClass, &u32)| -> Vec<u32> {
            (*start..*start + class.values.len() as u32).collect()
        };
        let groups_of_second = second.classes.iter().zip(&of_second).map(groups).collect();
        let components = Vec::new();
        let mut found =
            Components { pairs, edges, groups_of_second, values, component, sizes, components };
        found.count(n_first);
        found.assign((first, second))?;
        Ok(found)
    }

    fn count(&mut self, n_first: usize) {
        let n = self.component.iter().max().map_or(0, |most| *most as usize + 1);
        self.components.resize_with(n, Component::default);
        for (group, component) in self.component.iter().enumerate() {
            let component = &mut self.components[*component as usize];
            match group < n_first {
                true => {
                    (component.of_first, component.n_first) =
                        (component.of_first + self.sizes[group], component.n_first + 1)
                }
                false => {
                    (component.of_second, component.n_second) =
                        (component.of_second + self.sizes[group], component.n_second + 1)
                }
            }
        }
        for edge in self.edges.iter().flatten() {
            self.components[self.component[edge.first as usize] as usize].n_edges += 1;
        }
    }

    /// Assign all records of the first release, or say that it can't be done.
    fn assign(&mut self, (first, second): (&ChainRelease, &ChainRelease)) -> Result<()> {
        let mut edges_of: FastMap<u32, Vec<(u32, u32)>> = FastMap::default();
        for edge in self.edges.iter().flatten() {
            let component = self.component[edge.first as usize];
            if !self.components[component as usize].is_complete() {
                edges_of.entry(component).or_default().push((edge.first, edge.second));
            }
        }
        let mut lost = 0;
        for (at, component) in self.components.iter_mut().enumerate() {
            match edges_of.get(&(at as u32)) {
                None => lost += component.of_first.saturating_sub(component.of_second),
                Some(edges) => {
                    let flow = Flow::most(edges, &self.sizes);
                    lost += component.of_first - flow.value();
                    component.flow = Some(flow);
                }
            }
        }
        match lost {
            0 => Ok(()),
            lost => Err(Error::input(format!(
                "{lost} records of {} have no record of their own in {}: the second release \
                 doesn't have all records of the first",
                first.name, second.name
            ))
            .hint(
                "correspondence is judged where records are only added: name the releases in the \
                 order in which they were published, with the same columns, and say what labels \
                 mean with --hierarchy COLUMN=FILE",
            )),
        }
    }

    /// How many records of a pair of classes can be the same people: what is left of either once
    /// what can't be is ruled out.
    pub fn both(&self, pair: usize) -> Result<u64> {
        Ok(self.both_by_value(pair)?.into_iter().map(|(_, left)| left).sum())
    }

    /// The same for each sensitive value that both classes have.
    pub fn both_by_value(&self, pair: usize) -> Result<Vec<(u32, u64)>> {
        let left = |edge: &Edge| {
            let component = &self.components[self.component[edge.first as usize] as usize];
            let left = match &component.flow {
                Some(flow) => flow.most_along(edge.first, edge.second)?,
                None => self.sizes[edge.first as usize].min(self.sizes[edge.second as usize]),
            };
            Ok((self.values[edge.first as usize], left))
        };
        self.edges[pair].iter().map(left).collect()
    }

    /// How many records of a class of the second release must be people of the first.
    pub fn of_the_first(&self, class: usize) -> Result<u64> {
        Ok(self.of_the_first_by_value(class)?.into_iter().map(|(_, cracked)| cracked).sum())
    }

    /// The same for each of its sensitive values.
    pub fn of_the_first_by_value(&self, class: usize) -> Result<Vec<(u32, u64)>> {
        let cracked = |group: &u32| {
            let component = &self.components[self.component[*group as usize] as usize];
            let cracked = match &component.flow {
                Some(flow) => flow.least_into(*group)?,
                None => {
                    let others = component.of_second - self.sizes[*group as usize];
                    component.of_first.saturating_sub(others)
                }
            };
            Ok((self.values[*group as usize], cracked))
        };
        self.groups_of_second[class].iter().map(cracked).collect()
    }
}

/// The classes of two releases that somebody can be in both of.
fn pairs(chain: &Chain, first: &ChainRelease, second: &ChainRelease) -> Vec<(u32, u32)> {
    // Classes with the same text in the first column are compared in it once.
    let mut by_cell: FastMap<u32, Vec<u32>> = FastMap::default();
    for (at, class) in second.classes.iter().enumerate() {
        by_cell.entry(class.cells.first().copied().unwrap_or(0)).or_default().push(at as u32);
    }
    let mut cells: Vec<(u32, Vec<u32>)> = by_cell.into_iter().collect();
    cells.sort_unstable_by_key(|(cell, _)| *cell);
    let mut pairs = Vec::new();
    for (a, class) in first.classes.iter().enumerate() {
        for (cell, others) in &cells {
            let meets = match (chain.columns.first(), class.cells.first()) {
                (Some(column), Some(own)) => column.at(*own, *cell),
                _ => true,
            };
            let others = others.iter().filter(|_| meets);
            let met = others.filter(|b| chain.comparable(class, &second.classes[**b as usize]));
            pairs.extend(met.map(|b| (a as u32, *b)));
        }
    }
    pairs
}

/// The places of sensitive values that two classes share.
fn common(
    one: &PublishedClass,
    other: &PublishedClass,
) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (mut x, mut y, mut found) = (0, 0, Vec::new());
    while let (Some((a, _)), Some((b, _))) = (one.values.get(x), other.values.get(y)) {
        if a == b {
            found.push((x as u32, y as u32));
        }
        (x, y) = (x + usize::from(a <= b), y + usize::from(b <= a));
    }
    found.into_iter()
}

/// The component of each of `n` groups, numbered from 0.
fn join<'a>(n: usize, edges: impl Iterator<Item = &'a Edge>) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..n as u32).collect();
    fn root(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    for edge in edges {
        let (a, b) = (root(&mut parent, edge.first), root(&mut parent, edge.second));
        parent[a.max(b) as usize] = a.min(b);
    }
    let mut number: FastMap<u32, u32> = FastMap::default();
    (0..n as u32)
        .map(|group| {
            let next = number.len() as u32;
            *number.entry(root(&mut parent, group)).or_insert(next)
        })
        .collect()
}
