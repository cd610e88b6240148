//! A release that was published before, by the cells by which it is joined (Tree1).

use sfumato_core::FastMap;
use sfumato_core::joined::Joined;

/// Numbers different keys in the order in which they come.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    pub(super) all: Vec<Vec<u32>>,
    number: FastMap<Vec<u32>, u32>,
}

impl Numbered {
    pub(super) fn of(&mut self, key: &[u32]) -> u32 {
        if let Some(known) = self.number.get(key) {
            return *known;
        }
        let next = self.all.len() as u32;
        self.all.push(key.to_vec());
        self.number.insert(key.to_vec(), next);
        next
    }
}

/// Records that are joined alike.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) cells: Vec<u32>,
    /// The numbers of their values of X and of Y, and how many records have both.
    pub(super) parts: Vec<(u32, u32, u64)>,
    pub(super) rows: u64,
}

/// A release by its nodes.
#[derive(Debug)]
pub(super) struct Tree1 {
    /// The places of the columns by which it is joined.
    pub(super) places: Vec<usize>,
    pub(super) nodes: Vec<Node>,
    pub(super) ys: Numbered,
    /// The place among the cells, and the attribute, by which nodes are looked up; then the nodes
    /// of each text, in the order of these.
    lookup: Option<(usize, usize)>,
    by_text: Vec<(u32, Vec<u32>)>,
}

/// The cells of a record in some places.
pub(super) fn cells(row: &[u32], places: &[usize]) -> Vec<u32> {
    places.iter().map(|place| row[*place]).collect()
}

/// The places of those columns of a release that are among some attributes.
pub(super) fn places_of(joined: &Joined, release: usize, attributes: &[usize]) -> Vec<usize> {
    let all = joined.releases[release].attributes.iter().enumerate();
    all.filter(|(_, one)| attributes.contains(one)).map(|(place, _)| place).collect()
}

impl Tree1 {
    pub(super) fn new(joined: &Joined, at: usize, (x, y): (&[usize], &[usize])) -> Self {
        let release = &joined.releases[at];
        let places = joined.join_places(at);
        let (of_x, of_y) = (places_of(joined, at, x), places_of(joined, at, y));
        let (mut keys, mut xs, mut ys) =
            (Numbered::default(), Numbered::default(), Numbered::default());
        let mut parts: FastMap<(u32, u32, u32), u64> = FastMap::default();
        for (row, n) in &release.rows {
            let key = keys.of(&cells(row, &places));
            let part = (key, xs.of(&cells(row, &of_x)), ys.of(&cells(row, &of_y)));
            *parts.entry(part).or_default() += n;
        }
        let node = |cells: &Vec<u32>| Node { cells: cells.clone(), parts: Vec::new(), rows: 0 };
        let mut nodes: Vec<Node> = keys.all.iter().map(node).collect();
        for ((key, x, y), n) in parts {
            nodes[key as usize].parts.push((x, y, n));
            nodes[key as usize].rows += n;
        }
        nodes.iter_mut().for_each(|node| node.parts.sort_unstable());
        let last = joined.releases.last().map_or(&[][..], |last| &last.attributes);
        let shared = |(_, place): &(usize, &usize)| {
            let attribute = release.attributes[**place];
            joined.attributes[attribute].meets.is_some() && last.contains(&attribute)
        };
        let lookup = places.iter().enumerate().find(shared);
        let lookup = lookup.map(|(at, place)| (at, release.attributes[*place]));
        let mut by_text: FastMap<u32, Vec<u32>> = FastMap::default();
        if let Some((at, _)) = lookup {
            for (number, node) in (0u32..).zip(&nodes) {
                by_text.entry(node.cells[at]).or_default().push(number);
            }
        }
        let mut by_text: Vec<(u32, Vec<u32>)> = by_text.into_iter().collect();
        by_text.sort_unstable();
        Tree1 { places, nodes, ys, lookup, by_text }
    }

    /// Nodes that may match a record of the last release, by one column that both have.
    pub(super) fn candidates(
        &self,
        joined: &Joined,
        (last, cells): (&[usize], &[u32]),
    ) -> Vec<u32> {
        let attributes = joined.releases.last().map_or(&[][..], |last| &last.attributes);
        let found = self.lookup.and_then(|(_, attribute)| {
            let at = last.iter().position(|place| attributes[*place] == attribute)?;
            Some((cells[at], joined.attributes[attribute].meets.as_ref()?))
        });
        match found {
            None => (0..self.nodes.len() as u32).collect(),
            Some((text, meets)) => {
                let own = self.by_text.iter().filter(|(other, _)| meets.at(*other, text));
                own.flat_map(|(_, nodes)| nodes.iter().copied()).collect()
            }
        }
    }
}
