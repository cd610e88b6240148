//! The pages of `sfumato serve`: `cargo xtask web` compiles their TypeScript with the compiler that
//! `crates/sfumato-web/ui/package.json` pins, and `cargo xtask browser` walks through them in a
//! browser. `cargo xtask schemathesis` asks the API what its description allows.
//!
//! The compiler and what drives the browser come from npm into the target folder. Where node, the
//! network or a browser isn't there, what needs them is skipped, and it is said why.

use std::path::{Path, PathBuf};

use crate::python::target;
use crate::{Outcome, cargo, output_of, root, sh, sh_in, sh_with};

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
    walk(&built()?, arguments, &[])
}

/// `cargo xtask browser-pictures`: the same, and what the pages look like is kept in docs/pictures,
/// with which every other walk compares them.
pub fn browser_pictures() -> Outcome {
    walk(&built()?, &[], &[("SFUMATO_PICTURES", "keep")])
}

/// `cargo xtask browser-large [ROWS [SECONDS]]`: a file of many rows in a browser, by an optimized
/// build: five million unless it is said, previewed within two seconds.
pub fn browser_large(arguments: &[String]) -> Outcome {
    let said = |place: usize, usual: &'static str| {
        arguments.get(place).map_or(usual.to_string(), Clone::clone)
    };
    let (rows, seconds) = (said(0, "5000000"), said(1, "2"));
    let packages = ["--package", "sfumato-cli", "--package", "dependencies"];
    sh(&cargo(), &[&["build", "--quiet", "--release"], &packages[..]].concat())?;
    let program = target()?.join("release").join("sfumato");
    let variables = [
        ("SFUMATO_WALK", "large"),
        ("SFUMATO_WALK_ROWS", rows.as_str()),
        ("SFUMATO_WALK_SECONDS", seconds.as_str()),
    ];
    walk(&program, &[], &variables)
}

/// `cargo xtask schemathesis`: requests made up from the description of the API, by schemathesis,
/// which comes from pip into the target folder. It is skipped where that can't be had.
pub fn schemathesis() -> Outcome {
    let program = built()?.display().to_string();
    let place = target()?.join("schemathesis");
    let pip = place.join("bin").join("pip").display().to_string();
    let path = place.display().to_string();
    let tool = place.join("bin").join("schemathesis").display().to_string();
    let install = || -> Outcome {
        if Path::new(&tool).is_file() {
            return Ok(());
        }
        sh("python3", &["-m", "venv", &path])?;
        sh(&pip, &["install", "--quiet", SCHEMATHESIS])
    };
    if let Err(why) = install() {
        eprintln!("$ schemathesis\nrequests made up from the description were skipped: {why}");
        return Ok(());
    }
    let script = root().join(UI).join("browser").join("described.mjs").display().to_string();
    sh("node", &[&script, &program, &tool])
}

/// What makes up requests, as pip names it.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

fn built() -> Result<PathBuf, String> {
    sh(&cargo(), &["build", "--quiet", "--package", "sfumato-cli", "--package", "dependencies"])?;
    Ok(target()?.join("debug").join("sfumato"))
}

/// The same with the program beside this one, which the tests have built: asking cargo for it alone
/// would build it again with other features.
pub fn check_in_browser() -> Outcome {
    let xtask = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = xtask.with_file_name("sfumato");
    walk(&program, &[], &[]).or_else(|why| {
        // Waits for a browser end by the clock, and on a busy machine some end too early. What is
        // wrong with the pages is wrong a second time.
        eprintln!("{why}: the walk is tried once more");
        walk(&program, &[], &[])
    })
}

fn walk(program: &Path, arguments: &[String], variables: &[(&str, &str)]) -> Outcome {
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
    sh_with("node", &words, variables)
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
