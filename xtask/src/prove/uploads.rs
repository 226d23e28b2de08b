//! `cargo xtask prove uploads`: a film of 2 GiB goes through an app's form into a bucket, and back through its download,
//! while the app stays small. What was sent, what lies in the bucket and what came back are compared by their hashes.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::dice::Dice;
use crate::bench::cpu;
use crate::http;
use crate::process::{self, Background};
use crate::provision::{self, POSTGRES};
use crate::services::postgres;
use crate::services::s3::{Bucket, Profile};
use crate::ui;
use crate::workspace::Workspace;

/// How large.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The size of the film in MiB
    #[arg(long, default_value_t = 2048, value_parser = clap::value_parser!(u64).range(1..=2048))]
    mebibytes: u64,
}

/// What we promise: the most memory that the app ever has, in MB of a million bytes.
const BAR: f64 = 60.0;

const MIB: usize = 1024 * 1024;

pub(crate) fn prove(workspace: &Workspace, options: &Options) -> Result<(), String> {
    provision::provide(&[&POSTGRES])?;
    let binaries = super::build(workspace)?;
    let folder = Scratch(workspace.scratch("prove-uploads")?);
    let folder = folder.0.as_path();
    ui::heading("start PostgreSQL, the S3 server and the app");
    // In a folder that the user of the server may enter.
    let servers = Scratch(std::env::temp_dir().join(format!("housekey-uploads-{}", std::process::id())));
    fs::create_dir_all(&servers.0)
        .map_err(|error| format!("cannot make {}: {error}", servers.0.display()))?;
    let database = postgres::start(&servers.0)?;
    let bucket = Bucket::start(workspace, Profile::Release, folder, "films")?;
    let home = folder.join("app");
    fs::create_dir_all(&home).map_err(|error| format!("cannot make {}: {error}", home.display()))?;
    let app = |words: &[&str]| {
        let mut command = super::app(&binaries, &home, &database.url);
        command.args(words).envs(bucket.variables());
        command
    };
    process::read(&mut app(&["migrate", "--force"]))?;
    let port = http::free_port()?;
    let mut server =
        Background::start(&mut app(&["serve", "--port", &port.to_string()]), &folder.join("app.log"))?;
    http::wait_for(&mut server, port, "/health", Duration::from_mins(1), |answer| answer.status == 200)?;
    let peak = |server: &Background| {
        cpu::peak(server.id()).ok_or("the system does not say how much memory the app has")
    };
    let mut rows = vec![["", "seconds", "MB/s", "most memory so far, MB"].map(String::from).to_vec()];
    rows.push(vec!["started".into(), String::new(), String::new(), format!("{:.1}", peak(&server)?)]);
    let mut note = |what: &str, took: Duration, peak: f64| {
        let seconds = took.as_secs_f64();
        let speed = options.mebibytes as f64 * MIB as f64 / 1e6 / seconds;
        rows.push(vec![what.into(), format!("{seconds:.1}"), format!("{speed:.0}"), format!("{peak:.1}")]);
    };

    ui::heading(&format!("{} MiB there and back", options.mebibytes));
    let begun = Instant::now();
    let sent = upload(port, options.mebibytes)?;
    note("upload", begun.elapsed(), peak(&server)?);
    let kept = of_file(&bucket.path("metropolis.mp4"))?;
    let begun = Instant::now();
    let came = download(port, options.mebibytes)?;
    note("download", begun.elapsed(), peak(&server)?);
    let most = peak(&server)?;
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
    for (what, hash) in [("sent", &sent), ("in the bucket", &kept), ("fetched", &came)] {
        ui::note(format_args!("SHA-256 {what}: {hash}"));
    }
    let left = names_below(&home.join("storage/framework/uploads"));
    let said = server.output();
    if !server.stop() {
        return Err("the app did not stop when asked".into());
    }
    if sent != kept || sent != came {
        return Err("not proven: the film has changed on its way".into());
    }
    if left > 0 {
        return Err(format!("not proven: {left} temporary files are left"));
    }
    if most > BAR {
        return Err(format!("not proven: the app had {most:.1} MB, the bar is {BAR} MB. It said:\n{said}"));
    }
    ui::line(format_args!("  the bar is {BAR} MB: {}, at most {most:.1} MB", ui::green("met")));
    Ok(())
}

/// A folder that goes with this, whatever happens: 2 GiB are in it.
struct Scratch(std::path::PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Sends the film as a browser's form does, and gives the hash of what it sent.
fn upload(port: u16, mebibytes: u64) -> Result<String, String> {
    let part = |name: &str| format!("--XX\r\ncontent-disposition: form-data; name=\"{name}\"");
    let start =
        format!("{}\r\n\r\nmetropolis\r\n{}; filename=\"film.mp4\"\r\n\r\n", part("title"), part("film"));
    let end = "\r\n--XX--\r\n";
    let length = start.len() + mebibytes as usize * MIB + end.len();
    let mut hash = Hash::start()?;
    let mut send = || -> std::io::Result<String> {
        let mut stream = connect(port)?;
        write!(
            stream,
            "POST /films HTTP/1.1\r\nhost: localhost:{port}\r\naccept: */*\r\nconnection: close\r\n\
             content-type: multipart/form-data; boundary=XX\r\ncontent-length: {length}\r\n\r\n{start}"
        )?;
        let mut film = Film::new();
        for number in 0..mebibytes {
            let piece = film.piece(number);
            hash.add(piece)?;
            stream.write_all(piece)?;
        }
        stream.write_all(end.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    let answer = send().map_err(|error| format!("the upload broke: {error}"))?;
    if !answer.starts_with("HTTP/1.1 200") {
        return Err(format!("the upload was answered with:\n{answer}"));
    }
    hash.end()
}

/// Fetches the film, and gives the hash of what came.
fn download(port: u16, mebibytes: u64) -> Result<String, String> {
    let mut hash = Hash::start()?;
    let mut fetch = || -> std::io::Result<(String, u64)> {
        let mut stream = connect(port)?;
        write!(
            stream,
            "GET /films/metropolis.mp4 HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: close\r\n\r\n"
        )?;
        let mut reader = BufReader::with_capacity(MIB, stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head)? == 0 {
                break;
            }
        }
        let mut size = 0;
        loop {
            let piece = reader.fill_buf()?;
            if piece.is_empty() {
                return Ok((head, size));
            }
            hash.add(piece)?;
            let read = piece.len();
            size += read as u64;
            reader.consume(read);
        }
    };
    let (head, size) = fetch().map_err(|error| format!("the download broke: {error}"))?;
    if !head.starts_with("HTTP/1.1 200") || size != mebibytes * MIB as u64 {
        return Err(format!("the download gave {size} bytes behind:\n{head}"));
    }
    hash.end()
}

fn connect(port: u16) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_mins(10)))?;
    Ok(stream)
}

/// Bytes by chance, no two pieces the same. The first of them say that it is a film.
struct Film {
    noise: Vec<u8>,
}

impl Film {
    fn new() -> Self {
        let mut dice = Dice::new(2026);
        Self { noise: (0..MIB / 8).flat_map(|_| dice.next().to_le_bytes()).collect() }
    }

    fn piece(&mut self, number: u64) -> &[u8] {
        // Every piece is the noise, turned by its number, with its number in front.
        self.noise.rotate_left(number as usize % 4093 + 1);
        let start: [u8; 12] = match number {
            0 => *b"\0\0\0\x18ftypmp42",
            _ => {
                let mut start = *b"piece\0\0\0\0\0\0\0";
                start[8..].copy_from_slice(&(number as u32).to_le_bytes());
                start
            }
        };
        self.noise[..12].copy_from_slice(&start);
        &self.noise
    }
}

/// SHA-256, by the system's own program.
struct Hash(Child);

impl Hash {
    fn start() -> Result<Self, String> {
        let child = Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        child.map(Self).map_err(|error| format!("cannot start sha256sum: {error}"))
    }

    fn add(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        match &mut self.0.stdin {
            Some(input) => input.write_all(bytes),
            None => Ok(()),
        }
    }

    fn end(self) -> Result<String, String> {
        let output = self.0.wait_with_output().map_err(|error| format!("sha256sum: {error}"))?;
        Ok(first_word(&String::from_utf8_lossy(&output.stdout)))
    }
}

fn of_file(file: &Path) -> Result<String, String> {
    process::read(Command::new("sha256sum").arg(file)).map(|said| first_word(&said))
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_owned()
}

fn names_below(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, |entries| entries.flatten().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_pieces_of_a_film_are_the_same_and_the_first_is_the_start_of_one() {
        let mut film = Film::new();
        let pieces: Vec<Vec<u8>> = (0..4).map(|number| film.piece(number).to_vec()).collect();
        assert_eq!(&pieces[0][4..12], b"ftypmp42");
        assert!(pieces.iter().all(|piece| piece.len() == MIB));
        assert!(pieces.windows(2).all(|two| two[0][12..] != two[1][12..]));
    }
}
