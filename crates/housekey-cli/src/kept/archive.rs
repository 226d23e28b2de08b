//! Many files as one: each with its name and length, all of it compressed. The same files make the same bytes.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use crate::layers::Files;

/// The first bytes of what is compressed.
const HEAD: &[u8] = b"housekey kit 1\n";
/// Far more than a kit has. A few kilobytes can unpack to gigabytes.
const LARGEST: usize = 16 << 20;
/// Slowest and smallest: it is written once and stays in a repository.
const LEVEL: u8 = 9;

pub(super) fn pack(files: &Files) -> Vec<u8> {
    let mut plain = HEAD.to_vec();
    for (path, content) in files {
        plain.extend_from_slice(format!("{path}\n{}\n", content.len()).as_bytes());
        plain.extend_from_slice(content);
    }
    compress_to_vec_zlib(&plain, LEVEL)
}

/// The files in an archive. zlib's own checksum tells a changed byte; a path that could lead out of the app is refused,
/// whoever wrote it.
pub(super) fn unpack(archive: &[u8]) -> Result<Files, String> {
    let plain = decompress_to_vec_zlib_with_limit(archive, LARGEST)
        .map_err(|_| "is damaged: it was changed or cut off after it was written".to_owned())?;
    let mut rest = plain.strip_prefix(HEAD).ok_or("is of another version of Housekey")?;
    let mut files = Files::new();
    while !rest.is_empty() {
        let (path, content, after) = entry(rest).ok_or("is damaged: a file in it has no end")?;
        if !is_safe(path) {
            return Err(format!("has a file {path:?}, which is no place in an app"));
        }
        if files.insert(path.to_owned(), content.to_owned()).is_some() {
            return Err(format!("has the file {path:?} twice"));
        }
        rest = after;
    }
    Ok(files)
}

fn entry(bytes: &[u8]) -> Option<(&str, &[u8], &[u8])> {
    let (path, rest) = line(bytes)?;
    let (length, rest) = line(rest)?;
    let (content, rest) = rest.split_at_checked(length.parse().ok()?)?;
    Some((path, content, rest))
}

fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

/// A path below the app, on every system, and nothing that belongs to git or to this folder. What begins with a single `/`
/// is a note of ours and never becomes a file.
fn is_safe(path: &str) -> bool {
    if matches!(path, super::ABOUT_THE_KIT | super::WORDS | super::STEPS_KNOWN) {
        return true;
    }
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let first = path.split('/').next().unwrap_or_default();
    path.split('/').all(plain)
        && !path.contains(['\\', ':'])
        && !path.chars().any(char::is_control)
        && !first.eq_ignore_ascii_case(".git")
        && !first.eq_ignore_ascii_case(super::FOLDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(entries: &[(&str, &[u8])]) -> Files {
        entries.iter().map(|(path, content)| ((*path).to_owned(), content.to_vec())).collect()
    }

    #[test]
    fn files_come_out_as_they_went_in_and_always_as_the_same_bytes() {
        let files = files(&[("a/b.rs", b"text\n"), ("c.png", b"\x89\0\n\xff"), ("empty", b"")]);
        assert_eq!(unpack(&pack(&files)).unwrap(), files);
        assert_eq!(pack(&files), pack(&files));
    }

    #[test]
    fn a_changed_byte_is_noticed_wherever_it_is() {
        let archive = pack(&files(&[("a", &[7; 300]), ("b", b"hello")]));
        for index in 0..archive.len() {
            let mut changed = archive.clone();
            changed[index] ^= 0x10;
            assert!(unpack(&changed).is_err(), "byte {index}");
        }
        for length in 0..archive.len() {
            assert!(unpack(&archive[..length]).is_err(), "cut off at {length}");
        }
    }

    #[test]
    fn a_path_that_leads_out_of_the_app_is_refused() {
        for path in [
            "../x",
            "a/../../x",
            "/etc/passwd",
            "//x",
            "a//b",
            "a/",
            "",
            ".",
            "./a",
            "C:\\x",
            "c:x",
            "a\\b",
            ".git/hooks/post-checkout",
            ".GIT/config",
            ".housekey/kit.json",
            "a\tb",
            "/kit/x",
        ] {
            assert!(unpack(&pack(&files(&[(path, b"x")]))).is_err(), "{path:?}");
        }
        for path in [".github/ci.yml", ".gitignore", "a b", "ä", "..a", "/kit"] {
            assert!(unpack(&pack(&files(&[(path, b"x")]))).is_ok(), "{path:?}");
        }
    }

    #[test]
    fn an_archive_that_would_fill_the_memory_is_refused() {
        let bomb = compress_to_vec_zlib(&vec![0; LARGEST + 1], 9);
        assert!(bomb.len() < 1 << 20);
        assert!(unpack(&bomb).is_err());
    }
}
