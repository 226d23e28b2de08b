use housekey::prelude::*;
use housekey::view::{AttributeValue, Buffer, attribute};

use super::alert::Kind;
use super::badge::Badge;
use super::icon::Icon;
use super::provider_mark::ProviderMark;

/// How much a button wants to be pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// What the page is for. One on a form.
    #[default]
    Primary,
    /// What one may do as well.
    Quiet,
    /// What cannot be undone.
    Danger,
}

/// A button: `<Button label=(&t("Save")) ../>`. It sends its form, unless `action` gives it to a script.
#[derive(Clone, Copy, Debug, Default)]
pub struct Button<'a> {
    pub label: &'a str,
    pub tone: Tone,
    pub icon: Option<Icon>,
    /// The provider whose mark stands before the label.
    pub mark: Option<&'a str>,
    /// A word about it, behind the label.
    pub note: Option<&'a str>,
    /// As wide as the form.
    pub wide: bool,
    /// In a row of a list.
    pub small: bool,
    /// What resources/js does when it is pressed, such as `copy`. Such a button is not shown where no script runs.
    pub action: Option<&'static str>,
    /// The id of the form it sends, when it stands outside of it.
    pub form: Option<&'a str>,
    /// Where it sends its form, when not to the form's own address. Fields that are needed there alone may be empty.
    pub goes_to: Option<&'a str>,
    /// For who hears the page: which of several like buttons this is.
    pub aria_label: Option<&'a str>,
}

impl Renderable for Button<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let scripted = self.action.is_some();
        rsx_borrow! {
            <button
                type={ @if scripted { "button" } @else { "submit" } }
                class={
                    @if scripted { "hidden scripted:inline-flex " } @else { "inline-flex " }
                    (classes(self.tone, self.wide, self.small))
                }
                data-action=[self.action]
                form=[self.form]
                formaction=[self.goes_to]
                formnovalidate[self.goes_to.is_some()]
                aria-label=[self.aria_label]
            >
                @if let Some(icon) = self.icon { (icon) }
                @if let Some(id) = self.mark { <ProviderMark id=id/> }
                (self.label)
                @if let Some(note) = self.note { " " <Badge kind=(Kind::Info) text=note/> }
            </button>
        }
        .render_to(buffer);
    }
}

/// A link that looks like a button: it leads somewhere and changes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ButtonLink<'a> {
    pub label: &'a str,
    pub href: &'a str,
    pub tone: Tone,
    pub icon: Option<Icon>,
    pub wide: bool,
    pub small: bool,
}

impl Renderable for ButtonLink<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            <a href=(self.href) class={ "inline-flex " (classes(self.tone, self.wide, self.small)) }>
                @if let Some(icon) = self.icon { (icon) }
                (self.label)
            </a>
        }
        .render_to(buffer);
    }
}

fn classes(tone: Tone, wide: bool, small: bool) -> impl Renderable<AttributeValue> {
    attribute! {
        "items-center justify-center gap-2 rounded-control py-1.5 text-center font-semibold transition-colors \
         disabled:cursor-not-allowed disabled:opacity-55"
        @match tone {
            Tone::Primary => { " bg-accent text-on-accent hover:bg-accent-strong" }
            Tone::Quiet => { " border border-edge/45 bg-raised text-ink hover:border-edge hover:bg-sunken" }
            Tone::Danger => { " bg-danger-fill text-on-danger hover:bg-danger-strong" }
        }
        @if small { " min-h-9 px-3 text-sm" } @else { " min-h-11 px-5 text-[0.9375rem]" }
        @if wide { " w-full" }
    }
}
