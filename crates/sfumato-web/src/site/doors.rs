//! The ways in: the address with its token, and the password where others may come in too.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use tokio::sync::Mutex;

use super::session::is_same;
use super::{Site, body};

/// Passwords are tried one after the other, so that nobody tries many.
static TRIES: Mutex<()> = Mutex::const_new(());
/// How long a wrong password takes.
const PAUSE: Duration = Duration::from_secs(1);

/// `GET /open?token=...`: exchange the token for a cookie.
pub(crate) async fn open(State(site): State<Arc<Site>>, request: Request) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let token = query.split('&').find_map(|pair| pair.strip_prefix("token="));
    match site.sessions.exchange(token.unwrap_or_default()) {
        Some(cookie) => enter(cookie),
        // Whoever is in already comes in again by the same address.
        None if site.sessions.csrf(request.headers()).is_some() => {
            Redirect::to("/").into_response()
        }
        None => closed(&site),
    }
}

/// `GET /login`: ask for the password.
pub(crate) async fn ask(State(site): State<Arc<Site>>) -> Response {
    closed(&site)
}

/// `POST /login`: the password, as a form sends it.
pub(crate) async fn login(State(site): State<Arc<Site>>, request: Request) -> Response {
    let Some(password) = site.settings.password.clone() else { return closed(&site) };
    let given: Body = request.into_body();
    let Ok(bytes) = body::all(given, 4096).await else { return closed(&site) };
    let form = String::from_utf8_lossy(&bytes).into_owned();
    let given = form.split('&').find_map(|pair| pair.strip_prefix("password=")).map(decoded);
    let _turn = TRIES.lock().await;
    let is_right = is_same(&given.unwrap_or_default(), &password);
    match is_right.then(|| site.sessions.admit()).flatten() {
        Some(cookie) => enter(cookie),
        None => {
            tokio::time::sleep(PAUSE).await;
            closed(&site)
        }
    }
}

fn enter(cookie: String) -> Response {
    let headers = [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, "no-store".to_string())];
    (headers, Redirect::to("/")).into_response()
}

/// The page of a closed door.
pub(crate) fn closed(site: &Site) -> Response {
    let what = match site.settings.password {
        Some(_) => {
            "<form method=\"post\" action=\"/login\"><label for=\"password\">Password</label>\
             <input id=\"password\" name=\"password\" type=\"password\" autofocus \
             autocomplete=\"current-password\"><button>Open</button></form>"
        }
        None => {
            "<p>Open the address that <code>sfumato serve</code> printed. It opens once; start it \
             again for another.</p>"
        }
    };
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Sfumato</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <link rel=\"stylesheet\" href=\"/assets/style.css\"></head><body class=\"door\"><main>\
         <h1>This door is closed</h1>{what}</main></body></html>"
    );
    (StatusCode::UNAUTHORIZED, Html(page)).into_response()
}

/// A value of a form: `+` is a space, `%41` a byte.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn values_of_forms_are_decoded() {
        assert_eq!(decoded("a+b%26%C3%A9"), "a b&é");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }
}
