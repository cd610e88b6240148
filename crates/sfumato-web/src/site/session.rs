//! Who may ask: the token of the first visit, and the cookies it is exchanged for.
//!
//! Cookies don't know ports, so each server's cookie has its port in its name. A change is accepted
//! only with a second secret that a page of another origin can't read.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use sfumato_core::{Error, Result};

/// How long a visit lasts.
const VISIT: Duration = Duration::from_secs(12 * 3600);
/// How many visits there may be at once; the oldest ends.
const MOST: usize = 64;

/// Everybody who was let in.
pub(crate) struct Sessions {
    cookie: String,
    is_encrypted: bool,
    first: String,
    state: Mutex<State>,
}

struct State {
    is_token_used: bool,
    visits: Vec<Visit>,
}

struct Visit {
    secret: String,
    csrf: String,
    until: Instant,
}

impl Sessions {
    /// Nobody yet. Where connections are encrypted, a cookie is never sent over one that isn't.
    pub(crate) fn new(port: u16, is_encrypted: bool) -> Result<Self> {
        let state = Mutex::new(State { is_token_used: false, visits: Vec::new() });
        Ok(Sessions { cookie: format!("sfumato-{port}"), is_encrypted, first: secret()?, state })
    }

    /// The token of the first visit.
    pub(crate) fn token(&self) -> &str {
        &self.first
    }

    /// Exchange the token for a cookie, once.
    pub(crate) fn exchange(&self, token: &str) -> Option<String> {
        let is_right = is_same(token, &self.first);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_right || state.is_token_used {
            return None;
        }
        state.is_token_used = true;
        drop(state);
        self.admit()
    }

    /// A cookie for somebody who may come in; none without random numbers.
    pub(crate) fn admit(&self) -> Option<String> {
        let (secret, csrf) = (secret().ok()?, secret().ok()?);
        let secure = if self.is_encrypted { "; Secure" } else { "" };
        let cookie = format!("{}={secret}; Path=/; HttpOnly; SameSite=Strict{secure}", self.cookie);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.visits.len() >= MOST {
            state.visits.remove(0);
        }
        state.visits.push(Visit { secret, csrf, until: Instant::now() + VISIT });
        Some(cookie)
    }

    /// The second secret of whoever asks; none of somebody who wasn't let in.
    pub(crate) fn csrf(&self, headers: &HeaderMap) -> Option<String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        state.visits.retain(|visit| visit.until > now);
        let cookies = headers.get_all(header::COOKIE).iter();
        let texts = cookies.filter_map(|cookie| cookie.to_str().ok());
        let pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.split_once('='));
        let mut own = pairs.filter(|(name, _)| name.trim() == self.cookie);
        own.find_map(|(_, value)| {
            let visit = state.visits.iter().find(|visit| is_same(&visit.secret, value.trim()))?;
            Some(visit.csrf.clone())
        })
    }
}

/// 256 random bits of the operating system, in hexadecimal.
pub(crate) fn secret() -> Result<String> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::resources(format!("no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two texts are the same, in a time that says nothing about where they differ.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let differ = one.iter().zip(other).fold(0u8, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(cookie: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.parse().unwrap());
        headers
    }

    #[test]
    fn a_token_opens_once() {
        let sessions = Sessions::new(80, false).unwrap();
        assert!(sessions.exchange("").is_none());
        assert!(sessions.exchange(&sessions.token()[1..]).is_none());
        let cookie = sessions.exchange(sessions.token()).unwrap();
        assert!(sessions.exchange(sessions.token()).is_none());
        let pair = cookie.split(';').next().unwrap();
        assert!(sessions.csrf(&asked(&format!("other=1; {pair}"))).is_some());
        assert!(sessions.csrf(&asked(&pair.replace("sfumato-80", "sfumato-81"))).is_none());
        assert!(sessions.csrf(&asked("sfumato-80=")).is_none());
        assert!(sessions.csrf(&HeaderMap::new()).is_none());
    }

    #[test]
    fn a_cookie_of_an_encrypted_visit_stays_encrypted() {
        assert!(!Sessions::new(80, false).unwrap().admit().unwrap().contains("Secure"));
        assert!(Sessions::new(443, true).unwrap().admit().unwrap().ends_with("; Secure"));
    }

    #[test]
    fn the_oldest_visit_ends_when_there_are_too_many() {
        let sessions = Sessions::new(80, false).unwrap();
        let first = sessions.admit().unwrap();
        assert!(sessions.csrf(&asked(&first)).is_some());
        (0..MOST).for_each(|_| assert!(sessions.admit().is_some()));
        assert!(sessions.csrf(&asked(&first)).is_none());
    }

    #[test]
    fn texts_are_compared_whole() {
        assert!(is_same("abc", "abc"));
        assert!(!is_same("abc", "abd") && !is_same("abc", "ab") && !is_same("", "a"));
    }
}
