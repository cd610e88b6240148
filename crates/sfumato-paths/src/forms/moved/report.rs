//! Fills the private report of a run over tracks: how far they were moved, and what was cut off.

use std::borrow::Cow;

use serde::Serialize;
use sfumato_core::Result;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_report as shown;
use sfumato_report::numbers::{count, quantity};
use sfumato_report::{Block, Layer, Place, Section, Words, figures_of};

use super::Moved;
use super::decide::tracks_of;
use super::own::Own;
use super::read_back::Read;
use crate::data::clock;
use crate::data::layout::spell;
use crate::data::plane::{Plane, Position, drawn_line};
use crate::data::synchronous::Bridged;
use crate::data::tracks::Fix;
use crate::forms::beside;
use crate::kind::Paths;
use crate::metrics::moved::{self as metrics, MovedView};

/// Figures about tracks of the original and of the release.
#[derive(Clone, Debug, Default, Serialize)]
struct TrackSection {
    layout: String,
    release_layout: String,
    people: u64,
    tracks: u64,
    tracks_published: u64,
    left_out: u64,
    too_short: u64,
    groups: u64,
    pi: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    positions: u64,
    positions_published: u64,
    cut_off: u64,
    interpolated: u64,
    longest_gap: f64,
    farthest: f64,
    latest: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quasi: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    generalized: Vec<String>,
}

#[derive(Serialize)]
struct PublicTracks<'a> {
    layout: &'a str,
}

impl TrackSection {
    /// What a reader should know of columns that an attacker may know.
    fn known_in_words(&self) -> String {
        let names = self.quasi.join(", ");
        let generalized = match &self.generalized[..] {
            [] => String::new(),
            kept => format!(" They were generalized for {}.", kept.join("; ")),
        };
        format!(
            "An attacker may know {names} as well: tracks are together only with others that have \
             the same values there.{generalized}"
        )
    }

    fn section(&self, unit: &str, keeps_clock: bool, times: String, map: Block) -> Section {
        let words = format!(
            "Of {} tracks of {} people {} are published, in {} groups; {} were left out.",
            count(self.tracks),
            count(self.people),
            count(self.tracks_published),
            count(self.groups),
            count(self.left_out),
        );
        let positions = match keeps_clock {
            true => format!(
                "On the common clock they had {} positions, of which {} are published and {} cut \
                 off at the ends.",
                count(self.positions),
                count(self.positions_published),
                count(self.cut_off)
            ),
            false => format!(
                "They had {} positions, and {} are published.",
                count(self.positions),
                count(self.positions_published)
            ),
        };
        let moved = format!("A position was moved {} {unit} at most.", quantity(self.farthest));
        let words = format!("{words} {positions} {moved}");
        let known = (!self.quasi.is_empty()).then(|| Block::Paragraph(self.known_in_words()));
        let blocks = [Block::Paragraph(words), Block::Paragraph(times)];
        Section {
            place: Place::Details,
            public: Some(figures_of(&PublicTracks { layout: &self.release_layout })),
            blocks: blocks.into_iter().chain(known).chain([map]).collect(),
            ..Section::new("tracks", "Tracks", self)
        }
    }
}

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Paths, Moved>, read: &Read) -> Result<shown::Report> {
    let Written { data: loaded, plan, .. } = *written;
    let original = tracks_of(loaded)?;
    let decided = written.decision();
    let published: u64 = read.tracks.iter().map(|track| track.len() as u64).sum();
    let all = Own::of(plan, original);
    let bridged = all.bridged;
    let own: Vec<_> = written.witness.order.iter().map(|record| all.timed(*record)).collect();
    // Tracks that don't keep the clock begin and end where their own do.
    let cut_off = match plan.algorithm.keeps_clock() {
        true => read.on_clock - published,
        false => 0,
    };
    let view = MovedView {
        plane: read.plane,
        before: &own,
        after: &read.tracks,
        ticks: &all.ticks,
        moved: &read.moved,
        shifted: &read.shifted,
        cut: cut_off,
        tracks: original.tracks.len(),
        on_clock: read.on_clock,
    };
    let told = TrackSection {
        layout: written.job.paths.layout.clone(),
        release_layout: spell(&loaded.release.layout),
        people: original.people as u64,
        tracks: original.tracks.len() as u64,
        tracks_published: read.tracks.len() as u64,
        left_out: read.left_out,
        too_short: original.short,
        groups: decided.moved.groups.len() as u64,
        pi: decided.moved.pi,
        radius: decided.moved.radius,
        positions: read.on_clock,
        positions_published: published,
        cut_off,
        interpolated: bridged.interpolated,
        longest_gap: bridged.longest,
        farthest: decided.moved.farthest,
        latest: decided.moved.latest,
        quasi: beside::names(&loaded.data.quasi),
        generalized: loaded.generalized.clone(),
    };
    let unit = if read.plane == Plane::Degrees { "metres" } else { "units" };
    let sizes = decided.moved.groups.iter().map(|group| group.len() as u64);
    let sizes = sfumato_core::traits::ClassSizes::from_sizes(sizes);
    let mut audit = shown::Audit::default();
    audit.add_public("--paths", &told.release_layout);
    let quasi: Vec<&str> = loaded.data.quasi.iter().map(|one| one.name.as_str()).collect();
    if !quasi.is_empty() {
        audit.add_public("--qi", &shown::name_list(&quasi));
    }
    let source = &loaded.source;
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
                "pi": decided.moved.pi,
                "radius": decided.moved.radius,
            }),
        },
        words: Words { cells: "positions", ..Words::default() },
        audit,
        classes: Some(shown::Classes::from_sizes(sizes.iter())),
        suppressed: shown::Suppressed::new(read.left_out, told.cut_off, told.tracks),
        sections: vec![told.section(
            unit,
            plan.algorithm.keeps_clock(),
            times_in_words(written, read, &told, &bridged),
            map(read.plane, &own, &read.tracks),
        )],
        metrics: metrics::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        evidence: shown::Evidence {
            rows: told.tracks_published,
            cells: published,
            ..shown::Evidence::default()
        },
        warnings: warnings(written, read, &told),
        output: Some(shown::Output {
            path: String::new(),
            rows: told.tracks_published,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
        }),
        ..shown::Report::default()
    })
}

/// What a reader should know of times: how far they were moved, or how much wasn't measured.
fn times_in_words(
    written: &Written<'_, Paths, Moved>,
    read: &Read,
    told: &TrackSection,
    bridged: &Bridged,
) -> String {
    let written_as = written.data.tracks.as_ref().map_or(clock::Written::Number, |one| one.written);
    if written.plan.algorithm.keeps_clock() {
        return bridged.words(told.positions, written_as);
    }
    let mean = read.shifted.iter().sum::<f64>() / read.shifted.len().max(1) as f64;
    let spell = |length: f64| clock::spell_duration(length, written_as);
    format!(
        "Times were moved as well: a position is published {} earlier or later than it was on \
         average, and {} at most.",
        spell(mean),
        spell(told.latest)
    )
}

/// A line between measured positions is long if it bridges so many ticks.
const LONG: f64 = 10.0;

/// The most tracks that are drawn.
const DRAWN: usize = 200;

/// A map of some tracks before and after.
fn map(plane: Plane, before: &[Cow<'_, [Fix]>], after: &[Vec<Fix>]) -> Block {
    let every = before.len().div_ceil(DRAWN).max(1);
    let some = |n: usize| (0..n).step_by(every);
    let line = |positions: &mut dyn Iterator<Item = Position>| drawn_line(plane, positions);
    let lines_before =
        some(before.len()).map(|at| line(&mut before[at].iter().map(|fix| fix.position))).collect();
    let lines_after =
        some(after.len()).map(|at| line(&mut after[at].iter().map(|fix| fix.position))).collect();
    let shown = some(before.len()).count() as u64;
    Block::Map {
        caption: format!("{} tracks as they were and as they are published.", count(shown)),
        layers: vec![
            Layer { name: "before".into(), is_before: true, lines: lines_before },
            Layer { name: "published".into(), is_before: false, lines: lines_after },
        ],
    }
}

fn warnings(written: &Written<'_, Paths, Moved>, read: &Read, told: &TrackSection) -> Vec<String> {
    let Written { job, plan, data, .. } = *written;
    let written_as = data.tracks.as_ref().map_or(clock::Written::Number, |one| one.written);
    let mut warnings = Vec::new();
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the shuffle can be replayed".into());
    }
    if job.output.keep_order {
        warnings.push("tracks are in the order of the input, which can give people away".into());
    }
    if plan.asked.delta > 0.0 {
        warnings.push(
            "a published track is usually the nearest to its own original: whoever knows \
             positions of somebody better than delta may find their track (Trujillo-Rasua, \
             Domingo-Ferrer 2013); track-microaggregation publishes all of a group alike"
                .into(),
        );
    }
    if told.people < told.tracks {
        warnings.push(format!(
            "{} tracks are of {} people: k counts tracks, of which several may be of one person",
            count(told.tracks),
            count(told.people)
        ));
    }
    if job.privacy.max_suppression.is_unsaid() && read.left_out > 0 {
        warnings.push(format!(
            "{} were left out, of {} that may be since no limit was set: --max-suppression sets \
             one",
            shown::numbers::counted(read.left_out, "track"),
            count(plan.trash)
        ));
    }
    if told.interpolated > 0 && told.longest_gap > LONG * plan.every.unwrap_or(f64::INFINITY) {
        warnings.push(format!(
            "{} positions weren't measured and lie on straight lines, the longest of which bridges \
             {}: with gap=.. in the layout tracks are cut there",
            count(told.interpolated),
            clock::spell_duration(told.longest_gap, written_as)
        ));
    }
    if told.too_short > 0 {
        warnings.push(format!("{} tracks were too short to be read", count(told.too_short)));
    }
    warnings
}
