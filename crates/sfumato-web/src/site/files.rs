//! The files below the folder: what is there, uploads and downloads.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::extract::{self, Request, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use hyper::body::Bytes;
use serde_json::json;
use sfumato_core::{Error, Result};
use tokio::sync::mpsc;

use super::answer::{self, Answer, in_pieces, json_with};
use super::errors::Failure;
use super::{Site, body};

/// How many files are listed.
const MOST: usize = 2000;
/// How deep folders are looked into.
const DEEPEST: usize = 4;
/// How large a piece of a download is.
const PIECE: usize = 256 << 10;

/// `GET /api/v1/files`
pub(crate) async fn list(State(site): State<Arc<Site>>) -> Answer {
    let mut found = Vec::new();
    each_file(&site, |path, shown| {
        if shown.ends_with(".release.json") {
            return;
        }
        let Ok(about) = path.metadata() else { return };
        let changed = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        found.push(json!({
            "path": shown,
            "bytes": if about.is_file() { about.len() } else { 0 },
            "changed": changed.map(|changed| changed.as_secs()),
            "is_release": is_release(path),
            "is_folder": about.is_dir(),
        }));
    });
    let is_cut = found.len() >= MOST;
    found.sort_by(|a, b| a["path"].as_str().cmp(&b["path"].as_str()));
    answer::json(&json!({ "folder": site.folder.name(), "files": found, "cut_short": is_cut }))
}

fn is_release(path: &Path) -> bool {
    sfumato::Manifest::find(path).is_ok_and(|manifest| manifest.is_some())
}

/// Show each file below the folder, and each release that is a folder, with its name. Hidden ones
/// aren't shown, nor more than there is room for.
pub(crate) fn each_file(site: &Site, mut show: impl FnMut(&Path, &str)) {
    walk(site, site.folder.root(), 0, &mut 0, &mut show);
}

fn walk(
    site: &Site,
    folder: &Path,
    depth: usize,
    shown: &mut usize,
    show: &mut impl FnMut(&Path, &str),
) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let path = entry.path();
        let Ok(relative) = path.strip_prefix(site.folder.root()) else { continue };
        let name = relative.display().to_string();
        if is_hidden || site.folder.below(&name).is_err() || *shown >= MOST {
            continue;
        }
        match path.is_dir() && !is_release(&path) {
            true if depth < DEEPEST => walk(site, &path, depth + 1, shown, show),
            true => {}
            false => {
                *shown += 1;
                show(&path, &name);
            }
        }
    }
}

/// `PUT /api/v1/files/NAME`: the body becomes a file. What is there is replaced only if the request
/// says `x-replace: yes`.
pub(crate) async fn upload(
    State(site): State<Arc<Site>>,
    extract::Path(name): extract::Path<String>,
    request: Request,
) -> Answer {
    let most = site.settings.largest_upload;
    let said = request.headers().get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok());
    if said.and_then(|n| n.parse::<u64>().ok()).is_some_and(|n| n > most) {
        return Err(body::too_large(most));
    }
    let replaces = request.headers().contains_key("x-replace");
    let failed = |error: Error| Failure::of_core(error, &site.folder);
    let path = site.folder.below(&name).map_err(failed)?;
    if name.split('/').any(|part| part.starts_with('.')) || path.is_dir() {
        return Err(Failure::wrong("a file can't have this name", "take another"));
    }
    if path.exists() && !replaces {
        let message = "there is already a file of this name";
        return Err(Failure::new(StatusCode::CONFLICT, "parameters", 2, message, "replace it?"));
    }
    let folder = path.parent().unwrap_or(site.folder.root()).to_path_buf();
    let io = |doing: &'static str| {
        let (path, site) = (path.clone(), &site);
        move |error: std::io::Error| Failure::of_core(Error::io(&path, doing, &error), &site.folder)
    };
    std::fs::create_dir_all(&folder).map_err(io("make the folder of"))?;
    let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(io("write"))?;
    let mut bytes = 0u64;
    let mut rest = request.into_body();
    while let Some(piece) = body::next(&mut rest).await? {
        bytes += piece.len() as u64;
        if bytes > most {
            return Err(body::too_large(most));
        }
        tokio::task::block_in_place(|| file.write_all(&piece)).map_err(io("write"))?;
    }
    let kept = match replaces {
        true => file.persist(&path).map_err(|error| error.error),
        false => file.persist_noclobber(&path).map_err(|error| error.error),
    };
    kept.map_err(io("write"))?;
    Ok(json_with(StatusCode::CREATED, &json!({ "path": name, "bytes": bytes })))
}

/// `GET /api/v1/files/NAME`: the bytes of a file, to be saved and not shown.
pub(crate) async fn download(
    State(site): State<Arc<Site>>,
    extract::Path(name): extract::Path<String>,
) -> Answer {
    let path = site.folder.below(&name).map_err(|e| Failure::of_core(e, &site.folder))?;
    if !path.is_file() {
        return Err(Failure::missing("there is no such file"));
    }
    let mut file = std::fs::File::open(&path)
        .map_err(|e| Failure::of_core(Error::io(&path, "open", &e), &site.folder))?;
    let (sender, pieces) = mpsc::channel(4);
    tokio::task::spawn_blocking(move || {
        let mut piece = vec![0; PIECE];
        // A file that breaks off, or somebody who left, ends the answer.
        while let Ok(n @ 1..) = file.read(&mut piece) {
            if sender.blocking_send(Bytes::copy_from_slice(&piece[..n])).is_err() {
                return;
            }
        }
    });
    let mut response = in_pieces("application/octet-stream", pieces).into_response();
    let last = name.rsplit('/').next().unwrap_or("file");
    if let Ok(value) = attachment(last).parse() {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// The header that makes a browser save something under a name, whatever letters it has.
pub(crate) fn attachment(name: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    let escaped: String = name
        .as_bytes()
        .iter()
        .map(|byte| match plain(byte) {
            true => char::from(*byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect();
    format!("attachment; filename*=UTF-8''{escaped}")
}

/// Read the first bytes of a file, as text.
pub(crate) fn first_lines(path: &Path, bytes: usize, lines: usize) -> Result<Vec<String>> {
    let mut file = std::fs::File::open(path).map_err(|error| Error::io(path, "open", &error))?;
    let mut head = vec![0; bytes];
    let mut n = 0;
    while n < bytes {
        match file.read(&mut head[n..]).map_err(|error| Error::io(path, "read", &error))? {
            0 => break,
            more => n += more,
        }
    }
    let text = String::from_utf8_lossy(&head[..n]).into_owned();
    Ok(text.lines().take(lines).map(|line| line.chars().take(400).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::attachment;

    #[test]
    fn names_of_downloads_are_escaped() {
        assert_eq!(
            attachment("a b\"\r\nc.csv"),
            "attachment; filename*=UTF-8''a%20b%22%0D%0Ac.csv"
        );
    }
}
