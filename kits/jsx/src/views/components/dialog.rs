use housekey::prelude::*;
use housekey::view::Buffer;

use super::button::{Button, Tone};
use super::form::Form;
use super::icon::Icon;

/// A button that does something serious, and the question before it: a native `<dialog>`. Where no script runs, the
/// button sends its form at once and the server asks for the password.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConfirmedForm<'a> {
    /// Unique on the page.
    pub id: &'a str,
    pub action: &'a str,
    pub method: &'static str,
    /// The words on the button, and on the one in the dialog.
    pub label: &'a str,
    /// For who hears the page: what the button is about, where several look alike.
    pub aria_label: Option<&'a str>,
    pub tone: Tone,
    pub icon: Option<Icon>,
    pub small: bool,
    /// The question.
    pub title: &'a str,
    /// What will have happened afterwards.
    pub text: &'a str,
}

impl Renderable for ConfirmedForm<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let heading = format!("{}-title", self.id);
        rsx_borrow! {
            <div data-confirm=(self.id)>
                <Form action=(self.action) method=(self.method)>
                    <div>
                        <Button
                            label=(self.label)
                            aria_label=(self.aria_label)
                            tone=(self.tone)
                            icon=(self.icon)
                            small=(self.small)
                            ..
                        />
                    </div>
                </Form>
                <dialog
                    id=(self.id)
                    aria-labelledby=(heading)
                    class="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-card border border-line bg-raised p-6 text-ink shadow-menu"
                >
                    <h2 id=(heading) class="font-display text-xl font-semibold tracking-tight">(self.title)</h2>
                    <p class="mt-2 text-[0.9375rem] text-muted">(self.text)</p>
                    // A form of this method closes its dialog and sends nothing.
                    <form method="dialog" class="mt-6 flex flex-wrap justify-end gap-3">
                        <Button label=(&t("Cancel")) tone=(Tone::Quiet) ../>
                        <Button label=(self.label) tone=(Tone::Danger) action=(Some("confirm")) ../>
                    </form>
                </dialog>
            </div>
        }
        .render_to(buffer);
    }
}
