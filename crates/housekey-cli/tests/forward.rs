//! Commands that belong to the app, through the binary.

mod support;

use support::Sandbox;

/// A package that is an app by its manifest and prints what it was told. It compiles in a moment.
fn tiny_app(sandbox: &Sandbox) {
    sandbox.write(
        "housekey/Cargo.toml",
        "[package]\nname = \"housekey\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    sandbox.write("housekey/src/lib.rs", "");
    sandbox.write(
        "app/Cargo.toml",
        "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nhousekey = { path = \"../housekey\" }\n",
    );
    sandbox.write(
        "app/src/main.rs",
        "fn main() {\n    let words: Vec<String> = std::env::args().skip(1).collect();\n    \
         let folder = std::env::current_dir().unwrap();\n    \
         println!(\"{} in {}\", words.join(\"|\"), folder.file_name().unwrap().display());\n    \
         std::process::exit(7);\n}\n",
    );
}

#[test]
fn a_command_of_the_app_is_run_by_the_app_and_its_exit_code_kept() {
    let sandbox = Sandbox::new();
    tiny_app(&sandbox);
    let run = housekey_test_support::run(sandbox.command().current_dir(sandbox.path("app/src")).args([
        "route:list",
        "--json",
        "two words",
        "--help",
    ]));
    let said = String::from_utf8_lossy(&run.stdout);
    assert_eq!(run.status.code(), Some(7), "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(said.trim(), "route:list|--json|two words|--help in app");
}

#[test]
fn an_app_that_does_not_compile_names_the_file_and_the_command_that_was_not_run() {
    let sandbox = Sandbox::new();
    tiny_app(&sandbox);
    sandbox.write("app/src/pages/about.rs", "pub fn about() {}\n\nuse crate::nowhere;\n");
    sandbox.write("app/src/main.rs", "mod pages {\n    pub mod about;\n}\nfn main() {}\n");
    support::Run::of(sandbox.command().current_dir(sandbox.path("app")).args(["make:view", "team"]))
        .assert_refused(1)
        .assert_says("unresolved import")
        .assert_says("the app does not build, so `make:view` was not run")
        .assert_says("The first error is in src/pages/about.rs:3.");
}

#[cfg(unix)]
#[test]
fn cargo_is_told_nothing_of_the_package_that_started_us() {
    let sandbox = Sandbox::new();
    tiny_app(&sandbox);
    sandbox.script("bin/cargo", "env >&2\n");
    let run = support::Run::of(
        sandbox
            .command()
            .current_dir(sandbox.path("app"))
            .arg("route:list")
            .env("CARGO", sandbox.path("bin/cargo"))
            // As `cargo run` sets them for a package with a build script.
            .envs([
                ("CARGO_PKG_NAME", "housekey-cli"),
                ("CARGO_MANIFEST_DIR", "/checkout"),
                ("OUT_DIR", "/checkout/target/out"),
            ]),
    );
    let said = run.assert_says("CARGO=").said();
    for left_over in ["CARGO_PKG_", "CARGO_MANIFEST_", "OUT_DIR="] {
        assert!(!said.contains(left_over), "{left_over} is in:\n{said}");
    }
}

#[test]
fn outside_an_app_a_command_says_where_it_belongs() {
    let sandbox = Sandbox::new();
    sandbox.housekey(&["route:list"]).assert_refused(2).assert_says("is not inside a Housekey app");
    sandbox.housekey(&["dev"]).assert_refused(2).assert_says("is not inside a Housekey app");
}

#[test]
fn a_mistyped_command_suggests_the_near_one() {
    let sandbox = Sandbox::new();
    sandbox.housekey(&["craete", "my-app"]).assert_refused(2).assert_says("housekey create");
}

#[test]
fn a_mistyped_flag_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.housekey(&["create", "my-app", "--kits=none"]).assert_refused(2).assert_says("--kit");
    sandbox
        .housekey(&["create", "my-app", "--kit=none", "--port=80"])
        .assert_refused(2)
        .assert_says("--serve");
    assert!(sandbox.entries("").is_empty());
}

#[test]
fn help_and_version_are_there() {
    let sandbox = Sandbox::new();
    sandbox
        .housekey(&["--help"])
        .assert_ok()
        .assert_says("create")
        .assert_says("dev")
        .assert_says("route:list");
    sandbox.housekey(&["create", "--help"]).assert_ok().assert_says("--kit=none");
    sandbox.housekey(&["--version"]).assert_ok().assert_says(env!("CARGO_PKG_VERSION"));
    sandbox.housekey(&[]).assert_refused(2).assert_says("Usage");
}
