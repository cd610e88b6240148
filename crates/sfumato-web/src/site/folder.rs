//! The folder that is served. Nothing outside it is read or written: no `..`, no absolute path, no
//! link that leads out, wherever a job names a file.

use std::path::{Component, Path, PathBuf};

use sfumato_core::registry::{Argument, Call};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::{Source, file_of, files_of};

/// How many entries of folders are looked at for links that lead out.
const MOST_ENTRIES: usize = 100_000;

/// The folder.
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Open a folder that is there.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let root =
            path.canonicalize().map_err(|error| Error::io(path, "open the folder", &error))?;
        match root.is_dir() {
            true => Ok(Folder { root }),
            false => Err(Error::new(ErrorKind::Io, "this is no folder")
                .in_file(path.display().to_string())
                .hint("'sfumato serve FOLDER' serves a folder of data")),
        }
    }

    /// The folder itself.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Its name, for people.
    pub(crate) fn name(&self) -> String {
        let name = self.root.file_name().unwrap_or(self.root.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// A text in which paths below the folder are shown as the page knows them.
    pub(crate) fn shorten(&self, text: &str) -> String {
        let root = self.root.display().to_string();
        text.replace(&format!("{root}/"), "").replace(&root, "the folder")
    }

    /// The place of a name below the folder, whether something is there or not.
    pub(crate) fn below(&self, name: &str) -> Result<PathBuf> {
        let refused = |why: &str| {
            Error::params(why).in_file(name).hint("name a file below the folder that is served")
        };
        let path = Path::new(name);
        let is_inside = path.components().all(|part| match part {
            Component::Normal(_) | Component::CurDir => true,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => false,
        });
        if name.is_empty() || name.contains('\0') || !is_inside {
            return Err(refused("this path leads out of the folder"));
        }
        let full = self.root.join(path);
        // What is there decides where the path leads; what isn't there yet will be a plain name.
        for place in full.ancestors().take_while(|place| **place != *self.root) {
            if place.symlink_metadata().is_err() {
                continue;
            }
            let is_inside = place.canonicalize().is_ok_and(|real| real.starts_with(&self.root));
            return match is_inside {
                true => Ok(full),
                false => Err(refused("this path is a link that leads out of the folder")),
            };
        }
        Ok(full)
    }

    /// Refuse sections of a job that name anything outside the folder. Every text is taken for a
    /// path, and so are the arguments of calls such as `file(path=a.csv)`: nobody can forget one.
    pub(crate) fn check_job(&self, sections: &toml::Table) -> Result<()> {
        for (section, keys) in sections {
            let Some(keys) = keys.as_table() else { continue };
            for (key, value) in keys {
                // Words that mean missing are no paths, and '/' is one of them.
                if section == "input" && key == "missing" {
                    continue;
                }
                let mut texts = Vec::new();
                gather(value, &mut texts);
                texts.iter().try_for_each(|text| self.check_text(text))?;
                let is_place = key == "path" && (section == "input" || section == "output");
                if is_place && !value.as_str().is_some_and(|text| Source::of(text).is_path()) {
                    let message = format!("{section}.path must be a file below the folder");
                    return Err(Error::params(message));
                }
            }
        }
        Ok(())
    }

    fn check_text(&self, text: &str) -> Result<()> {
        if matches!(Source::of(text), Source::Server(_)) {
            return Err(Error::unsupported("no server is asked from here")
                .hint("export the table into a file below the folder"));
        }
        let file = file_of(text);
        let leads_out = Path::new(file).is_absolute()
            || Path::new(file).components().any(|part| part == Component::ParentDir);
        if leads_out {
            self.below(file)?;
        }
        // Words that aren't the names of anything are just words.
        let full = self.root.join(file);
        if file.is_empty() || file.contains('\0') {
            return Ok(());
        }
        if full.ancestors().take_while(|place| **place != *self.root).any(is_something) {
            self.below(file)?;
        }
        if full.is_dir() {
            self.check_inside(&full)?;
        } else if file.contains(['*', '?', '[']) {
            let pattern = full.display().to_string();
            for found in files_of(&pattern).ok().flatten().unwrap_or_default() {
                self.check_real(Path::new(&found))?;
            }
        }
        Ok(())
    }

    /// Refuse a folder in which a link leads out.
    fn check_inside(&self, folder: &Path) -> Result<()> {
        let mut folders = vec![folder.to_path_buf()];
        let mut seen = 0;
        while let Some(next) = folders.pop() {
            let entries =
                next.read_dir().map_err(|error| Error::io(&next, "read the folder", &error))?;
            for entry in entries.flatten() {
                seen += 1;
                if seen > MOST_ENTRIES {
                    return Err(Error::resources("this folder has too many files in it"));
                }
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_symlink() {
                    self.check_real(&entry.path())?;
                } else if kind.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        Ok(())
    }

    fn check_real(&self, path: &Path) -> Result<()> {
        match path.canonicalize().is_ok_and(|real| real.starts_with(&self.root)) {
            true => Ok(()),
            false => {
                Err(Error::params("a link leads out of the folder")
                    .in_file(path.display().to_string()))
            }
        }
    }
}

fn is_something(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// All texts in a value, and the arguments of those that are calls.
fn gather(value: &toml::Value, found: &mut Vec<String>) {
    match value {
        toml::Value::String(text) => {
            found.push(text.clone());
            if let Ok(call) = text.parse::<Call>() {
                for argument in call.args.into_values() {
                    match argument {
                        Argument::Word(word) => found.push(word),
                        Argument::List(words) => found.extend(words),
                    }
                }
            }
        }
        toml::Value::Array(values) => values.iter().for_each(|value| gather(value, found)),
        toml::Value::Table(table) => table.values().for_each(|value| gather(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("served")).unwrap();
        std::fs::write(place.path().join("secret.csv"), "a\n1\n").unwrap();
        std::fs::write(place.path().join("served/data.csv"), "a\n1\n").unwrap();
        let folder = Folder::open(&place.path().join("served")).unwrap();
        (place, folder)
    }

    #[test]
    fn names_stay_below_the_folder() {
        let (_place, folder) = folder();
        for name in ["data.csv", "./data.csv", "new/deep.csv", "..data", "a..b/c"] {
            assert!(folder.below(name).is_ok(), "{name}");
        }
        for name in ["", "/etc/passwd", "../secret.csv", "a/../../secret.csv", "..", "a\0b"] {
            assert!(folder.below(name).is_err(), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_refused() {
        let (place, folder) = folder();
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(place.path().join(to), place.path().join(name)).unwrap();
        };
        link("secret.csv", "served/out.csv");
        link("gone.csv", "served/dangling.csv");
        link(".", "served/up");
        link("served/data.csv", "served/same.csv");
        std::fs::create_dir(place.path().join("served/many")).unwrap();
        link("secret.csv", "served/many/one.csv");
        for name in ["out.csv", "dangling.csv", "up/secret.csv", "up/new.csv"] {
            assert!(folder.below(name).is_err(), "{name}");
        }
        assert!(folder.below("same.csv").is_ok());
        for text in ["many", "o*.csv", "out.csv", "many/*.csv"] {
            assert!(folder.check_text(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_text_of_a_job_leads_out() {
        let (place, folder) = folder();
        let outside = place.path().join("secret.csv").display().to_string();
        let check = |text: &str| folder.check_job(&toml::from_str(text).unwrap());
        for text in [
            format!("[input]\npath = \"{outside}\""),
            "[input]\npath = \"../secret.csv\"".into(),
            "[input]\npath = \"-\"".into(),
            "[output]\npath = \"-\"".into(),
            "[output]\nreport = \"../report.html\"".into(),
            "[columns]\na = { role = \"quasi\", hierarchy = { file = \"../secret.csv\" } }".into(),
            "[columns]\na = { hierarchy = \"file(path=../secret.csv)\" }".into(),
            format!("[privacy]\nmodels = [\"x(file=\\\"{outside}\\\")\"]"),
            "[run]\nspill = \"/var/tmp\"".into(),
            "[input]\npath = \"postgres://somebody@elsewhere/table\"".into(),
        ] {
            assert!(check(&text).is_err(), "{text}");
        }
        for text in [
            "[input]\npath = \"data.csv\"\nmissing = [\"/\", \"-\", \"..\"]",
            "[columns]\na = { role = \"quasi\", hierarchy = { interval = { width = 5 } } }",
            "[privacy]\nmodels = [\"k-anonymity(k=5)\"]\nmax_suppression = \"2%\"",
            "[output]\npath = \"released.csv\"\nreport = \"released.html\"",
        ] {
            assert!(check(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn messages_say_names_below_the_folder() {
        let (_place, folder) = folder();
        let path = folder.root().join("data.csv").display().to_string();
        assert_eq!(folder.shorten(&format!("can't read {path}")), "can't read data.csv");
    }
}
