//! A published graph beside its original, and which node is which, if that is known.

use sfumato_core::observer::{Observer, Unobserved};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::attack::{AttackRequest, Outcome};
use sfumato_engine::paths::resolve;
use sfumato_io::{ReadOptions, read as read_table, select_all};

use crate::data::read::{input_of, load};
use crate::data::{Edge, Graph, Labels, Names};
use crate::forms::release_file::{read_original, read_release};
use crate::job::{GraphSpec, Job};

/// The word for a release that kept the names of nodes.
const SAME: &str = "names";

/// What attacks look at.
pub struct GraphStage {
    /// The original.
    pub original: Graph,
    /// The release.
    pub release: Graph,
    /// The node of the release that each node of the original became, if the steward says so.
    pub mapping: Option<Vec<u32>>,
    /// The names of nodes of the original.
    pub names: Names,
    /// The labels of nodes of the original, if they have some.
    pub labels: Option<Labels>,
    /// The labels of nodes of the release, if it has some.
    pub release_labels: Option<Labels>,
    /// Edges of the original that must not be known, if the steward names some.
    pub sensitive: Option<Vec<Edge>>,
    /// Another release of the same people, if there is one.
    pub other: Option<OtherRelease>,
}

/// Another release of the same people.
pub struct OtherRelease {
    /// The release.
    pub release: Graph,
    /// The node of it that each node of the original became, if the steward says so. Some may have
    /// left before.
    pub mapping: Option<Vec<Option<u32>>>,
}

impl GraphStage {
    /// A release beside its original, and which node is which.
    pub fn of(original: Graph, release: Graph, mapping: Vec<u32>) -> GraphStage {
        let names = Names::Numbers((0..original.n() as u64).collect());
        let mapping = Some(mapping);
        GraphStage {
            original,
            release,
            mapping,
            names,
            labels: None,
            release_labels: None,
            sensitive: None,
            other: None,
        }
    }

    /// Read a release and its original.
    pub fn open(
        form: &str,
        request: &AttackRequest<Job>,
        observer: &dyn Observer,
    ) -> Result<GraphStage> {
        // What is said of the people's names is true of the original alone.
        let mut job = request.release.job.clone();
        job.graph.sensitive_edges = None;
        job.graph.attributes = None;
        job.graph.label_hierarchy = None;
        job.graph.labels = None;
        let labelled = job.clone();
        job.graph.label = None;
        let job = &job;
        let manifest = request.release.manifest.as_ref();
        // The manifest knows the layout of its own file better than a job that speaks of the
        // original; beside another file it knows nothing.
        let mut unsaid = labelled.clone();
        unsaid.graph.layout = GraphSpec::default().layout;
        let described = manifest.map(|_| read_release(form, &unsaid, manifest, observer));
        let release = match described {
            Some(Ok(release)) => release,
            _ => read_release(form, job, manifest, observer)?,
        };
        let original = read_original(request.original()?, job, observer)?;
        if release.graph.n() != original.graph.n() {
            return Err(Error::input(format!(
                "the release has {} nodes and the original {}: they don't belong together",
                release.graph.n(),
                original.graph.n()
            ))
            .in_file(&job.input.path));
        }
        let other = match &request.other {
            None => None,
            Some(other) => Some(open_other(other, &original.names, observer)?),
        };
        let said = job.graph.mapping.as_deref().or(request.original()?.graph.mapping.as_deref());
        let mapping = match said {
            None => None,
            Some(SAME) => Some(by_names(&original.names, &release.names)?),
            Some(path) => {
                let path = resolve(&job.base, path);
                let first = release.layout.first_id();
                Some(by_file(&path, &original.names, (&release.names, first))?)
            }
        };
        Ok(GraphStage {
            original: original.graph,
            release: release.graph,
            mapping,
            names: original.names,
            labels: original.labels,
            release_labels: release.labels,
            sensitive: original.sensitive,
            other,
        })
    }

    /// What is missing for attacks that are judged by which node is which.
    pub fn lacks_mapping(&self) -> Option<String> {
        self.mapping.is_none().then(|| {
            "the file that says which node became which (--mapping FILE, as --save-mapping wrote \
             it; --mapping names if nodes kept their names)"
                .into()
        })
    }

    /// The outcome of an attacker who finds the candidates of every node, given the class of each
    /// node of the original and of the release. Without a mapping a node is taken to be among
    /// them.
    pub fn everybody(&self, original: &[u32], release: &[u32]) -> Outcome {
        let most = original.iter().chain(release).max().map_or(0, |class| *class as usize + 1);
        let mut sizes = vec![0u32; most];
        release.iter().for_each(|class| sizes[*class as usize] += 1);
        let chance = |node: usize| {
            let class = original[node];
            let is_there = match &self.mapping {
                Some(mapping) => release[mapping[node] as usize] == class,
                None => sizes[class as usize] > 0,
            };
            if is_there { 1.0 / f64::from(sizes[class as usize]) } else { 0.0 }
        };
        let chances: Vec<f64> = (0..original.len()).map(chance).collect();
        let mut outcome = Outcome::of_everybody(&chances, self.baseline());
        self.remark(&mut outcome);
        outcome
    }

    /// The rate of somebody who guesses among all nodes.
    pub fn baseline(&self) -> f64 {
        1.0 / self.original.n().max(1) as f64
    }

    /// Say that the rate is the most that can be, where nobody says which node is which.
    pub fn remark(&self, outcome: &mut Outcome) {
        if self.mapping.is_none() {
            outcome.remarks.push(
                "which node became which wasn't said (--mapping): everybody who has candidates is \
                 taken to be among them, so that the rate is the most that can be"
                    .into(),
            );
        }
    }
}

/// Read another release of the same people. Its layout is that of its manifest, or the job's.
fn open_other(job: &Job, original: &Names, observer: &dyn Observer) -> Result<OtherRelease> {
    let mut job = job.clone();
    job.graph.sensitive_edges = None;
    job.graph.attributes = None;
    job.graph.label_hierarchy = None;
    job.graph.labels = None;
    job.graph.label = None;
    let read = load(&input_of(&job), &job.graph, &job.base, observer)?;
    let mapping = match &job.graph.other_mapping {
        None => None,
        Some(path) => {
            let path = resolve(&job.base, path);
            Some(some_by_file(&path, original, (&read.names, read.layout.first_id()))?)
        }
    };
    Ok(OtherRelease { release: read.graph, mapping })
}

/// The node of another release of each node that it has, by a file with the columns original and
/// published. Who came or went between the releases has none.
fn some_by_file(
    path: &str,
    original: &Names,
    (release, first): (&Names, u64),
) -> Result<Vec<Option<u32>>> {
    let table = read_mapping(path)?;
    let known: FastMap<String, u32> =
        (0..original.len() as u32).filter_map(|node| Some((original.get(node)?, node))).collect();
    let nodes: FastMap<String, u32> =
        (0..release.len() as u32).filter_map(|node| Some((release.get(node)?, node))).collect();
    let mut mapping = vec![None; original.len()];
    // Nodes without an edge may have no name in the release: nobody looks for them.
    for (name, published) in &table {
        let number = published.parse::<u64>().ok().filter(|number| *number >= first);
        if number.is_none() {
            return Err(wrong("the mapping isn't that of this release").in_file(path));
        }
        if let Some(node) = known.get(name) {
            mapping[*node as usize] = nodes.get(published).copied();
        }
    }
    match mapping.iter().any(Option::is_some) {
        true => Ok(mapping),
        false => {
            Err(wrong("nobody of the original is in the mapping of the other release")
                .in_file(path))
        }
    }
}

/// The rows of a mapping: the name of a node in the original, and its number in the release.
fn read_mapping(path: &str) -> Result<Vec<(String, String)>> {
    let options = ReadOptions { header: Some(true), ..ReadOptions::default() };
    let table = read_table(path, &options, &mut select_all, &Unobserved)?;
    let column = |name: &str| {
        let found = table.columns.iter().find(|column| column.name == name);
        found.ok_or_else(|| wrong("a mapping has the columns original and published").in_file(path))
    };
    let (from, to) = (column("original")?, column("published")?);
    let row = |row: usize| {
        let name = from.values.get(from.codes.get(row)).to_string();
        (name, to.values.get(to.codes.get(row)).to_string())
    };
    Ok((0..table.n_rows).map(row).collect())
}

fn wrong(message: &str) -> Error {
    Error::input(message).hint("name the file that --save-mapping wrote for this release")
}

/// Nodes that have the same name.
fn by_names(original: &Names, release: &Names) -> Result<Vec<u32>> {
    let known: FastMap<String, u32> =
        (0..release.len() as u32).filter_map(|node| Some((release.get(node)?, node))).collect();
    (0..original.len() as u32)
        .map(|node| {
            let name = original.get(node).unwrap_or_default();
            known.get(&name).copied().ok_or_else(|| wrong("nodes didn't keep their names"))
        })
        .collect()
}

/// Nodes by a file with the columns original and published.
fn by_file(path: &str, original: &Names, (release, first): (&Names, u64)) -> Result<Vec<u32>> {
    let table = read_mapping(path)?;
    let of = |names: &Names| -> FastMap<String, u32> {
        (0..names.len() as u32).filter_map(|node| Some((names.get(node)?, node))).collect()
    };
    let (originals, released) = (of(original), of(release));
    // Nodes without an edge may have no name in the release: they are the last ones, in the order
    // of the numbers that are left over.
    let n = table.len();
    let numbers = release.as_numbers(n, first);
    let mut by_number = vec![u32::MAX; n];
    for (node, number) in (0u32..).zip(numbers.iter().flatten()) {
        by_number[*number as usize] = node;
    }
    let mut mapping = vec![u32::MAX; n];
    let mut nameless = original.len() as u32;
    for (name, published) in &table {
        let node = match originals.get(name) {
            Some(node) => *node,
            None if name.is_empty() => {
                nameless += 1;
                nameless - 1
            }
            None => return Err(wrong("the mapping names a node that the original hasn't")),
        };
        let by_name = released.get(published).copied();
        let found = by_name.or_else(|| {
            let number = published.parse::<u64>().ok()?.checked_sub(first)?;
            by_number.get(usize::try_from(number).ok()?).copied()
        });
        match (mapping.get_mut(node as usize), found) {
            (Some(place), Some(found)) if *place == u32::MAX && found != u32::MAX => *place = found,
            _ => return Err(wrong("the mapping isn't that of this release")),
        }
    }
    let mut all = mapping.clone();
    all.sort_unstable();
    match all.iter().zip(0u32..).all(|(node, place)| *node == place) {
        true => Ok(mapping),
        false => Err(wrong("the mapping isn't one to one")),
    }
}
