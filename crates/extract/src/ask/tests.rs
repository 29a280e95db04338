//! A server of our own that behaves as its sections are named.

use super::*;
use crate::answer::tests::{completion, rule_json};
use crate::{SamplesFile, draft, plan};
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;
use lictor_contract::source::Source;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What was asked so far: behaviour, and how often.
type Seen = Arc<Mutex<BTreeMap<String, usize>>>;

/// Serves on a free port; gives the address and what is seen.
async fn serve() -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let seen = Seen::default();
    let shared = seen.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, shared.clone()));
        }
    });
    (address, seen)
}

async fn answer(mut stream: TcpStream, seen: Seen) {
    let request = read(&mut stream).await;
    let behaviour = request
        .split_once("section of the policy: \\\"")
        .and_then(|(_, rest)| rest.split_once('\\'))
        .map_or("unknown", |(name, _)| name)
        .to_owned();
    let time = {
        let mut seen = seen.lock().unwrap();
        let count = seen.entry(behaviour.clone()).or_default();
        *count += 1;
        *count
    };
    let good = || {
        completion(
            &serde_json::json!({"rules": [rule_json("Pay little.", 2)], "no_rule": []}).to_string(),
        )
    };
    let choice = |choice: Json| serde_json::json!({"choices": [choice]});
    let error =
        serde_json::json!({"error": {"message": "no", "type": "t", "param": null, "code": null}});
    let (status, header, body) = match (behaviour.as_str(), time) {
        ("limited", 1) => (
            "429 Too Many Requests",
            "Retry-After: 1\r\n",
            error.to_string(),
        ),
        ("shaky", 1 | 2) | ("down", _) => ("500 Internal Server Error", "", "oops".to_owned()),
        ("plain", 1 | 2) => ("429 Too Many Requests", "", "slow down".to_owned()),
        ("bad", _) => ("400 Bad Request", "", error.to_string()),
        ("locked", _) => ("401 Unauthorized", "", error.to_string()),
        ("poor", _) => {
            let error =
                serde_json::json!({"error": {"message": "no", "type": "insufficient_quota"}});
            ("429 Too Many Requests", "", error.to_string())
        }
        ("silent", _) => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            return;
        }
        ("nonsense", _) => ("200 OK", "", completion("I think so").to_string()),
        ("torn", _) => ("200 OK", "", "{\"choices\": [".to_owned()),
        ("cut", _) => {
            let cut = choice(
                serde_json::json!({"finish_reason": "length", "message": {"content": "{\"rul"}}),
            );
            ("200 OK", "", cut.to_string())
        }
        ("shy", _) => {
            let refusal =
                choice(serde_json::json!({"message": {"content": null, "refusal": "I will not"}}));
            ("200 OK", "", refusal.to_string())
        }
        ("empty", _) => ("200 OK", "", "{\"choices\": []}".to_owned()),
        _ => ("200 OK", "", good().to_string()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\n{header}Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all((head + &body).as_bytes()).await;
}

/// Reads one request whole.
async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_ascii_lowercase()
                        .strip_prefix("content-length:")
                        .map(str::trim)
                        .map(str::to_owned)
                })
                .map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        match stream.read(&mut part).await {
            Ok(0) | Err(_) => return text,
            Ok(count) => bytes.extend_from_slice(part.get(..count).unwrap()),
        }
    }
}

/// One run against the server of `address`.
struct Trial {
    plan: Plan,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Trial {
    fn new(behaviours: &[&str]) -> Trial {
        let text: String = behaviours
            .iter()
            .map(|it| format!("## {it}\nPay little.\n"))
            .collect();
        let catalog = Catalog::from_json(r#"[{"name": "pay"}]"#).unwrap();
        let folder = tempfile::tempdir().unwrap();
        Trial {
            plan: plan(&Source::new("p.md", text), &catalog, 1).unwrap(),
            path: folder.path().join("p.samples.jsonl"),
            _folder: folder,
        }
    }

    async fn run(&self, address: &str) -> Result<AskReport, AskError> {
        let mut endpoint = Endpoint::new(address, "sk-secret", "a-model").unwrap();
        endpoint.pauses = vec![Duration::from_millis(50); 2];
        endpoint.timeout = Duration::from_millis(1500);
        let mut sink = SamplesSink::open(&self.path).unwrap();
        ask(&self.plan, &mut sink, &endpoint, &|_| ()).await
    }

    fn file(&self) -> String {
        std::fs::read_to_string(&self.path).unwrap()
    }
}

#[tokio::test]
async fn every_answer_is_kept_and_failed_ones_are_asked_again() {
    let (address, seen) = serve().await;
    let names = [
        "good", "limited", "shaky", "plain", "bad", "nonsense", "torn", "cut", "shy", "empty",
    ];
    let trial = Trial::new(&names);
    let report = trial.run(&address).await.unwrap();
    assert_eq!((report.asked, report.answered), (10, 4));
    let reason = |name: &str| {
        let section = names.iter().position(|it| *it == name).unwrap();
        let failed = report
            .failed
            .iter()
            .find(|(request, _)| request.section == section);
        failed.map(|(_, reason)| reason.clone()).unwrap()
    };
    assert!(reason("bad").contains("400: `no`"), "{}", reason("bad"));
    assert!(reason("nonsense").contains("no JSON"));
    assert!(reason("torn").contains("no answer"));
    assert!(reason("cut").contains("was cut"));
    assert!(reason("shy").contains("refused: I will not"));
    assert!(reason("empty").contains("no choices"));
    let count = |name: &str| seen.lock().unwrap().get(name).copied();
    assert_eq!(
        (count("limited"), count("shaky"), count("bad")),
        (Some(2), Some(3), Some(1))
    );

    let text = trial.file();
    assert_eq!(text.lines().count(), 10);
    assert!(!text.contains("sk-secret") && !text.contains("section of the policy"));
    let (samples, notes) = SamplesFile::read(&text).unwrap();
    assert_eq!(notes, [""; 0]);
    let (draft, findings) = draft(&trial.plan, &samples);
    assert_eq!(draft.candidates.len(), 4);
    assert_eq!(
        findings
            .iter()
            .filter(|it| it.code == Code::FailedSample)
            .count(),
        6
    );

    let again = trial.run(&address).await.unwrap();
    assert_eq!((again.asked, again.answered), (6, 0));
    assert_eq!((count("good"), count("shy")), (Some(1), Some(2)));
}

#[tokio::test]
async fn what_fails_for_all_ends_the_run() {
    let (address, seen) = serve().await;
    let locked = Trial::new(&["locked", "locked", "locked", "locked", "locked", "locked"]);
    let error = locked.run(&address).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("401: `no`; check OPENAI_API_KEY"),
        "{error}"
    );
    assert!(
        seen.lock()
            .unwrap()
            .get("locked")
            .is_some_and(|count| *count <= 4)
    );

    let poor = Trial::new(&["poor"]);
    assert!(matches!(
        poor.run(&address).await,
        Err(AskError::Refused { .. })
    ));

    let down = Trial::new(&["down", "down", "down", "down", "down"]);
    let error = down.run(&address).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("gives no answer: the server answered 500"),
        "{error}"
    );
    assert_eq!(down.file().lines().count(), 3);
}

#[tokio::test]
async fn a_silent_server_and_a_dead_one_are_given_up() {
    let (address, _) = serve().await;
    let silent = Trial::new(&["silent"]);
    let report = silent.run(&address).await.unwrap();
    assert!(report.failed[0].1.contains("in time"));

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let dead = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let start = Instant::now();
    let trial = Trial::new(&["good", "good"]);
    let error = trial.run(&dead).await.unwrap_err();
    assert!(matches!(error, AskError::Unreachable { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(trial.file(), "");
}

#[tokio::test]
async fn progress_counts_up() {
    let (address, _) = serve().await;
    let trial = Trial::new(&["good", "shy", "good"]);
    let endpoint = Endpoint::new(&address, "", "a-model").unwrap().parallel(1);
    let mut sink = SamplesSink::open(&trial.path).unwrap();
    let steps = Mutex::new(Vec::new());
    let tell = |progress: Progress| {
        steps
            .lock()
            .unwrap()
            .push((progress.done, progress.total, progress.failure.is_some()))
    };
    ask(&trial.plan, &mut sink, &endpoint, &tell).await.unwrap();
    assert_eq!(
        *steps.lock().unwrap(),
        [(0, 3, false), (1, 3, false), (2, 3, true), (3, 3, false)]
    );
}
