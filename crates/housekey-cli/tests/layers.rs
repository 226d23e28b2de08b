//! `housekey create --with` and `housekey add`, through the binary.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;

use support::Sandbox;
use support::kept::{Files, files};
use support::layers::{combinations, comparable, created, first_difference, fitting};

const KITS: [&str; 2] = ["jsx", "spa"];

/// An app of the kit, committed, and the names of one layer that fits it.
fn committed_app(sandbox: &Sandbox, kit: &str) -> Vec<String> {
    created(sandbox, "x", kit, &[]);
    sandbox.commit("x/shop");
    let layer = fitting(sandbox, kit).first().expect("a layer").clone();
    vec![layer]
}

fn add(sandbox: &Sandbox, app: &str, layers: &[String], more: &[&str]) -> support::Run {
    let mut arguments = vec!["add"];
    arguments.extend(layers.iter().map(String::as_str));
    arguments.extend(more);
    sandbox.housekey_in(app, &arguments)
}

/// A Rust file that the layer edits, as it is without and with the layer.
fn edited_by(plain: &Files, with: &Files) -> (String, String, String) {
    let edited = plain
        .iter()
        .filter(|(path, text)| path.ends_with(".rs") && with.get(*path).is_some_and(|new| new != *text));
    let (path, text) = edited.max_by_key(|(_, text)| text.len()).expect("a layer edits a Rust file");
    let words = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (path.clone(), words(text), words(&with[path]))
}

// spec: LAY-3
#[test]
fn add_to_a_fresh_app_gives_what_create_with_gives_byte_for_byte() {
    let sandbox = Sandbox::new();
    for kit in KITS {
        let combinations = combinations(&sandbox, kit);
        assert!(!combinations.is_empty(), "there is no layer for {kit}");
        for layers in combinations {
            let name = format!("{kit}-{}", layers.join("-"));
            let with = created(&sandbox, &format!("with/{name}"), kit, &layers);
            created(&sandbox, &format!("added/{name}"), kit, &[]);
            add(&sandbox, &format!("added/{name}/shop"), &layers, &["--force"]).assert_ok();
            same(&comparable(&sandbox, &format!("added/{name}/shop")), &with, &name);

            // One after the other, the last one first. What holds for any two and for all of them holds for three.
            if layers.len() == 1 || layers.len() == 3 {
                continue;
            }
            created(&sandbox, &format!("one-by-one/{name}"), kit, &[]);
            for layer in layers.iter().rev() {
                add(&sandbox, &format!("one-by-one/{name}/shop"), std::slice::from_ref(layer), &["--force"])
                    .assert_ok();
            }
            same(&comparable(&sandbox, &format!("one-by-one/{name}/shop")), &with, &name);
        }
    }
}

#[track_caller]
fn same(found: &Files, expected: &Files, name: &str) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{name}");
    for (path, content) in expected {
        assert!(found[path] == *content, "{name}: {path} differs");
    }
}

// spec: LAY-1
#[test]
fn an_app_without_layers_has_the_files_of_its_kit_and_two_that_remember_them() {
    let sandbox = Sandbox::new();
    for kit in ["none", "api", "jsx", "spa"] {
        let app = created(&sandbox, kit, kit, &[]);
        let ours: Vec<&String> = app.keys().filter(|path| path.starts_with(".housekey/")).collect();
        assert_eq!(ours, [".housekey/kit.archive", ".housekey/kit.json"]);
        let note: serde_json::Value = serde_json::from_slice(&app[".housekey/kit.json"]).unwrap();
        assert_eq!((&note["kit"], &note["layers"]), (&kit.into(), &serde_json::json!([])));
        assert!(app[".housekey/kit.archive"].len() < 256 * 1024, "it is small");
        let given = support::kept::unpack(&app[".housekey/kit.archive"]);
        for (path, content) in given.iter().filter(|(path, _)| !path.starts_with('/')) {
            // Where target folders are shared, that is written behind what the kit has.
            assert!(app[path].starts_with(content), "{kit}: {path}");
        }
        assert!(!given.contains_key(".env") && !given.contains_key("Cargo.lock"));
    }
}

// spec: LAY-1
#[test]
fn a_layer_that_does_not_fit_or_does_not_exist_is_refused_with_those_that_do() {
    let sandbox = Sandbox::new();
    let layer = fitting(&sandbox, "jsx").remove(0);
    let with = format!("--with={layer}");
    sandbox
        .housekey(&["create", "shop", "--kit=none", &with])
        .assert_refused(2)
        .assert_says(&format!("the layer `{layer}` does not fit the kit `none`"))
        .assert_says("It fits these kits: jsx, spa.");
    sandbox
        .housekey(&["create", "shop", "--kit=jsx", "--with=teapots"])
        .assert_refused(2)
        .assert_says("there is no layer `teapots`")
        .assert_says(&layer);
    assert!(sandbox.entries("").is_empty(), "nothing was written");

    created(&sandbox, "x", "none", &[]);
    add(&sandbox, "x/shop", &[layer], &["--force"]).assert_refused(2).assert_says("does not fit");
    add(&sandbox, "x/shop", &["teapots".to_owned()], &["--force"])
        .assert_refused(2)
        .assert_says("Layers in this");
    sandbox.housekey(&["add", "organizations"]).assert_refused(2).assert_says("not inside a Housekey app");
}

// spec: LAY-1
#[test]
fn the_same_layer_again_is_there_already() {
    let sandbox = Sandbox::new();
    let layer = committed_app(&sandbox, "jsx");
    add(&sandbox, "x/shop", &layer, &[]).assert_ok().assert_says("Added").assert_says("Next:");
    let once = files(&sandbox.path("x/shop"));
    // Not even a clean work tree is asked for: there is nothing to do.
    add(&sandbox, "x/shop", &layer, &[])
        .assert_ok()
        .assert_says("in this app already")
        .assert_never_says("Added");
    assert_eq!(files(&sandbox.path("x/shop")), once);
}

// spec: LAY-2
#[test]
fn edits_elsewhere_in_the_same_files_are_merged() {
    let sandbox = Sandbox::new();
    let layer = committed_app(&sandbox, "jsx");
    let plain = comparable(&sandbox, "x/shop");
    let with = created(&sandbox, "with", "jsx", &layer);
    let (path, before, after) = edited_by(&plain, &with);
    // Far from what the layer does: at the other end of the file.
    let at_the_end = first_difference(&before, &after) < before.lines().count() / 2;
    let mine = |text: &str| if at_the_end { format!("{text}// mine\n") } else { format!("// mine\n{text}") };
    fs::write(sandbox.path("x/shop").join(&path), mine(&before)).unwrap();
    sandbox.commit("x/shop");

    let run = add(&sandbox, "x/shop", &layer, &[]);
    run.assert_ok().assert_says(&format!("Merged {path}")).assert_never_says("Conflict");
    assert_eq!(sandbox.read(&format!("x/shop/{path}")), mine(&after));
}

// spec: LAY-2
#[test]
fn edits_of_the_same_lines_are_both_left_marked_and_listed() {
    let sandbox = Sandbox::new();
    let layer = committed_app(&sandbox, "jsx");
    let plain = comparable(&sandbox, "x/shop");
    let with = created(&sandbox, "with", "jsx", &layer);
    let (path, before, after) = edited_by(&plain, &with);
    let at = first_difference(&before, &after);
    let mut lines: Vec<&str> = before.lines().collect();
    lines.splice(at..at, ["// mine, right where the layer writes"]);
    fs::write(sandbox.path("x/shop").join(&path), lines.join("\n") + "\n").unwrap();
    sandbox.commit("x/shop");

    add(&sandbox, "x/shop", &layer, &[])
        .assert_refused(1)
        .assert_says(&format!("Conflict {path} in 1 place"))
        .assert_says("To do, before anything else:")
        .assert_says("Next:");
    let merged = sandbox.read(&format!("x/shop/{path}"));
    assert!(merged.contains("<<<<<<< yours\n// mine, right where the layer writes\n=======\n"), "{merged}");
    assert!(merged.contains(&format!("\n>>>>>>> {}\n", layer[0])), "{merged}");
    for line in after.lines() {
        assert!(merged.lines().any(|found| found == line), "the layer's `{line}` is lost");
    }
    // The rest of the layer is there, and the app knows it.
    let found = comparable(&sandbox, "x/shop");
    for (other, content) in with.iter().filter(|(other, _)| **other != path) {
        assert!(found[other] == *content, "{other}");
    }
}

// spec: LAY-2
#[test]
fn a_file_of_yours_under_the_name_of_a_new_one_stays_and_the_layers_is_put_beside_it() {
    let sandbox = Sandbox::new();
    let layer = committed_app(&sandbox, "jsx");
    let plain = comparable(&sandbox, "x/shop");
    let with = created(&sandbox, "with", "jsx", &layer);
    let mut new = with.keys().filter(|path| !plain.contains_key(*path));
    let (mine, taken) = (new.next().unwrap(), new.next().unwrap());
    sandbox.write(&format!("x/shop/{mine}"), "mine\n");
    sandbox.write(&format!("x/shop/{mine}.housekey-new"), "mine too\n");
    fs::create_dir_all(sandbox.path("x/shop").join(taken).parent().unwrap()).unwrap();
    fs::write(sandbox.path("x/shop").join(taken), &with[taken]).unwrap();
    sandbox.commit("x/shop");

    let beside = format!("{mine}.housekey-new-2");
    add(&sandbox, "x/shop", &layer, &[]).assert_refused(1).assert_says(&beside).assert_never_says(taken);
    assert_eq!(sandbox.read(&format!("x/shop/{mine}")), "mine\n");
    assert_eq!(sandbox.read(&format!("x/shop/{mine}.housekey-new")), "mine too\n");
    assert_eq!(fs::read(sandbox.path("x/shop").join(beside)).unwrap(), with[mine]);
}

// spec: LAY-2
#[test]
fn a_file_that_you_removed_stays_removed_and_is_named() {
    let sandbox = Sandbox::new();
    let layer = committed_app(&sandbox, "jsx");
    let with = created(&sandbox, "with", "jsx", &layer);
    let (path, ..) = edited_by(&comparable(&sandbox, "x/shop"), &with);
    fs::remove_file(sandbox.path("x/shop").join(&path)).unwrap();
    sandbox.commit("x/shop");
    add(&sandbox, "x/shop", &layer, &[]).assert_ok().assert_says(&format!("Left out {path}"));
    assert!(!sandbox.path("x/shop").join(&path).exists());
}

// spec: LAY-2
#[test]
fn two_branches_that_each_took_a_layer_come_together() {
    let sandbox = Sandbox::new();
    let layers = fitting(&sandbox, "jsx");
    let [first, second] = &layers[..2] else { panic!("two layers fit jsx") };
    let both = [first.clone(), second.clone()];
    let with = created(&sandbox, "with", "jsx", &both);
    // What a merge leaves: the files of both, and what is kept from one of the branches.
    let kept = created(&sandbox, "one", "jsx", std::slice::from_ref(second));
    created(&sandbox, "merged", "jsx", &both);
    for file in [".housekey/kit.json", ".housekey/kit.archive"] {
        fs::write(sandbox.path("merged/shop").join(file), &kept[file]).unwrap();
    }
    add(&sandbox, "merged/shop", std::slice::from_ref(first), &["--force"]).assert_ok();
    same(&comparable(&sandbox, "merged/shop"), &with, "merged");

    // The note of one branch with the archive of the other is refused.
    fs::write(sandbox.path("merged/shop/.housekey/kit.json"), &kept[".housekey/kit.json"]).unwrap();
    add(&sandbox, "merged/shop", &both, &["--force"]).assert_refused(1).assert_says("do not belong together");
}

// spec: LAY-2
#[test]
fn nothing_is_written_while_changes_are_not_committed_or_there_is_no_repository() {
    let sandbox = Sandbox::new();
    let layer = vec![fitting(&sandbox, "jsx").remove(0)];
    created(&sandbox, "x", "jsx", &[]);
    let fresh = files(&sandbox.path("x/shop"));
    add(&sandbox, "x/shop", &layer, &[])
        .assert_refused(1)
        .assert_says("no git repository")
        .assert_says("--force");
    assert_eq!(files(&sandbox.path("x/shop")), fresh);

    sandbox.commit("x/shop");
    for (path, status) in [("README.md", "M README.md"), ("notes.txt", "?? notes.txt")] {
        sandbox.write(&format!("x/shop/{path}"), "mine\n");
        let before = files(&sandbox.path("x/shop"));
        add(&sandbox, "x/shop", &layer, &[])
            .assert_refused(1)
            .assert_says("not committed")
            .assert_says(status);
        assert_eq!(files(&sandbox.path("x/shop")), before);
        sandbox.git("x/shop", &["stash", "--quiet", "--include-untracked"]);
    }
    sandbox.write("x/shop/notes.txt", "mine\n");
    add(&sandbox, "x/shop", &layer, &["--allow-dirty"]).assert_ok();
    assert_eq!(sandbox.read("x/shop/notes.txt"), "mine\n");
}

// spec: LAY-2
#[test]
fn pretend_shows_the_differences_and_writes_nothing() {
    let sandbox = Sandbox::new();
    let layer = committed_app(&sandbox, "jsx");
    let with = created(&sandbox, "with", "jsx", &layer);
    let plain = comparable(&sandbox, "x/shop");
    let (path, before, after) = edited_by(&plain, &with);
    // It may be asked at any time: it changes nothing.
    sandbox.write("x/shop/notes.txt", "mine\n");
    let all = files(&sandbox.path("x/shop"));
    let line = after.lines().nth(first_difference(&before, &after)).unwrap();
    add(&sandbox, "x/shop", &layer, &["--pretend"])
        .assert_ok()
        .assert_says(&format!("--- a/{path}\n+++ b/{path}\n"))
        .assert_says(&format!("\n+{line}\n"))
        .assert_says("--- /dev/null\n")
        .assert_says("would be")
        .assert_says("Nothing was written.");
    assert_eq!(files(&sandbox.path("x/shop")), all);
    assert!(!sandbox.path("x/shop/.git/index.lock").exists());
}

// spec: LAY-2
#[cfg(unix)]
#[test]
fn a_link_is_not_followed_out_of_the_app() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    let layer = committed_app(&sandbox, "jsx");
    let with = created(&sandbox, "with", "jsx", &layer);
    let (path, ..) = edited_by(&comparable(&sandbox, "x/shop"), &with);

    // A file that is a link: what it leads to stays as it is.
    let file = sandbox.path("x/shop").join(&path);
    sandbox.write("outside.rs", &fs::read_to_string(&file).unwrap());
    let outside = sandbox.read("outside.rs");
    fs::remove_file(&file).unwrap();
    symlink(sandbox.path("outside.rs"), &file).unwrap();
    add(&sandbox, "x/shop", &layer, &["--force"])
        .assert_refused(1)
        .assert_says(&format!("{path}.housekey-new"));
    assert_eq!(sandbox.read("outside.rs"), outside);
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());

    // A folder that is a link: nothing is written at all.
    created(&sandbox, "y", "jsx", &[]);
    fs::rename(sandbox.path("y/shop/src"), sandbox.path("elsewhere")).unwrap();
    symlink(sandbox.path("elsewhere"), sandbox.path("y/shop/src")).unwrap();
    let (before, elsewhere) = (files(&sandbox.path("y/shop")), files(&sandbox.path("elsewhere")));
    add(&sandbox, "y/shop", &layer, &["--force"])
        .assert_refused(1)
        .assert_says("`src`")
        .assert_says("not followed");
    assert_eq!(files(&sandbox.path("y/shop")), before);
    assert_eq!(files(&sandbox.path("elsewhere")), elsewhere);
}

// spec: LAY-2
#[test]
fn an_app_with_line_ends_of_windows_takes_a_layer_in_its_own_style() {
    let sandbox = Sandbox::new();
    let layer = committed_app(&sandbox, "jsx");
    let with = created(&sandbox, "with", "jsx", &layer);
    let plain = comparable(&sandbox, "x/shop");
    let (path, before, after) = edited_by(&plain, &with);
    let windows = |text: &str| text.replace('\n', "\r\n");
    fs::write(sandbox.path("x/shop").join(&path), windows(&before)).unwrap();
    sandbox.commit("x/shop");
    add(&sandbox, "x/shop", &layer, &[]).assert_ok().assert_never_says("Merged");
    assert_eq!(sandbox.read(&format!("x/shop/{path}")), windows(&after));
}
