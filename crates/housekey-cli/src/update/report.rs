//! What was done, what somebody has to look at, and the differences that would come.

use diffy::DiffOptions;

use super::plan::{FileAction, Plan};
use super::write::Write;
use crate::ui;

/// One line of what comes next.
pub(super) fn step(command: &str, why: &str) {
    ui::line(format!("  {}   {why}", ui::strong(command)).trim_end());
}

impl Plan {
    /// The differences, as `git diff` shows them.
    pub(super) fn show(&self) {
        for write in self.changes() {
            ui::line(&difference(write));
        }
        self.list("would be ");
    }

    /// What would happen, without the differences.
    pub(super) fn print_outline(&self) {
        self.list("would be ");
    }

    /// How many files became what, and which ones want a look.
    pub(super) fn tell(&self) {
        self.list("");
        if self.has_conflicts() {
            ui::line("\nTo do, before anything else:");
            for step in &self.steps {
                match &step.action {
                    FileAction::Conflict(_) => ui::line(&format!(
                        "  {}   choose between the sides of each `<<<<<<< yours … >>>>>>>` and remove the markers",
                        ui::strong(&step.path)
                    )),
                    FileAction::Beside(file, _) => ui::line(&format!(
                        "  {}   take from it what you want into {}, then remove it",
                        ui::strong(file),
                        step.path
                    )),
                    _ => {}
                }
            }
        }
    }

    fn list(&self, would: &str) {
        let count = |action: &FileAction| self.steps.iter().filter(|step| step.action == *action).count();
        let kinds = [
            (FileAction::New, "new"),
            (FileAction::Replaced, "replaced"),
            (FileAction::Merged, "merged with your edits"),
            (FileAction::Removed, "removed"),
        ];
        let told: Vec<String> = kinds
            .iter()
            .filter_map(|(action, word)| {
                Some(count(action)).filter(|count| *count > 0).map(|count| format!("{count} {word}"))
            })
            .collect();
        if !told.is_empty() {
            ui::done("Files", &format!("{would}{}", told.join(", ")));
        }
        for step in self.steps.iter().filter(|step| step.action == FileAction::Merged) {
            ui::done("Merged", &step.path);
        }
        for step in &self.steps {
            match &step.action {
                FileAction::Conflict(places) => {
                    let places = if *places == 1 { "1 place".to_owned() } else { format!("{places} places") };
                    ui::attention(
                        "Conflict",
                        &format!("{} in {places}: you and the kit changed the same lines", step.path),
                    );
                }
                FileAction::Beside(file, why) => {
                    ui::attention(
                        "Conflict",
                        &format!("{}: {why}. Yours stays, the kit's is in {file}", step.path),
                    );
                }
                FileAction::StaysRemoved => {
                    ui::attention(
                        "Left out",
                        &format!("{}: the kit changed it, and you had removed it", step.path),
                    );
                }
                FileAction::Stays => {
                    ui::attention(
                        "Left",
                        &format!("{}: the kit has it no more, and you had changed it", step.path),
                    );
                }
                FileAction::New | FileAction::Replaced | FileAction::Merged | FileAction::Removed => {}
            }
        }
    }
}

fn difference(write: &Write) -> String {
    let side = |content: &Option<Vec<u8>>| match content {
        Some(content) => String::from_utf8(content.clone()).ok().filter(|text| !text.contains('\0')),
        None => Some(String::new()),
    };
    let (Some(before), Some(after)) = (side(&write.before), side(&write.after)) else {
        return format!("Binary file {} differs", write.path);
    };
    let name = |letter: char, there: bool| {
        if there { format!("{letter}/{}", write.path) } else { "/dev/null".to_owned() }
    };
    DiffOptions::new()
        .set_original_filename(name('a', write.before.is_some()))
        .set_modified_filename(name('b', write.after.is_some()))
        .create_patch(&before, &after)
        .to_string()
        .trim_end()
        .to_owned()
}
