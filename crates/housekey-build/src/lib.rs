//! The build script of an app is one line in its `main`:
//!
//! ```no_run
//! housekey_build::app();
//! ```
//!
//! - It tells cargo about the folders that `housekey::config!()` and `housekey::migrations!()` read: the compiler does not
//!   know that a new file there concerns it.
//! - It [keeps the lists of modules](keep): a file that is new beside a `mod.rs` is declared there before the app is compiled.
//!
//! It uses nothing but the standard library: it is compiled before everything else.

pub mod declarations;

mod keep;

use std::path::Path;

pub use keep::{Declared, keep};

/// What the build script of an app does.
#[allow(clippy::print_stdout, reason = "a build script speaks to cargo by printing")]
pub fn app() {
    for folder in ["config", "database/factories", "database/migrations", "database/seeders", "src"] {
        // What is not there would count as changed in every build.
        if Path::new(folder).is_dir() {
            println!("cargo::rerun-if-changed={folder}");
        }
    }
    // Nothing is said about what was declared: cargo would say it again in every build until the next change.
    for problem in keep(Path::new("")).problems {
        println!("cargo::error={problem}");
    }
}
