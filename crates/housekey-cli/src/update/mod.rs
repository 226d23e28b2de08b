//! `housekey add` and `housekey upgrade`: what a kit gives now, brought into an app that has been edited.
//!
//! Both are one three-way merge: what the kit gave ([`crate::kept`]), what it gives now ([`crate::layers`]), and the files
//! as they are. [`plan`] decides about every file without touching one, [`report`] tells, [`write`] does all of it or
//! nothing.

pub(crate) mod add;
mod git;
mod merge;
mod plan;
mod report;
pub(crate) mod upgrade;
mod write;

use clap::{Arg, ArgAction, ArgMatches};

use self::plan::Plan;
use crate::app::App;
use crate::failure::Failure;
use crate::framework::Framework;
use crate::kept::KitRecord;
use crate::kits::Kit;
use crate::layers::{self, Layers};
use crate::words::Words;

/// What both commands can be told.
struct Wishes {
    pretend: bool,
    force: bool,
}

impl Wishes {
    fn arguments() -> [Arg; 2] {
        [
            Arg::new("pretend")
                .long("pretend")
                .action(ArgAction::SetTrue)
                .help("Show the differences and write nothing"),
            Arg::new("force")
                .long("force")
                .visible_alias("allow-dirty")
                .action(ArgAction::SetTrue)
                .help("Go on with changes that are not committed, or without git"),
        ]
    }

    fn from(arguments: &ArgMatches) -> Self {
        Self { pretend: arguments.get_flag("pretend"), force: arguments.get_flag("force") }
    }
}

/// What this binary gives an app with these layers and words.
fn given(kit: &'static Kit, layers: Layers, words: Words) -> Result<KitRecord, Failure> {
    let files = words.fill(layers::render(kit, &layers)?);
    Ok(KitRecord::new(kit, layers, words, files))
}

/// Brings an app from what it was given to what is given now. `other` names the other side of a conflict.
fn bring(
    app: &App,
    before: &KitRecord,
    now: &KitRecord,
    other: &str,
    wishes: &Wishes,
) -> Result<Plan, Failure> {
    let plan = Plan::make(app.root(), before, now, other)?;
    if wishes.pretend {
        plan.show();
    }
    if wishes.pretend || plan.is_empty() {
        return Ok(plan);
    }
    git::refuse_if_dirty(app.root(), wishes.force)?;
    write::all(app.root(), plan.writes())?;
    Ok(plan)
}

/// What an app has kept; without it nothing can be merged.
fn kept(app: &App) -> Result<KitRecord, Failure> {
    let kept = KitRecord::read(app.root())?.ok_or_else(|| {
        Failure::failed("this app does not know what its kit gave it: there is no folder `.housekey`").help(
            "It was created before that folder existed, so nobody can tell your edits from the kit's own lines.\n\
             To begin now, with the kit of this version as what you were given:\n  \
             housekey upgrade --from-kit=jsx\n\
             That changes no file of yours. Name the kit the app was made from: none, api, jsx or spa; with layers that\n\
             it has already: --with=organizations.",
        )
    })?;
    if is_newer(&kept.version, crate::kept::VERSION) {
        return Err(Failure::failed(format!(
            "this app has the kit of Housekey {}, and this command is {}",
            kept.version,
            crate::kept::VERSION
        ))
        .help("Nothing was written. Install the newer command, then try again."));
    }
    Ok(kept)
}

fn framework() -> Framework {
    Framework::detect()
}

/// Versions are compared number by number: 0.10 is newer than 0.9.
fn is_newer(one: &str, other: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        let release = version.split(['-', '+']).next().unwrap_or_default();
        release.split('.').map(|number| number.parse().unwrap_or(0)).collect()
    };
    numbers(one) > numbers(other)
}

#[cfg(test)]
mod tests {
    use super::is_newer;

    #[test]
    fn versions_are_numbers_and_not_words() {
        assert!(is_newer("0.10.0", "0.9.1") && is_newer("1.0.0", "0.99.0"));
        assert!(!is_newer("0.1.0", "0.1.0") && !is_newer("0.1.0", "0.1.1") && !is_newer("nonsense", "0.1.0"));
    }
}
