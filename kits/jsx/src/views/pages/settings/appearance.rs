use housekey::prelude::*;

use crate::views::components::{Card, ThemeChoice};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct AppearanceSettings {
    /// Who is signed in.
    pub member: Member,
}

/// `GET /settings/appearance`. The choice is kept in the browser: a phone may be dark while the desk is light.
pub fn appearance(props: &AppearanceSettings) -> impl Renderable {
    rsx! {
        <Settings tab=(Tab::Appearance) member=(&props.member) fields=(&[])>
            <Card title=(&t("Day or night")) text=(&t("For this browser only."))>
                <fieldset class="grid gap-4 sm:grid-cols-3 unscripted:hidden">
                    <legend class="sr-only">(t("Appearance"))</legend>
                    @for choice in ThemeChoice::ALL { (option(choice)) }
                </fieldset>
                <p class="text-[0.9375rem] text-muted scripted:hidden">
                    (t("Without JavaScript the pages follow your system."))
                </p>
            </Card>
        </Settings>
    }
}

fn option(choice: ThemeChoice) -> impl Renderable {
    rsx! {
        <label class="group grid cursor-pointer gap-3 rounded-control border border-line p-3 transition-colors hover:border-edge has-checked:border-accent has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
            (miniature(choice))
            <span class="flex items-center gap-2.5 text-[0.9375rem] font-semibold">
                <input type="radio" name="theme" value=(choice.value()) data-theme-choice class="size-4.5 flex-none appearance-none rounded-full border border-edge bg-surface checked:border-[0.34rem] checked:border-accent focus-visible:outline-none">
                (choice.label())
            </span>
        </label>
    }
}

/// A page in small: by day, by night, or half and half.
fn miniature(choice: ThemeChoice) -> impl Renderable {
    let half = |scheme: &'static str| {
        rsx! {
            <span class={ "flex grow items-end gap-1 bg-sky px-2 pt-5 " (scheme) }>
                <span class="h-5 grow bg-near"></span>
                <span class="grid h-9 grow place-items-center bg-home"><span class="lit size-2 rounded-full bg-lamp"></span></span>
                <span class="h-6 grow bg-near"></span>
            </span>
        }
    };
    rsx! {
        <span aria-hidden="true" class="flex overflow-hidden rounded-md border border-line">
            @match choice {
                ThemeChoice::Light => (half("scheme-light")),
                ThemeChoice::Dark => (half("scheme-dark")),
                ThemeChoice::System => { (half("scheme-light")) (half("scheme-dark")) }
            }
        </span>
    }
}
