//! `sfumato serve --certificate`: encrypted, asked by a client that trusts its certificate alone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, crypto::ring, version::TLS13,
};

use crate::serve::{people, send};
use crate::support::Folder;

/// A server, stopped when its test ends.
struct Encrypted {
    child: Child,
    host: String,
    token: String,
    certificate: CertificateDer<'static>,
}

impl Drop for Encrypted {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn certificate(folder: &Folder, name: &str) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_string()]).unwrap();
    folder.write(&format!("{name}.pem"), made.cert.pem());
    folder.write(&format!("{name}.key"), made.signing_key.serialize_pem());
    made.cert.der().clone()
}

fn start(folder: &Folder, words: &str) -> Encrypted {
    let certificate = certificate(folder, "own");
    let mut child = Command::new(env!("CARGO_BIN_EXE_sfumato"))
        .current_dir(folder.path(""))
        .args("serve . --print-address --certificate own.pem --key own.key".split(' '))
        .args(words.split(' '))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("https://").unwrap();
    let (host, token) = address.split_once("/open?token=").unwrap();
    let host = host.replace("0.0.0.0", "127.0.0.1");
    Encrypted { child, host, token: token.into(), certificate }
}

impl Encrypted {
    /// Send bytes through a connection that trusts one certificate.
    fn send(&self, trusted: &CertificateDer<'static>, text: &str) -> std::io::Result<String> {
        let mut roots = RootCertStore::empty();
        roots.add(trusted.clone()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&TLS13])
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        let talk = ClientConnection::new(Arc::new(config), name).unwrap();
        let mut stream = StreamOwned::new(talk, TcpStream::connect(&self.host)?);
        stream.write_all(text.as_bytes())?;
        let mut all = Vec::new();
        // A server needn't say goodbye.
        let ended = stream.read_to_end(&mut all);
        if all.is_empty() {
            ended?;
        }
        Ok(String::from_utf8_lossy(&all).into_owned())
    }

    fn get(&self, path: &str, headers: &str) -> String {
        let host = &self.host;
        let text =
            format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n");
        self.send(&self.certificate, &text).unwrap()
    }
}

#[test]
fn an_encrypted_server_is_a_server() {
    let folder = people();
    let served = start(&folder, "--port 0");
    assert!(served.get("/api/v1/session", "").starts_with("HTTP/1.1 401"));
    let opened = served.get(&format!("/open?token={}", served.token), "");
    assert!(opened.starts_with("HTTP/1.1 303"), "{opened}");
    let cookie = opened.split("set-cookie: ").nth(1).unwrap().lines().next().unwrap();
    assert!(cookie.ends_with("; Secure"), "{cookie}");
    let known = format!("cookie: {}\r\n", cookie.split(';').next().unwrap());
    assert!(served.get("/api/v1/session", &known).contains("\"csrf\":\""));
    // A page of the same name that isn't encrypted is another origin.
    let own = format!("{known}origin: https://{}\r\n", served.host);
    assert!(served.get("/api/v1/session", &own).starts_with("HTTP/1.1 200"));
    let plain = format!("{known}origin: http://{}\r\n", served.host);
    assert!(served.get("/api/v1/session", &plain).starts_with("HTTP/1.1 403"));
}

#[test]
fn what_is_not_encrypted_is_not_answered() {
    let folder = people();
    let served = start(&folder, "--port 0");
    let plain = send(&served.host, b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert_eq!(plain.status, 0, "{}", plain.body);
    // Another certificate isn't that of this server.
    let other = certificate(&folder, "other");
    let refused = served.send(&other, "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert!(refused.is_err(), "{refused:?}");
    // Whoever connects and never agrees on a key is cut off.
    let begun = Instant::now();
    let mut silent = TcpStream::connect(&served.host).unwrap();
    silent.set_read_timeout(Some(Duration::from_secs(25))).unwrap();
    let mut rest = Vec::new();
    let _ = silent.read_to_end(&mut rest);
    assert!(rest.is_empty() && begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn others_come_in_by_a_certificate_and_the_address() {
    let folder = people();
    let open = "serve . --listen 0.0.0.0:0 --print-address";
    assert_eq!(folder.run(open).code, 2);
    let served = start(&folder, "--listen 0.0.0.0:0");
    assert!(served.get("/", "").starts_with("HTTP/1.1 401"));
    let opened = served.get(&format!("/open?token={}", served.token), "");
    assert!(opened.starts_with("HTTP/1.1 303"), "{opened}");
}

#[test]
fn a_certificate_that_cannot_serve_is_refused_before_anybody_comes() {
    let folder = people();
    certificate(&folder, "one");
    certificate(&folder, "other");
    for (words, code) in [
        ("--certificate one.pem --key other.key", 2),
        ("--certificate people.csv --key one.key", 2),
        ("--certificate one.pem --key people.csv", 2),
        ("--certificate one.pem --key gone.key", 5),
        ("--certificate one.pem", 2),
        ("--key one.key", 2),
    ] {
        let refused = folder.run(&format!("serve . --port 0 {words}"));
        assert_eq!(refused.code, code, "{words}: {}", refused.stderr);
        assert!(!refused.stderr.contains("panicked"), "{}", refused.stderr);
    }
}
