//! Which kind of data flags speak about, and the job that they stand for. What doesn't belong to
//! the kind is refused by name before anything is read.

use sfumato_core::{Error, Result};

use super::{About, COMMON, Command, Flag};
use crate::entry::AnyRelease;
use crate::job::Job;
use crate::releases::{Releases, covers};

/// A flag as a command offers it: several kinds may have one of the same name.
pub struct Offered {
    /// The flag; of several kinds that have it, that of the first.
    pub flag: &'static Flag,
    /// The kinds that have it, by their place in the list of releases; empty if it goes for all.
    pub kinds: Vec<usize>,
    /// What it is for, for each kind that says it otherwise.
    pub help: String,
    /// The kinds that have it, as a heading; none if it goes for all.
    pub heading: Option<String>,
}

/// What was given on a command line.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// The flags in the order in which the command offers them, with their values.
    pub flags: Vec<(&'static str, Vec<String>)>,
    /// Sections whose keys were said beside flags.
    pub sections: Vec<String>,
}

impl Said {
    /// The first flag that a release.toml says already.
    pub fn first_of_data(&self, releases: &Releases, command: Command) -> Option<String> {
        let offered = releases.flags(command);
        // Columns and items say more than how bytes are read: they come first.
        let (common, of_kinds): (Vec<_>, Vec<_>) =
            offered.iter().partition(|entry| entry.kinds.is_empty());
        let is_given = |entry: &&&Offered| {
            entry.flag.about != About::Goal
                && self.flags.iter().any(|(name, _)| *name == entry.flag.name)
        };
        let found = of_kinds.iter().chain(&common).find(is_given);
        found.map(|entry| entry.flag.spelling())
    }
}

impl Releases {
    /// The flags of a command: those of every job, then those of kinds.
    pub fn flags(&self, command: Command) -> Vec<Offered> {
        let mut all: Vec<Offered> = Vec::new();
        let has = |flag: &&'static Flag| flag.is_of(command);
        for flag in COMMON.iter().filter(has) {
            all.push(Offered { flag, kinds: Vec::new(), help: flag.help.into(), heading: None });
        }
        for (kind, forms) in self.0.iter().enumerate() {
            let Some(first) = forms.first() else { continue };
            for flag in first.flags().list.iter().filter(has) {
                match all.iter_mut().find(|known| known.flag.name == flag.name) {
                    Some(known) => {
                        known.kinds.push(kind);
                        if known.flag.help != flag.help {
                            known.help += &format!(" Of {}: {}", first.plural(), flag.help);
                        }
                    }
                    None => {
                        let (kinds, help) = (vec![kind], flag.help.into());
                        all.push(Offered { flag, kinds, help, heading: None });
                    }
                }
            }
        }
        for offered in all.iter_mut().filter(|offered| !offered.kinds.is_empty()) {
            offered.heading = Some(capitalized(&self.plurals(&offered.kinds)));
        }
        all
    }

    /// The kind that flags speak about. `known` is what a manifest or a job says.
    pub fn kind_of_flags(
        &self,
        command: Command,
        said: &Said,
        known: Option<&str>,
    ) -> Result<&'static [&'static dyn AnyRelease]> {
        let offered = self.flags(command);
        let given: Vec<&Offered> = offered
            .iter()
            .filter(|entry| said.flags.iter().any(|(name, _)| *name == entry.flag.name))
            .filter(|entry| !entry.kinds.is_empty())
            .collect();
        let known = known.and_then(|name| self.place(|entry| entry.kind() == name));
        // A kind that builds on others takes their flags.
        let takes_all = |kind: &usize| {
            let Some(first) = self.0.get(*kind).and_then(|forms| forms.first()) else {
                return false;
            };
            let is_taken = |entry: &&Offered| {
                let kinds = entry.kinds.iter().filter_map(|kind| self.0.get(*kind)?.first());
                kinds.into_iter().any(|other| covers(*first, other.kind()))
            };
            !first.builds_on().is_empty() && given.iter().all(is_taken)
        };
        if let Some(forms) = known.filter(takes_all).and_then(|kind| self.0.get(kind)) {
            return Ok(forms);
        }
        // Of kinds that were named the last one counts: the first is what data are where nobody
        // says otherwise.
        let mut marked: Option<(usize, String)> = None;
        let mut mark = |kind: usize, words: String| {
            if marked.as_ref().is_none_or(|(known, _)| kind > *known) {
                marked = Some((kind, words));
            }
        };
        for entry in given.iter().filter(|entry| entry.flag.about == About::Data) {
            if let [kind] = entry.kinds[..] {
                mark(kind, format!("with {} these are", entry.flag.spelling()));
            }
        }
        for section in &said.sections {
            if let Some(kind) = self.place(|entry| entry.section() == section) {
                mark(kind, format!("with [{section}] these are"));
            }
        }
        let is_marked = marked.is_some();
        let (kind, why) = marked.unwrap_or_else(|| (known.unwrap_or(0), "these are".to_string()));
        let Some(forms) = self.0.get(kind).copied() else {
            return Err(Error::internal("the list of kinds is empty"));
        };
        // What was named besides must be among the kinds that it builds on.
        let covers_named = |built: &usize| {
            let first = |kind: usize| self.0.get(kind).and_then(|forms| forms.first());
            let pair = first(*built).zip(first(kind));
            !is_marked || pair.is_some_and(|(built, named)| covers(*built, named.kind()))
        };
        // And what was said must be about several of these, or about it, or a job is.
        let is_spoken_of = |built: &usize| {
            let forms = self.0.get(*built).copied().unwrap_or_default();
            known.is_some() || self.speaks_of(command, said, forms)
        };
        let built = || {
            let mut all = (0..self.0.len()).filter(takes_all).filter(covers_named);
            all.find(is_spoken_of).and_then(|kind| self.0.get(kind).copied())
        };
        let other = given.iter().find(|entry| !entry.kinds.contains(&kind));
        match other.map(|other| (other, built())) {
            None => Ok(forms),
            Some((_, Some(built))) => Ok(built),
            Some((other, None)) => Err(self.misplaced(other, forms, &why, is_marked, &offered)),
        }
    }

    /// Whether what was said of data is about several of the kinds that one builds on, or about
    /// that one itself.
    fn speaks_of(
        &self,
        command: Command,
        said: &Said,
        built: &'static [&'static dyn AnyRelease],
    ) -> bool {
        let Some(first) = built.first() else { return false };
        let mut job = Job::default();
        let is_meant = |flag: &&Flag| flag.is_of(command) && flag.about == About::Data;
        for flag in self.lists(*first).into_iter().flatten().filter(is_meant) {
            if let Some((_, values)) = said.flags.iter().find(|(name, _)| *name == flag.name) {
                // One that can't be read says nothing here: it is refused where it is applied.
                let _ = flag.set(&mut job, values);
            }
        }
        let has =
            |section: &str| job.has(section) || said.sections.iter().any(|known| known == section);
        let others = first.builds_on().iter().filter(|kind| {
            let other = self.place(|entry| entry.kind() == **kind);
            let section = other.and_then(|other| Some(self.0.get(other)?.first()?.section()));
            section.is_some_and(has)
        });
        has(first.section()) || others.count() > 1
    }

    /// Write into a job what was said, as far as the flags speak about `about`.
    pub fn apply_flags(
        &self,
        command: Command,
        said: &Said,
        kind: &[&'static dyn AnyRelease],
        about: &[About],
        job: &mut Job,
    ) -> Result<()> {
        let mut own: Vec<&Flag> = Vec::new();
        for list in kind.first().into_iter().flat_map(|entry| self.lists(*entry)) {
            // Of a kind and those that it builds on the first that has a flag says what it means.
            let has = |flag: &&Flag| flag.is_of(command);
            let new: Vec<&Flag> = list
                .iter()
                .filter(has)
                .filter(|flag| own.iter().all(|known| known.name != flag.name))
                .collect();
            own.extend(new);
        }
        let common = COMMON.iter().filter(|flag| flag.is_of(command));
        for flag in common.chain(own).filter(|flag| about.contains(&flag.about)) {
            if let Some((_, values)) = said.flags.iter().find(|(name, _)| *name == flag.name) {
                flag.set(job, values)?;
            }
        }
        Ok(())
    }

    /// The flags of a kind, and of those that it builds on.
    fn lists(&self, entry: &'static dyn AnyRelease) -> Vec<&'static [Flag]> {
        let of = |name: &&str| {
            let kind = self.place(|other| other.kind() == *name)?;
            Some(self.0.get(kind)?.first()?.flags().list)
        };
        let others = entry.builds_on().iter().filter_map(of);
        std::iter::once(entry.flags().list).chain(others).collect()
    }

    /// The error about a flag of another kind.
    fn misplaced(
        &self,
        other: &Offered,
        forms: &[&'static dyn AnyRelease],
        why: &str,
        is_marked: bool,
        offered: &[Offered],
    ) -> Error {
        let Some(first) = forms.first() else { return Error::internal("a kind has no form") };
        let message = format!(
            "{} is for {}, and {why} {}",
            other.flag.spelling(),
            self.plurals(&other.kinds),
            first.plural()
        );
        let marks = |entry: &&Offered| {
            entry.kinds == other.kinds
                && entry.flag.about == About::Data
                && entry.flag.requires.is_empty()
        };
        match offered.iter().find(marks) {
            Some(mark) if !is_marked => Error::unsupported(message).hint(format!(
                "leave it out, or say with {} that these are {}",
                mark.flag.spelling(),
                self.plurals(&other.kinds)
            )),
            _ => Error::unsupported(message).hint(first.flags().hint),
        }
    }

    fn place(&self, is_it: impl Fn(&dyn AnyRelease) -> bool) -> Option<usize> {
        self.0.iter().position(|forms| forms.first().is_some_and(|entry| is_it(*entry)))
    }

    fn plurals(&self, kinds: &[usize]) -> String {
        let plural = |kind: &usize| Some(self.0.get(*kind)?.first()?.plural());
        let names: Vec<&str> = kinds.iter().filter_map(plural).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_string(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => String::new(),
        }
    }
}

fn capitalized(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
