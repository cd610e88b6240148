//! `cargo xtask contributing`: follows CONTRIBUTING.md to the letter.
//!
//! A block of the page begins with the file that it is and the list that it is added to. The chore
//! copies the workspace, writes the files, adds the lines and lets the compiler see the whole. It
//! doesn't run the tests over the families: the page's entries are too small for a page of their
//! own. Forms and kinds have no block; of them only the files that the page names are looked for.

use std::path::Path;

use crate::{Outcome, cargo, copy_to, root, sh_in};

const PAGE: &str = "CONTRIBUTING.md";
/// Where the copy is made, below the root.
const COPY: &str = "target/contributing";

/// A block of the page: a file to write, and a line to add to a list.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    file: String,
    list: String,
    line: String,
    text: String,
}

/// Follow the page.
pub fn run() -> Outcome {
    let blocks = blocks(&read(&root().join(PAGE))?)?;
    let copy = root().join(COPY);
    copy_to(&copy)?;
    for block in &blocks {
        let file = copy.join(&block.file);
        if file.exists() {
            return Err(format!("{PAGE}: {} is there already", block.file));
        }
        write(&file, &block.text)?;
        let list = copy.join(&block.list);
        write(
            &list,
            &with_line(&read(&list)?, &block.line).map_err(|why| {
                format!("{PAGE}: {} can't be added to {}: {why}", block.line, block.list)
            })?,
        )?;
        eprintln!("  {} with one line in {}", block.file, block.list);
    }
    // Dependencies are those of the workspace, so they needn't be compiled again.
    let target = std::env::var("CARGO_TARGET_DIR").map_or(root().join("target"), Into::into);
    let target = target.display().to_string();
    let variables = [("CARGO_TARGET_DIR", target.as_str())];
    sh_in(&copy, &cargo(), &["check", "--quiet", "--workspace"], &variables)
}

/// Files that the page names and that aren't there, and blocks that can't be followed: what `cargo
/// xtask tidy` looks at, which takes no time.
pub fn wrong() -> Result<Vec<String>, String> {
    let page = read(&root().join(PAGE))?;
    let is_there = |path: &str| root().join(path).exists();
    let mut wrong: Vec<String> = named_paths(&page)
        .into_iter()
        .filter(|path| !is_there(path))
        .map(|path| format!("{PAGE} names {path}, which isn't there"))
        .collect();
    for block in blocks(&page)? {
        match read(&root().join(&block.list)) {
            Err(why) => wrong.push(format!("{PAGE}: {why}")),
            Ok(list) => {
                if let Err(why) = with_line(&list, &block.line) {
                    wrong.push(format!("{PAGE}: {}: {why}", block.list));
                }
            }
        }
    }
    Ok(wrong)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The blocks of code of the page.
fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    for text in page.split("```rust\n").skip(1) {
        let text = text.split("```").next().unwrap_or_default();
        let mut lines = text.splitn(3, '\n');
        let mut comment = || lines.next().and_then(|line| line.strip_prefix("// "));
        let (Some(file), Some(list)) = (comment(), comment()) else {
            return Err("a block must begin with its file and its list, each as a comment".into());
        };
        let Some((list, line)) = list.split_once(": ") else {
            return Err(format!("{file}: the second line must be a list, a colon and a line"));
        };
        blocks.push(Block {
            file: file.into(),
            list: list.into(),
            line: line.into(),
            text: lines.next().unwrap_or_default().into(),
        });
    }
    match blocks.is_empty() {
        true => Err("there is no block to follow".into()),
        false => Ok(blocks),
    }
}

/// A file with a line at the head of its `registry!` list.
fn with_line(text: &str, line: &str) -> Result<String, &'static str> {
    let list = text.find("registry! {").ok_or("it has no registry! list")?;
    let trait_at = list + text[list..].find("dyn ").ok_or("its list names no trait")?;
    // A path has two colons, the list one.
    let mut colons = text[trait_at..].match_indices(':').map(|(at, _)| trait_at + at);
    let is_single = |at: &usize| {
        let bytes = text.as_bytes();
        bytes.get(at + 1) != Some(&b':') && bytes.get(at.wrapping_sub(1)) != Some(&b':')
    };
    let colon = colons.find(is_single).ok_or("its list has no entries")?;
    Ok(format!("{}\n    {line}{}", &text[..=colon], &text[colon + 1..]))
}

/// The files and folders that the page names in words, not in blocks.
fn named_paths(page: &str) -> Vec<String> {
    let words = page.split("```").step_by(2);
    let quoted = words.flat_map(|text| text.split('`').skip(1).step_by(2));
    let is_path = |word: &&str| {
        ["crates/", "studies/", "xtask/", "docs/"].iter().any(|start| word.starts_with(start))
    };
    quoted.filter(is_path).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_says_where_it_goes() {
        let page =
            "# x\n```rust\n// a/b.rs\n// a/mod.rs: b::B,\n//! B.\nstruct B;\n```\n`crates/c`";
        let block = Block {
            file: "a/b.rs".into(),
            list: "a/mod.rs".into(),
            line: "b::B,".into(),
            text: "//! B.\nstruct B;\n".into(),
        };
        assert_eq!(blocks(page), Ok(vec![block]));
        assert_eq!(named_paths(page), ["crates/c"]);
        assert!(blocks("no code").is_err() && blocks("```rust\nstruct B;\n```").is_err());
    }

    #[test]
    fn a_line_is_added_to_the_list() {
        let list = "x\nregistry! {\n    /// All.\n    dyn a::B:\n    c::C,\n}\n";
        let longer = "x\nregistry! {\n    /// All.\n    dyn a::B:\n    d::D,\n    c::C,\n}\n";
        assert_eq!(with_line(list, "d::D,").as_deref(), Ok(longer));
        assert!(with_line("no list", "d::D,").is_err());
        assert!(with_line("registry! { a::B }", "d::D,").is_err());
    }

    #[test]
    fn the_page_can_be_followed() {
        assert_eq!(wrong(), Ok(Vec::new()));
    }
}
