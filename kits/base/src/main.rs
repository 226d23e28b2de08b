use std::process::ExitCode;

/// The app's console. `cargo run -- serve` serves it; `cargo run -- list` shows what else it can do.
fn main() -> ExitCode {
    housekey::run({{crate}}::app())
}
