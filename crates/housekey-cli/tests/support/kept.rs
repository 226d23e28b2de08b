//! `.housekey` read and written without the code that is tested: the format is a promise to apps that are out there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

const HEAD: &[u8] = b"housekey kit 1\n";

/// Every entry of an archive, those that are no files of the app among them (`/kit`, `/steps`).
pub(crate) fn unpack(archive: &[u8]) -> Files {
    let plain = miniz_oxide::inflate::decompress_to_vec_zlib(archive).unwrap();
    let mut rest = plain.strip_prefix(HEAD).unwrap();
    let mut files = Files::new();
    while !rest.is_empty() {
        let mut line = || {
            let end = rest.iter().position(|&byte| byte == b'\n').unwrap();
            let line = String::from_utf8(rest[..end].to_vec()).unwrap();
            rest = &rest[end + 1..];
            line
        };
        let (path, length) = (line(), line().parse().unwrap());
        let (content, after) = rest.split_at(length);
        files.insert(path, content.to_vec());
        rest = after;
    }
    files
}

pub(crate) fn pack(files: &Files) -> Vec<u8> {
    let mut plain = HEAD.to_vec();
    for (path, content) in files {
        plain.extend(format!("{path}\n{}\n", content.len()).into_bytes());
        plain.extend(content);
    }
    miniz_oxide::deflate::compress_to_vec_zlib(&plain, 1)
}

/// Changes what an app has kept, and leaves it in order: note and archive agree.
pub(crate) fn change(app: &Path, change: impl FnOnce(&mut Value, &mut Files)) {
    let (note, archive) = (app.join(".housekey/kit.json"), app.join(".housekey/kit.archive"));
    let mut value: Value = serde_json::from_slice(&fs::read(&note).unwrap()).unwrap();
    let mut files = unpack(&fs::read(&archive).unwrap());
    change(&mut value, &mut files);
    files.insert("/kit".to_owned(), value.to_string().into_bytes());
    fs::write(note, value.to_string()).unwrap();
    fs::write(archive, pack(&files)).unwrap();
}

/// The `jsx` kit of an earlier commit, as files of an app and as what that app has kept.
pub(crate) fn earlier() -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/earlier/jsx");
    let archive = fs::read(folder.join("kit.archive")).unwrap();
    let mut files = unpack(&archive);
    files.retain(|path, _| !path.starts_with('/'));
    files.insert(".housekey/kit.json".to_owned(), fs::read(folder.join("kit.json")).unwrap());
    files.insert(".housekey/kit.archive".to_owned(), archive);
    files
}

/// Every file below a folder, by path. Links are named, and what they lead to is not read.
pub(crate) fn files(folder: &Path) -> Files {
    fn collect(root: &Path, folder: &Path, found: &mut Files) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let kind = entry.file_type().unwrap();
            if kind.is_symlink() {
                found.insert(name, b"a link".to_vec());
            } else if !kind.is_dir() {
                found.insert(name, fs::read(&path).unwrap());
            } else if name != ".git" {
                collect(root, &path, found);
            }
        }
    }
    let mut found = Files::new();
    collect(folder, folder, &mut found);
    found
}

/// Puts files below a folder.
pub(crate) fn put(folder: &Path, files: &Files) {
    for (path, content) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
}
