//! Prints what an engine with everything on serves, in the words of OpenAPI 3.1:
//! `cargo run -p housekey-engine --all-features --example openapi`.

#![expect(clippy::print_stdout, reason = "that is what it is for")]
#![expect(clippy::unwrap_used, reason = "what cannot be built has nothing to describe")]

#[path = "../tests/openapi/everything.rs"]
mod everything;

fn main() {
    let document = everything::engine().openapi().document("Housekey engine", env!("CARGO_PKG_VERSION"));
    println!("{document:#}");
}
