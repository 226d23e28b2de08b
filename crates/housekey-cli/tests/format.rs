//! A new app is formatted as its own CI demands, whatever its name does to the length of a line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::process::Command;

use support::layers::combinations;
use support::{Run, Sandbox};

const NAMES: &[&str] = &["zoological-gardens-of-the-city", "a"];

#[test]
fn every_kit_passes_the_format_check_of_its_ci_with_every_layer_and_with_a_short_and_a_long_name() {
    let sandbox = Sandbox::new();
    let kits = sandbox.housekey(&["create", "--help"]).said();
    let kits: Vec<&str> =
        kits.lines().filter_map(|line| line.trim().strip_prefix("--kit=")?.split(' ').next()).collect();
    assert!(kits.contains(&"none") && kits.contains(&"jsx"), "{kits:?}");
    for kit in kits {
        let combinations = [vec![vec![]], combinations(&sandbox, kit)].concat();
        let most = combinations.iter().map(Vec::len).max();
        for layers in &combinations {
            // What a name does to a line, it does with all layers or with none: between them stand the same lines.
            let is_end = layers.is_empty() || Some(layers.len()) == most;
            for name in if is_end { NAMES } else { &NAMES[..1] } {
                let folder = format!("{kit}-{}", layers.join("-"));
                let app = format!("{folder}/{name}");
                std::fs::create_dir_all(sandbox.path(&folder)).unwrap();
                let (kit, with) = (format!("--kit={kit}"), format!("--with={}", layers.join(",")));
                let mut arguments = vec!["create", &app, &kit, "--no-git", "--no-install"];
                if !layers.is_empty() {
                    arguments.push(&with);
                }
                sandbox.housekey(&arguments).assert_ok();
                Run::of(Command::new("cargo").args(["fmt", "--check"]).current_dir(sandbox.path(&app)))
                    .assert_ok();
            }
        }
    }
}
