//! What attackers learn, in words for the terminal and as a section of reports: private with the
//! worst records, public without.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sfumato_report::{Block, Heading, Section};

use super::{Attacks, Played, Verdict};

impl Attacks {
    /// The whole as text for people.
    pub fn words(&self) -> String {
        let mut text = format!("file       {} ({} of {})\n", self.path, self.form, self.kind);
        let wide = self.attacks.iter().map(|played| played.attack.len()).max().unwrap_or(6).max(6);
        let _ = writeln!(
            text,
            "{:<wide$}  right   95 % interval   guessing  control  queries",
            "attack"
        );
        for played in &self.attacks {
            let interval = match (played.low, played.high) {
                (Some(low), Some(high)) => format!("{} - {}", share(low), share(high)),
                _ => "none".into(),
            };
            let _ = writeln!(
                text,
                "{:<wide$}  {:<6}  {interval:<15}  {:<8}  {:<7}  {}{}",
                played.attack,
                played.rate.map_or("none".into(), share),
                share(played.baseline),
                played.control.map_or("none".into(), share),
                played.queries,
                remark(played)
            );
            for remark in &played.remarks {
                let _ = writeln!(text, "{:wide$}  {remark}", "");
            }
        }
        for skipped in &self.skipped {
            let _ = writeln!(text, "not played {}: needs {}", skipped.attack, skipped.needs);
        }
        if let Some(most) = self.max_rate {
            let verdict = if self.holds { "holds" } else { "DOES NOT HOLD" };
            let _ = writeln!(text, "allowed    a rate of at most {most}: {verdict}");
        }
        text
    }

    /// The section of reports.
    pub(crate) fn section(&self) -> Section {
        let played: Vec<Value> = self.attacks.iter().map(public).collect();
        let skipped: Vec<&str> = self.skipped.iter().map(|skipped| skipped.attack).collect();
        let figures = json!({ "max_rate": self.max_rate, "attacks": played, "skipped": skipped });
        let mut section =
            Section::new("attacks", "What an attacker learns", &json!(self.figures()));
        section.public = Some(figures);
        let about = Block::Paragraph(
            "Each attack was played on the release before it was written. The rate is how often \
             the attacker was right, with a 95 % interval; beside it stand the rate of guessing \
             without the release and that of the same attacker on people who aren't in it."
                .into(),
        );
        let table = Block::Table {
            caption: "Attacks".into(),
            header: vec![
                Heading::words("attack"),
                Heading::numbers("right"),
                Heading::numbers("from"),
                Heading::numbers("to"),
                Heading::numbers("guessing"),
                Heading::numbers("control"),
                Heading::numbers("queries"),
            ],
            rows: self.attacks.iter().map(row).collect(),
        };
        let mut notes: Vec<String> = Vec::new();
        for played in &self.attacks {
            let remarks = played.remarks.iter();
            notes.extend(remarks.map(|remark| format!("{}: {remark}", played.attack)));
        }
        let not_played = self.skipped.iter();
        notes.extend(not_played.map(|skipped| {
            format!("{} was not played: it needs {}", skipped.attack, skipped.needs)
        }));
        section.is_of_original = true;
        section.public_blocks = vec![about.clone(), table.clone()];
        section.blocks = vec![about, table];
        if !notes.is_empty() {
            section.blocks.push(Block::List(notes));
        }
        let named = |played: &&Played| !played.worst.is_empty();
        let worst: Vec<Vec<String>> = self.attacks.iter().filter(named).map(worst_row).collect();
        if !worst.is_empty() {
            section.blocks.push(Block::Table {
                caption: "Records that attackers learn most about, by their row in the input \
                          (chance)"
                    .into(),
                header: vec![Heading::words("attack"), Heading::words("records")],
                rows: worst,
            });
        }
        let line = |played: &Played| {
            let rate = played.rate.map_or("none".into(), share);
            (
                "attacks".to_string(),
                format!(
                    "{}: right in {rate}, guessing {}{}",
                    played.attack,
                    share(played.baseline),
                    remark(played)
                ),
            )
        };
        section.lines = self.attacks.iter().map(line).collect();
        section
    }

    fn figures(&self) -> Value {
        json!({
            "max_rate": self.max_rate,
            "seed": self.seed,
            "attacks": self.attacks,
            "skipped": self.skipped,
        })
    }
}

/// What may be published of an attack: rates, and nobody's record.
fn public(played: &Played) -> Value {
    json!({
        "attack": played.attack,
        "rate": played.rate,
        "low": played.low,
        "high": played.high,
        "baseline": played.baseline,
        "control": played.control,
        "queries": played.queries,
    })
}

fn row(played: &Played) -> Vec<String> {
    let shown = |rate: Option<f64>| rate.map_or("none".into(), share);
    vec![
        played.attack.into(),
        shown(played.rate),
        shown(played.low),
        shown(played.high),
        share(played.baseline),
        shown(played.control),
        played.queries.to_string(),
    ]
}

fn worst_row(played: &Played) -> Vec<String> {
    let worst = played.worst.iter();
    let records = worst.map(|worst| format!("{} ({})", worst.record, share(worst.chance)));
    vec![played.attack.into(), records.collect::<Vec<_>>().join(", ")]
}

fn remark(played: &Played) -> String {
    match (played.verdict, played.too_few) {
        (Some(Verdict::Above), _) => "  ABOVE THE RATE ALLOWED".into(),
        (_, true) => {
            format!("  TOO FEW QUERIES: {} of {} found", played.queries, played.sought)
        }
        _ => String::new(),
    }
}

/// A share with four digits.
fn share(rate: f64) -> String {
    format!("{rate:.4}")
}
