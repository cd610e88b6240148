//! Fills the private report of a run over regions: how large boxes are, and who hides whom.

use serde::Serialize;
use sfumato_core::Result;
use sfumato_core::facts::AttackGraphFacts as _;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_report as shown;
use sfumato_report::numbers::count;
use sfumato_report::{Block, Layer, Place, Section, Words, figures_of};

use super::Regions;
use super::decide::tracks_of;
use super::publish::columns_of;
use super::read_back::Read;
use crate::data::layout::{Layout, spell};
use crate::data::plane::{Plane, Position, drawn_line};
use crate::data::synchronous::Bridged;
use crate::kind::Paths;
use crate::metrics::regions::{self as metrics, RegionsView};

/// Figures about regions.
#[derive(Clone, Debug, Default, Serialize)]
struct RegionSection {
    layout: String,
    release_layout: String,
    tracks: u64,
    tracks_published: u64,
    left_out: u64,
    positions: u64,
    boxes: u64,
    known: u64,
    edges: u64,
    edges_possible: u64,
    interpolated: u64,
    longest_gap: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unmirrored: Option<u64>,
}

#[derive(Serialize)]
struct PublicRegions<'a> {
    layout: &'a str,
}

impl RegionSection {
    fn section(&self, bridged: &str, map: Block) -> Section {
        let words = format!(
            "Of {} tracks {} are published and {} were left out. {} of {} positions are published \
             as \
             boxes; {} were known to an attacker. The attack graph has {} edges, of which {} are \
             in \
             an assignment of all tracks to people.",
            count(self.tracks),
            count(self.tracks_published),
            count(self.left_out),
            count(self.boxes),
            count(self.positions),
            count(self.known),
            count(self.edges),
            count(self.edges_possible),
        );
        Section {
            place: Place::Details,
            public: Some(figures_of(&PublicRegions { layout: &self.release_layout })),
            blocks: vec![Block::Paragraph(words), Block::Paragraph(bridged.into()), map],
            ..Section::new("regions", "Regions", self)
        }
    }
}

/// The most tracks that are drawn.
const DRAWN: usize = 100;

/// A map of some tracks before, and of their boxes.
fn map(read: &Read) -> Block {
    let every = read.tracks.len().div_ceil(DRAWN).max(1);
    let (mut before, mut boxes) = (Vec::new(), Vec::new());
    for at in (0..read.tracks.len()).step_by(every) {
        let own = &read.people.tracks[read.of_track[at] as usize];
        before.push(drawn_line(read.plane, &mut own.positions.iter().copied()));
        for fix in &read.tracks[at] {
            let (from, to) = (fix.region.from, fix.region.to);
            let corner = |x: f64, y: f64| Position { x, y };
            let round =
                [(from.x, from.y), (to.x, from.y), (to.x, to.y), (from.x, to.y), (from.x, from.y)];
            let mut round = round.into_iter().map(|(x, y)| corner(x, y));
            boxes.push(drawn_line(read.plane, &mut round));
        }
    }
    Block::Map {
        caption: format!(
            "{} tracks as they were, and the boxes that are published.",
            count(before.len() as u64)
        ),
        layers: vec![
            Layer { name: "before".into(), is_before: true, lines: before },
            Layer { name: "published".into(), is_before: false, lines: boxes },
        ],
    }
}

/// The width of cells in which areas are counted.
fn cell_of(written: &Written<'_, Paths, Regions>, plane: Plane) -> f64 {
    let usual = if plane == Plane::Degrees { 100.0 } else { 1.0 };
    written.plan.params.optional_number("cell").unwrap_or(usual)
}

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Paths, Regions>, read: &Read) -> Result<shown::Report> {
    let Written { data: loaded, plan, .. } = *written;
    let original = tracks_of(loaded)?;
    let view =
        RegionsView { plane: read.plane, cell: cell_of(written, read.plane), tracks: &read.tracks };
    let possible = read.graph.graph.possible(&read.graph.whose).unwrap_or_default();
    let edges = |lists: &[Vec<u32>]| lists.iter().map(|list| list.len() as u64).sum::<u64>();
    let all: u64 = read.tracks.iter().map(|track| track.len() as u64).sum();
    let boxes = read.tracks.iter().flatten().filter(|fix| !fix.region.is_point()).count() as u64;
    let bridged = Bridged::of(original, &read.people.ticks);
    let on_clock: u64 = read.people.tracks.iter().map(|track| track.positions.len() as u64).sum();
    let known = |track: &u32| read.people.known[*track as usize].len() as u64;
    let told = RegionSection {
        layout: written.job.paths.layout.clone(),
        release_layout: spell(&Layout::Regions(columns_of(loaded)?)),
        tracks: original.tracks.len() as u64,
        tracks_published: read.tracks.len() as u64,
        left_out: (original.tracks.len() - read.tracks.len()) as u64,
        positions: all,
        boxes,
        known: read.people.taking_part.iter().map(known).sum(),
        edges: edges(&read.graph.graph.fitting),
        edges_possible: edges(&possible),
        interpolated: bridged.interpolated,
        longest_gap: bridged.longest,
        unmirrored: read.graph.matches(plan.asked.k)?.unmirrored,
    };
    let mut audit = shown::Audit::default();
    audit.add_public("--paths", &told.release_layout);
    let quasi: Vec<&str> = written.data.data.quasi.iter().map(|one| one.name.as_str()).collect();
    if !quasi.is_empty() {
        audit.add_public("--qi", &shown::name_list(&quasi));
    }
    audit.add_original();
    audit.add_private("--original-paths", &told.layout);
    let source = &loaded.source;
    let sizes =
        sfumato_core::traits::ClassSizes::from_sizes(possible.iter().map(|list| list.len() as u64));
    Ok(shown::Report {
        input: shown::Input {
            path: String::new(),
            format: source.format.clone(),
            rows: told.tracks,
            columns: 0,
            bytes: source.bytes,
            sha256: source.sha256.clone(),
            holds: Some(format!("{} positions", count(original.n_fixes() as u64))),
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({
                "chosen": if plan.is_auto { "auto" } else { "by the job" },
            }),
        },
        words: Words { cells: "positions", ..Words::default() },
        audit,
        classes: Some(shown::Classes::from_sizes(sizes.iter())),
        suppressed: shown::Suppressed::new(told.left_out, 0, told.tracks),
        sections: vec![told.section(&bridged.words(on_clock, original.written), map(read))],
        metrics: metrics::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        evidence: shown::Evidence {
            rows: told.tracks_published,
            cells: all,
            ..shown::Evidence::default()
        },
        warnings: warnings(written, &told),
        output: Some(shown::Output {
            path: String::new(),
            rows: told.tracks_published,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
        }),
        ..shown::Report::default()
    })
}

fn warnings(written: &Written<'_, Paths, Regions>, told: &RegionSection) -> Vec<String> {
    let Written { job, plan, .. } = *written;
    let mut warnings = Vec::new();
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the shuffle can be replayed".into());
    }
    if job.output.keep_order {
        warnings.push("tracks are in the order of the input, which can give people away".into());
    }
    if told.boxes < told.positions {
        warnings.push(format!(
            "{} of {} positions are published as they were: whoever knows one of these finds the \
             track",
            count(told.positions - told.boxes),
            count(told.positions)
        ));
    }
    if told.boxes > 0 && plan.params.optional_number("snap").is_none() {
        warnings.push(
            "edges of boxes are positions of people; --algorithm 'NAME(snap=..)' moves them \
             outwards \
             to a grid"
                .into(),
        );
    }
    if job.privacy.max_suppression.is_unsaid() && told.left_out > 0 {
        warnings.push(format!(
            "{} were left out, of {} that may be since no limit was set: --max-suppression sets \
             one",
            shown::numbers::counted(told.left_out, "track"),
            count(plan.may_be_left_out)
        ));
    }
    warnings
}
