//! The folder of a holder or a requester, made for the first time.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, Result};
use sfumato_io::{ReadOptions, read, select_all};

use crate::transport::identity::{CERTIFICATE, PEERS, make, write_new};

/// Make a folder: a key, a certificate and, for a holder, a commented holder.toml. Says what to do
/// next.
pub fn init(
    folder: &Path,
    name: Option<&str>,
    data: Option<&str>,
    listen: Option<&str>,
) -> Result<String> {
    let own = folder.file_name().map(|name| name.to_string_lossy().to_string());
    let name = name.map(String::from).or(own).unwrap_or_default();
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(Error::params(format!("'{name}' isn't a name of a party"))
            .hint("--name gives one of letters, digits, '-', '_' and '.'"));
    }
    let columns = match data {
        None => "# age = { role = \"quasi\" }\n".to_string(),
        Some(path) => columns(path)?,
    };
    make(folder)?;
    if let Some(listen) = listen {
        let path = match data {
            Some(path) => std::path::absolute(path)
                .map_err(|error| Error::io(Path::new(path), "find", &error))?
                .display()
                .to_string(),
            None => "table.csv".into(),
        };
        let text = template(&name, listen, &path, &columns);
        write_new(&folder.join("holder.toml"), &text, true)?;
    }
    let folder = folder.display();
    let next = match listen {
        Some(_) => format!("\nsay in {folder}/holder.toml what its columns are"),
        None => String::new(),
    };
    Ok(format!(
        "{folder} has the key and the certificate of {name}{next}\n\
         give {folder}/{CERTIFICATE} to the others, who put it into their {PEERS}/ as {name}.pem\n\
         put theirs into {folder}/{PEERS}/"
    ))
}

/// A line for each column of a file; no role is guessed, so that a person must say each.
fn columns(path: &str) -> Result<String> {
    let options = ReadOptions { hash: false, ..ReadOptions::default() };
    let table = read(path, &options, &mut select_all, &Unobserved)?;
    let line = |column: &sfumato_core::column::RawColumn| {
        let key = sfumato_engine::job::quote_key(&column.name);
        format!("{key} = {{ role = \"identifier\" }} # CHECK\n")
    };
    Ok(table.columns.iter().map(line).collect())
}

fn template(name: &str, listen: &str, path: &str, columns: &str) -> String {
    let [name, listen, path] = [name, listen, path].map(|text| toml::Value::from(text).to_string());
    format!(
        "# What a holder keeps to itself: its table, what its columns are, and what it refuses.\n\
         [holder]\nname = {name}\nlisten = {listen}\n\n[input]\npath = {path}\n\n\
         # identifier: names a record, or is dropped. quasi: generalized. sensitive: guarded by a\n\
         # model. target: the class that all predict. keep: published as it is.\n\
         [columns]\n{columns}\n\
         # What it takes part in: for which k, with how many holders, whether it shows scores,\n\
         # who may ask (names of certificates; anybody it knows if empty), how often at a time.\n\
         [policy]\nmin_k = 2\nmin_holders = 2\nclear_scores = false\nrequesters = []\n\
         sessions = 1\n"
    )
}
