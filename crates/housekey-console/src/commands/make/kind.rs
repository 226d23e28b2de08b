use std::path::{Path, PathBuf};

use super::name::Name;

/// A kind of file that can be made: where it goes, what is in it, what to do with it.
pub(crate) struct Kind {
    pub(super) command: &'static str,
    pub(super) about: &'static str,
    /// What the file's name ends with: `user` → `user_controller.rs`.
    pub(super) suffix: Option<&'static str>,
    folder: Folder,
    template: &'static str,
    /// For an app that lacks the file the template builds on.
    without: Option<Without>,
    next: &'static str,
}

struct Without {
    file: &'static str,
    template: &'static str,
}

enum Folder {
    /// Below `src/`, as a module.
    Source(&'static [&'static str]),
    /// `tests/`: cargo finds each file there by itself, and only on the first level.
    Tests,
}

pub(crate) const CONTROLLER: Kind = Kind {
    command: "make:controller",
    about: "Make a controller in src/controllers",
    suffix: Some("controller"),
    folder: Folder::Source(&["controllers"]),
    template: include_str!("templates/controller.txt"),
    without: None,
    next: "route to it in src/routes/web.rs:\n  use crate::{{module}};\n  route.get(\"/{{url}}\", {{stem}}::index).name(\"{{dotted}}.index\");",
};

pub(crate) const MIDDLEWARE: Kind = Kind {
    command: "make:middleware",
    about: "Make a middleware in src/middleware",
    suffix: None,
    folder: Folder::Source(&["middleware"]),
    template: include_str!("templates/middleware.txt"),
    without: None,
    next: "name it in src/lib.rs, then use the name on a route:\n  .middleware(\"{{kebab}}\", {{module}}::{{snake}})\n  route.get(…).middleware(\"{{kebab}}\");",
};

pub(crate) const REQUEST: Kind = Kind {
    command: "make:request",
    about: "Make a validated input in src/requests",
    suffix: Some("request"),
    folder: Folder::Source(&["requests"]),
    template: include_str!("templates/request.txt"),
    without: None,
    next: "take it in a handler:\n  async fn store(Valid(input): Valid<{{pascal}}Request>) -> Result<Redirect>",
};

pub(crate) const VIEW: Kind = Kind {
    command: "make:view",
    about: "Make a page in src/views/pages",
    suffix: None,
    folder: Folder::Source(&["views", "pages"]),
    template: include_str!("templates/view.txt"),
    without: Some(Without {
        file: "src/views/layouts/base.rs",
        template: include_str!("templates/view_without_layout.txt"),
    }),
    next: "answer with it in a handler:\n  use crate::{{module}}::{{snake}};\n  view({{snake}}())",
};

pub(crate) const COMMAND: Kind = Kind {
    command: "make:command",
    about: "Make a console command in src/commands",
    suffix: None,
    folder: Folder::Source(&["commands"]),
    template: include_str!("templates/command.txt"),
    without: None,
    next: "add it in src/lib.rs:\n  .command({{module}}::{{pascal}})",
};

pub(crate) const TEST: Kind = Kind {
    command: "make:test",
    about: "Make a test file in tests",
    suffix: None,
    folder: Folder::Tests,
    template: include_str!("templates/test.txt"),
    without: None,
    next: "run it:\n  cargo test --test {{flat}}",
};

#[cfg(feature = "database")]
pub(crate) const MODEL: Kind = Kind {
    command: "make:model",
    about: "Make a model in src/models",
    suffix: None,
    folder: Folder::Source(&["models"]),
    template: include_str!("templates/model.txt"),
    without: None,
    next: "make its table:\n  housekey make:migration create_{{plural}}",
};

#[cfg(feature = "database")]
pub(crate) const FACTORY: Kind = Kind {
    command: "make:factory",
    about: "Make a factory in src/factories",
    suffix: Some("factory"),
    folder: Folder::Source(&["factories"]),
    template: include_str!("templates/factory.txt"),
    without: None,
    next: "make rows with it:\n  let {{snake}} = {{pascal}}Factory::create().await?;",
};

#[cfg(feature = "database")]
pub(crate) const SEEDER: Kind = Kind {
    command: "make:seeder",
    about: "Make a seeder in src/seeders",
    suffix: Some("seeder"),
    folder: Folder::Source(&["seeders"]),
    template: include_str!("templates/seeder.txt"),
    without: None,
    next: "add it in src/lib.rs, then run it:\n  .seeder({{module}}::{{pascal}}Seeder)\n  housekey db:seed",
};

#[cfg(feature = "auth")]
pub(crate) const POLICY: Kind = Kind {
    command: "make:policy",
    about: "Make a policy in src/policies",
    suffix: Some("policy"),
    folder: Folder::Source(&["policies"]),
    template: include_str!("templates/policy.txt"),
    without: None,
    next: "add it in src/lib.rs, then ask it in a handler:\n  .policy({{module}}::{{pascal}}Policy)\n  authorize(\"update\", &{{snake}}).await?;",
};

#[cfg(feature = "queue")]
pub(crate) const JOB: Kind = Kind {
    command: "make:job",
    about: "Make a job in src/jobs",
    suffix: None,
    folder: Folder::Source(&["jobs"]),
    template: include_str!("templates/job.txt"),
    without: None,
    next: "add it in src/lib.rs, then dispatch it:\n  .jobs([job::<{{module}}::{{pascal}}>()])\n  {{pascal}} { id: 7 }.dispatch().await?;",
};

#[cfg(feature = "mail")]
pub(crate) const MAIL: Kind = Kind {
    command: "make:mail",
    about: "Make a mail in src/mails",
    suffix: None,
    folder: Folder::Source(&["mails"]),
    template: include_str!("templates/mail.txt"),
    without: None,
    next: "send it:\n  use crate::{{module}}::{{snake}};\n  mail()?.send({{snake}}(&user.email, &url)).await?;",
};

#[cfg(feature = "notifications")]
pub(crate) const NOTIFICATION: Kind = Kind {
    command: "make:notification",
    about: "Make a notification in src/notifications",
    suffix: None,
    folder: Folder::Source(&["notifications"]),
    template: include_str!("templates/notification.txt"),
    without: None,
    next: "tell somebody:\n  use crate::{{module}}::{{pascal}};\n  notify(&user, {{pascal}} { url }).await?;",
};

impl Kind {
    /// The file, as seen from the app's root.
    pub(super) fn file(&self, name: &Name) -> PathBuf {
        match &self.folder {
            Folder::Tests => PathBuf::from("tests").join(format!("{}.rs", flat(name))),
            Folder::Source(_) => {
                let modules = self.module_path(name).unwrap_or_default();
                PathBuf::from("src").join(modules.join("/")).with_extension("rs")
            }
        }
    }

    /// The module's path below the crate; a test has none.
    pub(super) fn module_path(&self, name: &Name) -> Option<Vec<String>> {
        let Folder::Source(folders) = &self.folder else { return None };
        let above = folders.iter().map(ToString::to_string).chain(name.folders.iter().cloned());
        Some(above.chain([self.stem(name)]).collect())
    }

    pub(super) fn render(&self, root: &Path, name: &Name) -> String {
        let simpler = self.without.as_ref().filter(|without| !root.join(without.file).is_file());
        self.fill(simpler.map_or(self.template, |without| without.template), name)
    }

    pub(super) fn next(&self, name: &Name) -> String {
        self.fill(self.next, name)
    }

    fn stem(&self, name: &Name) -> String {
        match self.suffix {
            Some(suffix) if name.base != suffix => format!("{}_{suffix}", name.base),
            _ => name.base.clone(),
        }
    }

    fn fill(&self, template: &str, name: &Name) -> String {
        let module = self.module_path(name).unwrap_or_default().join("::");
        let parts = || name.folders.iter().map(String::as_str).chain([name.base.as_str()]);
        let url = parts().map(|part| part.replace('_', "-")).collect::<Vec<_>>().join("/");
        let dotted = parts().collect::<Vec<_>>().join(".");
        let command = parts().map(|part| part.replace('_', "-")).collect::<Vec<_>>().join(":");
        let pairs = [
            ("snake", name.base.as_str()),
            ("stem", &self.stem(name)),
            ("pascal", &name.pascal()),
            ("title", &name.title()),
            ("words", &name.words()),
            ("kebab", &name.kebab()),
            ("flat", &flat(name)),
            ("plural", &plural(&name.base)),
            ("module", &module),
            ("url", &url),
            ("dotted", &dotted),
            ("command", &command),
        ];
        pairs
            .into_iter()
            .fold(template.to_owned(), |text, (key, value)| text.replace(&format!("{{{{{key}}}}}"), value))
    }
}

/// The usual table of a thing: `post` → `posts`, `story` → `stories`, `box` → `boxes`.
fn plural(word: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('y') {
        Some(stem) if !ends(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{word}es"),
        _ => format!("{word}s"),
    }
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
        let name = Name::parse("StoryPolicy", POLICY.suffix).unwrap();
        assert_eq!(POLICY.file(&name), Path::new("src/policies/story_policy.rs"));
        let expected = include_str!("../../../tests/made/policies/story_policy.rs");
        assert_eq!(POLICY.render(Path::new("nowhere"), &name), expected);
        assert!(POLICY.next(&name).contains(".policy(policies::story_policy::StoryPolicy)"));
    }
}
