//! The address of a database: `postgresql://user@host:port/database?host=...&sslmode=disable`, with
//! the variables of PostgreSQL's own programs (PGHOST, PGUSER, ...) for what it doesn't say.

use std::net::IpAddr;
use std::path::Path;

use sfumato_core::{Error, Result};

/// The beginnings of an address.
const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

/// Folders in which servers of this machine have their sockets.
const SOCKETS: [&str; 2] = ["/var/run/postgresql", "/tmp"];

/// Whether a text is the address of a database.
pub(crate) fn is_address(text: &str) -> bool {
    SCHEMES.iter().any(|scheme| text.starts_with(scheme))
}

/// Where a database is, and as whom it is asked.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// A host's name, or the folder of a socket.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) user: String,
    pub(super) database: String,
}

/// A variable of PostgreSQL's programs.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

impl Address {
    /// Read an address.
    pub(super) fn parse(text: &str) -> Result<Self> {
        Self::with(text, &variable)
    }

    fn with(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self> {
        let wrong = |message: String| Error::params(message);
        let rest = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme));
        let rest = rest.ok_or_else(|| wrong("this is no address of a database".into()))?;
        let (rest, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (place, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, host) = match place.rsplit_once('@') {
            Some((user, host)) => (user, host),
            None => ("", place),
        };
        if user.contains(':') {
            return Err(no_password());
        }
        let (host, port) = match host.rsplit_once(':') {
            // The colons inside brackets are those of an address of the sixth version.
            Some((host, port)) if !port.contains(']') => (host, port),
            _ => (host, ""),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let mut said = [("user", user), ("host", host), ("port", port), ("dbname", database)]
            .map(|(name, value)| (name, decoded(value)));
        let mut sslmode = String::new();
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match name {
                "sslmode" => sslmode = decoded(value),
                "password" | "passfile" | "sslpassword" => return Err(no_password()),
                _ => match said.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) => *known = decoded(value),
                    None => {
                        return Err(wrong(format!("the address has an unknown option '{name}'"))
                            .hint("options are user, host, port, dbname and sslmode"));
                    }
                },
            }
        }
        let [user, host, port, database] = said.map(|(_, value)| value);
        let or = |value: String, name: &str| match value.is_empty() {
            true => variable(name),
            false => Some(value),
        };
        let user = or(user, "PGUSER").or_else(|| variable("USER")).unwrap_or("postgres".into());
        let port = or(port, "PGPORT").unwrap_or("5432".into());
        let port = port.parse().map_err(|_| wrong(format!("'{port}' is no port: 1 to 65535")))?;
        let host = or(host, "PGHOST").unwrap_or_else(|| default_host(port));
        let database = or(database, "PGDATABASE").unwrap_or_else(|| user.clone());
        let address = Address { host, port, user, database };
        address.check(&sslmode)?;
        Ok(address)
    }

    /// Whether the server is on this machine.
    fn is_local(&self) -> bool {
        let is_loopback = || self.host.parse::<IpAddr>().is_ok_and(|host| host.is_loopback());
        self.is_socket() || self.host == "localhost" || is_loopback()
    }

    /// Whether the host is the folder of a socket.
    pub(super) fn is_socket(&self) -> bool {
        self.host.starts_with('/')
    }

    /// The path of the socket.
    pub(super) fn socket(&self) -> std::path::PathBuf {
        Path::new(&self.host).join(format!(".s.PGSQL.{}", self.port))
    }

    /// Refuse what would need encryption.
    fn check(&self, sslmode: &str) -> Result<()> {
        match sslmode {
            "disable" => Ok(()),
            "" | "allow" | "prefer" if self.is_local() => Ok(()),
            _ => Err(Error::unsupported(format!(
                "'{}' is another machine, and this program encrypts no connection",
                self.host
            ))
            .hint(
                "open a tunnel ('ssh -L 5433:localhost:5432 HOST', then \
                 postgresql://localhost:5433/...), or export the table with psql: \\copy people to \
                 'people.csv' csv header; sslmode=disable says that the way there is safe",
            )),
        }
    }
}

/// The folder of the socket of a server of this machine, or this machine.
fn default_host(port: u16) -> String {
    let is_there = |folder: &&&str| Path::new(folder).join(format!(".s.PGSQL.{port}")).exists();
    SOCKETS.iter().find(is_there).map_or("localhost".into(), |folder| folder.to_string())
}

fn no_password() -> Error {
    Error::params("an address must not have a password: jobs and reports would show it")
        .hint("say it in the variable PGPASSWORD, or in the file ~/.pgpass")
}

/// A text with its escapes (`%2F`) resolved.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = match bytes[at] {
            b'%' => text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        out.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The password for an address: PGPASSWORD, or a line `host:port:database:user:password` of the
/// file for it, whose owner alone may read it.
pub(super) fn password(address: &Address) -> Option<String> {
    if let Some(password) = variable("PGPASSWORD") {
        return Some(password);
    }
    let home = || variable("HOME").map(|home| format!("{home}/.pgpass"));
    let path = variable("PGPASSFILE").or_else(home)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).ok()?.permissions().mode();
        if mode & 0o077 != 0 {
            return None;
        }
    }
    in_file(&std::fs::read_to_string(path).ok()?, address)
}

/// The password of the first line that fits an address.
fn in_file(text: &str, address: &Address) -> Option<String> {
    let host = if address.is_socket() { "localhost" } else { &address.host };
    let port = address.port.to_string();
    let wanted = [host, &port, &address.database, &address.user];
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut fields = vec![String::new()];
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            match letter {
                // Everything behind the fourth colon is the password.
                ':' if fields.len() < 5 => fields.push(String::new()),
                letter => {
                    let letter = if letter == '\\' { letters.next()? } else { letter };
                    fields.last_mut()?.push(letter);
                }
            }
        }
        let fits = fields.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted);
        (fields.len() == 5 && fits).then(|| fields.swap_remove(4))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Address> {
        let variables = |name: &str| match name {
            "PGUSER" => Some("ada".to_string()),
            "PGHOST" => Some("/sockets".to_string()),
            _ => None,
        };
        Address::with(text, &variables)
    }

    #[test]
    fn addresses_are_read_as_the_programs_of_the_server_do() {
        let of = |host: &str, port, user: &str, database: &str| Address {
            host: host.into(),
            port,
            user: user.into(),
            database: database.into(),
        };
        for (text, expected) in [
            ("postgresql://", of("/sockets", 5432, "ada", "ada")),
            ("postgres://bob@localhost:99/clinic", of("localhost", 99, "bob", "clinic")),
            ("postgresql:///clinic?host=%2Frun%2Fpg&port=7", of("/run/pg", 7, "ada", "clinic")),
            ("postgresql://b%40c@[::1]:8/d", of("::1", 8, "b@c", "d")),
            ("postgresql://[::1]/d", of("::1", 5432, "ada", "d")),
            ("postgresql://far.org/d?sslmode=disable", of("far.org", 5432, "ada", "d")),
        ] {
            assert_eq!(parsed(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_would_reveal_data_or_passwords_is_refused() {
        for (text, message) in [
            ("postgresql://bob:secret@localhost/d", "must not have a password"),
            ("postgresql://localhost/d?password=secret", "must not have a password"),
            ("postgresql://far.org/d", "encrypts no connection"),
            ("postgresql://localhost/d?sslmode=require", "encrypts no connection"),
            ("postgresql://localhost/d?ssl=1", "unknown option 'ssl'"),
            ("postgresql://localhost:many/d", "'many' is no port"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.message.contains(message), "{text}: {error}");
            assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        }
    }

    #[test]
    fn passwords_are_found_in_their_file() {
        let address = parsed("postgresql://bob@localhost:99/clinic").unwrap();
        let text = "# mine\nother:*:*:*:no\nlocalhost:99:*:bob:a\\:b:c\n*:*:*:*:late\n";
        assert_eq!(in_file(text, &address).as_deref(), Some("a:b:c"));
        assert_eq!(in_file("localhost:1:clinic:bob:x", &address), None);
        let socket = parsed("postgresql:///clinic").unwrap();
        assert_eq!(in_file("localhost:5432:clinic:ada:x", &socket).as_deref(), Some("x"));
    }
}
