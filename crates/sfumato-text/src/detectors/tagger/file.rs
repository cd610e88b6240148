//! A tagger as a file: lines of text, so that it can be kept, compared and read by other versions.
//!
//! A tagger remembers words of the texts that it was trained on, if only as numbers: whoever has
//! its file can try words. It is private like these texts.

use std::fmt::Write as _;

use sfumato_core::{Error, FastMap, Result};
use sfumato_io::read_text;

use super::{ByClass, Measured, Tagger};

const FIRST: &str = "sfumato-tagger 1";

impl Tagger {
    /// The text of its file.
    pub fn to_text(&self) -> String {
        let n_tags = self.n_tags();
        let mut out = format!("{FIRST}\ndocuments {}\n", self.documents);
        self.classes.iter().for_each(|class| {
            let _ = writeln!(out, "class {class}");
        });
        for (class, m) in &self.measured.0 {
            let Measured { there, found, exact, touched, touching, covered } = m;
            let counts = format!("{there} {found} {exact} {touched} {touching} {covered}");
            let _ = writeln!(out, "measured {counts} {class}");
        }
        let sparse = |weights: &[i32]| -> String {
            let weights = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
            weights.map(|(tag, weight)| format!(" {tag}:{weight}")).collect()
        };
        for (tag, row) in self.transitions.chunks_exact(n_tags).enumerate() {
            let _ = writeln!(out, "after {tag}{}", sparse(row));
        }
        let mut rows: Vec<(&u32, &u32)> = self.rows.iter().collect();
        rows.sort_unstable();
        for (feature, row) in rows {
            let row = &self.weights[*row as usize * n_tags..][..n_tags];
            let _ = writeln!(out, "{feature:x}{}", sparse(row));
        }
        out
    }

    /// Read a tagger from its file.
    pub fn read(path: &str) -> Result<Tagger> {
        let name = std::path::Path::new(path).file_name().map(|name| name.to_string_lossy());
        Self::parse(&read_text(path)?, &name.unwrap_or_default())
            .map_err(|error| error.in_file(path))
    }

    /// Read a tagger from the text of its file.
    pub fn parse(text: &str, name: &str) -> Result<Tagger> {
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line) != Some(FIRST) {
            return Err(Error::input("this isn't a tagger")
                .hint("'sfumato text train' makes one from documents and their tags"));
        }
        let mut tagger = Tagger {
            name: name.into(),
            classes: Vec::new(),
            rows: FastMap::default(),
            weights: Vec::new(),
            transitions: Vec::new(),
            measured: ByClass::default(),
            documents: 0,
        };
        for (at, line) in lines {
            tagger.line(line).ok_or_else(|| {
                Error::input("this line of a tagger can't be read").at_line(at as u64 + 1)
            })?;
        }
        match tagger.transitions.len() == tagger.n_tags() * tagger.n_tags() {
            true => Ok(tagger),
            false => Err(Error::input("this tagger isn't whole")),
        }
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "documents" => self.documents = rest.parse().ok()?,
            "class" if self.transitions.is_empty() => self.classes.push(rest.to_string().into()),
            "measured" => {
                let mut parts = rest.splitn(7, ' ');
                let mut next = || parts.next()?.parse::<u64>().ok();
                let measured = Measured {
                    there: next()?,
                    found: next()?,
                    exact: next()?,
                    touched: next()?,
                    touching: next()?,
                    covered: next()?,
                };
                self.measured.0.insert(parts.next()?.to_string(), measured);
            }
            "after" => {
                let (tag, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                let is_next = tag.parse::<usize>().ok()? * self.n_tags() == self.transitions.len();
                let row = self.sparse(rest)?;
                self.transitions.extend(is_next.then_some(row)?);
            }
            feature => {
                let feature = u32::from_str_radix(feature, 16).ok()?;
                let row = self.sparse(rest)?;
                let next = (self.weights.len() / self.n_tags()) as u32;
                self.weights.extend(row);
                self.rows.insert(feature, next).is_none().then_some(())?;
            }
        }
        Some(())
    }

    fn sparse(&self, text: &str) -> Option<Vec<i32>> {
        let mut row = vec![0; self.n_tags()];
        for part in text.split(' ').filter(|part| !part.is_empty()) {
            let (tag, weight) = part.split_once(':')?;
            *row.get_mut(tag.parse::<usize>().ok()?)? = weight.parse().ok()?;
        }
        Some(row)
    }
}
