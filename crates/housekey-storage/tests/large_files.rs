//! Files that are larger than the memory they may cost. The app is a process of its own, and so is the S3 server, so that
//! what the system says about the app's memory is about the app.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "child processes tell their addresses")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use housekey_core::{AppConfig, ConfigFiles, Env, Environment, Paths, Result};
use housekey_http::response::{CsvRows, csv};
use housekey_http::uploads::Upload;
use housekey_http::validation::{Valid, Validated};
use housekey_http::{App, Response, Routes, Server, csrf_token};
use housekey_storage::{StorageConfig, StorageProvider, storage};
use housekey_test_support::{Program, this_test, until};
use serde::{Deserialize, Serialize};

const MB: usize = 1024 * 1024;

/// What is sent: more than three times of what the app may use.
const FILM: usize = 200 * MB;

/// The most that the app may ever have had in memory, in kB: an unoptimised build with its symbols, and what is on the way.
const MOST_MEMORY: usize = 64 * 1024;

/// What a child process says before its address.
const LISTENING: &str = "it listens at ";

const ROLE: &str = "HOUSEKEY_TEST_ROLE";
const FOLDER: &str = "HOUSEKEY_TEST_FOLDER";
const S3: &str = "HOUSEKEY_TEST_S3";

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct NewFilm {
    #[validate(required, max(120))]
    title: String,
    #[validate(required, mimes(["video/mp4"]), max(300 * 1024 * 1024))]
    film: Upload,
}

#[derive(Serialize)]
struct Line {
    number: u32,
    title: String,
}

fn routes(route: &mut Routes) {
    route.get("/token", async || csrf_token());
    for disk in ["local", "bucket"] {
        let store = async move |Valid(form): Valid<NewFilm>| -> Result<String> {
            assert_eq!(form.title, "Metropolis");
            storage()?.disk(disk)?.store_as("film.mp4", form.film).await?;
            Ok("kept".into())
        };
        route.post(&format!("/{disk}"), store).body_limit(FILM + MB);
        route.get(&format!("/{disk}"), async move || -> Result<Response> {
            storage()?.disk(disk)?.download("film.mp4", "film.mp4").await
        });
    }
    route.get("/table", async || {
        csv("table.csv", async |mut rows: CsvRows| {
            for number in 0..300_000 {
                rows.write(&Line { number, title: format!("Title {number}") }).await?;
            }
            Ok(())
        })
    });
}

#[test]
#[ignore = "the app and the S3 server of the tests in this file, which start it"]
fn serves_when_started_as_a_child_process() {
    let role = std::env::var(ROLE).expect("the tests in this file start it, and say what it is");
    let folder = PathBuf::from(std::env::var(FOLDER).unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    match role.as_str() {
        "s3" => runtime.block_on(async {
            println!("\n{LISTENING}{}", support::serve_s3(&folder).await);
            std::future::pending::<()>().await;
        }),
        _ => runtime.block_on(async {
            let app = App::new(ConfigFiles::new())
                .at(Paths::new(&folder))
                .env(Env::empty())
                .provider(StorageProvider)
                .routes(routes)
                .configure(|config| {
                    config.update::<AppConfig>(|app| app.env = Environment::Testing);
                    if let Ok(address) = std::env::var(S3) {
                        config.update::<StorageConfig>(|storage| {
                            storage.disks.insert("bucket".into(), support::bucket(&address));
                        });
                    }
                });
            let server = Server::bind_to(&app.boot().unwrap(), "127.0.0.1", 0).await.unwrap();
            println!("\n{LISTENING}{}", server.local_addr());
            server.run().await.unwrap();
        }),
    }
}

struct Process {
    program: Program,
    address: String,
}

impl Process {
    fn start(role: &str, folder: &Path, s3: Option<&Self>) -> Self {
        let mut command = this_test("serves_when_started_as_a_child_process");
        command.env(ROLE, role).env(FOLDER, folder);
        if let Some(s3) = s3 {
            command.env(S3, &s3.address);
        }
        let program = Program::start(&mut command);
        let address = program.says(LISTENING).trim_start_matches(LISTENING).to_owned();
        Self { program, address }
    }

    /// The most memory it ever had, in kB.
    fn peak(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.program.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        stream
    }

    /// Sends a request's head and gives the connection.
    fn ask(&self, head: &str) -> TcpStream {
        let mut stream = self.connect();
        write!(stream, "{head}\r\nhost: {}\r\nconnection: close\r\n", self.address).unwrap();
        stream
    }

    /// Asks for a page, and gives the head of the answer and how many bytes follow it.
    fn get(&self, path: &str, seen: impl FnMut(&[u8])) -> String {
        let mut stream = self.ask(&format!("GET {path} HTTP/1.1"));
        stream.write_all(b"\r\n").unwrap();
        read_answer(stream, seen)
    }

    /// A visitor's cookie, and the token that goes with it.
    fn visit(&self) -> (String, String) {
        let mut token = Vec::new();
        let head = self.get("/token", |bytes| token.extend_from_slice(bytes));
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        (cookie.split(';').next().unwrap().to_owned(), String::from_utf8(token).unwrap())
    }

    /// Begins to send a film, as a browser's form does: the token, the title, the file.
    fn begin_upload(&self, path: &str, size: usize) -> (TcpStream, &'static str) {
        let (cookie, token) = self.visit();
        self.begin_upload_with(path, size, &cookie, &token)
    }

    fn begin_upload_with(
        &self,
        path: &str,
        size: usize,
        cookie: &str,
        token: &str,
    ) -> (TcpStream, &'static str) {
        let part = |name: &str| format!("--XX\r\ncontent-disposition: form-data; name=\"{name}\"");
        let start = format!(
            "{}\r\n\r\n{token}\r\n{}\r\n\r\nMetropolis\r\n{}; filename=\"film.mp4\"\r\n\r\n",
            part("_token"),
            part("title"),
            part("film")
        );
        let end = "\r\n--XX--\r\n";
        let length = start.len() + size + end.len();
        let mut stream = self.ask(&format!("POST {path} HTTP/1.1"));
        write!(
            stream,
            "cookie: {cookie}\r\ncontent-type: multipart/form-data; boundary=XX\r\ncontent-length: {length}\r\n\r\n{start}"
        )
        .unwrap();
        (stream, end)
    }
}

fn read_answer(stream: TcpStream, mut seen: impl FnMut(&[u8])) -> String {
    let mut reader = BufReader::with_capacity(MB, stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "the connection broke: {head}");
    }
    let mut piece = vec![0; MB];
    loop {
        match reader.read(&mut piece).unwrap() {
            0 => return head,
            read => seen(&piece[..read]),
        }
    }
}

/// A piece of the film. The first bytes say what it is, and no two pieces are the same.
fn piece(number: usize) -> Vec<u8> {
    let mut piece = vec![u8::try_from(number).unwrap(); MB];
    if number == 0 {
        piece[..12].copy_from_slice(b"\0\0\0\x18ftypmp42");
    }
    piece
}

fn names_in(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).map_or(Vec::new(), |entries| entries.map(|entry| entry.unwrap().path()).collect())
}

// spec: DAT-4, DAT-5
#[test]
fn a_large_file_goes_to_both_kinds_of_disk_and_back_without_being_in_memory() {
    let (folder, bucket) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let s3 = Process::start("s3", bucket.path(), None);
    let app = Process::start("app", folder.path(), Some(&s3));
    println!("{} kB before", app.peak());
    for disk in ["local", "bucket"] {
        let (mut stream, end) = app.begin_upload(&format!("/{disk}"), FILM);
        for number in 0..FILM / MB {
            stream.write_all(&piece(number)).unwrap();
        }
        stream.write_all(end.as_bytes()).unwrap();
        let mut told = Vec::new();
        let head = read_answer(stream, |bytes| told.extend_from_slice(bytes));
        assert!(
            head.starts_with("HTTP/1.1 200") && told == b"kept",
            "{head}{}",
            String::from_utf8_lossy(&told)
        );
        println!("{} kB after {FILM} bytes to {disk}", app.peak());
        assert!(app.peak() < MOST_MEMORY, "{} kB for an upload to {disk}", app.peak());
    }
    for disk in ["local", "bucket"] {
        let mut at = 0;
        app.get(&format!("/{disk}"), |mut bytes| {
            while !bytes.is_empty() {
                let start = at % MB;
                let (here, rest) = bytes.split_at(bytes.len().min(MB - start));
                assert!(here == &piece(at / MB)[start..start + here.len()], "near byte {at} from {disk}");
                (at, bytes) = (at + here.len(), rest);
            }
        });
        assert_eq!(at, FILM, "from {disk}");
        println!("{} kB after a download from {disk}", app.peak());
        assert!(app.peak() < MOST_MEMORY, "{} kB for a download from {disk}", app.peak());
    }
    assert_eq!(names_in(&folder.path().join("storage/framework/uploads")), [] as [PathBuf; 0]);
    assert_eq!(names_in(&folder.path().join("storage/app/private/.drafts")), [] as [PathBuf; 0]);
}

// spec: DAT-4, MID-8
#[test]
fn a_large_form_with_a_wrong_token_gets_its_answer_and_is_written_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let app = Process::start("app", folder.path(), None);
    let (cookie, _) = app.visit();
    let (mut stream, end) = app.begin_upload_with("/local", 20 * MB, &cookie, "wrong");
    // Like a browser, which reads no answer before it has sent its form.
    for number in 0..20 {
        stream.write_all(&piece(number)).unwrap();
    }
    stream.write_all(end.as_bytes()).unwrap();
    let head = read_answer(stream, |_| {});
    assert!(head.starts_with("HTTP/1.1 419"), "{head}");
    assert!(!folder.path().join("storage/framework/uploads").exists());
}

#[test]
fn a_long_table_is_sent_while_it_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let app = Process::start("app", folder.path(), None);
    let mut size = 0;
    let mut lines = 0;
    let head = app.get("/table", |bytes| {
        size += bytes.len();
        lines += bytes.iter().filter(|byte| **byte == b'\n').count();
    });
    assert!(head.contains("content-type: text/csv; charset=utf-8"), "{head}");
    // Chunks have lines of their own.
    assert!(lines > 300_000 && size > 5 * MB, "{lines} lines, {size} bytes");
    assert!(app.peak() < MOST_MEMORY, "{} kB for a table", app.peak());
}

// spec: DAT-4
#[test]
fn a_broken_connection_and_a_crash_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let uploads = folder.path().join("storage/framework/uploads");
    let mut app = Process::start("app", folder.path(), None);
    let half = |app: &Process| {
        let (mut stream, _) = app.begin_upload("/local", 20 * MB);
        for number in 0..10 {
            stream.write_all(&piece(number)).unwrap();
        }
        let has_begun =
            || names_in(&uploads).iter().any(|path| fs::metadata(path).is_ok_and(|file| file.len() > 0));
        until("the file has a temporary name", has_begun);
        stream
    };
    half(&app).shutdown(Shutdown::Both).unwrap();
    until("nothing is left of a broken connection", || names_in(&uploads).is_empty());

    let stream = half(&app);
    app.program.kill();
    drop(stream);
    let left = names_in(&uploads);
    assert_eq!(left.len(), 1, "a process that is killed cannot tidy up");
    let file = fs::File::options().write(true).open(&left[0]).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(120)).unwrap();
    drop(file);
    let _app = Process::start("app", folder.path(), None);
    assert_eq!(names_in(&uploads), [] as [PathBuf; 0], "the next start tidies up");
    assert!(!folder.path().join("storage/app/private/film.mp4").exists());
}
