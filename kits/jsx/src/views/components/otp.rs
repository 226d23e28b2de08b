use housekey::prelude::*;
use housekey::view::Buffer;

use super::field::{FieldState, Label};
use super::icon::Icon;

/// The six digits of an authenticator app: ONE field, because password managers, phones and pasting expect one. A
/// script takes spaces out of what is pasted and sends the form at six digits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Otp<'a> {
    pub label: &'a str,
    pub hint: &'a str,
    /// Whether the page begins here. Not where something must be seen first.
    pub autofocus: bool,
    /// Whether another form of the page was sent: what is said about a code is not about this one.
    pub idle: bool,
}

impl Renderable for Otp<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let has_hint = !self.hint.is_empty();
        let state =
            if self.idle { FieldState::idle("code", has_hint) } else { FieldState::of("code", has_hint) };
        rsx_borrow! {
            <div class="grid gap-1.5">
                <Label id="code" text=(self.label)/>
                // Empty and with the focus after a wrong code: the next one is typed over nothing.
                <input
                    id="code"
                    name="code"
                    type="text"
                    inputmode="numeric"
                    autocomplete="one-time-code"
                    pattern="[0-9 ]*"
                    maxlength="12"
                    required
                    autofocus[state.takes_focus(self.autofocus)]
                    data-otp="6"
                    aria-invalid=[state.error.as_ref().map(|_| "true")]
                    aria-describedby=[state.described_by.as_deref()]
                    class="block min-h-14 w-full rounded-control border border-edge bg-surface px-4 text-center font-mono text-2xl tracking-[0.35em] tabular-nums transition-colors hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger"
                >
                (state.hint("code", self.hint))
                (state.message("code"))
            </div>
        }
        .render_to(buffer);
    }
}

/// A recovery code: letters and digits in any case, with or without the dash, and nothing for a password manager. `sent`
/// says whether its form was: else what is said about a code is about that of the app.
#[component]
pub fn recovery_code(sent: bool) -> impl Renderable {
    let id = "recovery-code";
    let mut state = FieldState::idle(id, true);
    if sent {
        state = state.or_refused(id, true, errors().first("code").as_deref());
    }
    rsx! {
        <div class="grid gap-1.5">
            <Label id=id text=(&t("Recovery code"))/>
            <input
                id=(id)
                name="code"
                type="text"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                maxlength="32"
                required
                autofocus[sent]
                aria-invalid=[state.error.as_ref().map(|_| "true")]
                aria-describedby=[state.described_by.as_deref()]
                class="block min-h-14 w-full rounded-control border border-edge bg-surface px-4 text-center font-mono text-xl tracking-widest transition-colors hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger"
            >
            (state.hint(id, &t("Upper or lower case, with or without the dash.")))
            (state.message(id))
        </div>
    }
}

/// A secret key in groups of four, for an app that cannot see the picture.
#[component]
pub fn grouped_key<'a>(key: &'a str) -> impl Renderable {
    rsx! {
        <p class="flex items-center justify-between gap-3 rounded-control bg-sunken px-3.5 py-2.5">
            // As wide as four groups, so that the lines are alike.
            <code data-copy-source class="max-w-[22ch] font-mono text-[0.9375rem] text-wrap tracking-wider [overflow-wrap:anywhere]">
                (groups(key))
            </code>
            <button
                type="button"
                data-action="copy"
                aria-label=(t("Copy the key"))
                class="group hidden rounded-md p-1.5 text-lg text-muted hover:text-ink scripted:block"
            >
                <span class="group-data-done:hidden">(Icon::Copy)</span>
                <span class="hidden text-success group-data-done:inline">(Icon::Check)</span>
            </button>
            <span role="status" class="sr-only" data-copied=(t("Copied."))></span>
        </p>
    }
}

fn groups(key: &str) -> String {
    let letters: Vec<char> = key.chars().filter(|letter| !letter.is_whitespace()).collect();
    letters.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_in_groups_of_four() {
        assert_eq!(groups("JBSWY3DPEHPK3PXPAB"), "JBSW Y3DP EHPK 3PXP AB");
        assert_eq!(groups("jbsw y3dp"), "jbsw y3dp");
    }
}
