//! A table or view of a PostgreSQL server, or what a query gives there:
//! `postgresql://user@host/database#table`, `...#select a, b from table`.
//!
//! The server writes the rows as CSV itself (`COPY ... TO STDOUT`), so that all that is needed of
//! its protocol is to say who one is and to ask. The session is for reading only.
//!
//! No password is taken from an address: addresses stand in jobs and reports. Nothing is encrypted,
//! so that people's data leave another machine only if the address says `sslmode=disable`.

mod address;
mod scram;
mod session;

pub(crate) use address::is_address;

use std::borrow::Cow;
use std::io::Write;

use sfumato_core::{Error, Result};
use sha2::{Digest as _, Sha256};

use self::address::Address;
use self::session::Session;
use super::{Rows, choose, is_query, write_error};

/// The tables and views that a user may name, without those of the server itself.
const TABLES: &str = "select table_schema::text, table_name::text from information_schema.tables \
                      where table_schema not in ('pg_catalog', 'information_schema') and \
                      table_schema not like 'pg\\_%' order by 1, 2";

/// Copy a table. Returns the hash and the number of bytes that the server sent.
pub(super) fn copy(path: &str, part: Option<&str>, rows: &mut Rows) -> Result<(String, u64)> {
    let address = Address::parse(path)?;
    // Nobody needs the rest of an address to know what an error is about.
    let named = |mut error: Error| {
        error.place.file.get_or_insert_with(|| path.to_string());
        error
    };
    let mut session = Session::open(&address).map_err(named)?;
    let asked = match part {
        Some(query) if is_query(query) => query.trim().trim_end_matches(';').to_string(),
        _ => {
            let mut names = Vec::new();
            let mut line = Vec::new();
            let list = format!("copy ({TABLES}) to stdout");
            let mut take = |bytes: &[u8]| {
                line.extend_from_slice(bytes);
                Ok(())
            };
            session.copy(&list, &mut take).map_err(named)?;
            for row in String::from_utf8_lossy(&line).lines() {
                let Some((schema, name)) = row.split_once('\t') else { continue };
                names.push((schema.to_string(), name.to_string()));
            }
            let shown: Vec<String> = names
                .iter()
                .map(|(schema, name)| match schema.as_str() {
                    "public" => name.clone(),
                    schema => format!("{schema}.{name}"),
                })
                .collect();
            let part = part.map(|part| part.strip_prefix("public.").unwrap_or(part));
            let chosen = choose(path, "table", &shown, part)?;
            let place = shown.iter().position(|name| *name == chosen).unwrap_or_default();
            let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
            format!("select * from {}.{}", quoted(&names[place].0), quoted(&names[place].1))
        }
    };
    let (mut digest, mut bytes) = (Sha256::new(), 0);
    let mut take = |sent: &[u8]| {
        digest.update(sent);
        bytes += sent.len() as u64;
        rows.out.write_all(sent).map_err(|error| write_error(&error))
    };
    let copy = format!("copy ({asked}) to stdout with (format csv, header)");
    session.copy(&copy, &mut take).map_err(named)?;
    session.close();
    Ok((digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), bytes))
}

/// How an address is called in a sentence, without a user's name.
pub(crate) fn database_of(path: &str) -> Cow<'_, str> {
    match Address::parse(path) {
        Ok(address) => Cow::Owned(address.database),
        Err(_) => Cow::Borrowed("database"),
    }
}
