//! `POST /api/v1/shape`: what data that are no table look like, before and after: paths on a map,
//! how they go from place to place, a graph and its degrees, baskets by size and item, documents
//! with what detectors find marked in them.

use std::sync::Arc;

use axum::extract::{Request, State};
use serde_json::{Value, json};
use sfumato_core::observer::Observer;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};
use sfumato_graph::data::{Edge, Graph};
use sfumato_graph::forms::positions;
use sfumato_paths::data::plane::Position;
use sfumato_paths::data::read::Loaded as Paths;

use super::answer::{self, Answer};
use super::jobs::Asked;
use super::preview::{Deadline, aside, must_have, shortened};
use super::sample::Head;
use super::{Site, body};

/// How many paths are drawn, and how many positions of each.
const MOST_PATHS: usize = 120;
const MOST_POSITIONS: usize = 160;
/// How many places are drawn with who goes from one to the other.
const MOST_PLACES: usize = 24;
/// How many nodes are drawn.
const MOST_NODES: usize = 150;
/// How many items are told.
const MOST_ITEMS: usize = 20;
/// How many documents are shown, and how many bytes of each.
const MOST_DOCUMENTS: usize = 8;
const MOST_BYTES: usize = 2000;

/// `POST /api/v1/shape`
pub(crate) async fn shape(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let request = body::json(request).await?;
    let asked = Asked::of(&request, &site.folder)?;
    must_have(&asked, "input", "path")?;
    let release = request.get("release").and_then(Value::as_str).map(String::from);
    let found = aside(&site, move |site| look(site, &asked, release.as_deref())).await?;
    answer::json(&found)
}

fn look(site: &Site, asked: &Asked, release: Option<&str>) -> Result<Value> {
    let name = release.or_else(|| asked.text("input", "path")).unwrap_or_default();
    let path = site.folder.below(name)?;
    let head = Head::of(&path)?;
    let mut sections = asked.sections.clone();
    let input = sections.entry("input").or_insert_with(|| toml::Table::new().into());
    if let Some(input) = input.as_table_mut() {
        input.insert("path".into(), head.path.display().to_string().into());
    }
    let toml = sfumato_engine::Job::of_sections(sections).to_toml();
    let (root, clock) = (site.folder.root(), Deadline::new());
    let job = sfumato_engine::Job::parse(&toml, name, root)?;
    let kind = sfumato_kinds::RELEASES.kind_of_job(&job)?.unwrap_or("tables");
    let told = |error: Error| match (release.is_some(), head.part) {
        (true, _) => error.hint("the report has a picture of this form of release"),
        (_, Some(_)) => error.in_file(name),
        _ => error,
    };
    let mut found = match kind {
        "paths" => of_paths(&job.without_output()?, &clock),
        "graph" => of_graph(&job.without_output()?, &clock),
        "sets" => of_sets(&job.without_output()?, &clock),
        "text" => of_text(&job.without_output()?, release.is_some()),
        _ => Err(Error::unsupported(format!("records of {kind} have no picture here"))
            .hint("tables are previewed by POST /api/v1/preview")),
    }
    .map_err(told)?;
    found["is_part"] = head.part.is_some().into();
    Ok(found)
}

fn of_paths(job: &sfumato_paths::Job, observer: &dyn Observer) -> Result<Value> {
    use sfumato_paths::data::read::{input_of, load, spec_of};
    let loaded = load(&input_of(job), &spec_of(job), observer)?;
    let corners = |tracks: &[Vec<(Position, Position)>]| on_a_map(tracks);
    if let Some(tracks) = &loaded.tracks {
        let all: Vec<Vec<_>> = tracks
            .tracks
            .iter()
            .map(|track| track.iter().map(|fix| (fix.position, fix.position)).collect())
            .collect();
        return Ok(corners(&all));
    }
    if let Some(regions) = &loaded.regions {
        let all: Vec<Vec<_>> = regions
            .tracks
            .iter()
            .map(|track| track.iter().map(|fix| (fix.region.from, fix.region.to)).collect())
            .collect();
        return Ok(corners(&all));
    }
    Ok(between_places(&loaded))
}

/// Some of all, evenly spread.
fn spread(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let taken = n.min(most);
    (0..taken).map(move |place| place * n / taken.max(1))
}

/// Tracks as lines; regions as boxes.
fn on_a_map(tracks: &[Vec<(Position, Position)>]) -> Value {
    let is_boxes = tracks.iter().flatten().any(|(from, to)| from != to);
    let corners = |(from, to): &(Position, Position)| match is_boxes {
        true => json!([from.x, from.y, to.x, to.y]),
        false => json!([from.x, from.y]),
    };
    let shown: Vec<Vec<Value>> = spread(tracks.len(), MOST_PATHS)
        .map(|track| &tracks[track])
        .map(|track| spread(track.len(), MOST_POSITIONS).map(|at| corners(&track[at])).collect())
        .collect();
    json!({
        "shape": "map", "is_boxes": is_boxes, "tracks": shown, "n": tracks.len(),
        "n_positions": tracks.iter().map(Vec::len).sum::<usize>(),
        "sizes": sizes(tracks.iter().map(Vec::len)),
    })
}

/// The places that most paths visit, and how many go from one to the other.
fn between_places(loaded: &Paths) -> Value {
    let data = &loaded.data;
    let mut visits = vec![0u64; data.places.len()];
    let mut moves: FastMap<(u32, u32), u64> = FastMap::default();
    for path in data.paths.iter() {
        let places: Vec<u32> = path.iter().map(|step| data.steps[*step as usize].place).collect();
        places.iter().for_each(|place| visits[*place as usize] += 1);
        for two in places.windows(2).filter(|two| two[0] != two[1]) {
            *moves.entry((two[0], two[1])).or_insert(0) += 1;
        }
    }
    let mut order: Vec<u32> = (0..visits.len() as u32).collect();
    order.sort_by_key(|place| (std::cmp::Reverse(visits[*place as usize]), *place));
    order.truncate(MOST_PLACES);
    let rank: FastMap<u32, usize> = order.iter().copied().zip(0..).collect();
    let mut told: Vec<(usize, usize, u64)> = moves
        .iter()
        .filter_map(|((a, b), count)| Some((*rank.get(a)?, *rank.get(b)?, *count)))
        .collect();
    told.sort_unstable();
    let places: Vec<Value> = order
        .iter()
        .map(|place| json!([shortened(&data.places[*place as usize]), visits[*place as usize]]))
        .collect();
    json!({
        "shape": "places", "places": places, "moves": told, "n": data.paths.len(),
        "n_places": visits.iter().filter(|visits| **visits > 0).count(),
        "n_positions": data.paths.n_steps(), "sizes": sizes(data.paths.iter().map(<[u32]>::len)),
    })
}

/// How many records have how many parts, in ranges that double.
fn sizes(all: impl Iterator<Item = usize>) -> Vec<Value> {
    let mut counts: Vec<u64> = Vec::new();
    for size in all {
        let place = if size == 0 { 0 } else { size.ilog2() as usize + 1 };
        counts.resize(counts.len().max(place + 1), 0);
        counts[place] += 1;
    }
    let told = counts.iter().enumerate().map(|(place, count)| {
        let from = if place == 0 { 0 } else { 1u64 << (place - 1) };
        let to = if place == 0 { 0 } else { (1u64 << place) - 1 };
        json!({ "from": from, "to": to, "records": count })
    });
    told.collect()
}

fn of_graph(job: &sfumato_graph::Job, observer: &dyn Observer) -> Result<Value> {
    let loaded = sfumato_graph::data::read::read(job, observer)?;
    let graph = &loaded.graph;
    let shown = around_the_largest(graph);
    let rank: FastMap<u32, u32> = shown.iter().copied().zip(0..).collect();
    let edges: Vec<Edge> =
        graph.edges().filter_map(|(a, b)| Some((*rank.get(&a)?, *rank.get(&b)?))).collect();
    let weighted: Vec<(Edge, f64)> = edges.iter().map(|edge| (*edge, 1.0)).collect();
    let dots: Vec<Value> = positions(shown.len(), &weighted)
        .into_iter()
        .zip(&shown)
        .map(|((x, y), node)| json!([x, y, graph.degree(*node)]))
        .collect();
    let degrees = graph.degrees();
    Ok(json!({
        "shape": "graph", "n": graph.n(), "n_edges": graph.m(), "dots": dots, "edges": edges,
        "is_whole": shown.len() == graph.n(), "most": degrees.iter().max(),
        "sizes": sizes(degrees.iter().map(|degree| *degree as usize)),
    }))
}

/// The node with most neighbours, those around it, those around them, until there are enough: a
/// part that is joined says more than nodes chosen at random. A small graph is taken whole.
fn around_the_largest(graph: &Graph) -> Vec<u32> {
    if graph.n() <= MOST_NODES {
        return graph.nodes().collect();
    }
    let mut is_taken = vec![false; graph.n()];
    let first = graph.nodes().max_by_key(|node| (graph.degree(*node), std::cmp::Reverse(*node)));
    let mut taken: Vec<u32> = first.into_iter().collect();
    taken.iter().for_each(|node| is_taken[*node as usize] = true);
    let mut at = 0;
    while at < taken.len() && taken.len() < MOST_NODES {
        for next in graph.neighbours(taken[at]) {
            if taken.len() < MOST_NODES && !is_taken[*next as usize] {
                is_taken[*next as usize] = true;
                taken.push(*next);
            }
        }
        at += 1;
    }
    taken
}

fn of_sets(job: &sfumato_sets::Job, observer: &dyn Observer) -> Result<Value> {
    let data = sfumato_sets::data::read::read(job, observer)?.baskets;
    let items = &data.items;
    let all: [Option<&Transactions>; 2] = [Some(&data.quasi), data.sensitive.as_ref()];
    let mut counts = vec![0u64; items.len()];
    for sets in all.iter().flatten() {
        sets.counts().iter().zip(&mut counts).for_each(|(more, count)| *count += more);
    }
    let size = |i| all.iter().flatten().map(|sets| sets.size(i)).sum::<usize>();
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|item| (std::cmp::Reverse(counts[*item]), *item));
    let shown = order.iter().take(MOST_ITEMS).filter(|item| counts[**item] > 0);
    let told: Vec<Value> =
        shown.map(|item| json!([shortened(&items.names[*item]), counts[*item]])).collect();
    Ok(json!({
        "shape": "baskets", "n": data.quasi.len(), "items": told,
        "n_items": counts.iter().filter(|count| **count > 0).count(),
        "n_positions": counts.iter().sum::<u64>(), "sizes": sizes((0..data.quasi.len()).map(size)),
    }))
}

/// Documents, cut where a marked span would be cut no more than a word.
fn of_text(job: &sfumato_text::Job, is_release: bool) -> Result<Value> {
    let corpus = sfumato_text::data::read_from(job, &job.input.path, is_release)?;
    // What is left in a release was looked for already: nothing is marked in it.
    let names = if is_release { &[][..] } else { &job.text.detect[..] };
    let chosen = sfumato_text::detectors::Chosen::new(names, &job.base)?;
    let mut classes: FastMap<String, u64> = FastMap::default();
    let mut shown = Vec::new();
    for document in corpus.documents.iter().take(MOST_DOCUMENTS) {
        let text = &document.text;
        let end = (0..=MOST_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
        let end = end.unwrap_or_default();
        let spans: Vec<Value> = chosen
            .find(text)
            .into_iter()
            .filter(|span| span.end <= end)
            .map(|span| {
                *classes.entry(span.class.to_string()).or_insert(0) += 1;
                // A page counts letters as JavaScript does.
                let place = |at: usize| text[..at].encode_utf16().count();
                json!([place(span.start), place(span.end), span.class])
            })
            .collect();
        shown.push(json!({
            "name": document.name, "text": &text[..end], "is_cut": end < text.len(),
            "spans": spans,
        }));
    }
    chosen.check()?;
    let mut classes: Vec<(String, u64)> = classes.into_iter().collect();
    classes.sort();
    Ok(json!({
        "shape": "text", "n": corpus.documents.len(), "documents": shown, "classes": classes,
        "sizes": sizes(corpus.documents.iter().map(|document| document.text.len())),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_counted_in_ranges_that_double() {
        let told = sizes([0, 1, 1, 2, 3, 4, 7, 8].into_iter());
        let counts: Vec<u64> =
            told.iter().map(|range| range["records"].as_u64().unwrap_or(99)).collect();
        assert_eq!(counts, [1, 2, 2, 2, 1]);
        assert_eq!((told[3]["from"].as_u64(), told[3]["to"].as_u64()), (Some(4), Some(7)));
    }

    #[test]
    fn some_of_all_are_evenly_spread() {
        assert_eq!(spread(3, 5).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(10, 5).collect::<Vec<_>>(), [0, 2, 4, 6, 8]);
        assert_eq!(spread(0, 5).count(), 0);
    }

    #[test]
    fn a_large_graph_is_drawn_around_its_largest_node() {
        let n = 400;
        let star: Vec<Edge> = (1..300).map(|node| (7, if node == 7 { 0 } else { node })).collect();
        let (graph, _) = Graph::new(n, &star);
        let shown = around_the_largest(&graph);
        assert_eq!((shown.len(), shown[0]), (MOST_NODES, 7));
        assert!(shown[1..].iter().all(|node| graph.has(7, *node)));
        let (small, _) = Graph::new(3, &[(0, 1)]);
        assert_eq!(around_the_largest(&small), [0, 1, 2]);
    }
}
