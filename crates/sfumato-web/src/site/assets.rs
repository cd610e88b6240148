//! The pages, embedded in the program: nothing is loaded from anywhere else.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::answer::Answer;
use super::errors::Failure;

type Asset = (&'static str, &'static str, &'static [u8]);

/// A script of the page, compiled from the TypeScript in `ui`.
macro_rules! script {
    ($name:literal) => {
        ("text/javascript; charset=utf-8", $name, include_bytes!(concat!("../../assets/", $name)))
    };
}

/// Type, name and bytes of what the page loads.
const ASSETS: [Asset; 24] = [
    ("text/css; charset=utf-8", "style.css", include_bytes!("../../assets/style.css")),
    ("image/svg+xml", "icon.svg", include_bytes!("../../assets/icon.svg")),
    script!("api.js"),
    script!("audit.js"),
    script!("chart.js"),
    script!("clusters.js"),
    script!("columns.js"),
    script!("compare.js"),
    script!("dom.js"),
    script!("file.js"),
    script!("guard.js"),
    script!("hierarchies.js"),
    script!("history.js"),
    script!("ledger.js"),
    script!("main.js"),
    script!("models.js"),
    script!("request.js"),
    script!("result.js"),
    script!("run.js"),
    script!("shape.js"),
    script!("show.js"),
    script!("state.js"),
    script!("texts.js"),
    script!("tradeoff.js"),
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
    let found = ASSETS.iter().find(|(_, known, _)| *known == name);
    let (kind, _, bytes) = found.ok_or_else(|| Failure::missing("there is no such asset"))?;
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
        let loaded = || ASSETS.iter();
        let all: usize = loaded().map(|(_, _, bytes)| bytes.len()).sum();
        assert!(all + PAGE.len() < HEAVIEST, "{} bytes", all + PAGE.len());
        let page = String::from_utf8_lossy(PAGE);
        assert_eq!(page.matches("<script").count(), page.matches("<script src=\"/assets/").count());
        assert!(!page.contains(" style=") && !page.contains("<style") && !page.contains(" onl"));
        for (kind, name, bytes) in loaded().filter(|(kind, _, _)| kind.contains("javascript")) {
            let script = String::from_utf8_lossy(bytes);
            for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("]
            {
                assert!(!script.contains(sink), "{name} ({kind}): {sink} makes a script of a cell");
            }
        }
    }
}
