use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::mutate::{Dice, mutate};

/// Changed inputs of a normal run.
const ROUNDS: usize = 400;

/// Hands a target its corpus and changes of it. `package` is the folder of the package (`env!("CARGO_MANIFEST_DIR")`), with
/// the corpus in `tests/fuzz/corpus/<target>`; `fill` puts into an input what differs from run to run (`{token}`).
///
/// # Panics
///
/// With the first input that fails, printed together with its seed, and when there is no corpus.
pub fn fuzz(package: &str, target: &str, fill: impl Fn(&[u8]) -> Vec<u8>, mut check: impl FnMut(&[u8])) {
    let corpus: Vec<_> = corpus(package, target).iter().map(|input| fill(input)).collect();
    let mut attempt = |what: &str, input: &[u8]| {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(input))) {
            say(&format!("{target}, {what}, failed on:\n{}", input.escape_ascii()));
            resume_unwind(panic);
        }
    };
    for input in &corpus {
        attempt("an input of the corpus", input);
    }
    let seconds = number("HOUSEKEY_FUZZ_SECONDS");
    let seed = number("HOUSEKEY_FUZZ_SEED").unwrap_or_else(|| if seconds.is_some() { now() } else { 1 });
    let (mut dice, start) = (Dice::new(seed), Instant::now());
    let mut rounds = 0;
    let goes_on = |rounds| match seconds {
        Some(seconds) => start.elapsed() < Duration::from_secs(seconds),
        None => rounds < ROUNDS,
    };
    while goes_on(rounds) {
        rounds += 1;
        let input = mutate(&mut dice, &corpus[rounds % corpus.len()], &corpus);
        attempt(&format!("round {rounds} with HOUSEKEY_FUZZ_SEED={seed}"), &input);
    }
    if seconds.is_some() {
        say(&format!("{target}: {rounds} inputs in {:?}, seed {seed}", start.elapsed()));
    }
}

fn corpus(package: &str, target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(package).join("tests/fuzz/corpus").join(target);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // The order of a folder differs between machines; that of the changes must not.
    files.sort();
    assert!(!files.is_empty(), "{target} has no corpus");
    files.iter().map(|file| read(file)).collect()
}

/// A file as it is, without the line break at its end; what is called `.hex` is bytes that an editor would spoil.
fn read(file: &Path) -> Vec<u8> {
    let mut bytes = std::fs::read(file).unwrap();
    if bytes.ends_with(b"\n") {
        bytes.pop();
    }
    if file.extension().is_some_and(|extension| extension == "hex") {
        return data_encoding::HEXLOWER.decode(&bytes).unwrap();
    }
    bytes
}

/// Replaces the placeholders of an input.
#[must_use]
pub fn replace(input: &[u8], values: &[(&str, &str)]) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(input.to_vec()) else { return input.to_vec() };
    for (placeholder, value) in values {
        text = text.replace(placeholder, value);
    }
    text.into_bytes()
}

fn number(variable: &str) -> Option<u64> {
    let given = std::env::var(variable).ok()?;
    Some(given.parse().unwrap_or_else(|_| panic!("{variable} is `{given}` and must be a number")))
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
