//! Daemons as processes of their own on loopback ports.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sfumato_collab::coordinator::{Coordinator, release};
use sfumato_collab::daemon::serve;
use sfumato_collab::job::Agreement;
use sfumato_collab::transport::identity::{CERTIFICATE, PEERS, make};
use sfumato_core::{ErrorKind, Result};

use crate::support::{Folder, sorted};
use crate::vertical::{pooled, two_holders};

/// The variable that says which folder a child serves.
const CHILD: &str = "SFUMATO_COLLAB_TEST_HOLDER";
const LISTEN: &str = "SFUMATO_COLLAB_TEST_LISTEN";

/// In a child of the other tests this is the daemon. By itself it sees that nothing is served that
/// isn't there.
#[test]
fn a_daemon_needs_a_holder() {
    let folder = std::env::var(CHILD).map(PathBuf::from);
    let listen = std::env::var(LISTEN).ok();
    let given = folder.is_ok();
    let nowhere = tempfile::tempdir().unwrap();
    let folder = folder.unwrap_or(nowhere.path().to_path_buf());
    let served: Result<()> = serve(&folder, listen.as_deref(), |_| {});
    assert!(!given, "{served:?}");
    assert_eq!(served.unwrap_err().kind, ErrorKind::Io);
}

/// A daemon that ends with the test.
struct Daemon(Child);

impl Daemon {
    fn start(folder: &Path, port: u16) -> Self {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "daemon::a_daemon_needs_a_holder"])
            .env(CHILD, folder)
            .env(LISTEN, format!("127.0.0.1:{port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Daemon(child)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Ports that are free now.
fn ports(n: usize) -> Vec<u16> {
    let held: Vec<TcpListener> =
        (0..n).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    held.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}

/// Keys for all, and everybody's certificate with everybody.
fn introduce(folder: &Folder, names: &[&str]) {
    for name in names.iter().chain(&["requester"]) {
        make(&folder.path().join(name)).unwrap();
    }
    for own in names.iter().chain(&["requester"]) {
        for other in names.iter().chain(&["requester"]).filter(|other| *other != own) {
            let from = folder.path().join(other).join(CERTIFICATE);
            let to = folder.path().join(own).join(PEERS).join(format!("{other}.pem"));
            fs::copy(from, to).unwrap();
        }
    }
}

const MODEL: &str = "\"multi-k-anonymity(qids=[Sex+Job, Sex+Salary], k=[4, 11])\"";

fn agreement(folder: &Folder, ports: &[u16], scores: &str, timeout: &str) -> Agreement {
    let text = format!(
        "[collaboration]\npartitioned = \"vertical\"\nid = \"SSN\"\ntarget = \"Class\"\n\
         scores = \"{scores}\"\ntimeout = \"{timeout}\"\n\
         order = [\"Sex\", \"Job\", \"Salary\", \"Class\"]\n\
         [[holder]]\nname = \"loan\"\naddress = \"127.0.0.1:{}\"\n\
         [[holder]]\nname = \"bank\"\naddress = \"127.0.0.1:{}\"\n\
         [privacy]\nmodels = [{MODEL}]\n[output]\npath = \"release.csv\"\n\
         [requester]\nfolder = \"requester\"\n",
        ports[0], ports[1]
    );
    Agreement::parse(&text, "JOB.toml", folder.path()).unwrap()
}

fn released(folder: &Folder, agreement: &Agreement) -> Vec<String> {
    let parts = Coordinator::new(agreement).unwrap().run().unwrap();
    release(agreement, &parts).unwrap();
    let text = fs::read_to_string(folder.path().join("release.csv")).unwrap();
    sorted(text.lines().skip(1))
}

#[test]
fn daemons_release_what_one_table_would() {
    let folder = two_holders();
    introduce(&folder, &["loan", "bank"]);
    let ports = ports(2);
    let _daemons = [("loan", 0), ("bank", 1)]
        .map(|(name, at)| Daemon::start(&folder.path().join(name), ports[at]));
    let rows = released(&folder, &agreement(&folder, &ports, "secret", "60s"));
    assert_eq!(rows, pooled(&folder));
    // What was revealed stays written down; what a session needed doesn't.
    let log = fs::read_to_string(folder.path().join("bank/revealed.jsonl")).unwrap();
    assert!(log.lines().any(|line| line.contains("Blue-collar")));
    assert!(!log.contains("Janitor"));
    let left = fs::read_dir(folder.path().join("bank/sessions")).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn a_daemon_that_is_killed_again_and_again_goes_on() {
    let folder = two_holders();
    introduce(&folder, &["loan", "bank"]);
    let ports = ports(2);
    let _loan = Daemon::start(&folder.path().join("loan"), ports[0]);
    let job = agreement(&folder, &ports, "secret", "120s");
    let bank = folder.path().join("bank");
    let rows = std::thread::scope(|scope| {
        let running = scope.spawn(|| released(&folder, &job));
        let mut deaths = 0;
        let mut daemon = Daemon::start(&bank, ports[1]);
        while !running.is_finished() && deaths < 6 {
            std::thread::sleep(Duration::from_millis(700));
            drop(daemon);
            deaths += 1;
            daemon = Daemon::start(&bank, ports[1]);
        }
        assert!(deaths > 0);
        let rows = running.join().unwrap();
        drop(daemon);
        rows
    });
    assert_eq!(rows, pooled(&folder));
}

#[test]
fn a_holder_that_is_gone_ends_the_run_in_time() {
    let folder = two_holders();
    introduce(&folder, &["loan", "bank"]);
    let ports = ports(2);
    let _loan = Daemon::start(&folder.path().join("loan"), ports[0]);
    let job = agreement(&folder, &ports, "clear", "2s");
    let began = std::time::Instant::now();
    let error = Coordinator::new(&job).unwrap().run().unwrap_err();
    assert!(error.message.contains("bank can't be reached"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(30));
    assert!(!folder.path().join("release.csv").exists());
}

#[test]
fn a_stranger_is_told_nothing() {
    let folder = two_holders();
    introduce(&folder, &["loan", "bank"]);
    make(&folder.path().join("stranger")).unwrap();
    let known = folder.path().join("loan").join(CERTIFICATE);
    fs::copy(known, folder.path().join("stranger").join(PEERS).join("loan.pem")).unwrap();
    let ports = ports(2);
    let _loan = Daemon::start(&folder.path().join("loan"), ports[0]);
    let mut job = agreement(&folder, &ports, "clear", "3s");
    job.requester.folder = Some("stranger".into());
    let error = Coordinator::new(&job).unwrap().offers().unwrap_err();
    assert_eq!(error.kind, ErrorKind::Io, "{error}");
    // The requester is known, and is told.
    job.requester.folder = Some("requester".into());
    job.holder.truncate(1);
    let offers = Coordinator::new(&job).unwrap().offers().unwrap();
    assert_eq!(offers[0].holder, "loan");
}

#[test]
fn a_policy_is_kept() {
    let folder = two_holders();
    introduce(&folder, &["loan", "bank"]);
    let file = folder.path().join("bank/holder.toml");
    let text = fs::read_to_string(&file).unwrap() + "[policy]\nmin_k = 5\n";
    fs::write(&file, text).unwrap();
    let ports = ports(2);
    let _daemons = [("loan", 0), ("bank", 1)]
        .map(|(name, at)| Daemon::start(&folder.path().join(name), ports[at]));
    let error =
        Coordinator::new(&agreement(&folder, &ports, "clear", "30s")).unwrap().run().unwrap_err();
    assert!(error.message.contains("bank takes part for k of at least 5"), "{error}");
}
