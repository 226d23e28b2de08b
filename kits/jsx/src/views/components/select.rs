use std::fmt::Display;

use housekey::prelude::*;
use housekey::view::Buffer;

use super::field::{FieldState, Label};
use super::icon::Icon;

/// One of several: `<Select name="size" label=(&t("Size")) options=(&["S", "M", "L"]) value=(&shirt.size) ../>`.
pub struct Select<'a, T> {
    /// The name of the field, and its id.
    pub name: &'a str,
    pub label: &'a str,
    /// What there is to choose from: texts, pairs of a value and its words, or models that are a [`Choice`].
    pub options: &'a [T],
    /// The value of what is chosen. What was chosen in a refused form comes first.
    pub value: &'a str,
    /// The words of a first option that chooses nothing, and is sent as an empty text. Without words there is none.
    pub empty: &'a str,
    pub hint: &'a str,
    pub required: bool,
    /// Whether the page begins here, unless something was refused.
    pub autofocus: bool,
}

/// Something a [`Select`] can offer. A model that others belong to says it once:
///
/// ```text
/// impl Choice for Author {
///     fn value(&self) -> String {
///         self.id.to_string()
///     }
///
///     fn words(&self) -> String {
///         self.name.clone()
///     }
/// }
/// ```
pub trait Choice {
    /// What is sent.
    fn value(&self) -> String;

    /// What is read.
    fn words(&self) -> String;
}

impl<V: Display, W: Display> Choice for (V, W) {
    fn value(&self) -> String {
        self.0.to_string()
    }

    fn words(&self) -> String {
        self.1.to_string()
    }
}

impl Choice for &str {
    fn value(&self) -> String {
        (*self).to_owned()
    }

    fn words(&self) -> String {
        (*self).to_owned()
    }
}

impl Choice for String {
    fn value(&self) -> String {
        self.clone()
    }

    fn words(&self) -> String {
        self.clone()
    }
}

impl<T> Default for Select<'_, T> {
    fn default() -> Self {
        Self {
            name: "",
            label: "",
            options: &[],
            value: "",
            empty: "",
            hint: "",
            required: false,
            autofocus: false,
        }
    }
}

impl<T: Choice> Renderable for Select<'_, T> {
    fn render_to(&self, buffer: &mut Buffer) {
        let state = FieldState::of(self.name, !self.hint.is_empty());
        let chosen = old_or(self.name, self.value);
        let options: Vec<(String, String)> =
            self.options.iter().map(|option| (option.value(), option.words())).collect();
        rsx_borrow! {
            <div class="grid gap-1.5">
                <Label id=(self.name) text=(self.label)/>
                <div class="relative">
                    <select
                        id=(self.name)
                        name=(self.name)
                        required[self.required]
                        autofocus[state.takes_focus(self.autofocus)]
                        aria-invalid=[state.error.is_some().then_some("true")]
                        aria-describedby=[state.described_by.as_deref()]
                        class="block min-h-11 w-full min-w-0 cursor-pointer appearance-none truncate rounded-control border border-edge bg-surface py-2 pr-11 pl-3.5 text-base text-ink transition-colors hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger"
                    >
                        @if !self.empty.is_empty() { <option value="">(self.empty)</option> }
                        @for (value, words) in &options {
                            <option value=(value) selected[*value == chosen]>(words)</option>
                        }
                    </select>
                    <span class="pointer-events-none absolute inset-y-0 right-3.5 grid place-items-center text-muted">(Icon::ChevronDown)</span>
                </div>
                (state.hint(self.name, self.hint))
                (state.message(self.name))
            </div>
        }
        .render_to(buffer);
    }
}
