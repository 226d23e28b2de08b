use housekey_core::Error;
use housekey_http::ErrorContext;

/// What to do about an error, as far as its text tells.
pub(super) fn hint(error: &Error, context: &ErrorContext<'_>) -> String {
    let chain = error.source_chain().join("\n").to_lowercase();
    let known = KNOWN.iter().find(|(sign, _)| chain.contains(sign)).map(|(_, advice)| (*advice).to_owned());
    known.unwrap_or_else(|| {
        let id = context.request_id();
        format!("Start at the last cause below. The log has the same under request `{id}`.")
    })
}

const KNOWN: &[(&str, &str)] = &[
    (
        "permission denied",
        "Let the user that runs the app write below `storage/`, or read the file that is named here.",
    ),
    ("read-only file system", "Point the app at a writable `storage/` folder."),
    (
        "no space left on device",
        "Free some disk space; `storage/logs` and `storage/framework` are good places to look.",
    ),
    ("connection refused", "Start the service this connects to, or correct its address in `.env`."),
    ("app_key", "Run `housekey key:generate` and restart the app."),
    (
        "panicked",
        "The code panicked: the place is named here. Return an error with `?` where this can happen.",
    ),
    (
        "invalid utf-8",
        "Something that should be text is not. Read it as bytes, or refuse it with `Error::bad_request`.",
    ),
];
