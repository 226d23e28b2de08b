//! How many lines each part of Shelf takes, beside the same in Laravel: counted, so that the table of the guide stays true.

use std::fs;
use std::path::{Path, PathBuf};

/// A part of the library: its name, our files, Laravel's.
type Part = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Tables that a command writes (`auth:schema`, `make:queue-table`) are nobody's lines, on either side.
const PARTS: [Part; 18] = [
    (
        "tables",
        &[
            "database/migrations/2026_11_18_100000_create_books.rs",
            "database/migrations/2026_11_18_110000_create_loans.rs",
            "database/migrations/2026_11_18_120000_create_audit_entries.rs",
        ],
        &["migrations"],
    ),
    (
        "models, relations, search",
        &["src/models/book.rs", "src/models/tag.rs", "src/models/mod.rs.edit", "src/models/user.rs.edit"],
        &["models"],
    ),
    ("forms and their rules", &["src/requests/book.rs"], &["requests"]),
    (
        "routes and actions of books",
        &["src/routes/shelf.rs", "src/controllers/books_controller.rs"],
        &["controllers"],
    ),
    (
        "roles, policies, the first librarian",
        &["src/policies", "src/commands.rs", "config/auth.rs.edit"],
        &["policies"],
    ),
    ("covers on a disk or in a bucket", &["src/covers.rs", "config/storage.rs.edit"], &["covers"]),
    (
        "loans, with a receipt by mail",
        &[
            "src/models/loan.rs",
            "src/controllers/loans_controller.rs",
            "src/calendar.rs",
            "src/notifications/receipt.rs",
        ],
        &["loans"],
    ),
    (
        "reminders every morning",
        &[
            "src/schedule.rs",
            "config/schedule.rs",
            "src/jobs/remind_reader.rs",
            "src/jobs/remind_readers.rs",
            "src/notifications/loan_due.rs",
        ],
        &["reminders"],
    ),
    (
        "audit and events",
        &["src/models/audit_entry.rs", "src/controllers/activity_controller.rs", "src/events.rs"],
        &["audit"],
    ),
    ("CSV", &["src/controllers/export_controller.rs"], &["export"]),
    (
        "JSON API with tokens, described",
        &["src/controllers/api", "src/requests/api.rs", "src/routes/api.rs"],
        &["api"],
    ),
    (
        "invitations",
        &[
            "src/controllers/invitations_controller.rs",
            "src/requests/invitation.rs",
            "src/notifications/invitation.rs",
        ],
        &["invitations"],
    ),
    (
        "pages that change by themselves",
        &["src/channels.rs", "config/live.rs", "resources/js/shelf.ts", "resources/js/app.ts.edit"],
        &["live"],
    ),
    ("pages looked up elsewhere", &["src/jobs/look_up_pages.rs"], &["lookup"]),
    ("what people see", &["src/views"], &["pages"]),
    ("factories and seeds", &["database/factories", "database/seeders"], &["factories"]),
    (
        "putting it together",
        &["Cargo.toml.edit", "src/lib.rs.edit", "src/jobs/mod.rs", "src/notifications/mod.rs"],
        &[],
    ),
    ("tests", &["tests/shelf"], &["tests"]),
];

/// The rows of the table, with a sum at its end.
pub(super) fn rows(example: &Path) -> Result<Vec<String>, String> {
    let mut rows = Vec::new();
    let mut sum = (0, 0);
    for (part, ours, theirs) in PARTS {
        let (mut mine, mut laravel) = (0, 0);
        for path in ours {
            mine += count(&example.join(path))?;
        }
        for path in theirs {
            laravel += count(&example.join("laravel").join(path))?;
        }
        sum = (sum.0 + mine, sum.1 + laravel);
        rows.push(format!("| {part} | {mine} | {laravel} |"));
    }
    rows.push(format!("| **all** | **{}** | **{}** |", sum.0, sum.1));
    Ok(rows)
}

/// The lines of a file, or of all files below a folder.
fn count(path: &Path) -> Result<usize, String> {
    let failed = |error| format!("cannot read {}: {error}", path.display());
    if path.is_dir() {
        let entries: Vec<PathBuf> =
            fs::read_dir(path).map_err(failed)?.flatten().map(|entry| entry.path()).collect();
        return entries.iter().map(|entry| count(entry)).sum();
    }
    let is_edit = path.extension().is_some_and(|suffix| suffix == "edit");
    let text = fs::read_to_string(path).map_err(failed)?;
    Ok(text.lines().filter(|line| is_code(line.trim(), is_edit)).count())
}

/// Not blank and not a comment; of an edit, what it adds.
fn is_code(line: &str, is_edit: bool) -> bool {
    let is_comment = ["//", "/*", "*", "{{--", "# ", "<?php"].iter().any(|sign| line.starts_with(sign));
    !(line.is_empty() || is_comment || is_edit && line.starts_with('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_comments_and_the_words_of_an_edit_do_not_count() {
        for line in ["", "// why", "/// what", "* more", "<?php", "{{-- a file --}}", "# why"] {
            assert!(!is_code(line, false), "{line}");
        }
        assert!(is_code("#[test]", false) && is_code("@csrf", false) && is_code("}", false));
        assert!(!is_code("@after x", true));
    }
}
