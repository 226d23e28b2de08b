//! `config!()` and `migrations!()` read whole folders, and the compiler does not know that a new file in one of them
//! concerns it. This tells cargo.

use std::path::Path;

fn main() {
    for folder in ["config", "database/migrations"] {
        // What is not there would count as changed in every build.
        if Path::new(folder).is_dir() {
            println!("cargo::rerun-if-changed={folder}");
        }
    }
}
