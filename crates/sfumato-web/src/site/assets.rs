//! The pages, embedded in the program: nothing is loaded from anywhere else.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::answer::Answer;
use super::errors::Failure;

/// Name, type and bytes of what the page loads.
const ASSETS: [(&str, &str, &[u8]); 3] = [
    ("app.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/app.js")),
    ("style.css", "text/css; charset=utf-8", include_bytes!("../../assets/style.css")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")),
];

const PAGE: &[u8] = include_bytes!("../../assets/index.html");

/// `GET /`
pub(crate) async fn page() -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, PAGE).into_response()
}

/// `GET /assets/NAME`
pub(crate) async fn asset(Path(name): Path<String>) -> Answer {
    let found = ASSETS.iter().find(|(known, _, _)| *known == name);
    let (_, kind, bytes) = found.ok_or_else(|| Failure::missing("there is no such asset"))?;
    let headers = [(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, *bytes).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the pages may weigh together.
    const HEAVIEST: usize = 300_000;

    #[test]
    fn the_pages_are_light_and_have_no_inline_script() {
        let all: usize = ASSETS.iter().map(|(_, _, bytes)| bytes.len()).sum();
        assert!(all + PAGE.len() < HEAVIEST, "{} bytes", all + PAGE.len());
        let page = String::from_utf8_lossy(PAGE);
        assert_eq!(page.matches("<script").count(), page.matches("<script src=\"/assets/").count());
        assert!(!page.contains(" style=") && !page.contains("<style") && !page.contains(" onl"));
        let script = String::from_utf8_lossy(ASSETS[0].2);
        for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
            assert!(!script.contains(sink), "{sink} could make a script of a cell");
        }
    }
}
