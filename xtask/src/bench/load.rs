//! Load from a second set of cores: wrk when it is installed, our own small generator otherwise.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::process::{self, which};
use crate::workspace::program;

/// One round's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Round {
    pub(crate) requests: f64,
    pub(crate) per_second: f64,
    /// Milliseconds.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

/// Whose cookies a request carries.
#[derive(Clone)]
pub(crate) enum Who {
    /// None.
    Guest,
    /// These, with every request.
    Person(String),
    /// Somebody else's with every request: a file with a line for each person.
    People(PathBuf),
}

/// One request, sent again and again.
pub(crate) struct Ask {
    pub(crate) url: String,
    pub(crate) who: Who,
    /// With a body, it is a POST.
    pub(crate) json: Option<String>,
    /// A file with a body in each line, of which every request carries the next: it is a POST.
    pub(crate) bodies: Option<PathBuf>,
    /// The answer leads to a provider, and from there people come back to this path: one request in two halves.
    pub(crate) callback: Option<String>,
    /// The answer leads to a mail, whose link is opened: one request in two halves.
    pub(crate) link: Option<Link>,
}

/// A link that is asked for by one of many people, whose number stands for `{n}` in the body.
pub(crate) struct Link {
    /// Where it is opened.
    pub(crate) path: String,
    pub(crate) people: u32,
}

impl Ask {
    pub(crate) fn get(url: String, who: Who) -> Self {
        Self { url, who, json: None, bodies: None, callback: None, link: None }
    }

    /// Whether it is more than wrk can do: go on with what an answer told it, read bodies from a file.
    fn is_beyond_wrk(&self) -> bool {
        self.callback.is_some() || self.link.is_some() || self.bodies.is_some()
    }

    /// The headers that are the same with every request.
    fn headers(&self) -> impl Iterator<Item = String> {
        let cookie = match &self.who {
            Who::Person(cookies) => Some(format!("cookie: {cookies}")),
            Who::Guest | Who::People(_) => None,
        };
        let has_body = self.json.is_some() || self.bodies.is_some();
        cookie.into_iter().chain(has_body.then(|| "content-type: application/json".to_owned()))
    }
}

/// How hard to press, and for how long.
#[derive(Clone)]
pub(crate) struct Load {
    pub(crate) seconds: u32,
    pub(crate) connections: u32,
    /// Cores for the generator, as `taskset` writes them. None: wherever the kernel likes.
    pub(crate) cores: Option<String>,
    pub(crate) threads: usize,
    /// Our own generator, for machines without wrk.
    pub(crate) fallback: PathBuf,
}

impl Load {
    pub(crate) fn generator(&self) -> &'static str {
        if which("wrk").is_some() { "wrk" } else { "our own generator (wrk is not installed)" }
    }

    /// Presses one address on loopback. Any answer that is not 2xx or 3xx spoils the round.
    pub(crate) fn press(&self, ask: &Ask) -> Result<Round, String> {
        if !ask.is_beyond_wrk() && which("wrk").is_some() {
            let script = write_script(ask, self.threads)?;
            let output = process::read(&mut self.wrk(ask, script.as_deref()));
            if let Some(script) = script {
                let _ = fs::remove_file(script);
            }
            let output = output?;
            return wrk(&output).ok_or_else(|| format!("wrk reported errors or nothing readable:\n{output}"));
        }
        let output = process::read(&mut self.own(ask))?;
        own(&output).ok_or_else(|| format!("the generator reported errors or nothing readable:\n{output}"))
    }

    fn wrk(&self, ask: &Ask, script: Option<&Path>) -> Command {
        let mut command = pinned(self.cores.as_deref(), &["wrk", "--latency", "--timeout", "60s"]);
        command.args(["-t", &self.threads.to_string(), "-c", &self.connections.to_string()]);
        command.args(["-d", &format!("{}s", self.seconds)]);
        for header in ask.headers() {
            command.args(["-H", &header]);
        }
        if let Some(script) = script {
            command.arg("-s").arg(script);
        }
        command.arg(&ask.url);
        command
    }

    fn own(&self, ask: &Ask) -> Command {
        let mut command = pinned(self.cores.as_deref(), &[&self.fallback.display().to_string(), "load"]);
        command.args([
            "--threads",
            &self.threads.to_string(),
            "--connections",
            &self.connections.to_string(),
        ]);
        command.args(["--seconds", &self.seconds.to_string(), "--url", &ask.url]);
        for header in ask.headers() {
            command.args(["--header", &header]);
        }
        if let Who::People(cookies) = &ask.who {
            command.arg("--cookies").arg(cookies);
        }
        if let Some(json) = &ask.json {
            command.args(["--body", json]);
        }
        if let Some(bodies) = &ask.bodies {
            command.arg("--bodies").arg(bodies);
        }
        if let Some(path) = &ask.callback {
            command.args(["--callback", path]);
        }
        if let Some(Link { path, people }) = &ask.link {
            command.args(["--link", path, "--people", &people.to_string()]);
        }
        command
    }
}

/// Writes what wrk is told by a script only, under a name of its own: two may run at a time.
fn write_script(ask: &Ask, threads: usize) -> Result<Option<PathBuf>, String> {
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let text = script(ask, threads);
    if text.is_empty() {
        return Ok(None);
    }
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("housekey-bench-{}-{number}.lua", std::process::id()));
    fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    Ok(Some(file))
}

/// A body, and a different cookie with every request. The requests are put together beforehand, and the threads take turns
/// through all of them, so that the generator has little to do while it measures.
fn script(ask: &Ask, threads: usize) -> String {
    let mut script = String::new();
    if let Some(json) = &ask.json {
        script += &format!("wrk.method = \"POST\"\nwrk.body = [==[{json}]==]\n");
    }
    if let Who::People(cookies) = &ask.who {
        script += &format!(
            r#"local threads = 0

function setup(thread)
  thread:set("turn", threads)
  threads = threads + 1
end

function init()
  requests = {{}}
  for cookie in io.lines([==[{}]==]) do
    wrk.headers["cookie"] = cookie
    requests[#requests + 1] = wrk.format()
  end
end

function request()
  turn = turn + {threads}
  return requests[turn % #requests + 1]
end
"#,
            cookies.display()
        );
    }
    script
}

/// A command kept on given cores, when `taskset` is there to do it.
pub(crate) fn pinned(cores: Option<&str>, words: &[&str]) -> Command {
    let mut command = match cores {
        Some(cores) => {
            let mut command = program("taskset");
            command.args(["-c", cores]).arg(words[0]);
            command
        }
        None => program(words[0]),
    };
    command.args(&words[1..]);
    command
}

/// Reads wrk's report.
fn wrk(output: &str) -> Option<Round> {
    if output.contains("Non-2xx or 3xx responses") || output.contains("Socket errors") {
        return None;
    }
    let after = |label: &str| output.lines().find_map(|line| line.trim().strip_prefix(label)).map(str::trim);
    let requests = output.lines().find(|line| line.contains(" requests in "))?.split_whitespace().next()?;
    Some(Round {
        requests: requests.parse().ok().filter(|requests| *requests > 0.0)?,
        per_second: after("Requests/sec:")?.parse().ok()?,
        p50: milliseconds(after("50%")?)?,
        p99: milliseconds(after("99%")?)?,
    })
}

/// `812.00us`, `1.20ms`, `1.05s`.
fn milliseconds(text: &str) -> Option<f64> {
    let letters = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let number: f64 = text[..text.len() - letters.len()].parse().ok()?;
    match letters {
        "us" => Some(number / 1000.0),
        "ms" => Some(number),
        "s" => Some(number * 1000.0),
        _ => None,
    }
}

/// Reads our generator's one line: `requests 1200 seconds 1.0 p50 0.4 p99 1.2 errors 0`.
fn own(output: &str) -> Option<Round> {
    let words: Vec<&str> = output.split_whitespace().collect();
    let value = |name: &str| words.windows(2).find(|pair| pair[0] == name)?[1].parse::<f64>().ok();
    if value("errors")? > 0.0 {
        return None;
    }
    let requests = value("requests").filter(|requests| *requests > 0.0)?;
    Some(Round { requests, per_second: requests / value("seconds")?, p50: value("p50")?, p99: value("p99")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "Running 1s test @ http://127.0.0.1:1/\n  1 threads and 8 connections\n  Latency Distribution\n     \
        50%  812.00us\n     75%    1.00ms\n     90%    1.10ms\n     99%    1.20ms\n  \
        11234 requests in 1.00s, 1.20MB read\nRequests/sec:  11230.50\nTransfer/sec:      1.20MB\n";

    #[test]
    fn a_report_of_wrk_is_read() {
        let round = wrk(REPORT).unwrap();
        assert_eq!(round, Round { requests: 11234.0, per_second: 11230.5, p50: 0.812, p99: 1.2 });
    }

    #[test]
    fn wrk_is_scripted_only_where_its_options_do_not_do() {
        let ask = |who, json: Option<&str>| Ask {
            json: json.map(str::to_owned),
            ..Ask::get("http://127.0.0.1:1/".into(), who)
        };
        assert_eq!(script(&ask(Who::Guest, None), 2), "");
        assert_eq!(script(&ask(Who::Person("a=1".into()), None), 2), "");
        let posted = ask(Who::Person("a=1".into()), Some("{}"));
        assert_eq!(script(&posted, 2), "wrk.method = \"POST\"\nwrk.body = [==[{}]==]\n");
        assert_eq!(posted.headers().collect::<Vec<_>>(), ["cookie: a=1", "content-type: application/json"]);
    }

    #[test]
    fn a_script_takes_every_cookie_of_a_file_in_turn() {
        let people = Ask::get("http://127.0.0.1:1/".into(), Who::People("/tmp/cookies".into()));
        let script = script(&people, 2);
        assert!(script.contains("io.lines([==[/tmp/cookies]==])"), "{script}");
        assert!(script.contains("requests = {}\n"), "{script}");
        assert!(script.contains("turn = turn + 2\n"), "{script}");
        assert_eq!(people.headers().count(), 0);
    }

    #[test]
    fn errors_spoil_a_round() {
        assert_eq!(wrk(&format!("{REPORT}  Non-2xx or 3xx responses: 3\n")), None);
        assert_eq!(own("requests 10 seconds 1 p50 1 p99 2 errors 1"), None);
        assert_eq!(own("requests 0 seconds 1 p50 0 p99 0 errors 0"), None);
    }

    #[test]
    fn our_own_report_is_read() {
        let round = own("requests 1200 seconds 2.0 p50 0.4 p99 1.5 errors 0\n").unwrap();
        assert_eq!(round, Round { requests: 1200.0, per_second: 600.0, p50: 0.4, p99: 1.5 });
    }
}
