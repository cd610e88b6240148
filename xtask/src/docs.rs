//! `cargo xtask docs`: writes the reference pages from the registry.

use std::collections::BTreeMap;
use std::path::Path;

use crate::{Outcome, cargo, root, sh};

const PAGES: &str = "docs/reference";

/// Write the pages.
pub fn run() -> Outcome {
    let folder = root().join(PAGES);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    write(PAGES)
}

/// Fail if the committed pages differ from those that the code gives. Takes the program that the
/// tests were run with: asking cargo for it alone would build it again with other features.
pub fn check() -> Outcome {
    let fresh = "target/reference";
    let _ = std::fs::remove_dir_all(root().join(fresh));
    list_pages(fresh)?;
    let (old, new) = (read(&root().join(PAGES))?, read(&root().join(fresh))?);
    if old == new { Ok(()) } else { Err(format!("{PAGES} is out of date: run cargo xtask docs")) }
}

fn write(folder: &str) -> Outcome {
    sh(&cargo(), &["build", "--package", "sfumato-cli", "--package", "dependencies"])?;
    list_pages(folder)
}

/// Let the program that lies beside this one write the pages.
fn list_pages(folder: &str) -> Outcome {
    let xtask = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = xtask.with_file_name("sfumato").display().to_string();
    sh(&program, &["list", "--pages", folder])
}

fn read(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in
            std::fs::read_dir(&next).map_err(|error| format!("{}: {error}", next.display()))?
        {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                let text =
                    std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
                pages.insert(name, text);
            }
        }
    }
    Ok(pages)
}
