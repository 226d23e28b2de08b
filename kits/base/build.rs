//! Tells cargo about the folders that `config!()` and `migrations!()` read, and declares new files in the `mod.rs` beside them.

fn main() {
    housekey_build::app();
}
