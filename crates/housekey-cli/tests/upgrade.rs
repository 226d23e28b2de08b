//! `housekey upgrade`, through the binary, with an app that was made from the kit of an earlier commit.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use support::kept::{self, Files, files, put};
use support::layers::{created, first_difference};
use support::{Run, Sandbox};

/// The app of the earlier commit in `shop`, as nobody has touched it, and what the kit gives today.
struct Earlier {
    sandbox: Sandbox,
    was: Files,
    is: Files,
}

impl Earlier {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let was = kept::earlier();
        put(&sandbox.path("shop"), &was);
        let mut is = created(&sandbox, "today", "jsx", &[]);
        // What `create` writes beside the kit's files.
        is.retain(|path, _| path != "Cargo.lock" && path != "storage/framework/setup");
        is.insert(".cargo/config.toml".to_owned(), was[".cargo/config.toml"].clone());
        Self { sandbox, was, is }
    }

    fn upgrade(&self, more: &[&str]) -> Run {
        self.sandbox.housekey_in("shop", &[&["upgrade"], more].concat())
    }

    fn files(&self) -> Files {
        files(&self.sandbox.path("shop"))
    }

    /// A Rust file that changed since.
    fn changed(&self) -> (String, String, String) {
        let changed = self.was.iter().filter(|(path, text)| {
            path.ends_with(".rs") && self.is.get(*path).is_some_and(|new| new != *text)
        });
        let (path, text) = changed.max_by_key(|(_, text)| text.len()).unwrap();
        let words = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (path.clone(), words(text), words(&self.is[path]))
    }
}

// spec: LAY-2
#[test]
fn an_untouched_app_of_an_earlier_commit_becomes_what_the_kit_gives_today() {
    let app = Earlier::new();
    app.sandbox.commit("shop");
    app.upgrade(&[]).assert_ok().assert_says("Upgraded").assert_says("housekey auth:schema --diff");
    assert_eq!(app.files().keys().collect::<Vec<_>>(), app.is.keys().collect::<Vec<_>>());
    for (path, content) in app.files() {
        assert!(content == app.is[&path], "{path} differs");
    }
    app.upgrade(&[]).assert_ok().assert_says("Up to date");
}

// spec: LAY-2
#[test]
fn check_says_what_would_come_in_words_and_as_an_exit_code() {
    let app = Earlier::new();
    let (path, before, _) = app.changed();
    app.sandbox.write(&format!("shop/{path}"), &format!("// mine\n{before}"));
    let before = app.files();
    app.upgrade(&["--check"])
        .assert_refused(3)
        .assert_says("Waiting")
        .assert_says("replaced")
        .assert_says(&path)
        .assert_says("The changelog asks for this:")
        .assert_says("Nothing was written.");
    assert_eq!(app.files(), before);
    app.upgrade(&["--pretend"]).assert_ok().assert_says("+++ b/").assert_says("Nothing was written.");
    assert_eq!(app.files(), before);

    app.upgrade(&["--force"]).assert_ok().assert_says("The changelog asks for this:");
    app.upgrade(&["--check"]).assert_ok().assert_says("Up to date").assert_never_says("changelog");
}

// spec: LAY-2
#[test]
fn a_dirty_work_tree_is_left_alone() {
    let app = Earlier::new();
    app.upgrade(&[]).assert_refused(1).assert_says("no git repository");
    app.sandbox.commit("shop");
    app.sandbox.write("shop/notes.txt", "mine");
    app.upgrade(&[]).assert_refused(1).assert_says("?? notes.txt");
    let mut left = app.files();
    left.remove("notes.txt");
    assert!(left == app.was);
}

// spec: LAY-2
#[test]
fn lines_that_you_and_the_kit_changed_are_both_there_and_marked() {
    let app = Earlier::new();
    let (path, before, after) = app.changed();
    let at = first_difference(&before, &after);
    let mut lines: Vec<&str> = before.lines().collect();
    lines[at] = "// mine, in place of what the kit changed";
    app.sandbox.write(&format!("shop/{path}"), &(lines.join("\n") + "\n"));
    app.upgrade(&["--force"]).assert_refused(1).assert_says(&format!("Conflict {path}"));
    let merged = app.sandbox.read(&format!("shop/{path}"));
    assert!(merged.contains("<<<<<<< yours\n") && merged.contains("\n>>>>>>> housekey "), "{merged}");
    assert!(merged.contains("// mine, in place of what the kit changed\n"));
    assert!(after.lines().all(|line| merged.lines().any(|found| found == line)));
}

// spec: LAY-2
#[test]
fn a_file_that_the_kit_dropped_goes_with_it_unless_you_edited_it() {
    let app = Earlier::new();
    let shop = app.sandbox.path("shop");
    let dropped =
        [("src/old/untouched.rs", "a\n"), ("src/older/edited.rs", "a\n"), ("src/oldest/gone.rs", "a\n")];
    kept::change(&shop, |_, given| {
        for (path, content) in dropped {
            given.insert(path.to_owned(), content.into());
        }
    });
    app.sandbox.write("shop/src/old/untouched.rs", "a\n");
    app.sandbox.write("shop/src/older/edited.rs", "a\nmine\n");
    app.upgrade(&["--force"]).assert_ok().assert_says("1 removed").assert_says("Left src/older/edited.rs");
    assert!(!shop.join("src/old").exists(), "an empty folder goes too");
    assert_eq!(app.sandbox.read("shop/src/older/edited.rs"), "a\nmine\n");
    assert!(!shop.join("src/oldest").exists());
}

// spec: LAY-2
#[test]
fn an_image_that_you_changed_stays_and_the_kits_is_put_beside_it() {
    let app = Earlier::new();
    let path = "public/image.png";
    kept::change(&app.sandbox.path("shop"), |_, given| {
        // As if the kit had had this file with other bytes.
        let new =
            app.is.keys().find(|path| path.ends_with(".rs") && !given.contains_key(*path)).unwrap().clone();
        given.insert(new.clone(), b"\0old".to_vec());
        given.insert(path.to_owned(), b"\0".to_vec());
        fs::create_dir_all(app.sandbox.path("shop").join(&new).parent().unwrap()).unwrap();
        fs::write(app.sandbox.path("shop").join(new), b"\0mine").unwrap();
    });
    app.upgrade(&["--force"]).assert_refused(1).assert_says("no lines to merge");
    let new = app.files().into_iter().filter(|(path, _)| path.ends_with(".housekey-new")).collect::<Vec<_>>();
    assert_eq!(new.len(), 1);
    let name = new[0].0.strip_suffix(".housekey-new").unwrap();
    assert!(new[0].1 == app.is[name]);
    assert_eq!(fs::read(app.sandbox.path("shop").join(name)).unwrap(), b"\0mine");
}

// spec: LAY-2
#[test]
fn words_that_you_added_to_a_list_of_words_stay_beside_new_ones_of_the_kit() {
    let app = Earlier::new();
    let today = String::from_utf8(app.is["lang/en.json"].clone()).unwrap();
    let (older, last) = today.trim_end().strip_suffix("\n}").unwrap().rsplit_once(",\n").unwrap();
    // As if the kit had had all of its words but the last, and somebody had added one behind them.
    kept::change(&app.sandbox.path("shop"), |_, given| {
        given.insert("lang/en.json".to_owned(), format!("{older}\n}}\n").into_bytes());
    });
    app.sandbox.write("shop/lang/en.json", &format!("{older},\n  \"Mine\": \"My own\"\n}}\n"));
    app.upgrade(&["--force"]).assert_ok();
    assert_eq!(
        app.sandbox.read("shop/lang/en.json"),
        format!("{older},\n  \"Mine\": \"My own\",\n{last}\n}}\n")
    );
}

// spec: LAY-2
#[test]
fn a_layer_waits_until_the_app_has_the_kit_it_is_made_for() {
    let app = Earlier::new();
    let layer = support::layers::fitting(&app.sandbox, "jsx").remove(0);
    let add = || app.sandbox.housekey_in("shop", &["add", &layer, "--force"]);
    add().assert_refused(1).assert_says("housekey upgrade");
    assert!(app.files() == app.was);
    app.upgrade(&["--force"]).assert_ok();
    add().assert_ok();
}

// spec: LAY-2
#[test]
fn an_app_that_has_kept_nothing_is_told_so_and_can_begin() {
    let app = Earlier::new();
    fs::remove_dir_all(app.sandbox.path("shop/.housekey")).unwrap();
    let before = app.files();
    for command in
        [&["upgrade", "--force"][..], &["upgrade", "--check"], &["add", "organizations", "--force"]]
    {
        app.sandbox
            .housekey_in("shop", command)
            .assert_refused(1)
            .assert_says("housekey upgrade --from-kit=jsx");
    }
    assert_eq!(app.files(), before);
    app.upgrade(&["--from-kit=teapot"]).assert_refused(2).assert_says("there is no kit `teapot`");

    app.upgrade(&["--from-kit=jsx"]).assert_ok().assert_says("No other file was changed");
    let mut after = app.files();
    after.retain(|path, _| !path.starts_with(".housekey/"));
    assert_eq!(after, before);
    app.upgrade(&["--check"]).assert_ok().assert_says("Up to date");
    app.upgrade(&["--from-kit=jsx"]).assert_refused(2).assert_says("without it");
}

// spec: LAY-2
#[test]
fn a_command_older_than_the_apps_kit_does_not_take_it_back() {
    let app = Earlier::new();
    kept::change(&app.sandbox.path("shop"), |note, _| note["version"] = json!("99.0.0"));
    let before = app.files();
    app.upgrade(&["--force"]).assert_refused(1).assert_says("99.0.0").assert_says("newer command");
    assert_eq!(app.files(), before);
}

// spec: LAY-2
#[test]
fn what_is_kept_is_refused_when_it_was_changed_by_hand() {
    let app = Earlier::new();
    let shop = app.sandbox.path("shop");
    let (note, archive) = (shop.join(".housekey/kit.json"), shop.join(".housekey/kit.archive"));
    let (good_note, good_archive) = (fs::read_to_string(&note).unwrap(), fs::read(&archive).unwrap());
    let refused = |why: &str| {
        let before = app.files();
        app.upgrade(&["--force"])
            .assert_refused(1)
            .assert_says(why)
            .assert_says("git checkout <commit> -- .housekey");
        assert_eq!(app.files(), before, "{why}");
        fs::write(&note, &good_note).unwrap();
        fs::write(&archive, &good_archive).unwrap();
    };
    let mut changed = good_archive.clone();
    changed[good_archive.len() / 2] ^= 1;
    fs::write(&archive, changed).unwrap();
    refused("`.housekey/kit.archive` is damaged");
    fs::write(&archive, &good_archive[..1000]).unwrap();
    refused("`.housekey/kit.archive` is damaged");
    fs::write(&archive, "no archive").unwrap();
    refused("`.housekey/kit.archive` is damaged");
    fs::write(&note, good_note.replace("\"layers\": []", "\"layers\": [\"organizations\"]")).unwrap();
    refused("do not belong together");
    fs::write(&note, "<<<<<<< HEAD\n").unwrap();
    refused("`.housekey/kit.json` is no JSON");
    fs::remove_file(&archive).unwrap();
    refused("`.housekey/kit.archive` cannot be read");
    for path in ["../outside.rs", "/etc/outside", "src/../../outside.rs", ".git/hooks/pre-commit", "a\\..\\b"]
    {
        kept::change(&shop, |_, given| {
            given.insert(path.to_owned(), b"x".to_vec());
        });
        refused("which is no place in an app");
    }
    // Line ends of Windows in the note are nobody's edit.
    fs::write(&note, good_note.replace('\n', "\r\n")).unwrap();
    app.upgrade(&["--force"]).assert_ok();
}

// spec: LAY-2
#[cfg(unix)]
#[test]
fn what_is_kept_is_not_read_through_a_link() {
    let app = Earlier::new();
    let folder = app.sandbox.path("shop/.housekey");
    fs::rename(&folder, app.sandbox.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(app.sandbox.path("elsewhere"), &folder).unwrap();
    app.upgrade(&["--force"]).assert_refused(1).assert_says("`.housekey` is a symbolic link");
}

/// What somebody does to an app. Places are chosen by numbers that are taken modulo what there is.
#[derive(Debug, Clone)]
enum Edit {
    Insert { file: usize, line: usize, bytes: bool },
    Replace { file: usize, line: usize },
    Remove { file: usize, line: usize, count: usize },
    Append { file: usize, ends: bool },
    Windows { file: usize },
    Delete { file: usize },
    Create { number: usize },
    Same { file: usize },
}

fn edit() -> impl Strategy<Value = Edit> {
    let any = any::<usize>;
    prop_oneof![
        6 => (any(), any(), proptest::bool::weighted(0.1)).prop_map(|(file, line, bytes)| Edit::Insert { file, line, bytes }),
        4 => (any(), any()).prop_map(|(file, line)| Edit::Replace { file, line }),
        3 => (any(), any(), 1..9_usize).prop_map(|(file, line, count)| Edit::Remove { file, line, count }),
        2 => (any(), proptest::bool::ANY).prop_map(|(file, ends)| Edit::Append { file, ends }),
        1 => any().prop_map(|file| Edit::Windows { file }),
        1 => any().prop_map(|file| Edit::Delete { file }),
        1 => any().prop_map(|number| Edit::Create { number }),
        1 => any().prop_map(|file| Edit::Same { file }),
    ]
}

/// Does what is asked to files that the kit changed since (mostly) or not, and gives back the lines that are new.
fn apply(app: &Earlier, edits: &[Edit], mine: &mut Files) -> Vec<(String, Vec<u8>)> {
    let changes = |path: &&String| app.was.get(*path) != app.is.get(*path);
    let ours = |path: &&String| !path.starts_with(".housekey/") && *path != "Cargo.toml";
    let changed: Vec<String> = app.was.keys().filter(ours).filter(changes).cloned().collect();
    let all: Vec<String> = app.was.keys().filter(ours).cloned().collect();
    let new: Vec<String> =
        app.is.keys().filter(ours).filter(|path| !app.was.contains_key(*path)).cloned().collect();
    let pick = |number: usize| {
        if number.is_multiple_of(4) {
            all[number / 4 % all.len()].clone()
        } else {
            changed[number / 4 % changed.len()].clone()
        }
    };
    let mut added = Vec::new();
    for (number, edit) in edits.iter().enumerate() {
        let mark = format!("// mine, number {number}").into_bytes();
        let lines = |mine: &Files, path: &str| -> Vec<Vec<u8>> {
            mine[path].split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
        };
        let (path, content) = match edit {
            Edit::Insert { file, .. }
            | Edit::Replace { file, .. }
            | Edit::Remove { file, .. }
            | Edit::Append { file, .. }
            | Edit::Windows { file }
            | Edit::Delete { file }
            | Edit::Same { file }
                if !mine.contains_key(&pick(*file)) =>
            {
                continue;
            }
            Edit::Insert { file, line, bytes } => {
                let (path, mut text) = (pick(*file), lines(mine, &pick(*file)));
                let mark = if *bytes { [&mark[..], b" caf\xe9"].concat() } else { mark };
                let at = line % (text.len() + 1);
                if at == text.len() && text.last().is_some_and(|last| !last.ends_with(b"\n")) {
                    continue;
                }
                text.insert(at, [&mark[..], b"\n"].concat());
                added.push((path.clone(), mark));
                (path, text.concat())
            }
            Edit::Replace { file, line } => {
                let (path, mut text) = (pick(*file), lines(mine, &pick(*file)));
                if text.is_empty() {
                    continue;
                }
                let at = line % text.len();
                // What a line before this one brought in is not taken out again: it is looked for below.
                if text[at].windows(7).any(|part| part == b"// mine") {
                    continue;
                }
                text[at] = [&mark[..], b"\n"].concat();
                added.push((path.clone(), mark));
                (path, text.concat())
            }
            Edit::Remove { file, line, count } => {
                let (path, mut text) = (pick(*file), lines(mine, &pick(*file)));
                let begin = line % (text.len() + 1);
                let end = (begin + count).min(text.len());
                if text[begin..end].iter().any(|line| line.windows(7).any(|part| part == b"// mine")) {
                    continue;
                }
                text.drain(begin..end);
                (path, text.concat())
            }
            Edit::Append { file, ends } => {
                let (path, mut text) = (pick(*file), mine[&pick(*file)].clone());
                if text.last().is_some_and(|last| *last != b'\n') {
                    text.push(b'\n');
                }
                text.extend(&mark);
                added.push((path.clone(), mark));
                if *ends {
                    text.push(b'\n');
                }
                (path, text)
            }
            Edit::Windows { file } => {
                let path = pick(*file);
                let text = String::from_utf8_lossy(&mine[&path]).replace("\r\n", "\n").replace('\n', "\r\n");
                if String::from_utf8(mine[&path].clone()).is_err() {
                    continue;
                }
                (path, text.into_bytes())
            }
            Edit::Delete { file } => {
                let path = pick(*file);
                added.retain(|(other, _)| *other != path);
                mine.remove(&path);
                continue;
            }
            // A file of one's own, under a name that the kit has by now or under another.
            Edit::Create { number } if number.is_multiple_of(2) && !new.is_empty() => {
                let path = new[number / 2 % new.len()].clone();
                if mine.contains_key(&path) {
                    continue;
                }
                added.push((path.clone(), mark.clone()));
                (path, mark)
            }
            Edit::Create { number } => {
                let path = format!("src/mine/{number}.rs");
                if mine.contains_key(&path) {
                    continue;
                }
                added.push((path.clone(), mark.clone()));
                (path, mark)
            }
            // By hand, what the kit did too.
            Edit::Same { file } => {
                let path = pick(*file);
                let Some(text) = app.is.get(&path).filter(|_| added.iter().all(|(other, _)| *other != path))
                else {
                    continue;
                };
                (path, text.clone())
            }
        };
        mine.insert(path, content);
    }
    added
}

// spec: LAY-2
#[test]
fn whatever_was_edited_nothing_of_it_is_lost() {
    let app = Earlier::new();
    let shop = app.sandbox.path("shop");
    // The same cases every time: a failure can be looked at, and a build machine does not fail by chance.
    let config = Config { cases: 24, failure_persistence: None, max_shrink_iters: 64, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let cases = proptest::collection::vec(edit(), 1..60);
    let outcome = runner.run(&cases, |edits| {
        let mut mine = app.was.clone();
        let added = apply(&app, &edits, &mut mine);
        fs::remove_dir_all(&shop).unwrap();
        put(&shop, &mine);
        let run = app.upgrade(&["--force"]);
        let said = run.said();
        let after = app.files();
        prop_assert!(matches!(run.code(), Some(0 | 1)) && said.contains("Upgraded"), "{}", said);
        let count = |text: &[u8], line: &[u8]| {
            text.split(|&byte| byte == b'\n')
                .filter(|found| found.strip_suffix(b"\r").unwrap_or(found) == line)
                .count()
        };
        for (path, line) in &added {
            prop_assert_eq!(
                count(&after[path], line),
                1,
                "{} in {}\n{}",
                String::from_utf8_lossy(line),
                path,
                said
            );
        }
        for (path, content) in mine.iter().filter(|(path, _)| !path.starts_with(".housekey/")) {
            let (was, is) = (app.was.get(path), app.is.get(path));
            if was == is || was.is_none() {
                prop_assert!(after.get(path) == Some(content), "{} was none of the kit's business", path);
            } else if was == Some(content) {
                prop_assert!(after.get(path) == is, "{} was untouched", path);
            }
            let marked = after.get(path).is_some_and(|text| count(text, b"<<<<<<< yours") > 0);
            prop_assert_eq!(marked, said.contains(&format!("Conflict {path} in ")), "{}", said);
        }
        for path in app.was.keys().filter(|path| !mine.contains_key(*path)) {
            prop_assert!(!after.contains_key(path), "{} was removed, and is back", path);
        }
        prop_assert_eq!(run.code() == Some(1), said.contains("Conflict "), "{}", said);
        // The app has what the kit gives today as what it was given: nothing is left to do.
        prop_assert!(after[".housekey/kit.archive"] == app.is[".housekey/kit.archive"]);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
