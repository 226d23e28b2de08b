use housekey::prelude::*;
use housekey::view::Raw;

use super::icon::Icon;

/// Decides between light and dark before anything is painted, so that no page flashes. The only inline script: it has
/// the nonce of this answer. resources/js/theme.ts knows the same key and classes.
const SCRIPT: &str = "(function(c){var t;try{t=localStorage.getItem('theme')}catch(e){}\
    c.add('scripted');if(t==='light'||t==='dark')c.add(t)})(document.documentElement.classList)";

/// The script, for the head of the document, before the style sheets.
#[component]
pub fn theme_script() -> impl Renderable {
    // XSS SAFETY: a script of ours, without anything put into it.
    let script = Raw::dangerously_create(SCRIPT);
    rsx! { <script nonce=[csp_nonce()]>(script)</script> }
}

/// Light, dark, or as the system has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThemeChoice {
    Light,
    Dark,
    System,
}

impl ThemeChoice {
    pub const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::System];

    pub const fn value(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::System => "system",
        }
    }

    pub const fn icon(self) -> Icon {
        match self {
            Self::Light => Icon::Sun,
            Self::Dark => Icon::Moon,
            Self::System => Icon::Monitor,
        }
    }

    pub fn label(self) -> String {
        match self {
            Self::Light => t("Light"),
            Self::Dark => t("Dark"),
            Self::System => t("System"),
        }
    }
}

/// Three small buttons in a row. Shown where script runs: the choice is kept in the browser.
#[component]
pub fn theme_switch() -> impl Renderable {
    rsx! {
        <div role="group" aria-label=(t("Appearance")) class="hidden w-fit gap-0.5 rounded-full border border-line bg-surface p-0.5 scripted:flex">
            @for choice in ThemeChoice::ALL {
                <button
                    type="button"
                    data-action="theme"
                    data-theme=(choice.value())
                    aria-pressed="false"
                    aria-label=(choice.label())
                    class="grid size-8 place-items-center rounded-full text-base text-muted transition-colors hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-ink"
                >
                    (choice.icon())
                </button>
            }
        </div>
    }
}
