//! `types`, and what `serve` does of it behind `housekey dev`.

use std::{fs, net::TcpStream, time::SystemTime};

use housekey_test_support::{Program, ServerPort, until};

use crate::serve::Running;
use crate::support::{Folder, Said};

const TYPED: [(&str, &str); 1] = [("SAMPLE_TYPES", "frontend")];
const BEHIND_DEV: [(&str, &str); 2] = [TYPED[0], ("HOUSEKEY_DEV_URL", "http://localhost:3000")];

fn run(folder: &Folder, line: &str) -> Said {
    folder.run_with(line, &TYPED)
}

fn written_at(folder: &Folder, file: &str) -> SystemTime {
    fs::metadata(folder.path(file)).unwrap().modified().unwrap()
}

#[test]
fn the_routes_of_a_client_are_written_down_and_left_alone_while_nothing_changes() {
    let folder = Folder::new();
    run(&folder, "types")
        .ok()
        .out("✓ frontend/types/api.gen.ts is written.")
        .out("✓ frontend/types/routes.gen.ts is written.");
    let routes = folder.read("frontend/types/routes.gen.ts");
    assert_eq!(
        routes,
        "// Written by `housekey types`; edit the Rust instead.

export {}

declare module '@housekey/client' {
  /** Below `/api`. */
  interface Routes {
    'GET /posts': { answer: Array<string> }
    'DELETE /posts/{id}': { params: { id: number }; errors: 'NotFound' | 'Expired' | 'Throttled' }
  }
}
"
    );

    let before = written_at(&folder, "frontend/types/routes.gen.ts");
    run(&folder, "types").ok().out("✓ frontend/types/routes.gen.ts is up to date.").hides("written");
    assert_eq!(before, written_at(&folder, "frontend/types/routes.gen.ts"));
}

#[test]
fn a_check_names_the_file_and_the_line_and_writes_nothing() {
    let folder = Folder::new();
    run(&folder, "types --check")
        .code(1)
        .err("frontend/types/api.gen.ts does not exist")
        .err("frontend/types/routes.gen.ts does not exist")
        .err("Run `housekey types` and commit what it writes.");
    assert!(!folder.path("frontend").exists());

    run(&folder, "types").ok();
    run(&folder, "types --check").ok().out("up to date");

    let right = folder.read("frontend/types/routes.gen.ts");
    folder.write("frontend/types/routes.gen.ts", right.replace("id: number", "id: string"));
    run(&folder, "types --check")
        .code(1)
        .err("frontend/types/routes.gen.ts is out of date: line 9 is `'DELETE /posts/{id}': { params: { id: string }")
        .hides("api.gen.ts");
    assert!(folder.read("frontend/types/routes.gen.ts").contains("id: string"));

    // A checkout on Windows may have other line ends.
    folder.write("frontend/types/routes.gen.ts", right.replace('\n', "\r\n"));
    run(&folder, "types --check").ok();
}

#[test]
fn an_app_that_names_no_folder_is_told_how_to() {
    let folder = Folder::new();
    folder
        .run("types")
        .code(1)
        .err("config/assets.rs names no folder for TypeScript types")
        .err("types: Some(\"types\".into())");
    folder.run("types --check").code(1);
    // What builds any app asks so.
    let said = folder.run("types --if-configured").ok();
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    run(&folder, "types --check --if-configured").code(1);
}

#[test]
fn behind_housekey_dev_every_start_leaves_current_types() {
    let folder = Folder::new();
    let server = Program::start(folder.command("serve --port 0").envs(BEHIND_DEV));
    server.says("frontend/types/routes.gen.ts is written.");
    drop(server);
    run(&folder, "types --check").ok();
}

#[test]
fn types_that_cannot_be_written_are_shown_and_stop_nothing() {
    let folder = Folder::new();
    folder.write("frontend/types", "a file where the folder should be");
    // Behind `housekey dev` nobody is told the address: it is the one that dev has chosen.
    let port = ServerPort::claim().unwrap();
    let line = format!("serve --host 127.0.0.1 --port {}", port.number());
    let mut server = Program::start(folder.command(&line).envs(BEHIND_DEV));
    server.says("the TypeScript types are not written");
    until("the server answers", || {
        assert!(server.status().is_none(), "the server ended: {}", server.said());
        TcpStream::connect(("127.0.0.1", port.number())).is_ok()
    });
}

#[test]
fn without_the_variable_of_dev_a_start_writes_nothing() {
    let folder = Folder::new();
    drop(Running::start(&folder, "serve --port 0", &TYPED));
    assert!(!folder.path("frontend").exists());
}
