//! What every request must pass: the name it asks by, the page it comes from, the cookie, and for a
//! change the second secret. Every answer leaves with the headers that keep a page from doing what
//! it isn't meant to.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::errors::Failure;
use super::{Site, doors};
use crate::names::{is_one_of, is_this_machine};

/// The header with the second secret.
pub(crate) const CSRF: &str = "x-sfumato-csrf";

/// What pages may do: load our own script, style and pictures, and talk to us. No script in a page,
/// no page around ours, and no text that becomes a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// Look at a request before anybody else does.
pub(crate) async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_api = path.starts_with("/api/");
    let mut response = match admit(&site, &request) {
        Ok(()) => next.run(request).await,
        Err(failure) if is_api || failure.status != StatusCode::UNAUTHORIZED => {
            failure.into_response()
        }
        Err(_) => doors::closed(&site),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
    ] {
        // A report brings a policy of its own, which is stricter.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn admit(site: &Site, request: &Request) -> Result<(), Failure> {
    let (headers, path) = (request.headers(), request.uri().path());
    let host = text(headers, &header::HOST).unwrap_or_default();
    let is_open = !site.settings.address.ip().is_loopback();
    let is_ours = is_this_machine(host) || is_open && is_one_of(host, &site.settings.names);
    if !is_ours {
        return Err(Failure::refused(
            StatusCode::MISDIRECTED_REQUEST,
            "this isn't a name of this machine",
            "ask by 127.0.0.1 or localhost; --host NAME adds a name where --listen is said",
        ));
    }
    let scheme = if site.settings.certificate.is_some() { "https" } else { "http" };
    check_origin(headers, (scheme, host), path)?;
    // What says nothing about anybody, and the ways in.
    if path.starts_with("/assets/") || path == "/open" || path == "/login" {
        return Ok(());
    }
    let csrf = site.sessions.csrf(headers).ok_or_else(|| {
        Failure::refused(
            StatusCode::UNAUTHORIZED,
            "open the address that 'sfumato serve' printed: it has a token",
            "each address opens once; start 'sfumato serve' again for another",
        )
    })?;
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let said = text(headers, &HeaderName::from_static(CSRF)).unwrap_or_default();
    if !reads && !super::session::is_same(said, &csrf) {
        return Err(Failure::refused(
            StatusCode::FORBIDDEN,
            "the header x-sfumato-csrf is missing or wrong",
            "GET /api/v1/session says its value",
        ));
    }
    Ok(())
}

/// Refuse what a page of another origin asks. A browser says where a request comes from; a program
/// that says nothing has no cookies of ours but its own.
fn check_origin(
    headers: &HeaderMap,
    (own_scheme, host): (&str, &str),
    path: &str,
) -> Result<(), Failure> {
    let refused = || {
        let message = "a page of another origin asked";
        Failure::refused(StatusCode::FORBIDDEN, message, "only our own pages are answered")
    };
    if let Some(origin) = text(headers, &header::ORIGIN) {
        // Where we don't encrypt, a server in front of us may.
        let own = origin.split_once("://").is_some_and(|(scheme, rest)| {
            (scheme == "https" || scheme == own_scheme) && rest.eq_ignore_ascii_case(host)
        });
        if !own {
            return Err(refused());
        }
    }
    // A link elsewhere may lead to the front door, and to nothing behind it.
    let is_door = path == "/" || path == "/open" || path == "/login";
    match text(headers, &HeaderName::from_static("sec-fetch-site")) {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if is_door => Ok(()),
        Some(_) => Err(refused()),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
