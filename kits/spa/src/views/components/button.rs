use housekey::prelude::*;
use housekey::view::Buffer;

use super::icon::Icon;

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

fn classes(tone: Tone, wide: bool, small: bool) -> String {
    let colours = match tone {
        Tone::Primary => "bg-accent text-on-accent hover:bg-accent-strong",
        Tone::Quiet => "border border-edge/45 bg-raised text-ink hover:border-edge hover:bg-sunken",
        Tone::Danger => "bg-danger-fill text-on-danger hover:bg-danger-strong",
    };
    let size = if small { "min-h-9 px-3 text-sm" } else { "min-h-11 px-5 text-[0.9375rem]" };
    let width = if wide { "w-full" } else { "" };
    format!(
        "items-center justify-center gap-2 rounded-control py-1.5 text-center font-semibold transition-colors \
         disabled:cursor-not-allowed disabled:opacity-55 {colours} {size} {width}"
    )
}
