//! `housekey build`: the folder it makes, taken away from the app and started as on a server.

use std::fs;

use super::App;
use crate::count::Count;
use crate::http::{self, Answer};
use crate::process::{self, Background};
use crate::suite::Failure;
use crate::ui;
use crate::workspace::program;

/// Builds in the debug profile, which the suite has compiled already, and opens one page and a file of its build.
pub(super) fn test(app: &App, page: &str) -> Result<Count, Failure> {
    let server = app.home.join("server");
    let mut build = program(&app.housekey);
    build.current_dir(app.folder()).args(["build", "--profile=dev", "--out"]).arg(&server);
    if !process::run_quietly(build.env("CARGO_TARGET_DIR", app.target()))?.success {
        return Err("housekey build failed; see above".into());
    }
    if server.join(".env").exists() {
        return Err("housekey build copied the secrets of this machine".into());
    }
    // A server has secrets of its own; for this test these will do.
    fs::copy(app.path(".env"), server.join(".env")).map_err(|error| format!("cannot copy .env: {error}"))?;
    let console = || {
        let mut console = program(server.join(&app.name));
        console.current_dir(&server).envs([
            ("APP_ENV", "production"),
            ("APP_DEBUG", "false"),
            ("LOG_LEVEL", "warn"),
        ]);
        console
    };
    process::read(console().args(["migrate", "--force"]))?;
    let port = http::free_port()?;
    let mut serve = console();
    serve.args(["serve", "--port", &port.to_string()]).env("APP_URL", format!("http://localhost:{port}"));
    let mut program = Background::start(&mut serve, &app.home.join("server.log"))?;
    let answer = http::wait_for(&mut program, port, page, super::START_TIMEOUT, |_| true)?;
    must_be_whole(page, &answer)?;
    let mut count = Count::ONE;
    if let Some(file) = built_file(&answer.body) {
        must_be_whole(file, &http::get(port, file).map_err(|error| format!("{file}: {error}"))?)?;
        count += Count::ONE;
    } else if app.path("package.json").is_file() {
        return Err(format!("{page} asks for no file of the bundler's build:\n{}", answer.body).into());
    }
    ui::note("the folder works away from the app");
    Ok(count)
}

fn must_be_whole(path: &str, answer: &Answer) -> Result<(), Failure> {
    match answer.status {
        200 => Ok(()),
        status => Err(format!("{path} answers {status}: {}", answer.body).into()),
    }
}

/// The first style or script of a page that the bundler made.
fn built_file(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("=\"/build/")?;
    let length = rest.find('"')?;
    let begin = page.len() - rest.len() - "/build/".len();
    page.get(begin..begin + "/build/".len() + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_built_file_is_found_in_a_page() {
        let page = r#"<link rel="stylesheet" href="/build/assets/app-1.css" nonce="x"><p>"#;
        assert_eq!(built_file(page), Some("/build/assets/app-1.css"));
        assert_eq!(built_file("<p>"), None);
    }
}
