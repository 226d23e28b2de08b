use housekey::prelude::*;
use housekey::view::Buffer;

use super::icon::Icon;
use super::input::Input;

/// A label, something to type in, a hint, and what was wrong with it last time:
/// `<Field name="name" label=(&t("Name")) autocomplete="name" required=true ../>`.
///
/// A refused field is marked for screen readers, tied to its message, and the first one of the page has the focus. All
/// of that is in the page itself and needs no script.
#[derive(Clone, Copy, Debug, Default)]
pub struct Field<'a> {
    /// The name of the field, and its id.
    pub name: &'a str,
    pub label: &'a str,
    /// The `type` of the input: `text` if it is empty.
    pub kind: &'a str,
    /// What stands in it. What was typed into a refused form comes first.
    pub value: &'a str,
    pub hint: &'a str,
    pub autocomplete: &'a str,
    pub maxlength: Option<u16>,
    pub required: bool,
    pub readonly: bool,
    /// Whether the page begins here, unless something was refused.
    pub autofocus: bool,
    /// Whether the form as a whole was refused: its message stands above it, as `form-error`, and names no field.
    pub doubted: bool,
}

impl Renderable for Field<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let mut state = FieldState::of(self.name, !self.hint.is_empty());
        if self.doubted {
            state.error = None;
            state.described_by = Some("form-error".to_owned());
        }
        let value = if self.readonly { self.value.to_owned() } else { old_or(self.name, self.value) };
        rsx_borrow! {
            <div class="grid gap-1.5">
                <Label id=(self.name) text=(self.label)/>
                <Input
                    id=(self.name)
                    name=(self.name)
                    kind=(self.kind)
                    value=(&value)
                    autocomplete=(self.autocomplete)
                    maxlength=(self.maxlength)
                    required=(self.required)
                    readonly=(self.readonly)
                    autofocus=(state.takes_focus(self.autofocus))
                    invalid=(self.doubted || state.error.is_some())
                    described_by=(state.described_by.as_deref())
                    ..
                />
                (state.hint(self.name, self.hint))
                (state.message(self.name))
            </div>
        }
        .render_to(buffer);
    }
}

/// The words above a field.
#[component]
pub fn label<'a>(id: &'a str, text: &'a str) -> impl Renderable {
    rsx! { <label for=(id) class="justify-self-start text-sm font-semibold">(text)</label> }
}

/// What validation said about a field, and how the page says it.
pub struct FieldState {
    pub error: Option<String>,
    /// The ids for `aria-describedby`.
    pub described_by: Option<String>,
    focus: Focus,
}

#[derive(PartialEq, Eq)]
enum Focus {
    /// This is the first refused field.
    Here,
    /// Another one is.
    Elsewhere,
    /// Nothing was refused.
    AsThePageLikes,
}

impl FieldState {
    pub fn of(name: &str, has_hint: bool) -> Self {
        let errors = errors();
        let error = errors.first(name);
        let ids = match (has_hint, error.is_some()) {
            (true, true) => Some(format!("{name}-hint {name}-error")),
            (true, false) => Some(format!("{name}-hint")),
            (false, true) => Some(format!("{name}-error")),
            (false, false) => None,
        };
        let focus = match errors.iter().next() {
            Some((first, _)) if first == name => Focus::Here,
            Some(_) => Focus::Elsewhere,
            None => Focus::AsThePageLikes,
        };
        Self { error, described_by: ids, focus }
    }

    /// That of a field with several values: what is wrong with one of them is said of `papers.2`.
    pub fn of_several(name: &str, has_hint: bool) -> Self {
        let one_of_several = format!("{name}.");
        let is_ours = |field: &str| field == name || field.starts_with(&one_of_several);
        let errors = errors();
        let Some((_, message)) = errors.iter().find(|(field, _)| is_ours(field)) else {
            return Self::of(name, has_hint);
        };
        let is_first = errors.iter().next().is_some_and(|(field, _)| is_ours(field));
        let focus = if is_first { Focus::Here } else { Focus::Elsewhere };
        Self { focus, ..Self::of(name, has_hint).or_refused(name, has_hint, Some(message)) }
    }

    /// That of a field whose form was not sent, on a page where another was: nothing is said about it, and the focus is
    /// elsewhere.
    pub fn idle(id: &str, has_hint: bool) -> Self {
        let described_by = has_hint.then(|| format!("{id}-hint"));
        Self { error: None, described_by, focus: Focus::Elsewhere }
    }

    /// The same with a message that did not come through the session, if there is one.
    pub fn or_refused(self, name: &str, has_hint: bool, message: Option<&str>) -> Self {
        let Some(message) = message else { return self };
        let ids = if has_hint { format!("{name}-hint {name}-error") } else { format!("{name}-error") };
        Self { error: Some(message.to_owned()), described_by: Some(ids), focus: Focus::Here }
    }

    /// Whether the field gets `autofocus`: only one of a page may.
    pub fn takes_focus(&self, wanted: bool) -> bool {
        self.focus == Focus::Here || (wanted && self.focus == Focus::AsThePageLikes)
    }

    pub fn hint<'a>(&self, name: &'a str, text: &'a str) -> impl Renderable + use<'a> {
        rsx! {
            @if !text.is_empty() { <p id={ (name) "-hint" } class="text-sm text-muted">(text)</p> }
        }
    }

    pub fn message<'a>(&'a self, name: &'a str) -> impl Renderable + use<'a> {
        rsx! {
            @if let Some(error) = &self.error {
                <p id={ (name) "-error" } class="flex gap-1.5 text-sm font-medium text-danger">
                    <span class="mt-0.5">(Icon::Alert)</span>
                    (error)
                </p>
            }
        }
    }
}
