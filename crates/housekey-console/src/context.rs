use std::sync::Arc;

use clap::ArgMatches;
use housekey_core::{AppConfig, Config, Env, Environment, Paths, Result, Services};
use housekey_http::{App, Application};

use crate::{Problem, Ui};

/// What a running command works with: its arguments, the terminal and the app.
pub struct CommandContext {
    pub(crate) args: ArgMatches,
    pub(crate) ui: Ui,
    pub(crate) binary: Arc<str>,
    pub(crate) catalogue: Arc<[(&'static str, &'static str)]>,
    pub(crate) paths: Paths,
    pub(crate) subject: Subject,
}

/// The app as far as the command needed it.
pub(crate) enum Subject {
    /// Not booted: the command said it does not need that.
    App(Box<App>),
    Application(Application),
}

impl CommandContext {
    #[must_use]
    pub fn args(&self) -> &ArgMatches {
        &self.args
    }

    /// The value of an argument or option as it was typed; `None` when it was not given.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.args.try_get_one::<String>(name).ok().flatten().map(String::as_str)
    }

    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.args.try_get_one::<bool>(name).ok().flatten().copied().unwrap_or(false)
    }

    /// Writes to the terminal.
    #[must_use]
    pub fn ui(&self) -> Ui {
        self.ui
    }

    #[must_use]
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The booted application.
    ///
    /// # Errors
    /// In a command that [does not need](crate::Command::needs_app) one.
    pub fn application(&self) -> Result<&Application> {
        match &self.subject {
            Subject::Application(application) => Ok(application),
            Subject::App(_) => {
                Err(Problem::new("this command runs without a booted app; let its needs_app() answer true")
                    .into())
            }
        }
    }

    /// The services of the booted application: `context.services()?.require::<Mailer>()?`.
    ///
    /// # Errors
    /// In a command that [does not need](crate::Command::needs_app) an app.
    pub fn services(&self) -> Result<&Services> {
        Ok(self.application()?.services())
    }

    /// The environment the app runs in.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub fn environment(&self) -> Result<Environment> {
        Ok(self.config()?.get::<AppConfig>().env.clone())
    }

    /// The resolved configuration, also of an app that did not boot.
    pub(crate) fn config(&self) -> Result<Config> {
        match &self.subject {
            Subject::Application(application) => Ok(application.config().clone()),
            Subject::App(app) => Config::load(app.files(), &self.env()?, Some(&self.paths.config_cache())),
        }
    }

    /// The variables the app is configured with.
    pub(crate) fn env(&self) -> Result<Env> {
        match &self.subject {
            Subject::Application(application) => Ok((*application.services().require::<Env>()?).clone()),
            Subject::App(app) => app.environment(),
        }
    }

    /// The app before boot; commands that boot it have none.
    pub(crate) fn app(&self) -> Result<&App> {
        match &self.subject {
            Subject::App(app) => Ok(app),
            Subject::Application(_) => Err(Problem::new("this command runs after boot").into()),
        }
    }
}
