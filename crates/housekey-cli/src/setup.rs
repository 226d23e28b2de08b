//! What a new app needs once: commands of its own console, written down by `create` and done by `dev`.
//!
//! Only the app's own program can do them. The tables of accounts, for one, come from the engine that the app builds out
//! of its configuration. So they wait in a file for the first build. Each line is a command; what is done leaves the
//! file, and after the last one the file goes too. What is cut short goes on where it stopped.

use std::{fs, io};

use crate::app::App;
use crate::kits::Kit;
use crate::ui;

/// Below `storage`, which stays out of git: a clone has its own database, and its own ways to fill it.
pub(crate) const FILE: &str = "storage/framework/setup";
const ABOUT: &str =
    "# `housekey dev` runs these commands of the app after its first build, then removes this file.\n";
const DEMO: &str = "# Demo login: ";

/// What is left to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Setup {
    commands: Vec<String>,
    demo: Option<String>,
}

impl Setup {
    /// What a kit asks for, if it asks for anything.
    pub(crate) fn of(kit: &Kit) -> Option<Self> {
        let commands: Vec<String> = kit.setup.iter().map(|&command| command.to_owned()).collect();
        (!commands.is_empty()).then(|| Self { commands, demo: kit.demo.map(str::to_owned) })
    }

    /// What is left to do in an app. Nothing when there is no such file.
    pub(crate) fn pending(app: &App) -> io::Result<Option<Self>> {
        match fs::read_to_string(app.path(FILE)) {
            Ok(text) => Ok(Some(Self::parse(&text))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn parse(text: &str) -> Self {
        let lines = || text.lines().map(str::trim);
        Self {
            commands: lines()
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(str::to_owned)
                .collect(),
            demo: lines().find_map(|line| line.strip_prefix(DEMO)).map(str::to_owned),
        }
    }

    pub(crate) fn text(&self) -> String {
        let demo = self.demo.as_ref().map(|demo| format!("{DEMO}{demo}\n")).unwrap_or_default();
        let commands: String = self.commands.iter().map(|command| format!("{command}\n")).collect();
        format!("{ABOUT}{demo}{commands}")
    }

    pub(crate) fn commands(&self) -> &[String] {
        &self.commands
    }

    /// Who can sign in when everything is done.
    pub(crate) fn demo(&self) -> Option<&str> {
        self.demo.as_deref()
    }

    /// Takes the first command off, here and in the file. A command may add rows, so it is not run twice.
    pub(crate) fn first_is_done(&mut self, app: &App) -> io::Result<()> {
        self.commands.remove(0);
        fs::write(app.path(FILE), self.text())
    }

    /// Takes the file away: nothing is left.
    pub(crate) fn finish(&self, app: &App) -> io::Result<()> {
        fs::remove_file(app.path(FILE))
    }
}

/// How to come in: who can sign in, and where mail to them is read.
pub(crate) fn print_sign_in(demo: &str, url: &str) {
    ui::done("Sign in", &format!("as {}", ui::strong(demo)));
    ui::done("Mailbox", &format!("{} keeps every mail the app sends", ui::strong(&mailbox(url))));
}

/// Where mail is read during development.
pub(crate) fn mailbox(url: &str) -> String {
    format!("{}/dev/mailbox", url.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_survives_being_written_down() {
        let setup = Setup {
            commands: vec!["auth:schema --migrate".into(), "db:seed".into()],
            demo: Some("demo@example.com / a password".into()),
        };
        assert_eq!(Setup::parse(&setup.text()), setup);
        let windows = setup.text().replace('\n', "\r\n");
        assert_eq!(Setup::parse(&windows), setup);
    }

    #[test]
    fn comments_and_empty_lines_are_no_commands() {
        let setup = Setup::parse("# later\n\n  migrate  \n");
        assert_eq!(setup, Setup { commands: vec!["migrate".into()], demo: None });
    }

    #[test]
    fn what_is_done_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::at(folder.path().to_owned());
        assert_eq!(Setup::pending(&app).unwrap(), None);
        fs::create_dir_all(app.path("storage/framework")).unwrap();
        fs::write(app.path(FILE), "migrate\ndb:seed\n").unwrap();

        let mut setup = Setup::pending(&app).unwrap().unwrap();
        setup.first_is_done(&app).unwrap();
        assert_eq!(Setup::pending(&app).unwrap().unwrap().commands(), ["db:seed"]);
        setup.first_is_done(&app).unwrap();
        setup.finish(&app).unwrap();
        assert_eq!(Setup::pending(&app).unwrap(), None);
    }
}
