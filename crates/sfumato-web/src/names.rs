//! Which names a `Host` header may have. A page in a browser whose own name was made to lead here
//! (DNS rebinding) has another.

use std::net::IpAddr;

/// Whether the name in a `Host` header, with or without a port, is one of this machine itself.
pub(crate) fn is_this_machine(host: &str) -> bool {
    let name = bare(host);
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether a `Host` header is one of these names, or an address and no name at all: an address
/// can't be made to lead elsewhere.
pub(crate) fn is_one_of(host: &str, names: &[String]) -> bool {
    let name = bare(host);
    name.parse::<IpAddr>().is_ok() || names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The name in a `Host` header without its port and brackets.
fn bare(host: &str) -> &str {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_answered() {
        for host in
            ["127.0.0.1", "127.0.0.1:7878", "localhost", "LOCALHOST:80", "[::1]:7878", "[::1]"]
        {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:7878",
            "127.0.0.1.evil.example",
            "10.0.0.1",
            "localhost.evil.example:80",
            "127.0.0.1:7878@evil.example",
            "[::2]:80",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn other_names_are_those_that_were_said() {
        let names = ["steward.example".to_string()];
        for host in ["10.0.0.7:80", "[2001:db8::1]", "STEWARD.example:8443"] {
            assert!(is_one_of(host, &names), "{host}");
        }
        for host in ["evil.example", "steward.example.evil.example", "", "10.0.0.7.evil.example"] {
            assert!(!is_one_of(host, &names), "{host}");
        }
    }
}
