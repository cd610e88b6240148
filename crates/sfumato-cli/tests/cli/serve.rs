//! `sfumato serve`: asked over HTTP by another process, by friends and by others.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Folder;

/// A server, stopped when its test ends, and somebody who was let in.
pub struct Served {
    pub child: Child,
    pub host: String,
    token: String,
    cookie: String,
    csrf: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer.
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    pub fn code(&self) -> u64 {
        self.json()["error"]["exit_code"].as_u64().unwrap()
    }
}

/// Send bytes and read what comes, if the server still listens.
pub fn send(host: &str, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(host).unwrap();
    // Whoever is refused early may find the door closed while still talking.
    let _ = stream.write_all(bytes);
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let text = String::from_utf8_lossy(&all).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let (head, mut body) = (head.to_ascii_lowercase(), body.to_string());
    if head.contains("transfer-encoding: chunked") {
        body = unchunked(&body);
    }
    Answer { status, head, body }
}

fn unchunked(body: &str) -> String {
    let (mut rest, mut out) = (body, String::new());
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || after.len() < size {
            break;
        }
        out.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    out
}

fn start(folder: &Folder, words: &str) -> Served {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sfumato"))
        .current_dir(folder.path(""))
        .args(format!("serve . --port 0 --print-address {words}").split_whitespace())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap().to_string();
    let (host, token) = address.split_once("/open?token=").unwrap();
    let (host, token) = (host.to_string(), token.to_string());
    Served { child, host, token, cookie: String::new(), csrf: String::new() }
}

pub fn entered(folder: &Folder, words: &str) -> Served {
    let mut served = start(folder, words);
    let path = format!("/open?token={}", served.token);
    let opened = served.ask_plainly("GET", &path, "", "");
    assert_eq!(opened.status, 303, "{}", opened.head);
    let cookie = opened.head.split("set-cookie: ").nth(1).unwrap();
    served.cookie = cookie.split(';').next().unwrap().to_string();
    let session = served.get("/api/v1/session").json();
    served.csrf = session["csrf"].as_str().unwrap().to_string();
    served
}

impl Served {
    /// Ask with these headers and no others.
    pub fn ask_plainly(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = &self.host;
        let n = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-length: {n}\r\n{headers}\r\n{body}"
        );
        send(host, text.as_bytes())
    }

    pub fn known(&self) -> String {
        format!("cookie: {}\r\nx-sfumato-csrf: {}\r\n", self.cookie, self.csrf)
    }

    pub fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        self.ask_plainly(method, path, &self.known(), body)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", &format!("/api/v1/{path}"), &body.to_string())
    }

    /// Start a task, wait for its end, and give its state.
    pub fn done(&self, path: &str, body: &Value) -> Value {
        let begun = self.post(path, body);
        assert_eq!(begun.status, 202, "{}", begun.body);
        let id = begun.json()["id"].as_str().unwrap().to_string();
        let events = self.get(&format!("/api/v1/jobs/{id}/events"));
        assert!(events.body.contains("event: end"), "{}", events.body);
        self.get(&format!("/api/v1/jobs/{id}")).json()
    }
}

pub fn job(k: u64) -> Value {
    json!({
        "input": { "path": "people.csv" },
        "columns": {
            "name": { "role": "identifier" }, "age": { "role": "quasi" },
            "zip": { "role": "quasi", "hierarchy": "mask(from=right)" },
            "illness": { "role": "sensitive" },
        },
        "privacy": { "models": [format!("k-anonymity(k={k})")] },
        "output": { "path": "out.csv" },
        "run": { "seed": 7 },
    })
}

pub fn people() -> Folder {
    let folder = Folder::new();
    let mut text = String::from("name,age,zip,illness\n");
    for n in 0..120 {
        let illness = ["flu", "cough", "ulcer"][n % 3];
        text += &format!("P{n},{},1{:04},{illness}\n", 20 + (n * 7) % 50, (n * 37) % 90 * 10);
    }
    folder.write("people.csv", text);
    folder
}

#[test]
fn an_address_opens_once_and_strangers_get_nothing() {
    let folder = people();
    let served = entered(&folder, "");
    assert!(served.get("/").body.contains("/assets/main.js"));
    let again = format!("/open?token={}", served.token);
    assert_eq!(served.ask_plainly("GET", &again, "", "").status, 401);
    // Whoever is in already comes in again.
    assert_eq!(served.ask("GET", &again, "").status, 303);
    for path in ["/", "/api/v1/session", "/api/v1/files/people.csv", "/api/v1/openapi.json"] {
        let refused = served.ask_plainly("GET", path, "", "");
        assert_eq!(refused.status, 401, "{path}");
        assert!(!refused.body.contains("csrf\":\"") && !refused.body.contains("flu"), "{path}");
    }
    let wrong = format!("cookie: {}0\r\n", &served.cookie[..served.cookie.len() - 1]);
    let is_wrong = !served.cookie.ends_with('0');
    assert!(!is_wrong || served.ask_plainly("GET", "/", &wrong, "").status == 401);
}

#[test]
fn every_described_route_is_there_and_closed() {
    let folder = people();
    let served = entered(&folder, "");
    let described = served.get("/api/v1/openapi.json").json();
    let mut routes = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        let path = path.replace("{id}", "none").replace("{name}", "none");
        for method in methods.as_object().unwrap().keys().map(|method| method.to_uppercase()) {
            let stranger = served.ask_plainly(&method, &path, "", "{}");
            assert_eq!(stranger.status, 401, "{method} {path}");
            let friend = served.ask(&method, &path, "{}");
            assert_ne!(friend.status, 405, "{method} {path}");
            assert!(!friend.body.contains("there is nothing here"), "{method} {path}");
            assert!(friend.status < 500, "{method} {path}: {}", friend.body);
            routes += 1;
        }
    }
    assert!(routes > 18, "{routes}");
    assert_eq!(served.get("/api/v1/other").status, 404);
}

#[test]
fn pages_of_others_are_refused() {
    let folder = people();
    let served = entered(&folder, "");
    let known = served.known();
    let with = |more: &str| format!("{known}{more}\r\n");
    let asked = |headers: &str| {
        served.ask_plainly("POST", "/api/v1/look", headers, "{\"path\":\"people.csv\"}")
    };
    assert_eq!(asked(&known).status, 200);
    let own = format!("origin: http://{}", served.host);
    assert_eq!(asked(&with(&own)).status, 200);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost"] {
        assert_eq!(asked(&with(&format!("origin: {origin}"))).status, 403, "{origin}");
    }
    assert_eq!(asked(&with("sec-fetch-site: cross-site")).status, 403);
    assert_eq!(asked(&with("sec-fetch-site: same-site")).status, 403);
    // A cookie alone changes nothing.
    assert_eq!(asked(&format!("cookie: {}\r\n", served.cookie)).status, 403);
    let wrong = format!("cookie: {}\r\nx-sfumato-csrf: 1\r\n", served.cookie);
    assert_eq!(asked(&wrong).status, 403);
    // Another name that leads here (DNS rebinding).
    let cookie = &served.cookie;
    let named = format!(
        "GET / HTTP/1.1\r\nhost: evil.example\r\ncookie: {cookie}\r\nconnection: close\r\n\r\n"
    );
    assert_eq!(send(&served.host, named.as_bytes()).status, 421);
}

#[test]
fn answers_keep_pages_from_running_what_is_in_data() {
    let folder = Folder::new();
    let script = "<script>alert(1)</script>";
    let rows: String = (0..30).map(|n| format!("{},{script}{n}\n", 20 + n % 5)).collect();
    folder.write("evil.csv", format!("age,<img src=x onerror=alert(2)>\n{rows}"));
    folder.write("evil.html", script);
    let served = entered(&folder, "");
    for path in ["/", "/assets/main.js", "/api/v1/files/evil.html", "/api/v1/files"] {
        let answer = served.get(path);
        let policy = answer.head.split("content-security-policy: ").nth(1).unwrap();
        let policy = policy.lines().next().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(answer.head.contains("x-content-type-options: nosniff"), "{path}");
    }
    // A file is saved, never shown.
    let file = served.get("/api/v1/files/evil.html");
    assert!(file.head.contains("content-disposition: attachment"), "{}", file.head);
    assert!(file.head.contains("content-type: application/octet-stream"), "{}", file.head);
    let preview = served.post("preview", &json!({ "job": { "input": { "path": "evil.csv" } } }));
    assert!(preview.head.contains("content-type: application/json"), "{}", preview.head);
    let columns = preview.json()["columns"].as_array().unwrap().len();
    assert_eq!(columns, 2, "{}", preview.body);
    // The report of such data has it as text, in a page that can do nothing.
    let evil = json!({
        "input": { "path": "evil.csv" },
        "columns": { "age": { "role": "quasi" },
            "<img src=x onerror=alert(2)>": { "role": "quasi" } },
        "privacy": { "models": ["k-anonymity(k=3)"] }, "output": { "path": "out.csv" },
    });
    let done = served.done("jobs", &json!({ "job": evil }));
    assert_eq!(done["state"], "done", "{done}");
    let id = done["id"].as_str().unwrap();
    let report = served.get(&format!("/api/v1/jobs/{id}/pages/report.html"));
    assert!(!report.body.contains("<script") && !report.body.contains("<img src=x"));
    assert!(report.head.contains("sandbox"), "{}", report.head);
}

#[test]
fn nothing_outside_the_folder_is_read_or_written() {
    let outer = Folder::new();
    outer.write("secret.csv", "age\n1\n2\n");
    std::fs::create_dir(outer.path("inner")).unwrap();
    outer.write("inner/people.csv", "age\n1\n2\n1\n2\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink(outer.path("secret.csv"), outer.path("inner/link.csv")).unwrap();
    let folder = outer.path("inner").display().to_string();
    let mut child = Command::new(env!("CARGO_BIN_EXE_sfumato"))
        .args(["serve", &folder, "--port", "0", "--print-address"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap().to_string();
    let (host, token) = address.split_once("/open?token=").unwrap();
    let mut served = Served {
        child,
        host: host.into(),
        token: token.into(),
        cookie: String::new(),
        csrf: String::new(),
    };
    let opened = served.ask_plainly("GET", &format!("/open?token={}", served.token), "", "");
    let cookie = opened.head.split("set-cookie: ").nth(1).unwrap();
    served.cookie = cookie.split(';').next().unwrap().to_string();
    served.csrf = served.get("/api/v1/session").json()["csrf"].as_str().unwrap().to_string();

    let listed = served.get("/api/v1/files");
    assert!(listed.body.contains("people.csv") && !listed.body.contains("link.csv"));
    let outside = outer.path("secret.csv").display().to_string();
    for name in ["..%2fsecret.csv", "%2e%2e/secret.csv", "link.csv", "..%2f..%2f..%2fetc%2fpasswd"]
    {
        let path = format!("/api/v1/files/{name}");
        assert!([404, 422].contains(&served.get(&path).status), "{name}");
        assert!([404, 422].contains(&served.ask("PUT", &path, "x").status), "{name}");
    }
    assert_eq!(outer.text("secret.csv"), "age\n1\n2\n");
    for path in ["../secret.csv", "link.csv", "people.csv/../../secret.csv", &outside, "-"] {
        let input = json!({ "job": { "input": { "path": path } } });
        for route in ["preview", "rows", "explain", "explore"] {
            let answer = served.post(route, &input);
            assert_eq!((answer.status, answer.code()), (422, 2), "{route} {path}");
        }
        assert_eq!(served.post("look", &json!({ "path": path })).code() % 3, 2, "{path}");
        let audit = json!({ "job": {}, "release": path });
        assert!([422, 404].contains(&served.post("audit", &audit).status) || path == "-");
        for key in ["path", "report", "public_report", "recoding"] {
            let mut output = json!({ "path": "out.csv" });
            output[key] = json!(if path == "link.csv" { "link.csv" } else { path });
            let job = json!({ "input": { "path": "people.csv" },
                "columns": { "age": { "role": "quasi" } }, "output": output });
            let answer = served.post("jobs", &json!({ "job": job, "force": true }));
            assert!(answer.status == 422 || path == "-", "{key} {path}: {}", answer.body);
        }
    }
    assert_eq!(outer.text("secret.csv"), "age\n1\n2\n");
}

#[test]
fn uploads_have_a_limit_and_leave_nothing_half() {
    let folder = people();
    let served = entered(&folder, "--max-upload 100KiB");
    let fine = served.ask("PUT", "/api/v1/files/new/small.csv", "a\n1\n");
    assert_eq!(fine.status, 201, "{}", fine.body);
    assert_eq!(folder.text("new/small.csv"), "a\n1\n");
    assert_eq!(served.ask("PUT", "/api/v1/files/new/small.csv", "b\n").status, 409);
    let replacing = format!("{}x-replace: yes\r\n", served.known());
    let replaced = served.ask_plainly("PUT", "/api/v1/files/new/small.csv", &replacing, "b\n");
    assert_eq!((replaced.status, folder.text("new/small.csv").as_str()), (201, "b\n"));
    assert_eq!(served.ask("PUT", "/api/v1/files/.hidden", "x").code(), 2);
    // One that says how large it is, and one that doesn't.
    let (host, known) = (&served.host, served.known());
    let said = format!(
        "PUT /api/v1/files/huge.csv HTTP/1.1\r\nhost: {host}\r\n{known}connection: close\r\n\
         content-length: 99999999999\r\n\r\nxxx"
    );
    let answer = send(host, said.as_bytes());
    assert_eq!((answer.status, answer.code()), (413, 4));
    let piece = format!("ffff\r\n{}\r\n", "x".repeat(0xffff));
    let unsaid = format!(
        "PUT /api/v1/files/huge.csv HTTP/1.1\r\nhost: {host}\r\n{known}connection: close\r\n\
         transfer-encoding: chunked\r\n\r\n{piece}{piece}{piece}0\r\n\r\n"
    );
    send(host, unsaid.as_bytes());
    let names: Vec<_> = std::fs::read_dir(folder.path("")).unwrap().flatten().collect();
    assert_eq!(names.len(), 2, "{names:?}");
    let long = "x".repeat(5 << 20);
    let large = served.ask("POST", "/api/v1/job", &format!("{{\"toml\":\"{long}\"}}"));
    assert!([413, 0].contains(&large.status), "{}", large.status);
    assert_eq!(served.get("/api/v1/files").status, 200);
}

#[test]
fn slow_and_many_connections_keep_nobody_waiting() {
    let folder = people();
    let served = entered(&folder, "");
    let begun = Instant::now();
    let mut silent = TcpStream::connect(&served.host).unwrap();
    let mut slow = TcpStream::connect(&served.host).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
    let many: Vec<_> = (0..200).map(|_| TcpStream::connect(&served.host).unwrap()).collect();
    let answers: Vec<Answer> = many
        .into_iter()
        .map(|mut stream| {
            let (host, known) = (&served.host, served.known());
            let text = format!(
                "GET /api/v1/session HTTP/1.1\r\nhost: {host}\r\n{known}connection: close\r\n\r\n"
            );
            stream.write_all(text.as_bytes()).unwrap();
            let mut body = String::new();
            stream.read_to_string(&mut body).unwrap();
            Answer { status: body[9..12].parse().unwrap(), head: String::new(), body }
        })
        .collect();
    assert!(answers.iter().all(|answer| answer.status == 200));
    // Whoever says nothing, or not enough, is cut off.
    for stream in [&mut silent, &mut slow] {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    }
    assert!(begun.elapsed() < Duration::from_secs(19), "{:?}", begun.elapsed());
}

#[test]
fn a_run_is_that_of_the_command_line() {
    let folder = people();
    let served = entered(&folder, "");
    let shown = served.post("job", &json!({ "job": job(4) })).json();
    let toml = shown["toml"].as_str().unwrap();
    assert_eq!(served.post("job", &json!({ "toml": toml })).json()["job"], shown["job"]);
    let done = served.done("jobs", &json!({ "job": job(4) }));
    assert_eq!(done["state"], "done", "{done}");
    let own = folder.bytes("out.csv");
    let report = &done["result"]["report"];
    assert_eq!(report["guarantees"][0]["holds"], true);
    assert!(!done.to_string().contains(&folder.path("").display().to_string()), "paths are short");
    folder.write("release.toml", toml);
    let run = folder.run("run release.toml --force --json");
    assert_eq!((run.code, folder.bytes("out.csv") == own), (0, true), "{}", run.stderr);
    let by_hand: Value = serde_json::from_str(&run.stdout).unwrap();
    for key in ["guarantees", "metrics", "risks", "classes", "suppressed", "sample"] {
        assert_eq!(report[key], by_hand[key], "{key}");
    }
    // What is there is replaced only if that is said.
    let again = served.post("jobs", &json!({ "job": job(4) }));
    assert_eq!((again.status, again.code()), (409, 2));
    // Pages of the run, and the file itself.
    let id = done["id"].as_str().unwrap();
    for page in done["pages"].as_array().unwrap() {
        let path = format!("/api/v1/jobs/{id}/pages/{}", page.as_str().unwrap());
        assert_eq!(served.get(&path).status, 200, "{page}");
    }
    let public = served.get(&format!("/api/v1/jobs/{id}/pages/public-report.json"));
    assert!(!public.body.contains("\"sample\"") && !public.body.contains("\"seed\": 7"));
    assert_eq!(served.get("/api/v1/files/out.csv").body.as_bytes(), own);
    // The studies and the adversaries.
    let audited = served.done("audit", &json!({ "job": job(4), "release": "out.csv" }));
    assert_eq!(audited["result"]["holds"], true, "{audited}");
    let asked = json!({ "job": job(4), "release": "out.csv", "original": "people.csv",
        "attacks": ["record-linkage"] });
    let learnt = served.done("attack", &asked);
    assert!(learnt["result"]["attacks"][0]["rate"].as_f64().unwrap() <= 0.25, "{learnt}");
    let asked = json!({ "job": job(4), "ks": [2, 8], "sample": 50, "lattice": true });
    let explored = served.done("explore", &asked);
    assert!(explored["pages"].to_string().contains("lattice.svg"), "{explored}");
    assert_eq!(explored["result"]["rows"], 50, "{explored}");
    assert_eq!(explored["result"]["sampled_from"], 120);
    let planned = served.done("explain", &json!({ "job": job(4) }));
    assert!(planned["result"]["words"].as_str().unwrap().contains("k-anonymity"), "{planned}");
    let mut coarser = job(12);
    coarser["output"]["path"] = "coarser.csv".into();
    assert_eq!(served.done("jobs", &json!({ "job": coarser }))["state"], "done");
    let pair = json!({ "releases": ["out.csv", "coarser.csv"], "original": "people.csv",
        "job": job(4) });
    let compared = served.done("compare", &pair);
    assert_eq!(compared["result"]["releases"].as_array().unwrap().len(), 2, "{compared}");
}

#[test]
fn errors_are_those_of_the_command_line_and_have_no_cells() {
    let folder = people();
    let served = entered(&folder, "");
    let infeasible = served.done("jobs", &json!({ "job": job(500) }));
    assert_eq!(
        (&infeasible["state"], &infeasible["error"]["exit_code"]),
        (&json!("failed"), &json!(3))
    );
    assert!(!folder.path("out.csv").exists(), "nothing is written");
    for (path, value) in
        [("models", json!(["k-anonimity(k=3)"])), ("models", json!(["k-anonymity"]))]
    {
        let mut wrong = job(3);
        wrong["privacy"][path] = value;
        let failed = served.done("jobs", &json!({ "job": wrong }));
        assert_eq!(failed["error"]["exit_code"], 2, "{failed}");
    }
    folder.write("torn.csv", "age,zip\n31,\"10117\n");
    let torn = served.post("preview", &json!({ "job": { "input": { "path": "torn.csv" } } }));
    assert_eq!((torn.status, torn.code()), (422, 2), "{}", torn.body);
    assert!(!torn.body.contains("10117"), "{}", torn.body);
    assert_eq!(torn.json()["error"]["file"], "torn.csv");
    let gone = served.post("preview", &json!({ "job": { "input": { "path": "gone.csv" } } }));
    assert_eq!((gone.status, gone.code()), (404, 5), "{}", gone.body);
    let guesses = "[input]\npath = \"people.csv\"\n[columns]\n# CHECK look\n\
        age = { role = \"quasi\" }\n[privacy]\nmodels = []\n[output]\npath = \"o.csv\"\n";
    let unlooked = served.done("jobs", &json!({ "toml": guesses }));
    assert_eq!(unlooked["error"]["exit_code"], 2, "{unlooked}");
    for text in ["", "[", "7", "{\"job\": []}"] {
        assert_eq!(served.ask("POST", "/api/v1/job", text).code(), 2, "{text}");
    }
}

#[test]
fn a_task_that_is_stopped_leaves_nothing() {
    let folder = Folder::new();
    let rows: String =
        (0..60_000u64).map(|n| format!("{},{}\n", n * 7919 % 90, n * 104_729 % 9973)).collect();
    folder.write("people.csv", format!("age,zip\n{rows}"));
    let served = entered(&folder, "");
    let slow = json!({ "input": { "path": "people.csv" },
        "columns": { "age": { "role": "quasi" }, "zip": { "role": "quasi" } },
        "privacy": { "models": ["k-anonymity(k=5)"] }, "recode": { "algorithm": "k-member" },
        "output": { "path": "out.csv" } });
    let begun = served.post("jobs", &json!({ "job": slow })).json();
    let id = begun["id"].as_str().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(served.get(&format!("/api/v1/jobs/{id}")).json()["state"], "running");
    assert_eq!(served.ask("DELETE", &format!("/api/v1/jobs/{id}"), "").status, 202);
    let events = served.get(&format!("/api/v1/jobs/{id}/events"));
    assert!(events.body.contains("\"state\":\"cancelled\""), "{}", events.body);
    let left: Vec<_> = std::fs::read_dir(folder.path("")).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(served.ask("DELETE", "/api/v1/jobs/none", "").status, 404);
}

#[test]
fn others_come_in_by_a_password_only() {
    let folder = people();
    folder.write("short.txt", "hush\n");
    folder.write("password.txt", "a long password & more\n");
    let open = "serve . --listen 0.0.0.0:0 --print-address";
    assert_eq!(folder.run(open).code, 2);
    assert_eq!(folder.run(&format!("{open} --password-file short.txt")).code, 2);
    assert_eq!(folder.run("serve nowhere --port 0").code, 5);
    let mut child = Command::new(env!("CARGO_BIN_EXE_sfumato"))
        .current_dir(folder.path(""))
        .args(format!("{open} --password-file password.txt --host box.example").split(' '))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.split("0.0.0.0:").nth(1).unwrap().split('/').next().unwrap();
    let host = format!("127.0.0.1:{port}");
    let served =
        Served { child, host, token: String::new(), cookie: String::new(), csrf: String::new() };
    let login = |body: &str| served.ask_plainly("POST", "/login", "", body);
    assert!(served.ask_plainly("GET", "/", "", "").body.contains("type=\"password\""));
    assert_eq!(login("password=wrong").status, 401);
    assert_eq!(login("").status, 401);
    let entered = login("password=a+long+password+%26+more");
    assert_eq!(entered.status, 303, "{}", entered.head);
    for (name, status) in [("box.example", 401), ("10.1.2.3", 401), ("evil.example", 421)] {
        let text = format!("GET / HTTP/1.1\r\nhost: {name}\r\nconnection: close\r\n\r\n");
        assert_eq!(send(&served.host, text.as_bytes()).status, status, "{name}");
    }
}

#[test]
fn whatever_is_sent_is_answered_by_the_description() {
    let folder = people();
    let served = entered(&folder, "");
    let described = served.get("/api/v1/openapi.json").json();
    let strange = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("\u{0}../x"),
        json!("(((("),
        json!([[[]]]),
        json!({ "input": { "path": 7 } }),
        json!({ "input": { "path": "people.csv" }, "columns": { "age": { "role": "quasi",
            "hierarchy": { "interval": { "width": 0, "levels": -3 } } } }, "output": { "path": "o" }
        }),
    ];
    let mut tried = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        let schema =
            &methods["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"];
        let Some(keys) = schema.as_object() else { continue };
        for key in keys.keys() {
            for value in &strange {
                let mut body = json!({ "job": job(3), "release": "people.csv", "path": "people.csv",
                    "original": "people.csv", "column": "age", "how": "interval(width=5)",
                    "releases": ["people.csv", "people.csv"], "force": true });
                body[key] = value.clone();
                let answer = served.ask("POST", path, &body.to_string());
                let is_described = answer.status == 429
                    || !methods["post"]["responses"][answer.status.to_string()].is_null()
                    || answer.status == 404;
                assert!(is_described, "{path} {body}: {} {}", answer.status, answer.body);
                if answer.status >= 400 {
                    assert!(answer.json()["error"]["message"].is_string(), "{path} {body}");
                }
                tried += 1;
                // Tasks that began are stopped: what they find isn't the question here.
                if answer.status == 202 {
                    let id = answer.json()["id"].as_str().unwrap().to_string();
                    served.ask("DELETE", &format!("/api/v1/jobs/{id}"), "");
                }
            }
        }
    }
    assert!(tried > 200, "{tried}");
    let tasks = served.get("/api/v1/jobs").json();
    for task in tasks["jobs"].as_array().unwrap() {
        assert_ne!(task["error"]["exit_code"], 70, "{task}");
    }
}
