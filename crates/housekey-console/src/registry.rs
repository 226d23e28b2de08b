use std::{collections::BTreeMap, sync::Arc};

use crate::{Problem, Ui, command::AnyCommand, commands, help};

/// Every command by its name: the framework's and the app's own.
pub(crate) struct Registry {
    commands: BTreeMap<&'static str, Arc<dyn AnyCommand>>,
}

impl Registry {
    /// The app's own commands join the built-in ones and may take the place of one.
    pub(crate) fn new(own: Vec<Arc<dyn AnyCommand>>) -> Result<Self, Problem> {
        let mut owned = BTreeMap::new();
        for command in own {
            let name = command.name();
            if name.is_empty() || name.starts_with('-') || name.chars().any(char::is_whitespace) {
                return Err(Problem::new(format!("{name:?} cannot be the name of a command"))
                    .remedy("Use a word, or two with a colon between them: `team:greet`."));
            }
            if owned.insert(name, command).is_some() {
                return Err(Problem::new(format!("two commands of this app are named `{name}`"))
                    .remedy("Give one of them another name, or add it only once."));
            }
        }
        let mut commands: BTreeMap<_, _> = commands::built_in().into_iter().map(|c| (c.name(), c)).collect();
        commands.extend(owned);
        Ok(Self { commands })
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Arc<dyn AnyCommand>> {
        self.commands.get(name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.commands.keys().copied()
    }

    /// The names and their one-line descriptions, sorted.
    pub(crate) fn catalogue(&self) -> Arc<[(&'static str, &'static str)]> {
        self.commands.values().map(|command| (command.name(), command.about())).collect()
    }

    /// The parser of the whole command line.
    pub(crate) fn parser(&self, binary: &str, ui: Ui) -> clap::Command {
        let overview = help::overview(binary, &self.catalogue(), ui.paint());
        let root = clap::Command::new("console")
            .bin_name(binary)
            .version(env!("CARGO_PKG_VERSION"))
            .override_help(overview)
            .subcommand_required(false)
            .arg_required_else_help(false)
            .disable_help_subcommand(self.commands.contains_key("help"));
        self.commands.values().fold(root, |root, command| {
            root.subcommand(command.args(clap::Command::new(command.name()).about(command.about())))
        })
    }
}
