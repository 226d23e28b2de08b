use housekey::prelude::*;
use housekey::view::Buffer;

use super::checkbox::box_classes;
use super::field::FieldState;
use super::select::Choice;

/// Any number of several, such as the other side of a many-to-many:
/// `<Checkboxes name="tags" label=(&t("Tags")) options=(&tags) values=(&chosen) ../>`.
///
/// The field of the request is a `Vec`, empty when nothing is ticked.
pub struct Checkboxes<'a, T> {
    /// The name of the field. The boxes have the ids `tags-0`, `tags-1`, …
    pub name: &'a str,
    pub label: &'a str,
    /// What there is to choose from: texts, pairs of a value and its words, or models that are a [`Choice`].
    pub options: &'a [T],
    /// The values of those that are ticked. What was ticked in a refused form comes first.
    pub values: &'a [String],
    pub hint: &'a str,
}

impl<T> Default for Checkboxes<'_, T> {
    fn default() -> Self {
        Self { name: "", label: "", options: &[], values: &[], hint: "" }
    }
}

impl<T: Choice> Renderable for Checkboxes<'_, T> {
    fn render_to(&self, buffer: &mut Buffer) {
        let state = FieldState::of_several(self.name, !self.hint.is_empty());
        let chosen = old_list_or(self.name, self.values);
        let options: Vec<(String, String, String)> = self
            .options
            .iter()
            .enumerate()
            .map(|(at, option)| (format!("{}-{at}", self.name), option.value(), option.words()))
            .collect();
        rsx_borrow! {
            <fieldset id=(self.name) aria-describedby=[state.described_by.as_deref()] class="grid min-w-0 gap-1.5">
                <legend class="mb-1.5 text-sm font-semibold">(self.label)</legend>
                <div class="flex flex-wrap gap-x-6 gap-y-1">
                    @for (at, (id, value, words)) in options.iter().enumerate() {
                        <div class="flex min-h-9 items-center gap-3">
                            <input
                                id=(id)
                                name=(self.name)
                                type="checkbox"
                                value=(value)
                                checked[chosen.contains(value)]
                                autofocus[at == 0 && state.takes_focus(false)]
                                aria-invalid=[state.error.is_some().then_some("true")]
                                class=(box_classes())
                            >
                            <label for=(id) class="cursor-pointer text-[0.9375rem] [overflow-wrap:anywhere]">(words)</label>
                        </div>
                    }
                </div>
                (state.hint(self.name, self.hint))
                (state.message(self.name))
            </fieldset>
        }
        .render_to(buffer);
    }
}
