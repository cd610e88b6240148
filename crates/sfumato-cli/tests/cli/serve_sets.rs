//! `sfumato serve-sets`: asked over HTTP by another process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::support::Folder;

/// The service, stopped when its test ends.
struct Service {
    child: Child,
    address: String,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(folder: &Folder, words: &str) -> Service {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sfumato"))
        .current_dir(folder.path(""))
        .args(words.split_whitespace())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some((_, after)) = line.split_once("http://") {
            address = after.split('/').next().unwrap().to_string();
            break;
        }
    }
    assert!(!address.is_empty(), "the service says where it listens");
    Service { child, address }
}

/// The status and the body of an answer.
fn ask(service: &Service, key: &str) -> (u16, String) {
    ask_as(service, key, &service.address)
}

/// The same, with another name in the header `Host`.
fn ask_as(service: &Service, key: &str, host: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    write!(stream, "GET /sets/{key} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.to_ascii_lowercase().contains("cache-control: no-store"), "{head}");
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_string())
}

fn items(body: &str) -> Vec<String> {
    let json: serde_json::Value = serde_json::from_str(body).unwrap();
    json["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item.as_str().unwrap().to_string())
        .collect()
}

const BASKETS: &str = "ann,bread,milk,salt\nbob,bread,milk\ncid,bread,milk,tea\ndot,tea,salt\n\
    eve,tea,salt\nfay,tea\n";

#[test]
fn answers_and_their_union_are_held_by_k_records() {
    let folder = Folder::new();
    folder.write("baskets.csv", BASKETS);
    let words = "serve-sets baskets.csv --baskets lines(separator=comma,key=true) -k 3 --keep 0.6 \
        --secret secret.txt --listen 127.0.0.1:0";
    let service = start(&folder, words);
    let records: Vec<Vec<&str>> =
        BASKETS.lines().map(|line| line.split(',').skip(1).collect()).collect();
    let holders = |items: &[String]| {
        records
            .iter()
            .filter(|record| items.iter().all(|item| record.contains(&item.as_str())))
            .count()
    };
    let mut union: Vec<String> = Vec::new();
    for _ in 0..40 {
        let (status, body) = ask(&service, "ann");
        assert_eq!(status, 200);
        let answer = items(&body);
        assert!(holders(&answer) >= 3, "{answer:?}");
        union.extend(answer);
    }
    assert!(holders(&union) >= 3 && !union.is_empty(), "{union:?}");
    assert_eq!(ask(&service, "gus"), (404, "{\"error\":\"no record has this key\"}".into()));
    // Another start with the same secret stays within the same set.
    drop(service);
    let again = start(&folder, words);
    for _ in 0..20 {
        union.extend(items(&ask(&again, "ann").1));
    }
    assert!(holders(&union) >= 3, "{union:?}");
    assert_eq!(folder.names(), ["baskets.csv", "secret.txt"], "nothing is logged");
}

#[test]
fn other_names_get_nothing_and_silent_connections_are_cut_off() {
    let folder = Folder::new();
    folder.write("baskets.csv", BASKETS);
    let words = "serve-sets baskets.csv --baskets lines(separator=comma,key=true) -k 3 \
        --listen 127.0.0.1:0";
    let service = start(&folder, words);
    assert_eq!(ask(&service, "ann").0, 200);
    for host in ["evil.example", "evil.example:7878", "127.0.0.1.evil.example"] {
        let (status, body) = ask_as(&service, "ann", host);
        assert_eq!(status, 421, "{host}");
        assert!(!body.contains("items"), "{body}");
    }
    // One says nothing, one begins a request, one asks and then waits: all are closed.
    let begun = std::time::Instant::now();
    let says = [
        "",
        "GET /sets/ann HTTP/1.1\r\nhost: ",
        "GET /sets/ann HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
    ];
    let streams = says.map(|says| {
        let mut stream = TcpStream::connect(&service.address).unwrap();
        stream.write_all(says.as_bytes()).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(40))).unwrap();
        stream
    });
    for mut stream in streams {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).expect("the service closes the connection");
    }
    assert!(begun.elapsed().as_secs() < 40, "{:?}", begun.elapsed());
    assert_eq!(ask(&service, "ann").0, 200);
}

#[cfg(unix)]
#[test]
fn a_secret_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    folder.write("baskets.csv", BASKETS);
    folder.write("secret.txt", "ab".repeat(32));
    let path = folder.path("secret.txt");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let outcome = folder.run(
        "serve-sets baskets.csv --baskets lines(separator=comma,key=true) -k 3 --secret secret.txt",
    );
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("others can read or change"), "{}", outcome.stderr);
}

#[test]
fn nobody_else_can_be_served() {
    let folder = Folder::new();
    folder.write("baskets.csv", BASKETS);
    let form = "--baskets lines(separator=comma,key=true)";
    for (words, code, says) in [
        (
            format!("serve-sets baskets.csv {form} -k 2 --listen 0.0.0.0:0"),
            2,
            "can be reached from elsewhere",
        ),
        (format!("serve-sets baskets.csv {form} -k 2 --listen here"), 2, "an address and a port"),
        (format!("serve-sets baskets.csv {form} -k 7"), 3, "there are 6 records"),
        (format!("serve-sets baskets.csv {form} -k 2 --keep 0"), 2, "keep must be above 0"),
    ] {
        let outcome = folder.run(&words);
        assert_eq!(outcome.code, code, "{}", outcome.stderr);
        assert!(outcome.stderr.contains(says), "{}", outcome.stderr);
    }
    folder.write("twice.csv", "ann,a\nann,a\n");
    let twice = folder.run(&format!("serve-sets twice.csv {form} -k 2"));
    assert!(twice.code == 2 && twice.stderr.contains("record 2 has a key"), "{}", twice.stderr);
}
