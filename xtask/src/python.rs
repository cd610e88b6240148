//! The Python package: `cargo xtask python [pytest arguments]` builds the extension module and runs
//! `python/tests`, which `cargo xtask test` does too, and `cargo xtask wheel` makes the wheel.
//!
//! Packages come from PyPI into a virtual environment in the target folder. Where Python or the
//! network isn't there, the tests are skipped, and it is said why.

use std::path::{Path, PathBuf};

use crate::suites::Suite;
use crate::{Outcome, cargo, output_of, root, sh, sh_with};

/// Interpreters that are tried, the first that will do is taken.
const INTERPRETERS: [&str; 6] =
    ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];

/// What an interpreter must be able to do.
const PROBE: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";

/// Build the extension module as the tests of the workspace were built, and run the tests of the
/// package. `arguments` go to pytest.
pub fn run(arguments: &[String]) -> Outcome {
    match Pytest::ready(&[])? {
        Some(pytest) => {
            let mut all: Vec<&str> = ARGUMENTS.to_vec();
            all.extend(arguments.iter().map(String::as_str));
            let variables = [("PYTHONPATH", pytest.package.as_str()), NO_BYTE_CODE];
            sh_with(&pytest.python, &all, &variables)
        }
        None => Ok(()),
    }
}

/// The tests of the package as a suite beside those of the workspace, or none where they are
/// skipped. `variables` are those that the workspace was built with: nothing is built twice.
pub fn suite(variables: &[(&str, &str)]) -> Result<Option<Suite>, String> {
    let suite = |pytest: Pytest| {
        let variables = [("PYTHONPATH", pytest.package.as_str()), NO_BYTE_CODE];
        Suite::first("pytest", &pytest.python, &ARGUMENTS).with(&variables)
    };
    Ok(Pytest::ready(variables)?.map(suite))
}

/// What pytest is told besides what to test: nothing is cached, and what is skipped is said.
const ARGUMENTS: [&str; 6] = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-rs"];

/// Byte code beside the sources would be a change of the project.
const NO_BYTE_CODE: (&str, &str) = ("PYTHONDONTWRITEBYTECODE", "1");

/// An interpreter that has pytest, and the package as it would be installed.
struct Pytest {
    python: String,
    package: String,
}

impl Pytest {
    /// Make both, or say why the tests are skipped.
    fn ready(variables: &[(&str, &str)]) -> Result<Option<Self>, String> {
        let environment = match Environment::ready() {
            Ok(environment) => environment,
            Err(why) => {
                eprintln!("$ pytest\npython/tests were skipped: {why}");
                return Ok(None);
            }
        };
        let package = package(variables)?.display().to_string();
        Ok(Some(Pytest { python: environment.python, package }))
    }
}

/// `cargo xtask wheel`: the wheel for every Python from 3.11 on, in `target/wheels`.
pub fn wheel() -> Outcome {
    let environment = Environment::ready()?;
    sh(&environment.python, &["-m", "pip", "install", "--quiet", "maturin>=1.9.4,<2"])?;
    let wheels = target()?.join("wheels").display().to_string();
    sh(&environment.python, &["-m", "maturin", "build", "--release", "--out", &wheels])?;
    eprintln!("the wheel is in {wheels}");
    Ok(())
}

/// A virtual environment with what the tests use.
struct Environment {
    python: String,
}

impl Environment {
    /// Make it, unless it is there already; an error says why it can't be.
    fn ready() -> Result<Self, String> {
        let folder = target()?.join("python").join("venv");
        let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        let python = python.display().to_string();
        let mut wanted = vec!["python/requirements-test.txt"];
        if output_of("java", &["-version"]).is_ok() {
            wanted.push("python/requirements-spark.txt");
        }
        let read = |path: &&str| {
            std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
        };
        let texts = wanted.iter().map(read).collect::<Result<String, String>>()?;
        let marker = folder.join("sfumato-requirements.txt");
        if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == texts) {
            return Ok(Environment { python });
        }
        let interpreter = INTERPRETERS
            .into_iter()
            .find(|name| output_of(name, &["-c", PROBE]).is_ok())
            .ok_or("there is no Python 3.11 or later that makes virtual environments")?;
        eprintln!("$ {interpreter} -m venv {}", folder.display());
        output_of(interpreter, &["-m", "venv", &folder.display().to_string()])?;
        let mut install = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        wanted.iter().for_each(|path| install.extend(["--requirement", path]));
        sh(&python, &install).map_err(|_| "its packages can't be had from PyPI".to_string())?;
        std::fs::write(&marker, texts).map_err(|error| error.to_string())?;
        Ok(Environment { python })
    }
}

/// The target folder.
pub fn target() -> Result<PathBuf, String> {
    let text = output_of(&cargo(), &["metadata", "--format-version", "1", "--no-deps"])?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    json["target_directory"].as_str().map(PathBuf::from).ok_or("cargo has no target folder".into())
}

/// The package as it would be installed: the Python sources with the extension module between them.
fn package(variables: &[(&str, &str)]) -> Result<PathBuf, String> {
    let module = extension(variables)?;
    let folder = target()?.join("python").join("package");
    let package = folder.join("sfumato");
    let failed = |error: std::io::Error| format!("{}: {error}", package.display());
    if package.exists() {
        std::fs::remove_dir_all(&package).map_err(failed)?;
    }
    std::fs::create_dir_all(&package).map_err(failed)?;
    let sources = std::fs::read_dir(root().join("python/sfumato")).map_err(failed)?;
    for source in sources {
        let source = source.map_err(failed)?;
        if source.path().is_file() {
            std::fs::copy(source.path(), package.join(source.file_name())).map_err(failed)?;
        }
    }
    let name = if cfg!(windows) { "_sfumato.pyd" } else { "_sfumato.abi3.so" };
    std::fs::copy(&module, package.join(name)).map_err(failed)?;
    Ok(folder)
}

/// Build the extension module. All libraries are built, with what their tests turn on, as `cargo
/// test --workspace` builds them: so only the module itself is new after it.
fn extension(variables: &[(&str, &str)]) -> Result<PathBuf, String> {
    let arguments = ["build", "--workspace", "--lib", "--test", "api", "--message-format", "json"];
    eprintln!("$ cargo {}", arguments.join(" "));
    let output = std::process::Command::new(cargo())
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(root())
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("can't run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let built = text.lines().filter_map(|line| serde_json::from_str(line).ok()).find_map(module_of);
    match (output.status.success(), built) {
        (true, Some(path)) => Ok(path),
        (true, None) => Err("cargo doesn't say where the extension module is".into()),
        (false, _) => Err("the extension module can't be built: cargo build says why".into()),
    }
}

/// The file of the extension module, if a message of cargo is about it.
fn module_of(message: serde_json::Value) -> Option<PathBuf> {
    let is_module = message["target"]["name"] == "_sfumato"
        && message["target"]["crate_types"].as_array()?.iter().any(|kind| kind == "cdylib");
    let files = message["filenames"].as_array().filter(|_| is_module)?;
    let ends = |path: &&str| {
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("so" | "dylib" | "dll"))
    };
    files.iter().filter_map(|file| file.as_str()).find(ends).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_is_found_among_what_cargo_says() {
        let message = |name: &str, kind: &str, file: &str| {
            serde_json::json!({ "reason": "compiler-artifact", "filenames": [file],
                "target": { "name": name, "crate_types": [kind] } })
        };
        let found = module_of(message("_sfumato", "cdylib", "/t/debug/lib_sfumato.so"));
        assert_eq!(found, Some(PathBuf::from("/t/debug/lib_sfumato.so")));
        assert_eq!(module_of(message("_sfumato", "cdylib", "/t/debug/lib_sfumato.rmeta")), None);
        assert_eq!(module_of(message("sfumato", "lib", "/t/debug/libsfumato.so")), None);
        assert_eq!(module_of(serde_json::json!({ "reason": "build-finished" })), None);
    }
}
