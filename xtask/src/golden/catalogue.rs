//! The catalogue of the binary. Cases iterate over its lists, so that nothing is forgotten.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The lists of the catalogue.
pub struct Catalogue(Value);

impl Catalogue {
    /// Ask the binary for its catalogue.
    pub fn ask(binary: &Path) -> Result<Self, String> {
        let output = Command::new(binary)
            .args(["list", "--json"])
            .output()
            .map_err(|error| format!("can't run {}: {error}", binary.display()))?;
        let lists = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("sfumato list --json: {error}"))?;
        Ok(Catalogue(lists))
    }

    /// The names of a family.
    pub fn names(&self, family: &str) -> Result<Vec<String>, String> {
        let entries = self.0[family].as_array().ok_or(format!("sfumato lists no {family}"))?;
        let name = |entry: &Value| entry["name"].as_str().map(String::from);
        entries.iter().map(|e| name(e).ok_or(format!("an entry of {family} has no name"))).collect()
    }
}
