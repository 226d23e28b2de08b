//! `housekey create`: a new app from a kit.
//!
//! The order is chosen so that nothing is written before everything that can be refused has been refused, and so
//! that the app's folder appears whole or not at all: names and folder are checked, the files are written into a
//! temporary folder beside it, and that folder is renamed. Only then come the steps that may fail without harm.

mod destination;
mod env_file;
pub(crate) mod install;
mod prompt;
mod render;
mod repository;

use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use self::destination::Destination;
use self::install::Installed;
use crate::app::App;
use crate::failure::Failure;
use crate::framework::Framework;
use crate::kits::{self, KITS, Kit};
use crate::layers::{self, Layers};
use crate::words::Words;
use crate::{dev, programs, setup, ui};

/// Where a new app is served unless somebody wishes otherwise.
const HOME: &str = "http://localhost:3000";

pub(crate) fn command() -> Command {
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
    };
    Command::new("create")
        .about("Create a new app from a kit")
        .after_help(format!("Kits in this version:\n{}\n\n{}", kits::list(), layers::Listed))
        .arg(Arg::new("app").help("The app's name, or a path that ends in it"))
        .arg(Arg::new("kit").long("kit").value_name("KIT").help("What to start from: none, api, jsx or spa"))
        .arg(
            Arg::new("with")
                .long("with")
                .value_name("LAYERS")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help("Layers to begin with, for example organizations,admin"),
        )
        .arg(switch("serve", "Go on and serve the new app, as `housekey dev` does"))
        .arg(switch("no-install", "Do not install the npm packages"))
        .arg(switch("no-git", "Do not make a git repository"))
        .arg(
            Arg::new("port")
                .long("port")
                .requires("serve")
                .value_parser(value_parser!(u16))
                .help("With --serve: the port to serve on [default: 3000]"),
        )
}

pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    let wishes = Wishes::from(arguments)?;
    let started = Instant::now();
    let framework = Framework::detect();
    let written = write(&wishes, &framework)?;
    let git = !wishes.no_git && repository::start(wishes.destination.path());
    ui::done(
        "Created",
        &format!(
            "{} from the kit `{}`{}: {written} files in {} ms{}",
            wishes.destination.shown(),
            wishes.kit.name,
            with_layers(&wishes.layers),
            started.elapsed().as_millis(),
            if git { ", in a new git repository" } else { "" }
        ),
    );
    if let Framework::Checkout(checkout) = &framework {
        ui::note(&format!("It uses the framework in {} by path.", checkout.display()));
    }
    // Somebody who was asked nothing wonders which questions, so the word for it depends.
    let again = if wishes.asked { "The same without questions" } else { "The same again" };
    ui::note(&format!("{again}: {}", wishes.equivalent()));
    if wishes.serve {
        let app = App::at(wishes.destination.path().to_owned());
        // The port answers at once, and the packages come while cargo compiles.
        let install = !wishes.no_install && install::is_possible(&wishes.destination);
        return dev::run(&dev::Options { app: Some(app), port: wishes.port, host: None, install });
    }
    let installed =
        if wishes.no_install { Installed::LeftOut } else { install::packages(&wishes.destination) };
    next_steps(&wishes, installed);
    Ok(if installed == Installed::Failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What the person asked for, on the command line or in answer to at most two questions.
struct Wishes {
    destination: Destination,
    kit: &'static Kit,
    layers: Layers,
    serve: bool,
    no_install: bool,
    no_git: bool,
    port: Option<u16>,
    /// Whether the command line left something open.
    asked: bool,
}

impl Wishes {
    fn from(arguments: &ArgMatches) -> Result<Self, Failure> {
        let mut app = arguments.get_one::<String>("app").cloned();
        let mut kit = arguments.get_one::<String>("kit").cloned();
        // A wrong kit is refused before the name is asked for: an answer typed in vain is a rude start.
        let with: Vec<&str> =
            arguments.get_many::<String>("with").unwrap_or_default().map(String::as_str).collect();
        if let Some(kit) = &kit {
            Layers::parse(Kit::find(kit)?, with.iter().copied())?;
        }
        if !ui::can_ask() {
            let missing: Vec<&str> = [(app.is_none(), "<app>"), (kit.is_none(), "--kit=<kit>")]
                .into_iter()
                .filter_map(|(missing, flag)| missing.then_some(flag))
                .collect();
            if !missing.is_empty() {
                return Err(Failure::usage(format!(
                    "missing {}, and there is no terminal to ask on",
                    missing.join(" and ")
                ))
                .help(format!(
                    "For example: housekey create my-app --kit=none\n\nKits in this version:\n{}",
                    kits::list()
                )));
            }
        }
        let asked = app.is_none() || kit.is_none();
        if app.is_none() {
            app = Some(prompt::text("What is the app's name?", "my-app")?);
        }
        if kit.is_none() {
            kit = Some(prompt::text(&format!("Which kit?\n{}\n", kits::list()), KITS[0].name)?);
        }
        let kit = Kit::find(&kit.unwrap_or_default())?;
        Ok(Self {
            kit,
            layers: Layers::parse(kit, with)?,
            destination: Destination::parse(&app.unwrap_or_default())?,
            serve: arguments.get_flag("serve"),
            no_install: arguments.get_flag("no-install"),
            no_git: arguments.get_flag("no-git"),
            port: arguments.get_one::<u16>("port").copied(),
            asked,
        })
    }

    /// The command line that asks nothing and does the same.
    fn equivalent(&self) -> String {
        let mut command = format!("housekey create {} --kit={}", self.destination.shown(), self.kit.name);
        if !self.layers.is_empty() {
            command.push_str(&format!(" --with={}", self.layers.names().join(",")));
        }
        for (wished, flag) in
            [(self.serve, " --serve"), (self.no_install, " --no-install"), (self.no_git, " --no-git")]
        {
            if wished {
                command.push_str(flag);
            }
        }
        if let Some(port) = self.port {
            command.push_str(&format!(" --port={port}"));
        }
        command
    }
}

/// Writes every file of the kit and gives back how many there are.
fn write(wishes: &Wishes, framework: &Framework) -> Result<usize, Failure> {
    let words = Words::new(wishes.destination.name(), framework);
    let files = render::app(wishes.kit, &wishes.layers, words, framework)?;
    let staging = wishes.destination.stage()?;
    for (path, content) in &files {
        staging.write(path, content)?;
    }
    staging.publish()?;
    Ok(files.len())
}

fn with_layers(layers: &Layers) -> String {
    if layers.is_empty() { String::new() } else { format!(" with {}", layers.names().join(" and ")) }
}

fn next_steps(wishes: &Wishes, installed: Installed) {
    let housekey = match programs::find("housekey") {
        Some(_) => "housekey".to_owned(),
        None => {
            std::env::current_exe().map_or_else(|_| "housekey".to_owned(), |exe| exe.display().to_string())
        }
    };
    ui::line("\nNext:");
    ui::line(&format!("  {}", ui::strong(&format!("cd {}", wishes.destination.shown()))));
    let has_packages = wishes.destination.path().join("package.json").is_file();
    if has_packages && installed != Installed::Done {
        ui::line(&format!("  {}", ui::strong("npm install")));
    }
    let first =
        if wishes.kit.setup.is_empty() { "" } else { "; its first start makes the tables and first rows" };
    ui::line(&format!("  {}   then open {HOME}{first}", ui::strong(&format!("{housekey} dev"))));
    ui::line(&format!("  {}   runs the app's own tests", ui::strong("cargo test")));
    if let Some(demo) = wishes.kit.demo {
        ui::line(&format!("\nSign in as   {}", ui::strong(demo)));
        ui::line(&format!("Read mail at {}", ui::strong(&setup::mailbox(HOME))));
    }
}
