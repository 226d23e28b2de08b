//! `housekey create`, through the binary.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::Sandbox;

const QUIETLY: [&str; 2] = ["--no-install", "--no-git"];

fn create(sandbox: &Sandbox, arguments: &[&str]) -> support::Run {
    sandbox.housekey(&[&["create"], arguments, &QUIETLY].concat())
}

/// Every file below a folder that is text, with what it says.
fn texts(folder: PathBuf) -> Vec<(PathBuf, String)> {
    let mut folders = vec![folder];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else if let Ok(text) = fs::read_to_string(entry.path()) {
                found.push((entry.path(), text));
            }
        }
    }
    found
}

// spec: SVC-4, KIT-1, RTE-1
#[test]
fn the_none_kit_has_one_page_one_controller_ten_config_files_and_no_database() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["my-app", "--kit=none"]).assert_ok();

    assert_eq!(
        sandbox.entries("my-app/config"),
        [
            "app",
            "assets",
            "cache",
            "encryption",
            "http",
            "logging",
            "security",
            "session",
            "throttle",
            "view"
        ]
        .map(|name| format!("{name}.rs"))
    );
    assert_eq!(sandbox.entries("my-app/src/controllers"), ["home_controller.rs", "mod.rs"]);
    assert!(sandbox.read("my-app/src/routes/web.rs").contains("/health"));
    for absent in [
        "database",
        "src/models",
        "config/mail.rs",
        "config/database.rs",
        "config/queue.rs",
        "config/auth.rs",
    ] {
        assert!(!sandbox.path("my-app").join(absent).exists(), "{absent}");
    }
    assert_eq!(sandbox.entries(""), ["my-app"], "nothing is left beside the app");
}

// spec: KIT-2, KIT-5, KIT-6, RTE-1
#[test]
fn the_api_kit_has_one_page_sixteen_config_files_and_no_front_end() {
    let sandbox = Sandbox::new();
    let run = create(&sandbox, &["my-app", "--kit=api"]);
    run.assert_ok().assert_says("demo@example.com");
    assert!(!run.said().contains("npm install"), "there is nothing to install");

    assert_eq!(sandbox.entries("my-app/config").len(), 16);
    assert_eq!(sandbox.entries("my-app/src/views/pages"), ["welcome.rs"]);
    assert_eq!(
        sandbox.entries("my-app/tests"),
        ["api_auth.rs", "api_profile.rs", "description.rs", "endpoints.rs", "http.rs", "social.rs"]
    );
    assert!(sandbox.entries("my-app/database/migrations").iter().all(|name| name == ".gitkeep"));
    assert!(sandbox.read("my-app/src/routes/web.rs").contains("/health"));
    for absent in
        ["config/assets.rs", "package.json", "resources", "vite.config.ts", "src/controllers/settings"]
    {
        assert!(!sandbox.path("my-app").join(absent).exists(), "{absent}");
    }
    // Nothing speaks of what was left out. A stub has placeholders of its own, for `make:view` to fill.
    for (file, text) in texts(sandbox.path("my-app")) {
        let text = if file.ends_with("stubs/view.stub") { text.replace("{{ ", "") } else { text };
        for word in ["npm ", "node_modules", "vite", "{{"] {
            assert!(file.ends_with("Cargo.lock") || !text.contains(word), "{word} in {}", file.display());
        }
    }
}

// spec: KIT-4, KIT-5, KIT-6, RTE-1
#[test]
fn the_spa_kit_has_a_front_end_of_its_own_fifteen_client_pages_and_seventeen_config_files() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["my-app", "--kit=spa"]).assert_ok().assert_says("demo@example.com");

    assert_eq!(sandbox.entries("my-app/config").len(), 17);
    assert_eq!(sandbox.entries("my-app/src/views/pages"), ["welcome.rs"]);
    assert!(sandbox.entries("my-app/database/migrations").iter().all(|name| name == ".gitkeep"));
    let mut pages = texts(sandbox.path("my-app/frontend/src/pages"));
    pages.retain(|(file, _)| file.extension().is_some_and(|ending| ending == "vue"));
    // Those of sign-in by mail have routes only where it is turned on.
    let (by_mail, pages): (Vec<_>, Vec<_>) = pages
        .iter()
        .map(|(file, _)| file)
        .partition(|file| file.parent().is_some_and(|of| of.ends_with("by-mail")));
    assert_eq!((pages.len(), by_mail.len()), (15, 3));

    // One npm project beside the app's own, and no front end of another kit.
    let root: Value = serde_json::from_str(&sandbox.read("my-app/package.json")).unwrap();
    assert_eq!(root["workspaces"], json!(["frontend"]));
    for absent in ["resources", "tsconfig.json", "vite.config.ts"] {
        assert!(!sandbox.path("my-app").join(absent).exists(), "{absent}");
    }
    let frontend: Value = serde_json::from_str(&sandbox.read("my-app/frontend/package.json")).unwrap();
    for package in
        [&frontend["dependencies"]["@housekey/client"], &frontend["devDependencies"]["@housekey/vite"]]
    {
        let place = package.as_str().and_then(|found| found.strip_prefix("file:")).unwrap();
        assert!(Path::new(place).join("package.json").is_file(), "{place} is no package");
    }
    for entry in ["src/main.ts", "src/auth.ts", "src/server.ts"] {
        assert!(sandbox.path("my-app/frontend").join(entry).is_file(), "{entry}");
        for list in ["my-app/config/assets.rs", "my-app/frontend/vite.config.ts"] {
            assert!(sandbox.read(list).contains(entry), "{entry} in {list}");
        }
    }
}

#[test]
fn placeholders_are_gone_and_the_name_is_in_their_place() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["corner-shop", "--kit=none"]).assert_ok();

    assert!(sandbox.read("corner-shop/Cargo.toml").contains("name = \"corner-shop\""));
    assert!(sandbox.read("corner-shop/src/main.rs").contains("corner_shop::app()"));
}

// spec: SVC-4
#[test]
fn every_kit_can_be_created_and_leaves_no_placeholder() {
    let sandbox = Sandbox::new();
    for kit in ["none", "api", "jsx", "spa"] {
        let name = format!("my-{kit}");
        create(&sandbox, &[&name, &format!("--kit={kit}")]).assert_ok();
        for (file, text) in texts(sandbox.path(&name)) {
            for word in ["{{name}}", "{{crate}}", "{{title}}", "{{housekey"] {
                assert!(!text.contains(word), "{word} in {}", file.display());
            }
        }
    }
}

// spec: SVC-4
#[test]
fn an_unknown_kit_is_refused_with_the_list_and_nothing_written() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["my-app", "--kit=bogus"])
        .assert_refused(2)
        .assert_says("there is no kit `bogus`")
        .assert_says("--kit=none");
    assert!(sandbox.entries("").is_empty());
}

#[test]
fn without_a_terminal_nothing_is_asked_and_what_is_missing_is_named() {
    let sandbox = Sandbox::new();
    create(&sandbox, &[]).assert_refused(2).assert_says("<app>").assert_says("--kit=<kit>");
    create(&sandbox, &["my-app"]).assert_refused(2).assert_says("missing --kit=<kit>");
    create(&sandbox, &["--kit=none"]).assert_refused(2).assert_says("missing <app>");
    assert!(sandbox.entries("").is_empty());
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("my-app/notes.txt", "mine");
    create(&sandbox, &["my-app", "--kit=none"])
        .assert_refused(1)
        .assert_says("not empty")
        .assert_says("notes.txt");
    assert_eq!(sandbox.entries("my-app"), ["notes.txt"]);
    assert_eq!(sandbox.entries(""), ["my-app"]);
}

#[test]
fn a_file_of_that_name_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("my-app", "mine");
    create(&sandbox, &["my-app", "--kit=none"]).assert_refused(1).assert_says("not a folder");
    assert_eq!(sandbox.read("my-app"), "mine");
}

#[test]
fn a_folder_with_a_repository_and_a_licence_is_filled() {
    let sandbox = Sandbox::new();
    sandbox.write("my-app/.git/HEAD", "ref: refs/heads/main");
    sandbox.write("my-app/LICENSE", "MIT");
    create(&sandbox, &["my-app", "--kit=none"]).assert_ok();
    assert_eq!(sandbox.read("my-app/.git/HEAD"), "ref: refs/heads/main");
    assert_eq!(sandbox.read("my-app/LICENSE"), "MIT");
    assert!(sandbox.path("my-app/src/main.rs").exists());
    assert_eq!(sandbox.entries(""), ["my-app"]);
}

#[test]
fn an_empty_folder_is_filled() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("my-app")).unwrap();
    create(&sandbox, &["my-app", "--kit=none"]).assert_ok();
    assert!(sandbox.path("my-app/src/main.rs").exists());
}

#[test]
fn a_parent_that_is_a_file_or_missing_is_reported_and_nothing_left() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "x");
    create(&sandbox, &["file/my-app", "--kit=none"]).assert_refused(1).assert_says("is not a folder");
    create(&sandbox, &["nowhere/my-app", "--kit=none"]).assert_refused(1).assert_says("is not a folder");
    assert_eq!(sandbox.entries(""), ["file"]);
}

/// Root is not held back by permission bits, so the refusal comes from a file system that takes no files at all.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_to_is_reported_and_nothing_left() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["/proc/self/my-app", "--kit=none"])
        .assert_refused(1)
        .assert_says("cannot be written to");
    assert!(sandbox.entries("").is_empty());
}

#[cfg(unix)]
#[test]
fn a_folder_without_write_permission_is_reported_and_nothing_left() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("locked")).unwrap();
    fs::set_permissions(sandbox.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(sandbox.path("locked/probe"), "").is_ok() {
        return; // Running as root; the test above covers the refusal.
    }
    create(&sandbox, &["locked/my-app", "--kit=none"]).assert_refused(1).assert_says("cannot be written to");
    assert!(sandbox.entries("locked").is_empty());
}

#[test]
fn names_that_cannot_work_are_refused_with_a_better_one() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["My App", "--kit=none"]).assert_refused(2).assert_says("`my-app` would do");
    create(&sandbox, &["test", "--kit=none"]).assert_refused(2).assert_says("standard library");
    create(&sandbox, &["../..", "--kit=none"]).assert_refused(2);
    assert!(sandbox.entries("").is_empty());
}

#[test]
fn every_app_gets_a_key_of_its_own_that_only_its_owner_reads() {
    let sandbox = Sandbox::new();
    let keys: HashSet<String> = ["one", "two"]
        .map(|name| {
            create(&sandbox, &[name, "--kit=none"]).assert_ok();
            let env = sandbox.read(&format!("{name}/.env"));
            env.lines().find_map(|line| line.strip_prefix("APP_KEY=base64:")).expect("a key").to_owned()
        })
        .into();
    assert_eq!(keys.len(), 2);
    assert!(keys.iter().all(|key| key.len() == 44));
    assert!(sandbox.read("one/.env.example").contains("\nAPP_KEY=\n"), "the example stays empty");
    assert!(
        sandbox.read("one/.gitignore").lines().any(|line| line == "/.env"),
        "and the key stays out of git"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(sandbox.path("one/.env")).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn an_app_from_a_checkout_uses_it_by_path_and_stands_on_its_own() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["my-app", "--kit=none"]).assert_ok();

    let checkout = fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    let manifest = sandbox.read("my-app/Cargo.toml");
    assert!(
        manifest.contains(&format!("path = \"{}\"", checkout.join("crates/housekey").display())),
        "{manifest}"
    );
    assert!(
        manifest.lines().any(|line| line == "[workspace]"),
        "it builds inside another workspace's folder too"
    );
    let packages = sandbox.read("my-app/package.json");
    assert!(
        packages.contains(&format!("\"file:{}\"", checkout.join("packages/vite").display())),
        "{packages}"
    );
    assert_eq!(
        sandbox.read("my-app/Cargo.lock"),
        fs::read_to_string(checkout.join("Cargo.lock")).unwrap(),
        "versions agree with the checkout's"
    );
    if checkout.join("target").is_dir() {
        let config = sandbox.read("my-app/.cargo/config.toml");
        assert!(
            config.contains(&format!("target-dir = \"{}\"", checkout.join("target").display())),
            "{config}"
        );
    }
}

#[test]
fn the_profiles_of_the_app_are_those_of_the_framework() {
    // Crates are compiled once for both only when their settings agree.
    let sandbox = Sandbox::new();
    create(&sandbox, &["my-app", "--kit=none"]).assert_ok();
    let app = sandbox.read("my-app/Cargo.toml");
    let framework = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml")).unwrap();

    let settings = |manifest: &str, table: &str| -> Vec<String> {
        let lines = manifest.lines().skip_while(|line| *line != table).skip(1);
        lines
            .take_while(|line| !line.starts_with('['))
            .filter(|line| line.contains('='))
            .map(str::to_owned)
            .collect()
    };
    for table in ["[profile.dev]", "[profile.release]"] {
        assert_eq!(settings(&app, table), settings(&framework, table), "{table}");
    }
    let optimised = settings(&framework, "[profile.dev.package]");
    for line in settings(&app, "[profile.dev.package]") {
        assert!(optimised.contains(&line), "{line} is not a setting of the framework's workspace");
    }
}

#[test]
fn a_repository_is_made_unless_there_is_one() {
    let sandbox = Sandbox::new();
    let with_git = |arguments: &[&str]| {
        sandbox.housekey(&[&["create", "--kit=none", "--no-install"], arguments].concat())
    };

    with_git(&["one"]).assert_ok();
    assert!(sandbox.path("one/.git").is_dir());

    with_git(&["two", "--no-git"]).assert_ok();
    assert!(!sandbox.path("two/.git").exists());

    with_git(&["one/src/three"]).assert_ok();
    assert!(!sandbox.path("one/src/three/.git").exists(), "it already lives in a repository");
}

#[test]
fn the_equivalent_command_and_the_next_steps_are_told() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["my-app", "--kit=none"])
        .assert_ok()
        .assert_says("housekey create my-app --kit=none --no-install --no-git")
        .assert_says("cd my-app")
        .assert_says(" dev")
        .assert_says("http://localhost:3000");
}

#[cfg(unix)]
#[test]
fn a_machine_without_node_is_told_what_to_install_and_gets_its_app() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("bin")).unwrap();
    let run = housekey_test_support::run(
        sandbox
            .command()
            .args(["create", "my-app", "--kit=none", "--no-git"])
            .env("PATH", sandbox.path("bin")),
    );
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert!(said.contains("Node.js is not installed") && said.contains("npm install"), "{said}");
    assert!(sandbox.path("my-app/src/main.rs").exists());
}

#[cfg(unix)]
#[test]
fn an_installation_that_fails_is_reported_and_the_app_stays() {
    let sandbox = Sandbox::new();
    sandbox.script("bin/node", "echo v22.12.0\n");
    sandbox
        .script("bin/npm", "[ \"$1\" = --version ] && echo 10.0.0 && exit 0\necho no network >&2\nexit 1\n");
    let run = housekey_test_support::run(
        sandbox
            .command()
            .args(["create", "my-app", "--kit=none", "--no-git"])
            .env("PATH", format!("{}:/bin:/usr/bin", sandbox.path("bin").display())),
    );
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("no network") && said.contains("`npm install` did not succeed"), "{said}");
    assert!(sandbox.path("my-app/src/main.rs").exists());
}

/// They are two files because the pages of the two kits have different addresses. All else is decided once.
#[test]
fn accounts_of_the_jsx_and_the_spa_kit_differ_in_addresses_only() {
    let decisions = |layer: &str| {
        let file = format!("{}/../../kits/{layer}/config/auth.rs", env!("CARGO_MANIFEST_DIR"));
        let lines: Vec<String> = fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect();
        lines.into_iter().filter(|line| !line.contains("\"/")).collect::<Vec<_>>()
    };
    assert_eq!(decisions("auth"), decisions("spa"));
}
