use std::path::{Path, PathBuf};

use housekey_core::Result;

use super::{
    modules::{ModuleFile, TypePath, path_of_type},
    name::Name,
    stub,
};
use crate::Problem;

/// A kind of file that can be made: where it goes, what is in it, what to do with it.
pub(crate) struct Kind {
    pub(super) command: &'static str,
    pub(super) about: &'static str,
    /// What the file's name ends with: `user` → `user_controller.rs`.
    pub(super) suffix: Option<&'static str>,
    folder: Folder,
    /// What it begins as, in an app that has no stub of its own for it.
    template: &'static str,
    /// Lines that can be pasted as they are are indented; the line above them says where.
    next: &'static str,
}

enum Folder {
    /// A module of the app, below this one.
    Module(&'static [&'static str]),
    /// `tests/`: cargo finds each file there by itself, and only on the first level.
    Tests,
}

pub(crate) const CONTROLLER: Kind = Kind {
    command: "make:controller",
    about: "Make a controller in src/controllers",
    suffix: Some("controller"),
    folder: Folder::Module(&["controllers"]),
    template: include_str!("templates/controller.txt"),
    next: "route to it in src/routes/web.rs:\n  use crate::{{ module }};\n  route.get(\"/{{ url }}\", {{ stem }}::index).name(\"{{ dotted }}.index\");",
};

pub(crate) const MIDDLEWARE: Kind = Kind {
    command: "make:middleware",
    about: "Make a middleware in src/middleware",
    suffix: None,
    folder: Folder::Module(&["middleware"]),
    template: include_str!("templates/middleware.txt"),
    next: "name it in src/lib.rs:\n  .middleware(\"{{ kebab }}\", {{ module }}::{{ snake }})\nThen put it on a route in src/routes/web.rs:\n  .middleware(\"{{ kebab }}\")",
};

pub(crate) const REQUEST: Kind = Kind {
    command: "make:request",
    about: "Make a validated input in src/requests",
    suffix: Some("request"),
    folder: Folder::Module(&["requests"]),
    template: include_str!("templates/request.txt"),
    next: "take it in a handler:\n  use crate::{{ module }}::{{ pascal }}Request;\n  pub async fn store(Valid(input): Valid<{{ pascal }}Request>) -> Result<String> {\n      Ok(input.name)\n  }",
};

pub(crate) const VIEW: Kind = Kind {
    command: "make:view",
    about: "Make a page in src/views/pages",
    suffix: None,
    folder: Folder::Module(&["views", "pages"]),
    template: include_str!("templates/view.txt"),
    next: "answer with it in a handler:\n  use crate::{{ module }}::{{ snake }};\n  Ok(view({{ snake }}()))",
};

pub(crate) const COMMAND: Kind = Kind {
    command: "make:command",
    about: "Make a console command in src/commands",
    suffix: None,
    folder: Folder::Module(&["commands"]),
    template: include_str!("templates/command.txt"),
    next: "add it in src/lib.rs:\n  .command({{ module }}::{{ pascal }})\nThen run it:\n  housekey {{ command }}",
};

pub(crate) const TEST: Kind = Kind {
    command: "make:test",
    about: "Make a test file in tests",
    suffix: None,
    folder: Folder::Tests,
    template: include_str!("templates/test.txt"),
    next: "run it:\n  cargo test --test {{ flat }}",
};

#[cfg(feature = "database")]
pub(crate) const MODEL: Kind = Kind {
    command: "make:model",
    about: "Make a model in src/models",
    suffix: None,
    folder: Folder::Module(&["models"]),
    template: include_str!("templates/model.txt"),
    next: "make its table:\n  housekey make:migration create_{{ plural }}",
};

#[cfg(feature = "database")]
pub(crate) const FACTORY: Kind = Kind {
    command: "make:factory",
    about: "Make a factory, for rows of a model",
    suffix: Some("factory"),
    folder: Folder::Module(&["factories"]),
    template: include_str!("templates/factory.txt"),
    next: "make rows with it in a handler, a job or a seeder:\n  use crate::{{ module }}::{{ pascal }}Factory;\n  use housekey::database::Factory;\n  let {{ snake }} = {{ pascal }}Factory::create().await?;",
};

#[cfg(feature = "database")]
pub(crate) const SEEDER: Kind = Kind {
    command: "make:seeder",
    about: "Make a seeder",
    suffix: Some("seeder"),
    folder: Folder::Module(&["seeders"]),
    template: include_str!("templates/seeder.txt"),
    next: "add it in src/lib.rs:\n  .seeder({{ module }}::{{ pascal }}Seeder)\nThen run it, once its table is there:\n  housekey db:seed --class {{ pascal }}Seeder",
};

#[cfg(feature = "auth")]
pub(crate) const POLICY: Kind = Kind {
    command: "make:policy",
    about: "Make a policy in src/policies",
    suffix: Some("policy"),
    folder: Folder::Module(&["policies"]),
    template: include_str!("templates/policy.txt"),
    next: "add it in src/lib.rs:\n  .policy({{ module }}::{{ pascal }}Policy)\nThen ask it in a handler:\n  use housekey::auth::gate::authorize;\n  authorize(\"view\", &{{ snake }}).await?;",
};

#[cfg(feature = "auth")]
pub(crate) const AUTH_PLUGIN: Kind = Kind {
    command: "make:auth-plugin",
    about: "Make a sign-in method of the app's own in src/auth_plugins",
    suffix: None,
    folder: Folder::Module(&["auth_plugins"]),
    template: include_str!("templates/auth_plugin.txt"),
    next: "turn it on in config/auth.rs, among the `plugins`:\n  crate::{{ module }}::{{ snake }}(),\nThen make its table and run its tests:\n  housekey auth:schema --diff && housekey migrate\n  cargo test {{ snake }}",
};

#[cfg(feature = "queue")]
pub(crate) const JOB: Kind = Kind {
    command: "make:job",
    about: "Make a job in src/jobs",
    suffix: None,
    folder: Folder::Module(&["jobs"]),
    template: include_str!("templates/job.txt"),
    next: "add it in src/lib.rs:\n  .jobs([job::<{{ module }}::{{ pascal }}>()])\nThen dispatch it in a handler:\n  use crate::{{ module }}::{{ pascal }};\n  {{ pascal }} { id: 7 }.dispatch().await?;",
};

#[cfg(feature = "events")]
pub(crate) const EVENT: Kind = Kind {
    command: "make:event",
    about: "Make an event in src/events",
    suffix: None,
    folder: Folder::Module(&["events"]),
    template: include_str!("templates/event.txt"),
    next: "emit it in a handler:\n  use crate::{{ module }}::{{ pascal }};\n  emit({{ pascal }} { id: 7 }).await?;\nThen listen to it with an `async fn` that takes a `{{ pascal }}`, named in `.listeners([listener(…)])` of src/lib.rs.",
};

#[cfg(feature = "mail")]
pub(crate) const MAIL: Kind = Kind {
    command: "make:mail",
    about: "Make a mail in src/mails",
    suffix: None,
    folder: Folder::Module(&["mails"]),
    template: include_str!("templates/mail.txt"),
    next: "send it in a handler:\n  use crate::{{ module }}::{{ snake }};\n  mail()?.send({{ snake }}(\"ada@example.com\", \"https://example.com\")).await?;",
};

#[cfg(feature = "notifications")]
pub(crate) const NOTIFICATION: Kind = Kind {
    command: "make:notification",
    about: "Make a notification in src/notifications",
    suffix: None,
    folder: Folder::Module(&["notifications"]),
    template: include_str!("templates/notification.txt"),
    next: "tell somebody in a handler, where `user` is who shall know:\n  use crate::{{ module }}::{{ pascal }};\n  notify(&user, {{ pascal }} { url: \"https://example.com\".into() }).await?;",
};

/// One thing to make: its kind, its name and the app it is for.
pub(super) struct Making<'a> {
    pub(super) kind: &'a Kind,
    pub(super) name: &'a Name,
    pub(super) root: &'a Path,
}

impl Making<'_> {
    /// Where the file goes. A test is found by cargo; everything else is a module that the app declares.
    pub(super) fn place(&self) -> Result<ModuleFile> {
        match self.kind.module_path(self.name) {
            Some(path) => ModuleFile::of(&self.root.join("src"), &as_strs(&path)),
            None => {
                Ok(ModuleFile::undeclared(self.root.join("tests").join(format!("{}.rs", flat(self.name)))))
            }
        }
    }

    pub(super) fn text(&self) -> Result<String> {
        let stub = PathBuf::from("stubs").join(format!("{}.stub", self.kind.word()));
        let (text, origin) = match stub::read(self.root, &stub)? {
            Some(text) => (text, stub.display().to_string()),
            None => (self.kind.template.to_owned(), self.kind.command.to_owned()),
        };
        let mut words = self.kind.words(self.name);
        // What is about a model does not compile without it.
        if text.contains("{{ model }}") {
            words.push(("model", self.model()?));
        }
        stub::fill(&text, &words, &origin)
    }

    pub(super) fn next(&self) -> Result<String> {
        stub::fill(self.kind.next, &self.kind.words(self.name), self.kind.command)
    }

    /// How the app names the model that this is about.
    fn model(&self) -> Result<String> {
        let modules = self.name.folders.iter().chain([&self.name.base]).map(String::as_str);
        let path: Vec<&str> = ["models"].into_iter().chain(modules).collect();
        type_path("model", self.root, &path, &self.name.pascal())
    }
}

/// How the app names a type of one of its modules. `word` is what such a thing is made with.
fn type_path(word: &str, root: &Path, path: &[&str], name: &str) -> Result<String> {
    let typed = path[1..].join("/");
    match path_of_type(&root.join("src"), path, name)? {
        TypePath::Visible(path) => Ok(path),
        TypePath::Nowhere => Err(Problem::new(format!("there is no {word} `{}`", path.join("::")))
            .remedy(format!("Make it first: housekey make:{word} {typed}"))
            .into()),
        TypePath::Private { parent, module } => {
            let parent = parent.strip_prefix(root).unwrap_or(&parent);
            Err(Problem::new(format!("{} keeps the module `{module}` to itself", parent.display()))
                .remedy(format!(
                    "Declare it there with `pub mod {module};`, so that others can name `{name}`."
                ))
                .into())
        }
    }
}

impl Kind {
    /// `view` of `make:view`.
    pub(super) fn word(&self) -> &'static str {
        self.command.strip_prefix("make:").unwrap_or(self.command)
    }

    /// Where the file of a thing of this kind goes.
    #[cfg(feature = "database")]
    pub(crate) fn place(&self, root: &Path, name: &Name) -> Result<PathBuf> {
        Making { kind: self, name, root }.place().map(|place| place.file)
    }

    /// How the app names a type in it.
    #[cfg(feature = "database")]
    pub(crate) fn type_path(&self, root: &Path, name: &Name, of: &str) -> Result<String> {
        let path = self.module_path(name).unwrap_or_default();
        type_path(self.word(), root, &as_strs(&path), of)
    }

    /// The module's path below the crate; a test has none.
    fn module_path(&self, name: &Name) -> Option<Vec<String>> {
        let Folder::Module(above) = &self.folder else { return None };
        let above = above.iter().map(ToString::to_string).chain(name.folders.iter().cloned());
        Some(above.chain([self.stem(name)]).collect())
    }

    fn stem(&self, name: &Name) -> String {
        match self.suffix {
            Some(suffix) if name.base != suffix => format!("{}_{suffix}", name.base),
            _ => name.base.clone(),
        }
    }

    fn words(&self, name: &Name) -> Vec<(&'static str, String)> {
        let parts = || name.folders.iter().map(String::as_str).chain([name.base.as_str()]);
        let kebab =
            |between: &str| parts().map(|part| part.replace('_', "-")).collect::<Vec<_>>().join(between);
        vec![
            ("snake", name.base.clone()),
            ("stem", self.stem(name)),
            ("pascal", name.pascal()),
            ("title", name.title()),
            ("words", name.words()),
            ("kebab", name.kebab()),
            ("camel", name.camel()),
            ("upper", name.base.to_ascii_uppercase()),
            ("flat", flat(name)),
            ("plural", plural(&name.base)),
            ("module", self.module_path(name).unwrap_or_default().join("::")),
            ("url", kebab("/")),
            ("dotted", parts().collect::<Vec<_>>().join(".")),
            ("command", kebab(":")),
        ]
    }
}

/// The usual table of a thing: `post` → `posts`, `story` → `stories`, `box` → `boxes`.
pub(crate) fn plural(word: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('y') {
        Some(stem) if !ends(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

fn as_strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn flat(name: &Name) -> String {
    name.folders.iter().chain([&name.base]).cloned().collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_named_in_the_plural() {
        for (one, many) in
            [("post", "posts"), ("story", "stories"), ("key", "keys"), ("box", "boxes"), ("match", "matches")]
        {
            assert_eq!(plural(one), many);
        }
    }

    /// That it compiles and works is shown by a test of housekey-auth, which includes the file.
    #[cfg(feature = "auth")]
    #[test]
    fn a_policy_is_written_for_its_model() {
        let app = tempfile::tempdir().unwrap();
        let source = app.path().join("src");
        std::fs::create_dir_all(source.join("models")).unwrap();
        std::fs::write(source.join("lib.rs"), "pub mod models;\n").unwrap();
        std::fs::write(source.join("models/mod.rs"), "pub mod story;\n").unwrap();
        let name = Name::parse("StoryPolicy", POLICY.suffix).unwrap();
        let making = Making { kind: &POLICY, name: &name, root: app.path() };
        assert_eq!(making.place().unwrap().file, source.join("policies/story_policy.rs"));
        assert_eq!(making.text().unwrap(), include_str!("../../../tests/made/policies/story_policy.rs"));
        assert!(making.next().unwrap().contains(".policy(policies::story_policy::StoryPolicy)"));
    }

    /// The same: a test of housekey-auth includes the file, and with it the tests that are in it.
    #[cfg(feature = "auth")]
    #[test]
    fn an_auth_plugin_is_written_with_its_tests() {
        let app = tempfile::tempdir().unwrap();
        let source = app.path().join("src");
        std::fs::create_dir_all(&source).unwrap();
        std::fs::write(source.join("lib.rs"), "").unwrap();
        let name = Name::parse("DoorPass", AUTH_PLUGIN.suffix).unwrap();
        let making = Making { kind: &AUTH_PLUGIN, name: &name, root: app.path() };
        assert_eq!(making.place().unwrap().file, source.join("auth_plugins/door_pass.rs"));
        assert_eq!(making.text().unwrap(), include_str!("../../../tests/made/auth_plugins/door_pass.rs"));
        assert!(making.next().unwrap().contains("crate::auth_plugins::door_pass::door_pass(),"));
    }
}
