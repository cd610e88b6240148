//! `sfumato serve`, beside the way from a file to a release: ledgers, pictures of other kinds,
//! clusters, guarding nodes, runs that broke off, and looks at large files.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::serve::{Served, entered, job, people, send};
use crate::support::Folder;

#[test]
fn a_ledger_is_begun_used_and_judged() {
    let folder = people();
    let served = entered(&folder, "");
    assert_eq!(served.get("/api/v1/ledgers").json()["ledgers"], json!([]));
    let begun = served.post("ledgers", &json!({ "path": "all.ledger" }));
    assert_eq!(begun.status, 201, "{}", begun.body);
    assert_eq!(served.post("ledgers", &json!({ "path": "all.ledger" })).status, 409);
    assert_eq!(served.post("ledgers", &json!({ "path": "../x.ledger" })).code(), 2);
    let strict = json!({ "path": "strict.ledger", "models": ["bcf-anonymity(k=3)"] });
    assert_eq!(served.post("ledgers", &strict).status, 201);
    let unknown = json!({ "path": "b.ledger", "models": ["bcf-anonimity(k=3)"] });
    assert_eq!(served.post("ledgers", &unknown).code(), 2);
    let named = json!(["all.ledger", "strict.ledger"]);
    assert_eq!(served.get("/api/v1/ledgers").json()["ledgers"], named);
    let looked = served.post("ledger", &json!({ "path": "strict.ledger" })).json();
    assert!(looked["models"][0].as_str().unwrap().starts_with("bcf-anonymity(k=3"), "{looked}");
    for (k, path) in [(4, "out.csv"), (8, "again.csv")] {
        let mut recorded = job(k);
        recorded["ledger"] = json!({ "path": "all.ledger" });
        recorded["output"]["path"] = path.into();
        let done = served.done("jobs", &json!({ "job": recorded }));
        assert_eq!(done["state"], "done", "{done}");
    }
    let looked = served.post("ledger", &json!({ "path": "all.ledger" })).json();
    assert_eq!(looked["releases"][0]["files"], "there", "{looked}");
    assert_eq!(looked["releases"][1]["path"], "again.csv");
    assert_eq!((&looked["holds"], looked["lines"].as_array().unwrap().len()), (&json!(true), 5));
    // A model that can't hold is found not to, as on the command line.
    let model = "bcf-anonymity(k=100)";
    let looked = served.post("ledger", &json!({ "path": "all.ledger", "models": [model] })).json();
    assert_eq!(looked["holds"], false, "{looked}");
    let check = folder.run(&format!("ledger check all.ledger --model {model} --json"));
    let by_hand: Value = serde_json::from_str(&check.stdout).unwrap();
    assert_eq!(looked["guarantees"], by_hand["guarantees"]);
    assert_eq!(looked["head"], by_hand["head"]);
    // A release that was changed is found to be.
    folder.write("out.csv", "changed\n");
    let looked = served.post("ledger", &json!({ "path": "all.ledger" })).json();
    assert_eq!(looked["releases"][0]["files"], "changed");
    // A line that was changed makes it no ledger.
    let text = folder.text("all.ledger").replace("\"rows\":120", "\"rows\":121");
    folder.write("all.ledger", text);
    assert_eq!(served.post("ledger", &json!({ "path": "all.ledger" })).code(), 2);
    assert_eq!(served.post("ledger", &json!({ "path": "people.csv" })).code(), 2);
}

#[test]
fn a_ledger_does_not_lead_out_of_the_folder() {
    let outer = people();
    outer.succeed("ledger init all.ledger");
    let roles = "--qi age,zip --identifier name --sensitive illness -k 2 --ledger all.ledger";
    outer.succeed(&format!("anonymize people.csv -o outside.csv {roles}"));
    let inner = Folder::new();
    inner.write("moved.ledger", outer.text("all.ledger"));
    let served = entered(&inner, "");
    let looked = served.post("ledger", &json!({ "path": "moved.ledger" })).json();
    assert_eq!(looked["releases"][0]["files"], "outside", "{looked}");
    // One that was announced there and isn't confirmed would have to be looked for there.
    let text = outer.text("all.ledger");
    let announced: Vec<&str> = text.lines().take(2).collect();
    inner.write("pending.ledger", announced.join("\n") + "\n");
    let refused = served.post("ledger", &json!({ "path": "pending.ledger" }));
    assert_eq!((refused.status, refused.code()), (422, 2), "{}", refused.body);
    assert!(refused.body.contains("outside the folder"), "{}", refused.body);
}

#[test]
fn every_kind_has_its_picture() {
    let folder = Folder::new();
    let many = |n: u32, line: fn(u32) -> String| (0..n).map(line).collect::<String>();
    folder.write("edges.txt", many(120, |i| format!("{} {}\n", i % 40, (i * 7 + 3) % 40)));
    folder.write("baskets.dat", many(80, |i| format!("bread milk i{}\n", i % 5)));
    let points = many(180, |i| format!("p{},{},{}\n", i % 60, i % 4, i / 60));
    folder.write("points.csv", format!("person,place,time\n{points}"));
    let fixes = many(60, |i| format!("t{},{},{},{}\n", i % 6, i % 10, i / 10, i / 6));
    folder.write("tracks.csv", format!("who,x,y,t\n{fixes}"));
    folder.write("notes.jsonl", "{\"text\": \"\u{1f600} write to ann@example.org today\"}\n");
    let served = entered(&folder, "");
    let ask = |path: &str, section: &str, keys: Value| {
        let mut job = json!({ "input": { "path": path } });
        job[section] = keys;
        let seen = served.post("shape", &json!({ "job": job }));
        assert_eq!(seen.status, 200, "{}", seen.body);
        seen.json()
    };
    let graph = ask("edges.txt", "graph", json!({ "layout": "edges" }));
    assert_eq!((graph["n"].as_u64(), graph["is_whole"].as_bool()), (Some(40), Some(true)));
    let drawn = graph["edges"].as_array().unwrap().len() as u64;
    assert_eq!(graph["n_edges"].as_u64(), Some(drawn));
    assert_eq!(graph["dots"].as_array().unwrap().len(), 40);
    let baskets = ask("baskets.dat", "baskets", json!({ "layout": "lines" }));
    assert_eq!(baskets["items"][0], json!(["bread", 80]), "{baskets}");
    assert_eq!((&baskets["n_items"], &baskets["n_positions"]), (&json!(7), &json!(240)));
    let layout = "points(id=person, place=place, time=time)";
    let paths = ask("points.csv", "paths", json!({ "layout": layout }));
    assert_eq!((&paths["shape"], &paths["n"]), (&json!("places"), &json!(60)));
    let visits: u64 =
        paths["places"].as_array().unwrap().iter().map(|p| p[1].as_u64().unwrap()).sum();
    assert_eq!(visits, 180);
    let layout = "track(id=who, x=x, y=y, time=t)";
    let tracks = ask("tracks.csv", "paths", json!({ "layout": layout }));
    assert_eq!((&tracks["shape"], &tracks["n"]), (&json!("map"), &json!(6)), "{tracks}");
    assert_eq!(tracks["tracks"][0].as_array().unwrap().len(), 10);
    let text = ask("notes.jsonl", "text", json!({ "layout": "field=text", "detect": ["default"] }));
    let [from, to] = [0, 1].map(|at| text["documents"][0]["spans"][0][at].as_u64().unwrap());
    let letters: Vec<u16> = text["documents"][0]["text"].as_str().unwrap().encode_utf16().collect();
    let marked = String::from_utf16(&letters[from as usize..to as usize]).unwrap();
    assert_eq!(marked, "ann@example.org", "places count letters as JavaScript does");
    // A table has another preview, and what doesn't parse says so.
    let table = served.post("shape", &json!({ "job": { "input": { "path": "points.csv" } } }));
    assert_eq!(table.code(), 2, "{}", table.body);
    let torn = json!({ "job": { "input": { "path": "edges.txt" },
        "graph": { "layout": "gml" } } });
    assert_eq!(served.post("shape", &torn).code(), 2);
}

#[test]
fn clusters_go_from_where_they_were_to_where_they_are() {
    let folder = people();
    let served = entered(&folder, "");
    let asked = json!({ "job": job(4), "clusters": 3, "sample": 60 });
    let found = served.done("clusters", &asked);
    assert_eq!(found["state"], "done", "{found}");
    let result = &found["result"];
    assert_eq!((&result["rows"], &result["sampled_from"]), (&json!(60), &json!(120)));
    let number = &result["numbers"][0];
    let best = &number["arms"][number["best"].as_u64().unwrap() as usize];
    let cells = best["both"].as_array().unwrap();
    let records: u64 = cells.iter().map(|cell| cell[2].as_u64().unwrap()).sum();
    assert_eq!(best["figures"]["compared"].as_u64(), Some(records));
    let mut of: Vec<u64> = vec![0; 3];
    for cell in cells {
        of[cell[0].as_u64().unwrap() as usize] += cell[2].as_u64().unwrap();
    }
    of.sort_unstable_by(|a, b| b.cmp(a));
    if best["figures"]["suppressed"] == 0 {
        assert_eq!(number["sizes"], json!(of));
    }
    for clusters in [0, 1, 31] {
        let wrong = json!({ "job": job(4), "clusters": clusters });
        assert_eq!(served.post("clusters", &wrong).code(), 2);
    }
    let of_sets = json!({ "job": { "input": { "path": "people.csv" },
        "baskets": { "layout": "lines" } } });
    assert_eq!(served.post("clusters", &of_sets).code(), 2);
}

#[test]
fn a_person_picks_a_guarding_node_and_the_release_keeps_it() {
    let folder = people();
    folder.write("illness.csv", "flu;lungs;*\ncough;lungs;*\nulcer;belly;*\n");
    let served = entered(&folder, "");
    let input = json!({ "input": { "path": "people.csv" } });
    let choose = |who: &str, node: &str| {
        served.post(
            "guards",
            &json!({ "job": input, "key": "name", "who": who,
            "column": "illness", "how": "file(path=illness.csv)", "node": node }),
        )
    };
    let chosen = choose("P7", "lungs");
    assert_eq!(chosen.json()["guarded"], 2, "{}", chosen.body);
    assert_eq!(choose(" P3 ", "ulcer").json()["guarded"], 1);
    assert_eq!(choose("P3", "belly").json()["guarded"], 1);
    assert_eq!(choose("P5", "").json()["guarded"], 0);
    // Nobody is told another's choice, and what isn't there is refused.
    assert!(!choose("P9", "*").body.contains("P7"));
    assert_eq!(choose("P1000", "lungs").code(), 2);
    assert_eq!(choose("", "lungs").code(), 2);
    assert_eq!(choose("P7", "heart").code(), 2);
    assert_eq!(choose("P9", "").status, 200);
    let text = folder.text("guards-people.csv");
    assert_eq!(text, "name,guard\nP3,belly\nP5,\nP7,lungs\nP9,\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let about = std::fs::metadata(folder.path("guards-people.csv")).unwrap();
        assert_eq!(about.permissions().mode() & 0o077, 0, "only its owner reads it");
    }
    let joined = served.post("guards/join", &json!({ "job": input, "key": "name" })).json();
    assert_eq!((&joined["rows"], &joined["guarded"]), (&json!(120), &json!(2)), "{joined}");
    let data = folder.text("with-guards-people.csv");
    assert!(data.starts_with("name,age,zip,illness,guard\n"), "{data}");
    assert_eq!(data.lines().nth(8).map(|line| line.ends_with(",lungs")), Some(true), "{data}");
    let mut guarded = job(3);
    guarded["input"]["path"] = "with-guards-people.csv".into();
    guarded["columns"]["guard"] = json!({ "role": "guard" });
    guarded["columns"]["illness"] = json!({ "role": "sensitive",
        "hierarchy": "file(path=illness.csv)" });
    let models = json!(["k-anonymity(k=3)", "personalized-privacy(breach=0.9, on=illness)"]);
    guarded["privacy"]["models"] = models;
    guarded["privacy"]["max_suppression"] = "10%".into();
    let done = served.done("jobs", &json!({ "job": guarded }));
    assert_eq!(done["state"], "done", "{done}");
    let held = done["result"]["report"]["guarantees"].as_array().unwrap();
    assert!(held.iter().any(|one| one["model"] == "personalized-privacy" && one["holds"] == true));
    assert!(!folder.text("out.csv").contains("lungs"), "what somebody asked isn't published");
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_run_that_broke_off_goes_on_with_the_next_server() {
    let folder = Folder::new();
    let row = |n: u64| format!("{},{},{}\n", n * 7919 % 90, n * 104_729 % 9973, n * 31 % 7);
    folder
        .write("people.csv", format!("age,zip,pay\n{}", (0..120_000).map(row).collect::<String>()));
    let job = json!({ "input": { "path": "people.csv" },
        "columns": { "age": { "role": "quasi" }, "zip": { "role": "quasi" },
            "pay": { "role": "sensitive" } },
        "privacy": { "models": ["k-anonymity(k=5)"] }, "run": { "memory": "64MiB", "seed": 3 },
        "output": { "path": "out.csv" } });
    let served = entered(&folder, "");
    let id = served.post("jobs", &json!({ "job": job })).json()["id"].as_str().unwrap().to_string();
    let state = |served: &Served| served.get(&format!("/api/v1/jobs/{id}")).json();
    wait_until("it runs", || state(&served)["step"].is_string());
    assert_eq!(state(&served)["state"], "running");
    // Killed, not asked to end: nothing is cleared up.
    drop(served);
    assert!(!folder.path("out.csv").exists());
    let next = entered(&folder, "");
    let left = state(&next);
    assert_eq!((&left["state"], &left["title"]), (&json!("broken"), &json!("out.csv")), "{left}");
    assert_eq!(left["can_resume"], true);
    // A third server of the folder sees it, too: nobody is at work on it.
    let going = next.post(&format!("jobs/{id}/resume"), &json!({}));
    assert_eq!(going.status, 202, "{}", going.body);
    assert_eq!(state(&next)["error"]["kind"], "input", "it is another task now");
    let other = going.json()["id"].as_str().unwrap().to_string();
    next.get(&format!("/api/v1/jobs/{other}/events"));
    let done = next.get(&format!("/api/v1/jobs/{other}")).json();
    assert_eq!(done["state"], "done", "{}", done["error"]);
    let own = folder.bytes("out.csv");
    // Neither a note nor a part of the data is left.
    assert!(!folder.path(".sfumato-serve").exists());
    assert_eq!(next.post(&format!("jobs/{other}/resume"), &json!({})).code(), 2);
    // The bytes are those of a run that nobody broke off.
    let whole = next.done("jobs", &json!({ "job": job, "force": true }));
    assert_eq!(whole["state"], "done", "{}", whole["error"]);
    assert!(folder.bytes("out.csv") == own, "the same bytes");
}

#[test]
fn a_run_that_broke_off_can_be_dismissed() {
    let folder = people();
    std::fs::create_dir(folder.path(".sfumato-serve")).unwrap();
    let note = json!({ "title": "out.csv", "began": 1, "request": { "toml": "[input]\n" } });
    folder.write(".sfumato-serve/0123456789abcdef.json", note.to_string());
    folder.write(".sfumato-serve/0123456789abcdee.json", "{");
    let served = entered(&folder, "");
    let tasks = served.get("/api/v1/jobs").json()["jobs"].as_array().unwrap().clone();
    assert_eq!((tasks.len(), &tasks[0]["state"]), (1, &json!("broken")), "{tasks:?}");
    // A job that was tampered with is checked like any other.
    assert_eq!(served.post("jobs/0123456789abcdef/resume", &json!({})).code(), 2);
    assert_eq!(served.ask("DELETE", "/api/v1/jobs/0123456789abcdef", "").status, 202);
    assert_eq!(served.get("/api/v1/jobs").json()["jobs"], json!([]));
    assert!(!folder.path(".sfumato-serve/0123456789abcdef.json").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_look_at_a_large_file_reads_little_of_it_and_from_all_over() {
    let folder = Folder::new();
    let n = 3_000_000u32;
    let mut text = String::from("row,town,late\n");
    for i in 0..n {
        let late = if i > n / 2 { "yes" } else { "no" };
        text += &format!("{i},town {},{late}\n", i % 9);
    }
    folder.write("large.csv", &text);
    let served = entered(&folder, "");
    let read = || -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/io", served.child.id())).unwrap();
        text.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
    };
    let before = read();
    let seen = served.post("preview", &json!({ "job": { "input": { "path": "large.csv" } } }));
    assert_eq!(seen.status, 200, "{}", seen.body);
    // The part is copied, and the copy read: with all that is around it less than half of the file.
    let bytes = read() - before;
    assert!(bytes < text.len() as u64 / 2, "{bytes} of {}", text.len());
    let seen = seen.json();
    assert_eq!(seen["part"]["of"], text.len());
    assert_eq!(seen["columns"][2]["distinct"], 2, "what comes late is seen: {}", seen["columns"]);
}

#[test]
fn a_body_that_comes_slowly_is_cut_off() {
    let folder = people();
    let served = entered(&folder, "");
    let begun = Instant::now();
    let (host, known) = (&served.host, served.known());
    // Fifty bytes are promised, five come, and then nothing.
    let text = format!(
        "PUT /api/v1/files/slow.csv HTTP/1.1\r\nhost: {host}\r\n{known}connection: close\r\n\
         content-length: 50\r\n\r\nhello"
    );
    let answer = send(host, text.as_bytes());
    assert_eq!(answer.status, 408, "{}", answer.body);
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    let names: Vec<_> = std::fs::read_dir(folder.path("")).unwrap().flatten().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}
