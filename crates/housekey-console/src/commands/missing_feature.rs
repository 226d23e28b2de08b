//! Commands that exist, but not in this app: the cargo feature they belong to was left out of its build.

/// What to say about such a command.
pub(crate) struct MissingFeature {
    /// What to add to `housekey` in the app's `Cargo.toml`.
    pub(crate) feature: &'static str,
    /// What else there is to do or to know.
    pub(crate) remark: &'static str,
    commands: &'static [&'static str],
}

/// Every command that depends on a feature.
const ALL: [MissingFeature; 9] = [
    MissingFeature {
        feature: "database-sqlite",
        remark: "`database-postgres` and `database-mysql` do as well. The app then says where its database is in config/database.rs.",
        commands: &[
            "db:seed",
            "db:show",
            "db:table",
            "db:wipe",
            "make:cache-table",
            "make:events-table",
            "make:factory",
            "make:migration",
            "make:model",
            "make:notifications-table",
            "make:queue-table",
            "make:schedule-table",
            "make:seeder",
            "make:session-table",
            "migrate",
            "migrate:fresh",
            "migrate:install",
            "migrate:refresh",
            "migrate:reset",
            "migrate:rollback",
            "migrate:status",
        ],
    },
    MissingFeature {
        feature: "auth",
        remark: "Accounts need a database too; `housekey create --kit=jsx` makes an app that has both.",
        commands: &[
            "auth:admin",
            "auth:events",
            "auth:prune",
            "auth:schema",
            "auth:secret",
            "make:auth-plugin",
            "make:policy",
        ],
    },
    MissingFeature {
        feature: "social",
        remark: "The app then names whom people may sign in with in `social_providers` of config/auth.rs.",
        commands: &["auth:providers"],
    },
    MissingFeature {
        feature: "queue",
        remark: "Without a config/queue.rs a job is done where it is dispatched.",
        commands: &[
            "make:job",
            "queue:clear",
            "queue:failed",
            "queue:flush",
            "queue:retry",
            "queue:size",
            "queue:work",
        ],
    },
    MissingFeature {
        feature: "schedule",
        remark: "The app then says what it does when in `.schedule(|schedule| …)`.",
        commands: &["schedule:list", "schedule:run", "schedule:work"],
    },
    MissingFeature {
        feature: "events",
        remark: "The app then names its listeners in `.listeners([listener(…)])`.",
        commands: &["make:event"],
    },
    MissingFeature {
        feature: "mail",
        remark: "Without a config/mail.rs mail is kept and shown at /dev/mailbox.",
        commands: &["make:mail"],
    },
    MissingFeature {
        feature: "notifications",
        remark: "They are sent by mail, which comes along.",
        commands: &["make:notification"],
    },
    MissingFeature {
        feature: "openapi",
        remark: "It describes routes that are written in `route.group().typed(|route| …)`.",
        commands: &["openapi"],
    },
];

/// The feature a command belongs to. Asked only about a command that this build does not have.
pub(crate) fn find(command: &str) -> Option<&'static MissingFeature> {
    ALL.iter().find(|missing| missing.commands.contains(&command))
}

#[cfg(all(
    test,
    feature = "auth",
    feature = "database",
    feature = "events",
    feature = "mail",
    feature = "notifications",
    feature = "openapi",
    feature = "queue",
    feature = "schedule",
    feature = "social"
))]
mod tests {
    use super::*;

    /// The commands of a build without features, written down: every other one must be known as left out there.
    const ALWAYS: [&str; 21] = [
        "about",
        "cache:clear",
        "config:cache",
        "config:clear",
        "config:show",
        "down",
        "key:generate",
        "list",
        "make:command",
        "make:controller",
        "make:middleware",
        "make:request",
        "make:test",
        "make:view",
        "optimize",
        "optimize:clear",
        "route:list",
        "serve",
        "session:gc",
        "types",
        "up",
    ];

    #[test]
    fn every_command_is_there_always_or_belongs_to_one_feature() {
        let all: Vec<&str> = crate::commands::built_in().iter().map(|command| command.name()).collect();
        for name in &all {
            let features = ALL.iter().filter(|missing| missing.commands.contains(name)).count();
            assert_eq!(features + usize::from(ALWAYS.contains(name)), 1, "{name}");
        }
        for name in ALL.iter().flat_map(|missing| missing.commands) {
            assert!(all.contains(name), "there is no command {name}");
        }
    }
}
