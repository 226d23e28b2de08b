use std::process::ExitCode;

fn main() -> ExitCode {
    housekey::run(housekey_proofs::app())
}
