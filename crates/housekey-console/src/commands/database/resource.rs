//! `make:model`: a model, and with flags everything around it that a resource of an app has: its table, factory, policy, form,
//! pages, controller and tests.

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use housekey_core::Result;
use housekey_http::routing::singular;

use super::make::{make_now, to_be_read};
#[cfg(feature = "auth")]
use crate::commands::make::POLICY;
use crate::commands::make::{
    FACTORY, Kind, MODEL, Made, ModuleFile, Name, REQUEST, capitalised, check_root, fill_stub, plural,
    read_stub, write_new,
};
use crate::{Command, CommandContext, Problem};

/// `make:model`
pub(crate) struct MakeModel;

/// What can be made along, and what is said about it.
const PARTS: [(&str, &str); 6] = [
    ("migration", "Its table, in database/migrations"),
    ("factory", "A factory that makes rows for tests"),
    ("controller", "A controller with all actions, its form and its tests"),
    ("policy", "A policy that says who may do what with it"),
    ("requests", "The form that is sent, with its rules"),
    ("views", "Pages for the controller, which answers in JSON otherwise"),
];

impl Command for MakeModel {
    fn name(&self) -> &'static str {
        "make:model"
    }

    fn about(&self) -> &'static str {
        MODEL.about()
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let help = "Its name; `/` makes folders: `admin/user`";
        let flags = PARTS
            .map(|(name, help)| clap::Arg::new(name).long(name).help(help).action(clap::ArgAction::SetTrue));
        command.arg(clap::Arg::new("name").required(true).help(help)).args(flags)
    }

    /// Writing a file must work in an app that does not boot, or that is being repaired.
    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let name = Name::parse(context.argument("name").unwrap_or_default(), None)?;
        let asked = |part: &str| context.flag(part);
        let resource = Resource {
            root: context.paths().root(),
            name: &name,
            migration: asked("migration"),
            factory: asked("factory"),
            controller: asked("controller"),
            policy: asked("policy"),
            // A controller takes what a form sends.
            requests: asked("requests") || asked("controller"),
            views: asked("views"),
        };
        let made = resource.make()?;
        let ui = context.ui();
        for made in &made {
            ui.success(format_args!("{} created", made.file.display()));
            for changed in &made.changed {
                ui.note(format_args!("{} declares it", changed.display()));
            }
        }
        ui.line(format_args!("\nNext: {}", resource.next()?));
        Ok(())
    }
}

struct Resource<'a> {
    root: &'a Path,
    name: &'a Name,
    migration: bool,
    factory: bool,
    controller: bool,
    policy: bool,
    requests: bool,
    views: bool,
}

impl Resource<'_> {
    /// Everything that was asked for, or nothing: what is in the way of one file is looked for before the first is written.
    fn make(&self) -> Result<Vec<Made>> {
        check_root(self.root)?;
        if self.views && !self.controller {
            return Err(Problem::new("the pages are what the controller answers with")
                .remedy("Add --controller.")
                .into());
        }
        if self.policy && !cfg!(feature = "auth") {
            return Err(Problem::new(
                "a policy needs the feature `auth` of housekey, which this app does not have",
            )
            .remedy("Turn it on in Cargo.toml, or leave --policy out.")
            .into());
        }
        for place in self.places()? {
            if place.exists() {
                let place = place.strip_prefix(self.root).unwrap_or(&place);
                return Err(Problem::new(format!("{} exists already", place.display()))
                    .remedy("Choose another name, or remove the file first. Nothing was written.")
                    .into());
            }
        }
        let mut made = vec![MODEL.make(self.root, self.name)?];
        if self.migration {
            let file = make_now(self.root, &format!("create_{}", self.plural()))?;
            made.push(Made { file, changed: Vec::new(), next: String::new() });
        }
        for kind in self.kinds() {
            made.push(kind.make(self.root, self.name)?);
        }
        if self.views {
            let text = read_stub(self.root, Path::new("stubs/resource.stub"))?;
            let text =
                text.unwrap_or_else(|| include_str!("../make/templates/resource_views.txt").to_owned());
            made.push(self.module(&self.pages_path(), &text)?);
        }
        if self.controller {
            let text = match self.views {
                true => include_str!("../make/templates/resource_pages_controller.txt"),
                false => include_str!("../make/templates/resource_json_controller.txt"),
            };
            made.push(self.module(&self.controller_path(), text)?);
        }
        if self.has_tests() {
            made.push(self.tests()?);
        }
        let files: Vec<&Path> = made.iter().map(|made| made.file.as_path()).collect();
        format(self.root, &files);
        Ok(made)
    }

    /// The parts that can be made alone as well.
    fn kinds(&self) -> Vec<&'static Kind> {
        let mut kinds: Vec<&'static Kind> = Vec::new();
        if self.factory {
            kinds.push(&FACTORY);
        }
        #[cfg(feature = "auth")]
        if self.policy {
            kinds.push(&POLICY);
        }
        if self.requests {
            kinds.push(&REQUEST);
        }
        kinds
    }

    fn places(&self) -> Result<Vec<PathBuf>> {
        let mut places = vec![MODEL.place(self.root, self.name)?];
        for kind in self.kinds() {
            places.push(kind.place(self.root, self.name)?);
        }
        if self.views {
            places.push(self.module_file(&self.pages_path())?.file);
        }
        if self.controller {
            places.push(self.module_file(&self.controller_path())?.file);
        }
        if self.has_tests() {
            places.push(self.root.join(self.test_file()));
        }
        Ok(places)
    }

    /// Tests open the pages, for rows that a factory makes in a table that is there.
    fn has_tests(&self) -> bool {
        self.controller && self.factory && self.migration
    }

    fn module(&self, path: &[String], text: &str) -> Result<Made> {
        let text = fill_stub(text, &self.words()?, "make:model")?;
        let place = self.module_file(path)?;
        let file = place.file.clone();
        write_new(&file, &text)?;
        let changed = place.declare().inspect_err(|_| {
            // A file no module declares would only puzzle.
            let _ = std::fs::remove_file(&file);
        })?;
        let relative = |path: PathBuf| path.strip_prefix(self.root).map(Path::to_owned).unwrap_or(path);
        Ok(Made {
            file: relative(file),
            changed: changed.into_iter().map(relative).collect(),
            next: String::new(),
        })
    }

    fn module_file(&self, path: &[String]) -> Result<ModuleFile> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        ModuleFile::of(&self.root.join("src"), &path)
    }

    fn tests(&self) -> Result<Made> {
        let (head, rest) = match (self.views, self.policy) {
            (true, false) => (
                include_str!("../make/templates/resource_pages_test.txt"),
                include_str!("../make/templates/resource_pages_test_open.txt"),
            ),
            (true, true) => (
                include_str!("../make/templates/resource_pages_test.txt"),
                include_str!("../make/templates/resource_pages_test_policy.txt"),
            ),
            (false, false) => (
                include_str!("../make/templates/resource_json_test.txt"),
                include_str!("../make/templates/resource_json_test_open.txt"),
            ),
            (false, true) => (
                include_str!("../make/templates/resource_json_test.txt"),
                include_str!("../make/templates/resource_json_test_policy.txt"),
            ),
        };
        let text = fill_stub(&format!("{head}{rest}"), &self.words()?, "make:model")?;
        let file = PathBuf::from(self.test_file());
        write_new(&self.root.join(&file), &text)?;
        Ok(Made { file, changed: Vec::new(), next: String::new() })
    }

    fn test_file(&self) -> String {
        format!("tests/{}.rs", self.test_name())
    }

    fn test_name(&self) -> String {
        let parts: Vec<String> = self.name.folders.iter().cloned().chain([self.plural()]).collect();
        parts.join("_")
    }

    fn plural(&self) -> String {
        plural(&self.name.base)
    }

    fn url(&self) -> String {
        let parts = self.name.folders.iter().cloned().chain([self.plural()]);
        parts.map(|part| part.replace('_', "-")).collect::<Vec<_>>().join("/")
    }

    /// What the names of its routes begin with.
    fn route(&self) -> String {
        let parts = self.name.folders.iter().cloned().chain([self.plural()]);
        parts.collect::<Vec<_>>().join(".")
    }

    fn path(&self, above: &[&str], last: String) -> Vec<String> {
        let above = above.iter().map(ToString::to_string).chain(self.name.folders.iter().cloned());
        above.chain([last]).collect()
    }

    fn pages_path(&self) -> Vec<String> {
        self.path(&["views", "pages"], self.plural())
    }

    fn controller_path(&self) -> Vec<String> {
        self.path(&["controllers"], format!("{}_controller", self.name.base))
    }

    fn words(&self) -> Result<Vec<(&'static str, String)>> {
        let (snake, pascal) = (&self.name.base, self.name.pascal());
        let plural_words = self.plural().replace('_', " ");
        Ok(vec![
            ("snake", snake.clone()),
            ("pascal", pascal.clone()),
            ("words", self.name.words()),
            ("plural", self.plural()),
            ("pluralwords", plural_words.clone()),
            ("pluraltitle", capitalised(&plural_words)),
            ("url", self.url()),
            ("route", self.route()),
            ("crate", crate_name(self.root)?),
            ("model", MODEL.type_path(self.root, self.name, &pascal)?),
            ("request", self.type_path(&REQUEST, "Request", self.requests)?),
            ("factory", self.type_path(&FACTORY, "Factory", self.factory)?),
            ("pages", self.pages_path().join("::")),
        ])
    }

    fn type_path(&self, kind: &Kind, suffix: &str, made: bool) -> Result<String> {
        match made {
            true => kind.type_path(self.root, self.name, &format!("{}{suffix}", self.name.pascal())),
            false => Ok(String::new()),
        }
    }

    /// Lines that can be pasted as they are are indented; the line above them says where.
    fn next(&self) -> Result<String> {
        let mut next = String::new();
        if self.controller {
            next += "route to it in src/routes/web.rs:\n";
            for line in self.routes()? {
                next += &format!("  {line}\n");
            }
            next += "Then ";
        }
        if self.policy {
            let policy = self.path(&["policies"], format!("{}_policy", self.name.base)).join("::");
            next +=
                &format!("add it in src/lib.rs:\n  .policy({policy}::{}Policy)\nThen ", self.name.pascal());
        }
        Ok(next
            + &match (self.migration, self.has_tests()) {
                (false, _) => {
                    format!("make its table:\n  housekey make:migration create_{}", self.plural())
                }
                (true, false) => format!("{}run:\n  housekey migrate", to_be_read(self.root)),
                (true, true) => {
                    let reads = to_be_read(self.root);
                    format!("{reads}run:\n  housekey migrate\n  cargo test --test {}", self.test_name())
                }
            })
    }

    fn routes(&self) -> Result<Vec<String>> {
        let (snake, plural) = (&self.name.base, self.plural());
        let mut lines = vec![format!("use crate::{};", self.controller_path().join("::"))];
        let mut route = format!("route.resource(\"{}\")", self.url());
        if singular(&plural) != *snake {
            route += &format!(".parameter(\"{snake}\")");
        }
        if self.policy {
            let pascal = self.name.pascal();
            lines.push(format!("use crate::{};", MODEL.type_path(self.root, self.name, &pascal)?));
            route += &format!(".policy::<{pascal}>()");
        }
        // What answers in JSON has no pages with forms.
        let actions = if self.views { "" } else { ", except [create, edit]" };
        lines.push(format!("{route}.actions(actions!({snake}_controller{actions}));"));
        Ok(lines)
    }
}

/// As tests name the app: `my-app` → `my_app`.
fn crate_name(root: &Path) -> Result<String> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml"))
        .map_err(|error| Problem::new(format!("cannot read Cargo.toml: {error}")))?;
    let package = manifest.split("[package]").nth(1).unwrap_or_default();
    let name = package.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "name").then(|| value.trim().trim_matches('"').replace('-', "_"))
    });
    name.ok_or_else(|| Problem::new("Cargo.toml does not say what the package is called").into())
}

/// How long a line may be depends on the names in it. Without a rustfmt the files are as good, only not as pretty.
fn format(root: &Path, files: &[&Path]) {
    let mut rustfmt = Process::new("rustfmt");
    rustfmt.current_dir(root).args(["--edition", "2024"]).args(files);
    let _ = rustfmt.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}
