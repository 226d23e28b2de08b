use housekey::prelude::*;

use super::field::{FieldState, Label};

/// The code that a device shows: ONE field, because it is read off a screen and typed, in any case, with blanks and dashes or
/// without. A wrong one stays in it, to be compared.
#[component]
pub fn user_code<'a>(value: &'a str) -> impl Renderable {
    let id = "user_code";
    let state = FieldState::of(id, true);
    rsx! {
        <div class="grid gap-1.5">
            <Label id=id text=(&t("Code on your device"))/>
            <input
                id=(id)
                name=(id)
                type="text"
                value=(value)
                autocomplete="off"
                autocapitalize="characters"
                spellcheck="false"
                maxlength="64"
                required
                autofocus[state.takes_focus(true)]
                aria-invalid=[state.error.as_ref().map(|_| "true")]
                aria-describedby=[state.described_by.as_deref()]
                class="block min-h-14 w-full rounded-control border border-edge bg-surface px-4 text-center font-mono text-2xl tracking-[0.2em] uppercase transition-colors hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger"
            >
            (state.hint(id, &t("Upper or lower case, with or without the dash.")))
            (state.message(id))
        </div>
    }
}
