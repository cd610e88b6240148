//! The pages of `sfumato serve`: `cargo xtask web` compiles their TypeScript with the compiler that
//! `crates/sfumato-web/ui/package.json` pins, and `cargo xtask browser` walks through them in a
//! browser.
//!
//! The compiler and what drives the browser come from npm into the target folder. Where node, the
//! network or a browser isn't there, what needs them is skipped, and it is said why.

use std::path::{Path, PathBuf};

use crate::python::target;
use crate::{Outcome, cargo, output_of, root, sh, sh_in};

const UI: &str = "crates/sfumato-web/ui";
const ASSETS: &str = "crates/sfumato-web/assets";

/// Browsers that are tried, the first that is there is taken.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// Compile the pages.
pub fn build() -> Outcome {
    let tools = Tools::ready()?;
    tools.compile(&root().join(ASSETS))
}

/// Fail if the compiled pages differ from what their sources give.
pub fn check() -> Outcome {
    let tools = match Tools::ready() {
        Ok(tools) => tools,
        Err(why) => {
            eprintln!("$ tsc\nwhether the pages are stale was skipped: {why}");
            return Ok(());
        }
    };
    let fresh = tools.folder.join("fresh");
    let _ = std::fs::remove_dir_all(&fresh);
    tools.compile(&fresh)?;
    let stale: Vec<String> =
        scripts(&fresh)?.into_iter().filter(|name| !is_same(&fresh, name)).collect();
    let left: Vec<String> = scripts(&root().join(ASSETS))?
        .into_iter()
        .filter(|name| !fresh.join(name).exists())
        .collect();
    match stale.is_empty() && left.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{ASSETS} is out of date: run cargo xtask web ({})",
            [stale, left].concat().join(", ")
        )),
    }
}

/// `cargo xtask browser [PICTURES]`: build the program and walk through its pages. Pictures of them
/// go to a folder, if one is named.
pub fn browser(arguments: &[String]) -> Outcome {
    sh(&cargo(), &["build", "--quiet", "--package", "sfumato-cli", "--package", "dependencies"])?;
    let program = target()?.join("debug").join("sfumato");
    walk(&program, arguments)
}

/// The same with the program beside this one, which the tests have built: asking cargo for it alone
/// would build it again with other features.
pub fn check_in_browser() -> Outcome {
    let xtask = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = xtask.with_file_name("sfumato");
    walk(&program, &[]).or_else(|why| {
        // Waits for a browser end by the clock, and on a busy machine some end too early. What is
        // wrong with the pages is wrong a second time.
        eprintln!("{why}: the walk is tried once more");
        walk(&program, &[])
    })
}

fn walk(program: &Path, arguments: &[String]) -> Outcome {
    let skipped = |why: &str| {
        eprintln!("$ walk.mjs\nthe walk through the pages was skipped: {why}");
        Ok(())
    };
    let tools = match Tools::ready() {
        Ok(tools) => tools,
        Err(why) => return skipped(&why),
    };
    let Some(browser) = BROWSERS.into_iter().find_map(found) else {
        return skipped("there is no chromium; on Debian: apt-get install chromium");
    };
    let script = root().join(UI).join("browser").join("walk.mjs").display().to_string();
    let (program, modules) = (program.display().to_string(), tools.folder.display().to_string());
    let mut words = vec![script.as_str(), &program, &modules, &browser];
    words.extend(arguments.iter().map(String::as_str));
    sh("node", &words)
}

/// Where a program is, if it can be called.
fn found(name: &str) -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&folders).map(|folder| folder.join(name));
    places.find(|place| place.is_file()).map(|place| place.display().to_string())
}

/// A folder with the pinned packages.
struct Tools {
    folder: PathBuf,
}

impl Tools {
    /// Install them, unless they are there already; an error says why they can't be.
    fn ready() -> Result<Self, String> {
        output_of("node", &["--version"]).map_err(|_| "there is no node".to_string())?;
        let folder = target()?.join("web");
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let wanted = root().join(UI).join("package.json");
        let wanted = std::fs::read_to_string(&wanted).map_err(|error| format!("{UI}: {error}"))?;
        let marker = folder.join("installed.json");
        if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
            return Ok(Tools { folder });
        }
        std::fs::write(folder.join("package.json"), &wanted).map_err(|error| error.to_string())?;
        let words = ["install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"];
        sh_in(&folder, "npm", &words, &[])
            .map_err(|_| "the packages of the pages can't be had from npm".to_string())?;
        std::fs::write(&marker, wanted).map_err(|error| error.to_string())?;
        Ok(Tools { folder })
    }

    fn compile(&self, to: &Path) -> Outcome {
        let compiler = self.folder.join("node_modules/typescript/bin/tsc").display().to_string();
        let to = to.display().to_string();
        sh("node", &[&compiler, "--project", UI, "--outDir", &to])
    }
}

/// The names of the scripts of a folder.
fn scripts(folder: &Path) -> Result<Vec<String>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".js")).collect();
    names.sort();
    Ok(names)
}

fn is_same(fresh: &Path, name: &str) -> bool {
    let read = |folder: &Path| std::fs::read(folder.join(name)).ok();
    read(fresh) == read(&root().join(ASSETS))
}
