//! Writes a graph to a draft, its nodes numbered at random. Nothing here decides anything or makes
//! the file visible.

use std::path::Path;

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::{Form, Partition};
use sfumato_engine::paths::resolve;
use sfumato_engine::random::shuffle;
use sfumato_io::{AtomicFile, write_text_unnamed};

use crate::data::{Labels, Layout, Loaded, refined_all, write};
use crate::job::Job;
use crate::kind::Graphs;
use crate::traits::Edits;

/// The key of labels that come from a file of their own.
const LABEL: &str = "label";

/// What is needed to read a draft back.
pub struct Witness {
    /// The number of each node in the release.
    pub id: Vec<u32>,
    /// The layout of the release.
    pub layout: Layout,
    /// The key of labels, if they are published.
    pub label: Option<String>,
}

/// The layout of a release, and the key of its labels. A layout without a place for labels is
/// replaced by one that has it, which the name of the release must say.
pub(crate) fn layout_of(job: &Job, data: &Loaded) -> Result<(Layout, Option<String>)> {
    let label = data.labels.as_ref().map(|_| job.graph.label.clone().unwrap_or(LABEL.into()));
    if label.is_none() || data.layout.has_labels() {
        return Ok((data.layout.clone(), label));
    }
    let name = job.output.path.to_ascii_lowercase();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    match Path::new(name).extension().and_then(|extension| extension.to_str()) {
        Some("gml") => Ok((Layout::Gml, label)),
        Some("graphml") => Ok((Layout::GraphMl, label)),
        _ => Err(Error::params("edges have no place for the labels of nodes")
            .hint("let the name of the release end in .graphml or .gml")),
    }
}

/// Write the graph with its edges changed.
pub fn publish<F: Form<Graphs, Decision = Edits, Witness = Witness>>(
    job: &Job,
    Partition { data, decision, random, .. }: Partition<'_, Graphs, F>,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let (layout, label) = layout_of(job, data)?;
    let n = data.graph.n();
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut random = random()?;
    match &decision.cycles {
        None => shuffle(&mut order, &mut random),
        Some(cycles) => {
            let mut drawn = |n: usize| {
                let mut places: Vec<u32> = (0..n as u32).collect();
                shuffle(&mut places, &mut random);
                places
            };
            // Numbers follow the cycles, and are random but for that: the cycles come in random
            // order, the longest last, and each begins at a random node.
            let k = cycles.first().map_or(0, Vec::len);
            let mut places = drawn(cycles.len());
            places.sort_by_key(|place| cycles[*place as usize].len() > k);
            order.clear();
            for place in places {
                let cycle = &cycles[place as usize];
                let start = drawn(cycle.len()).first().map_or(0, |start| *start as usize);
                order.extend(cycle[start..].iter().chain(&cycle[..start]));
            }
            if order.len() != n {
                return Err(Error::internal("cycles don't have every node once"));
            }
        }
    }
    let mut id = vec![0; n];
    order.iter().zip(0..).for_each(|(node, number)| id[*node as usize] = number);
    let published = decision.apply(&data.graph)?.renumbered(&id);
    let own = data.labels.as_ref().map(|labels| match &decision.labels {
        Some(texts) => Labels::new(texts),
        None => labels.clone(),
    });
    let labels = own.map(|labels| labels.renumbered(&id));
    let destination = resolve(&job.base, &job.output.path);
    let mut draft = Draft::file(&destination)?;
    let labelled = labels.as_ref().zip(label.as_deref());
    write::write(&mut draft, &published, labelled, &layout, &destination, observer)?;
    Ok((draft, Witness { id, layout, label }))
}

/// The file that says which node became which, if the job asks for it. Only the steward may read
/// it.
pub(crate) fn mapping(
    job: &Job,
    data: &Loaded,
    (decision, witness): (&Edits, &Witness),
) -> Result<Vec<AtomicFile>> {
    let Some(path) = &job.output.mapping else { return Ok(Vec::new()) };
    // The candidate sets of each node, so that models of tables can judge what is known of people
    // beside the graph.
    let sets = refined_all(&decision.apply(&data.graph)?, None, 2);
    let first = witness.layout.first_id();
    let mut text = String::from("original,published,set_h1,set_h2");
    text += if data.labels.is_some() { ",label" } else { "" };
    let quoted = |text: &str| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    };
    let attributes = data.attributes.as_ref();
    for name in attributes.iter().flat_map(|attributes| &attributes.names) {
        text += &format!(",{}", quoted(name));
    }
    text.push('\n');
    for (node, id) in (0u32..).zip(&witness.id) {
        let name = data.names.get(node).unwrap_or_default();
        let set = |i: usize| sets[i].class_of[node as usize];
        text += &format!("{},{},{},{}", quoted(&name), u64::from(*id) + first, set(1), set(2));
        let label = data.labels.as_ref().map(|labels| labels.get(node));
        text += &label.map_or(String::new(), |label| format!(",{}", quoted(label)));
        for value in attributes.iter().flat_map(|attributes| &attributes.of[node as usize]) {
            text += &format!(",{}", quoted(value));
        }
        text.push('\n');
    }
    let path = resolve(&job.base, path);
    Ok(vec![write_text_unnamed(Path::new(&path), &text, true)?])
}
