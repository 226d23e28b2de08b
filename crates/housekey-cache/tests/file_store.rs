//! What only the file store has to stand: other processes, damaged files, folders it may not use.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use housekey_cache::{Cache, FileStore, RateLimiter, Store};
use housekey_core::Clock;
use housekey_test_support::{Program, in_time, this_test};
use time::OffsetDateTime;

const CHILD_FOLDER: &str = "HOUSEKEY_CACHE_TEST_FOLDER";
const PROCESSES: i64 = 4;
const HITS: i64 = 150;
const LIMIT: u32 = 100;

fn open(folder: &Path) -> FileStore {
    FileStore::open(folder, Clock::system()).unwrap()
}

#[tokio::test]
async fn several_processes_count_exactly_and_share_one_limit() {
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..PROCESSES)
        .map(|_| {
            let mut command = this_test("counts_when_started_as_a_child_process");
            Program::start(command.env(CHILD_FOLDER, folder.path()))
        })
        .collect();
    let mut allowed = 0;
    for mut child in children {
        let line = child.says("allowed=");
        assert!(child.ended().success(), "{}", child.said());
        let count = line.split("allowed=").nth(1).and_then(|rest| rest.split('.').next()).unwrap();
        allowed += count.parse::<u32>().unwrap();
    }
    let store = open(folder.path());
    assert_eq!(store.increment("hits", 0, None).await.unwrap().value, PROCESSES * HITS);
    assert_eq!(allowed, LIMIT);
}

#[tokio::test]
#[ignore = "one of the processes of the test above, which starts four at a time"]
async fn counts_when_started_as_a_child_process() {
    let folder = std::env::var_os(CHILD_FOLDER).expect("the test above starts it, and says which folder");
    let store = open(Path::new(&folder));
    let limiter = RateLimiter::new(Cache::new(open(Path::new(&folder)), Clock::system()));
    let mut allowed = 0;
    for _ in 0..HITS {
        store.increment("hits", 1, None).await.unwrap();
        allowed += u32::from(limiter.hit("door", LIMIT, Duration::from_secs(3600)).await.unwrap().allowed);
    }
    println!("allowed={allowed}.");
}

#[tokio::test]
async fn a_damaged_file_is_an_error_that_says_what_to_do_and_never_a_miss() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.put("k", b"1".to_vec(), None).await.unwrap();
    let file = only_data_file(folder.path());
    let good = fs::read(&file).unwrap();
    for bad in [&b""[..], b"not ours", &good[..good.len() - 1], &[&good[..], b"x"].concat()] {
        let damage = || fs::write(&file, bad).unwrap();
        damage();
        let error = store.get("k").await.unwrap_err().to_string();
        assert!(error.contains("is damaged") && error.contains("housekey cache:clear"), "{error}");
        assert!(error.contains(file.to_str().unwrap()), "{error}");
        // Neither an attempt more nor a lock to be had.
        assert!(store.increment("k", 1, None).await.is_err());
        assert!(store.add("k", b"mine".to_vec(), None).await.is_err());
        assert!(store.compare_and_swap("k", None, Some(b"mine".to_vec()), None).await.is_err());
        assert_eq!(fs::read(&file).unwrap(), bad);

        // What does not ask for the old value gets rid of it.
        store.put("k", b"again".to_vec(), None).await.unwrap();
        assert_eq!(store.get("k").await.unwrap().as_deref(), Some(&b"again"[..]));
        damage();
        assert!(store.forget("k").await.unwrap());
        assert_eq!(store.get("k").await.unwrap(), None);
        damage();
        store.clear("").await.unwrap();
        assert_eq!(store.get("k").await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_file_moved_to_another_keys_place_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.put("victim", b"1".to_vec(), None).await.unwrap();
    let place = only_data_file(folder.path());
    store.forget("victim").await.unwrap();
    store.put("attacker", b"999".to_vec(), None).await.unwrap();
    fs::rename(only_data_file(folder.path()), &place).unwrap();
    assert!(store.get("victim").await.unwrap_err().to_string().contains("is damaged"));
}

#[tokio::test]
async fn a_folder_in_the_way_or_out_of_reach_is_an_error_never_a_miss() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("cache");
    fs::write(&root, "a file where the folder should be").unwrap();
    let error = FileStore::open(&root, Clock::system()).unwrap_err().to_string();
    assert!(error.contains("could not make the cache folder") && error.contains("cache"), "{error}");

    fs::remove_file(&root).unwrap();
    let store = open(&root);
    store.put("k", b"v".to_vec(), None).await.unwrap();
    fs::remove_dir_all(&root).unwrap();
    assert_eq!(store.get("k").await.unwrap(), None, "a removed folder is an empty cache");
    store.put("k", b"v".to_vec(), None).await.unwrap();

    fs::remove_dir_all(&root).unwrap();
    fs::write(&root, "in the way again").unwrap();
    assert!(store.get("k").await.is_err());
    assert!(store.put("k", b"v".to_vec(), None).await.is_err());
    assert!(store.increment("n", 1, None).await.is_err());
    assert!(store.forget("k").await.is_err());
}

/// Permissions do not bind root, so as root a file system without write access stands in: /proc.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_folder_without_write_permission_is_an_error_with_its_path() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
    let permissions_bind = fs::write(folder.path().join("probe"), "").is_err();
    let (error, path) = if permissions_bind {
        (store.put("k", b"v".to_vec(), None).await.unwrap_err(), folder.path().to_owned())
    } else {
        let path = PathBuf::from("/proc/housekey-cache");
        (FileStore::open(&path, Clock::system()).unwrap_err(), path)
    };
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    assert_eq!(error.message(), "Something went wrong on our side.", "a client never sees the path");
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_folder() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("cache");
    open(&root).put("k", b"v".to_vec(), None).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&root), 0o700);
    assert_eq!(mode(&only_data_file(&root)), 0o600);
}

#[tokio::test]
async fn a_change_waits_for_the_one_who_holds_the_lock_and_then_goes_through() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.put("k", b"1".to_vec(), None).await.unwrap();
    // As another process does it.
    let lock = fs::File::open(only_data_file(folder.path()).with_file_name(".lock")).unwrap();
    lock.lock().unwrap();
    let mut change = Box::pin(store.increment("k", 1, None));
    let early = tokio::time::timeout(Duration::from_millis(20), &mut change).await;
    assert!(early.is_err(), "nobody else changes what is locked");
    drop(lock);
    assert_eq!(in_time("the change", change).await.unwrap().value, 2);
}

#[tokio::test]
async fn files_whose_time_is_over_are_swept_away() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(OffsetDateTime::UNIX_EPOCH);
    let store = FileStore::open(folder.path(), clock.clone()).unwrap();
    store.put("short", b"v".to_vec(), Some(Duration::from_secs(1))).await.unwrap();
    let file = only_data_file(folder.path());
    clock.advance(Duration::from_secs(1));
    // Sweeps happen in the shard that is being written: write until the one above had its turn.
    for index in 0..100_000 {
        if !file.exists() {
            return;
        }
        store.put(&format!("other-{}", index % 4096), b"v".to_vec(), None).await.unwrap();
    }
    panic!("the file is still there");
}

fn only_data_file(root: &Path) -> PathBuf {
    let mut files: Vec<_> = fs::read_dir(root)
        .unwrap()
        .flat_map(|shard| fs::read_dir(shard.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with('.'))
        .collect();
    assert_eq!(files.len(), 1);
    files.remove(0)
}
