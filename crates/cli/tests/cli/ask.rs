//! Asking a model through the binary: a server on this machine that speaks the
//! chat-completions protocol and answers every request alike.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is not as it should be"
)]

use crate::support::Desk;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const POLICY: &str = "# Desk\n\nA refund is at most 10.\n";
const TOOLS: &str = r#"[{"name": "refund", "x-write": true, "parameters": {"required": ["amount"],
    "properties": {"amount": {"type": "number"}}}}]"#;
const ANSWER: &str = r#"{"rules": [{"quote": "A refund is at most 10.", "lines": [3, 3], "kind": "precondition",
    "tools": ["refund"], "condition": "arg.amount <= 10", "first": null, "keys": [], "at_most": null,
    "trigger": null, "other_tools": [], "listed": [], "assumption": null, "guarantee": null,
    "says": "A refund is at most 10."}], "no_rule": []}"#;

/// A server that counts what it is asked, and fails the first request with the
/// given status.
struct Server {
    address: String,
    asked: Arc<AtomicUsize>,
}

impl Server {
    fn start(first_status: u16) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counter = Arc::clone(&counter);
                std::thread::spawn(
                    move || while serve(&stream, &counter, first_status).is_some() {},
                );
            }
        });
        Server { address, asked }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// Answers one request on a connection; none when it is closed.
fn serve(stream: &TcpStream, asked: &AtomicUsize, first_status: u16) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let status = match asked.fetch_add(1, Ordering::SeqCst) {
        0 => first_status,
        _ => 200,
    };
    let answer = if status == 200 {
        completion()
    } else {
        refusal(status)
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status} X\r\nretry-after: 0\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{answer}",
        answer.len()
    )
    .ok()
}

fn completion() -> String {
    serde_json::json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "stand-in",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": ANSWER}}],
    })
    .to_string()
}

fn refusal(status: u16) -> String {
    serde_json::json!({"error": {"message": "not now", "type": "stand_in", "param": null, "code": status.to_string()}})
        .to_string()
}

fn desk() -> Desk {
    let desk = Desk::with("policy.md", POLICY);
    desk.write("tools.json", TOOLS);
    desk
}

const COMPILE: &[&str] = &[
    "compile",
    "policy.md",
    "--tools",
    "tools.json",
    "--samples",
    "3",
];

fn with_model(address: &str) -> [(&str, &str); 3] {
    [
        ("OPENAI_BASE_URL", address),
        ("OPENAI_API_KEY", "not-a-real-key"),
        ("LICTOR_MODEL", "stand-in"),
    ]
}

#[test]
fn answers_are_kept_and_never_asked_for_twice() {
    let server = Server::start(200);
    let desk = desk();
    let run = desk.run_with(COMPILE, &with_model(&server.address));
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(server.asked(), 3);
    let library = desk.read("policy.json");
    assert!(library.contains("arg.amount <= 10"), "{library}");
    let answers = desk.read("policy.samples.jsonl");
    assert_eq!(answers.lines().count(), 3);
    for text in [&answers, &library, &run.out, &run.err] {
        assert!(!text.contains("not-a-real-key"), "{text}");
    }

    let again = desk.run_with(COMPILE, &with_model(&server.address));
    assert_eq!((again.code, server.asked()), (0, 3), "{}", again.shown());
    assert_eq!(desk.read("policy.json"), library);

    // One answer is lost: only that one is asked for.
    let kept: Vec<&str> = answers.lines().skip(1).collect();
    desk.write("policy.samples.jsonl", &(kept.join("\n") + "\n"));
    let resumed = desk.run_with(COMPILE, &with_model(&server.address));
    assert_eq!(
        (resumed.code, server.asked()),
        (0, 4),
        "{}",
        resumed.shown()
    );
    assert_eq!(desk.read("policy.json"), library);
}

#[test]
fn a_busy_server_is_asked_again() {
    let server = Server::start(429);
    let run = desk().run_with(COMPILE, &with_model(&server.address));
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(server.asked(), 4);
}

#[test]
fn a_refused_key_ends_the_run_with_one_message() {
    let server = Server::start(401);
    let desk = desk();
    let one = [
        "compile",
        "policy.md",
        "--tools",
        "tools.json",
        "--samples",
        "1",
    ];
    let run = desk.run_with(&one, &with_model(&server.address));
    assert_eq!(run.code, 2, "{}", run.shown());
    assert_eq!(server.asked(), 1);
    assert!(!run.err.contains("not-a-real-key"), "{}", run.shown());
    assert!(!desk.path("policy.json").exists());
}
