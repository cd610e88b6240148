//! A session with a PostgreSQL server, version 3 of its protocol: saying who one is, and copying
//! what a single statement gives.

use std::io::{self, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use sfumato_core::{Error, ErrorKind, Result};

use super::address::{Address, password};
use super::scram::Scram;

/// How long to wait until somebody answers.
const PATIENCE: Duration = Duration::from_secs(15);

/// No message of a server is longer: rows come one by one.
const LONGEST: usize = 1 << 30;

/// A way to the server and back.
trait Way: Read + Write + Send {}
impl<T: Read + Write + Send> Way for T {}

/// An open session.
pub(super) struct Session {
    way: BufReader<Box<dyn Way>>,
}

/// A message of the server.
struct Message {
    letter: u8,
    body: Vec<u8>,
}

impl Session {
    /// Open a session, in which nothing can be changed.
    pub(super) fn open(address: &Address) -> Result<Self> {
        let way = connect(address).map_err(|error| unreachable(address, &error))?;
        let mut session = Session { way: BufReader::with_capacity(1 << 16, way) };
        let mut start = 196_608_u32.to_be_bytes().to_vec();
        for text in [
            ["user", &address.user],
            ["database", &address.database],
            ["application_name", "sfumato"],
            ["client_encoding", "UTF8"],
            ["DateStyle", "ISO"],
            ["default_transaction_read_only", "on"],
        ]
        .as_flattened()
        {
            start.extend_from_slice(text.as_bytes());
            start.push(0);
        }
        start.push(0);
        session.send(None, &start)?;
        session.authenticate(address)?;
        session.until_ready()?;
        Ok(session)
    }

    /// Show who one is, as the server asks for it.
    fn authenticate(&mut self, address: &Address) -> Result<()> {
        let secret = || {
            password(address).ok_or_else(|| {
                Error::params(format!("the server asks for the password of '{}'", address.user))
                    .hint(
                        "say it in the variable PGPASSWORD, or in the file ~/.pgpass, which its \
                         owner alone may read (chmod 600)",
                    )
            })
        };
        let mut scram = None;
        loop {
            let message = self.expect(b"R")?;
            let (code, rest) = message.body.split_at_checked(4).ok_or_else(damaged)?;
            let text = || String::from_utf8_lossy(rest);
            match u32::from_be_bytes(code.try_into().map_err(|_| damaged())?) {
                0 => return Ok(()),
                3 => self.send(Some(b'p'), &[secret()?.as_bytes(), &[0]].concat())?,
                10 if text().split('\0').any(|name| name == "SCRAM-SHA-256") => {
                    let begun = Scram::new(&secret()?)?;
                    let first = begun.first();
                    let length = (first.len() as u32).to_be_bytes();
                    let all = [b"SCRAM-SHA-256\0".as_slice(), &length, first.as_bytes()].concat();
                    self.send(Some(b'p'), &all)?;
                    scram = Some(begun);
                }
                11 => {
                    let begun = scram.as_mut().ok_or_else(damaged)?;
                    let last = begun.last(&text())?;
                    self.send(Some(b'p'), last.as_bytes())?;
                }
                12 => scram.as_ref().ok_or_else(damaged)?.check(&text())?,
                5 => {
                    return Err(Error::unsupported("the server asks for an MD5 password").hint(
                        "MD5 is broken: set password_encryption = 'scram-sha-256' there and the \
                         password anew, or export the table with psql: \\copy people to \
                         'people.csv' csv header",
                    ));
                }
                _ => {
                    return Err(Error::unsupported(
                        "the server wants to be shown in another way who asks",
                    )
                    .hint(
                        "it takes a password (SCRAM-SHA-256) or trusts its own machine; or export \
                         the table with psql: \\copy people to 'people.csv' csv header",
                    ));
                }
            }
        }
    }

    /// Pass on what a statement copies out. More than one statement is an error of the server.
    pub(super) fn copy(
        &mut self,
        statement: &str,
        take: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let parse = [&[0], statement.as_bytes(), &[0, 0, 0]].concat();
        self.send(Some(b'P'), &parse)?;
        // No name, no parameters; all rows.
        self.send(Some(b'B'), &[0; 8])?;
        self.send(Some(b'E'), &[0; 5])?;
        self.send(Some(b'S'), &[])?;
        let mut is_copy = false;
        loop {
            let message = self.receive()?;
            match message.letter {
                b'H' => is_copy = true,
                b'd' => take(&message.body)?,
                b'E' => return Err(said(&message.body)),
                b'Z' if is_copy => return Ok(()),
                b'Z' => return Err(damaged()),
                _ => {}
            }
        }
    }

    /// Say goodbye. What is lost then was no data.
    pub(super) fn close(mut self) {
        let _ = self.send(Some(b'X'), &[]);
    }

    fn until_ready(&mut self) -> Result<()> {
        loop {
            let message = self.receive()?;
            match message.letter {
                b'Z' => return Ok(()),
                b'E' => return Err(said(&message.body)),
                _ => {}
            }
        }
    }

    fn expect(&mut self, letters: &[u8]) -> Result<Message> {
        let message = self.receive()?;
        match message.letter {
            letter if letters.contains(&letter) => Ok(message),
            b'E' => Err(said(&message.body)),
            _ => Err(damaged()),
        }
    }

    fn send(&mut self, letter: Option<u8>, body: &[u8]) -> Result<()> {
        let mut all: Vec<u8> = letter.into_iter().collect();
        all.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        all.extend_from_slice(body);
        self.way.get_mut().write_all(&all).map_err(|error| broken(&error))
    }

    fn receive(&mut self) -> Result<Message> {
        let mut head = [0; 5];
        self.way.read_exact(&mut head).map_err(|error| broken(&error))?;
        let [letter, length @ ..] = head;
        let length = (u32::from_be_bytes(length) as usize).checked_sub(4).ok_or_else(damaged)?;
        if length > LONGEST {
            return Err(damaged());
        }
        let mut body = Vec::new();
        let read = self.way.by_ref().take(length as u64).read_to_end(&mut body);
        match read.map_err(|error| broken(&error))? {
            n if n == length => Ok(Message { letter, body }),
            _ => Err(broken(&io::ErrorKind::UnexpectedEof.into())),
        }
    }
}

fn connect(address: &Address) -> io::Result<Box<dyn Way>> {
    #[cfg(unix)]
    if address.is_socket() {
        let way = std::os::unix::net::UnixStream::connect(address.socket())?;
        return Ok(Box::new(way));
    }
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "this host has no address");
    for place in (address.host.as_str(), address.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, PATIENCE) {
            Ok(way) => {
                way.set_nodelay(true)?;
                return Ok(Box::new(way));
            }
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn unreachable(address: &Address, error: &io::Error) -> Error {
    let place = match address.is_socket() {
        true => address.socket().display().to_string(),
        false => format!("{}:{}", address.host, address.port),
    };
    Error::new(ErrorKind::Io, format!("no server answers at {place}: {error}"))
        .hint("is it running, and are host and port right? postgresql://user@host:port/database")
}

fn broken(error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the connection to the server broke: {error}"))
}

fn damaged() -> Error {
    Error::input("this server doesn't speak as PostgreSQL does")
}

/// An error of the server, in its words.
fn said(body: &[u8]) -> Error {
    let mut fields = [(b'C', String::new()), (b'M', String::new()), (b'H', String::new())];
    for field in body.split(|byte| *byte == 0) {
        let Some((letter, text)) = field.split_first() else { continue };
        if let Some((_, known)) = fields.iter_mut().find(|(known, _)| known == letter) {
            *known = String::from_utf8_lossy(text).into_owned();
        }
    }
    let [code, message, hint] = fields.map(|(_, text)| text);
    let error = Error::input(format!("the server says: {message}"));
    match code.as_str() {
        "28P01" | "28000" => error.hint(
            "is the user right, and the password in PGPASSWORD or ~/.pgpass? A server that wants \
             an encrypted connection isn't asked: export the table with psql",
        ),
        "3D000" => error.hint("'psql -l' lists the databases"),
        "25006" => error.hint("data are only read: name a table, or a query that changes nothing"),
        _ if !hint.is_empty() => error.hint(hint),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A server that says what it is told, whatever it is asked.
    fn scripted(script: Vec<(u8, Vec<u8>)>) -> (Address, std::thread::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut way, _) = listener.accept().unwrap();
            let mut length = [0; 4];
            way.read_exact(&mut length).unwrap();
            let mut start = vec![0; u32::from_be_bytes(length) as usize - 4];
            way.read_exact(&mut start).unwrap();
            let start = String::from_utf8_lossy(&start);
            assert!(start.contains("user\0ada\0") && start.contains("read_only\0on\0"), "{start}");
            for (letter, body) in script {
                let length = (body.len() as u32 + 4).to_be_bytes();
                way.write_all(&[&[letter], length.as_slice(), &body].concat()).unwrap();
            }
            // Until the other side is done.
            let _ = io::copy(&mut way, &mut io::sink());
        });
        let host = "127.0.0.1".to_string();
        (Address { host, port, user: "ada".into(), database: "clinic".into() }, server)
    }

    #[test]
    fn rows_are_copied_and_errors_are_said() {
        let ready = || (b'Z', vec![b'I']);
        let welcome = || vec![(b'R', vec![0; 4]), (b'S', b"a\0b\0".to_vec()), ready()];
        let mut script = welcome();
        script.push((b'1', Vec::new()));
        script.push((b'H', vec![0; 3]));
        script.push((b'd', b"name,age\n".to_vec()));
        script.push((b'd', b"Ada,36\n".to_vec()));
        script.push((b'c', Vec::new()));
        script.push(ready());
        script.push((b'E', b"SERROR\0C42P01\0Mno such table\0\0".to_vec()));
        let (address, server) = scripted(script);
        let mut session = Session::open(&address).unwrap();
        let mut sent = Vec::new();
        let mut take = |bytes: &[u8]| {
            sent.extend_from_slice(bytes);
            Ok(())
        };
        session.copy("copy people to stdout", &mut take).unwrap();
        let error = session.copy("copy nobody to stdout", &mut take).unwrap_err();
        assert_eq!(error.message, "the server says: no such table");
        session.close();
        server.join().unwrap();
        assert_eq!(sent, b"name,age\nAda,36\n");
    }

    #[test]
    fn what_no_server_says_is_refused() {
        for (script, message) in [
            (vec![(b'R', vec![0, 0, 0, 5, 1, 2, 3, 4])], "MD5"),
            (vec![(b'R', vec![0, 0, 0, 7])], "in another way"),
            (vec![(b'R', vec![0])], "doesn't speak"),
            (vec![(b'Q', vec![0])], "doesn't speak"),
            (vec![(b'E', b"C3D000\0Mno database\0\0".to_vec())], "no database"),
        ] {
            let (address, server) = scripted(script);
            let error = Session::open(&address).err().unwrap();
            assert!(error.message.contains(message), "{error}");
            server.join().unwrap();
        }
        let nowhere = Address {
            host: "/nowhere".into(),
            port: 1,
            user: "ada".into(),
            database: "clinic".into(),
        };
        let error = Session::open(&nowhere).err().unwrap();
        assert!(error.message.contains("no server answers at /nowhere/.s.PGSQL.1"), "{error}");
    }
}
