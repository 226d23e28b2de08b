//! A question on the terminal. `create` asks two at most.

use std::io::{self, BufRead, Write};

use crate::failure::Failure;
use crate::ui;

/// Asks until there is an answer; an empty one is the default.
pub(crate) fn text(question: &str, default: &str) -> Result<String, Failure> {
    ask(&mut io::stdin().lock(), &mut anstream::stdout().lock(), question, default)
}

fn ask(
    input: &mut impl BufRead,
    output: &mut impl Write,
    question: &str,
    default: &str,
) -> Result<String, Failure> {
    let _ = write!(output, "{} [{default}] ", ui::strong(question));
    let _ = output.flush();
    let mut answer = String::new();
    match input.read_line(&mut answer) {
        Ok(0) => Err(Failure::usage("no answer: the input ended").help("Nothing was written.")),
        Err(error) => {
            Err(Failure::failed(format!("the answer could not be read: {error}"))
                .help("Nothing was written."))
        }
        Ok(_) => {
            let answer = answer.trim();
            Ok(if answer.is_empty() { default } else { answer }.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(typed: &str) -> Result<String, Failure> {
        ask(&mut typed.as_bytes(), &mut Vec::new(), "What is the app's name?", "my-app")
    }

    #[test]
    fn an_answer_is_taken_without_its_spaces() {
        assert_eq!(answer("  shop \n").unwrap(), "shop");
    }

    #[test]
    fn an_empty_answer_is_the_default() {
        assert_eq!(answer("\n").unwrap(), "my-app");
    }

    #[test]
    fn an_input_that_ends_is_no_answer() {
        assert!(answer("").is_err());
    }
}
