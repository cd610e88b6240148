//! Documents that are the files of a folder.

use std::path::Path;

use sfumato_core::{Error, Result};
use sfumato_io::{MANIFEST, sha256_hex, steps};

use super::corpus::Document;

/// The documents of a folder, with the bytes that all of them have and a hash over all of them.
pub(super) fn read(path: &str, is_release: bool) -> Result<(Vec<Document>, u64, String)> {
    let io = |source: std::io::Error| Error::io(Path::new(path), "read", &source);
    if !Path::new(path).is_dir() {
        return Err(Error::input("this isn't a folder").in_file(path).hint(
            "for a file of JSON lines or CSV say in which field the text is: --text 'field=NAME'",
        ));
    }
    let mut names = Vec::new();
    for entry in steps::read_dir(Path::new(path)).map_err(io)? {
        let entry = entry.map_err(io)?;
        let shown = entry.path().display().to_string();
        let name = entry
            .file_name()
            .into_string()
            .map_err(|_| Error::input("the name of this file isn't UTF-8").in_file(&shown))?;
        // Hidden files are no documents, and are never published.
        if name.starts_with('.') || (is_release && name == MANIFEST) {
            continue;
        }
        if name == MANIFEST {
            return Err(Error::input("a document can't have the name of a manifest")
                .in_file(shown)
                .hint("rename it, or name a folder that isn't a release"));
        }
        if !entry.path().is_file() {
            return Err(Error::input("there is something in the folder that isn't a file")
                .in_file(shown)
                .hint("all documents lie side by side in one folder"));
        }
        names.push(name);
    }
    names.sort();
    let (mut documents, mut bytes, mut hashes) = (Vec::new(), 0, String::new());
    for name in names {
        let file = Path::new(path).join(&name);
        let read = steps::read(&file).map_err(|source| Error::io(&file, "read", &source))?;
        bytes += read.len() as u64;
        hashes += &format!("{} {name}\n", sha256_hex(&read));
        let text = String::from_utf8(read).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Error::input(format!("byte {} of this file isn't UTF-8", at + 1))
                .in_file(file.display().to_string())
                .hint("convert the file to UTF-8")
        })?;
        documents.push(Document { name, text, ..Document::default() });
    }
    Ok((documents, bytes, sha256_hex(hashes.as_bytes())))
}
