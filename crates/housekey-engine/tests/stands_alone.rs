//! The engine knows nothing of the framework, and the framework's layer does none of the engine's work.

const ENGINE: &str = include_str!("../Cargo.toml");
const BASE: &str = include_str!("../../housekey-base/Cargo.toml");
const HTTP_CLIENT: &str = include_str!("../../housekey-http-client/Cargo.toml");
const LAYER: &str = include_str!("../../housekey-auth/Cargo.toml");

/// The names of a manifest's dependencies, those for tests left out.
fn dependencies(manifest: &'static str) -> Vec<&'static str> {
    let mut inside = false;
    let lines = manifest.lines().filter(|line| {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]") && !line.contains("dev-");
            return false;
        }
        inside && !line.trim().is_empty() && !line.starts_with('#')
    });
    lines.filter_map(|line| line.split(['=', '.', ' ']).next()).collect()
}

// spec: SVC-1
#[test]
fn the_engine_depends_on_no_crate_of_the_framework() {
    let names = dependencies(ENGINE);
    assert!(names.contains(&"argon2"), "the manifest was read: {names:?}");
    let ours = |names: &[&'static str]| -> Vec<&str> {
        names.iter().copied().filter(|name| name.starts_with("housekey")).collect()
    };
    assert_eq!(
        ours(&names),
        ["housekey-base", "housekey-http-client"],
        "it has secrets, time, randomness and a way to ask other hosts, and is no framework"
    );
    assert_eq!(ours(&dependencies(HTTP_CLIENT)), ["housekey-base"]);
    assert_eq!(ours(&dependencies(BASE)), [""; 0]);
}

// spec: SVC-1
#[test]
fn the_layer_hashes_signs_and_encrypts_nothing_itself() {
    let names = dependencies(LAYER);
    assert!(names.contains(&"housekey-engine"), "the manifest was read: {names:?}");
    for craft in ["argon2", "scrypt", "hmac", "sha2", "aes", "ring", "totp-rs", "getrandom"] {
        assert!(!names.contains(&craft), "{craft} belongs into the engine");
    }
}
