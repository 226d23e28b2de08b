use housekey::prelude::*;
use housekey::view::Buffer;

use super::field::{FieldState, Label};
use super::icon::Icon;
use super::input::Input;

/// A field for a password, with a switch to see what is typed. What was typed never comes back from the server.
#[derive(Clone, Copy, Debug, Default)]
pub struct Password<'a> {
    /// The name of the field, and its id.
    pub name: &'a str,
    pub label: &'a str,
    /// `current-password` or `new-password`: password managers go by it.
    pub autocomplete: &'a str,
    pub hint: &'a str,
    pub minlength: Option<u16>,
    pub autofocus: bool,
    /// Whether the form as a whole was refused, without saying which field was wrong.
    pub doubted: bool,
    /// What was wrong with it, where the page is drawn in the same request that refused it.
    pub error: Option<&'a str>,
}

impl Renderable for Password<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let has_hint = !self.hint.is_empty();
        let state = FieldState::of(self.name, has_hint).or_refused(self.name, has_hint, self.error);
        rsx_borrow! {
            <div class="grid gap-1.5">
                <Label id=(self.name) text=(self.label)/>
                <div class="relative">
                    <Input
                        id=(self.name)
                        name=(self.name)
                        kind="password"
                        autocomplete=(self.autocomplete)
                        minlength=(self.minlength)
                        maxlength=(Some(128))
                        required=true
                        autofocus=(state.takes_focus(self.autofocus))
                        invalid=(self.doubted || state.error.is_some())
                        described_by=(state.described_by.as_deref())
                        class="pr-12"
                        ..
                    />
                    <button
                        type="button"
                        data-action="reveal"
                        aria-controls=(self.name)
                        aria-pressed="false"
                        aria-label=(t("Show password"))
                        class="group absolute inset-y-0 right-0 hidden w-11 place-items-center rounded-control text-lg text-muted hover:text-ink scripted:grid"
                    >
                        <span class="group-aria-pressed:hidden">(Icon::Eye)</span>
                        <span class="hidden group-aria-pressed:inline">(Icon::EyeOff)</span>
                    </button>
                </div>
                (state.hint(self.name, self.hint))
                (state.message(self.name))
            </div>
        }
        .render_to(buffer);
    }
}

/// Tells a password manager whose password the form is about, where the page has no field for it.
#[component]
pub fn username<'a>(email: &'a str) -> impl Renderable {
    rsx! { <input type="text" name="username" value=(email) autocomplete="username" readonly hidden> }
}
