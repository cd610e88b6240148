//! Attacks on tables: examples worked by hand, and each attack with and without the model that
//! stops it.

mod broken;
mod promises;
mod worked_examples;

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackAsked, Attacks, Played};
use sfumato_engine::entry::Request;
use sfumato_engine::{AnyRelease, Job};
use sfumato_table::RELEASES;

/// A folder with an original and its releases, and what the columns are.
pub struct Game {
    folder: tempfile::TempDir,
    /// The lines of `[columns]`.
    columns: String,
}

/// What an attack is played with besides the release.
#[derive(Default)]
pub struct With<'a> {
    pub models: &'a [&'a str],
    pub population: Option<&'a str>,
    pub control: Option<&'a str>,
    pub other: Option<&'a str>,
    pub group: Option<&'a str>,
}

impl Game {
    /// A game about an original.
    pub fn new(columns: &str, original: &str) -> Game {
        let game =
            Game { folder: tempfile::tempdir().unwrap(), columns: columns.replace("; ", "\n") };
        game.write("original.csv", original);
        game
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn job(&self, name: &str) -> Job {
        let path = self.folder.path().join(name).display().to_string();
        let text = format!("[input]\npath = \"{path}\"\n[columns]\n{}\n", self.columns);
        Job::parse(&text, "release.toml", self.folder.path()).unwrap()
    }

    /// Make a release of the original.
    pub fn publish(&self, name: &str, models: &[&str], algorithm: &str) {
        let mut job = self.job("original.csv");
        job.set("privacy", "models", models.to_vec());
        job.set("recode", "algorithm", algorithm);
        let path = self.folder.path().join(name).display().to_string();
        job.set("output", "path", path);
        job.set("run", "seed", 1);
        entry(&job).run(&job, &Unobserved).unwrap();
    }

    /// Play attacks on a release.
    pub fn attacks(&self, release: &str, attacks: &[&str], with: &With<'_>) -> Result<Attacks> {
        let mut job = self.job(release);
        if !with.models.is_empty() {
            job.set("privacy", "models", with.models.to_vec());
        }
        if let Some(group) = with.group {
            job.set("output", "group", group);
            job.set("output", "buckets", "permuted");
        }
        let other = |name: &Option<&str>| name.map(|name| self.job(name));
        let asked = AttackAsked {
            attacks: attacks.iter().map(|name| name.to_string()).collect(),
            population: other(&with.population),
            control: other(&with.control),
            other: other(&with.other),
            ..AttackAsked::default()
        };
        let request = Request {
            original: Some(self.job("original.csv")),
            attack: asked,
            job: job.clone(),
            ..Request::default()
        };
        let entry = if with.group.is_some() { RELEASES[0] } else { entry(&job) };
        entry.attack(&request, &Unobserved)
    }

    /// Play one attack on a release.
    pub fn attack(&self, release: &str, attack: &str, with: &With<'_>) -> Played {
        let learnt = self.attacks(release, &[attack], with).unwrap();
        learnt.attacks.into_iter().next().unwrap()
    }

    /// The rate of an attack that needs nothing but the release and its original.
    pub fn rate(&self, release: &str, attack: &str) -> f64 {
        self.attack(release, attack, &With::default()).rate.unwrap()
    }

    /// The error of an attack that can't be played.
    pub fn refused(&self, release: &str, attack: &str) -> Error {
        self.attacks(release, &[attack], &With::default()).unwrap_err()
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The form that a job asks for.
fn entry(job: &Job) -> &'static dyn AnyRelease {
    let takes = |entry: &&&'static dyn AnyRelease| entry.takes(job).unwrap();
    *RELEASES.iter().find(takes).unwrap()
}

pub fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// People with an age, a town and an illness that goes with the age.
pub fn people(n: usize) -> String {
    let mut text = String::from("age,town,ill\n");
    let mut state = 12345u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for _ in 0..n {
        let (age, town) = (20 + draw(60), draw(8));
        let ill = match (age > 50, draw(10)) {
            (true, 0..=5) => "heart",
            (false, 0..=5) => "flu",
            (_, 6 | 7) => "cough",
            (_, 8) => "hiv",
            _ => "none",
        };
        text += &format!("{age},t{town},{ill}\n");
    }
    text
}
