//! Packages of the program: `cargo xtask static` builds it without shared libraries, and `cargo
//! xtask deb` makes a Debian package of it, with its manual and completions.
//!
//! `deb --program FILE` packs a program that is already there. Neither installs anything.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, cargo, root, sh, sh_with};

/// The target without shared libraries. Parts in C are built by the compiler of Debian's
/// musl-tools.
const MUSL: &str = "x86_64-unknown-linux-musl";

/// Build the program without shared libraries.
pub fn build_static() -> Outcome {
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !has("musl-gcc") {
        return Err("musl-gcc isn't here; Debian has it in musl-tools".into());
    }
    let variables = [
        ("CC_x86_64_unknown_linux_musl", "musl-gcc"),
        ("RUSTFLAGS", "-C target-feature=+crt-static"),
    ];
    let build = ["build", "--release", "-p", "sfumato-cli", "--target", MUSL];
    sh_with(&cargo(), &build, &variables)
        .map_err(|error| format!("{error}; the target comes with 'rustup target add {MUSL}'"))?;
    eprintln!("{}", target_folder().join(MUSL).join("release/sfumato").display());
    Ok(())
}

/// Make a Debian package.
pub fn deb(arguments: &[String]) -> Outcome {
    let mut program = None;
    let mut out = target_folder();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--program" => program = Some(PathBuf::from(value()?)),
            "--out" => out = PathBuf::from(value()?),
            other => return Err(format!("deb doesn't know {other}: --program FILE, --out FOLDER")),
        }
    }
    let program = match program {
        Some(program) => program,
        None => {
            sh(&cargo(), &["build", "--release", "-p", "sfumato-cli"])?;
            target_folder().join("release/sfumato")
        }
    };
    let package = pack(&program, &out)?;
    eprintln!("{}", package.display());
    Ok(())
}

/// The folder of what is built.
fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Pack a program. Returns the path of the package.
fn pack(program: &Path, out: &Path) -> Result<PathBuf, String> {
    let version = said_by(program, &["--version"])?;
    let version = version.split_whitespace().nth(1).ok_or("the program doesn't say its version")?;
    let architecture = said_by(Path::new("dpkg"), &["--print-architecture"])?;
    let name = format!("sfumato_{version}_{}", architecture.trim());
    let folder = out.join(&name);
    let io = |what: &Path, error: std::io::Error| format!("{}: {error}", what.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| io(&folder, error))?;
    }
    let make = |path: &str| {
        let path = folder.join(path);
        fs::create_dir_all(&path).map_err(|error| io(&path, error)).map(|()| path)
    };
    let write =
        |path: PathBuf, text: &str| fs::write(&path, text).map_err(|error| io(&path, error));
    let installed = make("usr/bin")?.join("sfumato");
    fs::copy(program, &installed).map_err(|error| io(program, error))?;
    said_by(Path::new("strip"), &["--strip-unneeded", &installed.display().to_string()])?;
    let manual = make("usr/share/man/man1")?;
    said_by(program, &["man", &manual.display().to_string()])?;
    for page in fs::read_dir(&manual).map_err(|error| io(&manual, error))? {
        let page = page.map_err(|error| io(&manual, error))?.path().display().to_string();
        said_by(Path::new("gzip"), &["-9n", &page])?;
    }
    for (shell, place, file) in [
        ("bash", "usr/share/bash-completion/completions", "sfumato"),
        ("zsh", "usr/share/zsh/vendor-completions", "_sfumato"),
        ("fish", "usr/share/fish/vendor_completions.d", "sfumato.fish"),
    ] {
        write(make(place)?.join(file), &said_by(program, &["completions", shell])?)?;
    }
    let documents = make("usr/share/doc/sfumato")?;
    for (from, to) in [("LICENSE", "copyright"), ("README.md", "README.md")] {
        fs::copy(root().join(from), documents.join(to)).map_err(|error| io(&documents, error))?;
    }
    let size = folder_size(&folder)? / 1024;
    write(make("DEBIAN")?.join("control"), &control(version, architecture.trim(), size))?;
    let package = out.join(format!("{name}.deb"));
    let (folder, path) = (folder.display().to_string(), package.display().to_string());
    said_by(Path::new("dpkg-deb"), &["--build", "--root-owner-group", &folder, &path])?;
    Ok(package)
}

/// What the package says of itself.
fn control(version: &str, architecture: &str, kibibytes: u64) -> String {
    format!(
        "Package: sfumato\nVersion: {version}\nArchitecture: {architecture}\n\
         Installed-Size: {kibibytes}\nSection: utils\nPriority: optional\nDepends: libc6\n\
         Maintainer: The Sfumato developers <sfumato@localhost>\n\
         Description: publish personal data so that nobody in it can be singled out\n \
         Tables, baskets and other records are anonymized, and every release is\n \
         verified from its bytes before it has a name.\n"
    )
}

fn folder_size(folder: &Path) -> Result<u64, String> {
    let mut size = 0;
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let entry = entry.map_err(|error| error.to_string())?;
        let found = entry.metadata().map_err(|error| error.to_string())?;
        size += if found.is_dir() { folder_size(&entry.path())? } else { found.len() };
    }
    Ok(size)
}

/// What a program prints. It must succeed.
fn said_by(program: &Path, arguments: &[&str]) -> Result<String, String> {
    let shown = format!("{} {}", program.display(), arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("can't run {shown}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str) -> String {
        fs::read_to_string(root().join(path)).unwrap()
    }

    /// What can be said of the Dockerfile without an engine: what it copies is there, its compiler
    /// is one that builds the workspace, and what it starts is what the build makes.
    #[test]
    fn the_dockerfile_fits_the_workspace() {
        let dockerfile = text("Dockerfile");
        let lines = || dockerfile.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        let mut stages = 0;
        for line in lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first().copied() {
                Some("FROM") => {
                    stages += 1;
                    assert!(words[1].contains(':'), "{line} names no version");
                }
                Some("COPY") if !words[1].starts_with("--from=") => {
                    for from in &words[1..words.len() - 1] {
                        assert!(root().join(from).exists(), "{line}: {from} isn't there");
                    }
                }
                _ => {}
            }
        }
        assert_eq!(stages, 2, "the compiler doesn't belong into the image");
        let manifest = text("Cargo.toml");
        let needed = manifest.split("rust-version = \"").nth(1).unwrap();
        let needed: u32 =
            needed.split('"').next().unwrap().split('.').nth(1).unwrap().parse().unwrap();
        let image = dockerfile.split("FROM rust:1.").nth(1).expect("it builds with rust");
        let has: u32 = image.split(['-', '.', ' ', '\n']).next().unwrap().parse().unwrap();
        assert!(has >= needed, "rust 1.{has} is older than 1.{needed}");
        assert!(text("crates/sfumato-cli/Cargo.toml").contains("name = \"sfumato\""));
        assert!(dockerfile.contains("--bin sfumato") && dockerfile.contains("release/sfumato"));
        assert!(lines().any(|line| line == "ENTRYPOINT [\"sfumato\"]"), "{dockerfile}");
        assert!(lines().any(|line| line.starts_with("USER ")), "it must not run as root");
        assert!(text(".dockerignore").lines().any(|line| line == "target"));
    }

    #[test]
    fn a_package_says_what_debian_asks_for() {
        let control = control("0.1.0", "amd64", 12);
        for field in ["Package", "Version", "Architecture", "Maintainer", "Description"] {
            assert!(control.contains(&format!("{field}: ")), "{control}");
        }
        // Lines after the summary begin with a space, and the file ends with a line end.
        let (_, long) = control.split_once("singled out\n").unwrap();
        assert!(long.lines().all(|line| line.starts_with(' ')) && control.ends_with('\n'));
    }
}
