use housekey::prelude::*;

use super::alert::Kind;

/// A word about the state of something: `<Badge kind=(Kind::Success) text=(&t("On"))/>`.
#[component]
pub fn badge<'a>(kind: Kind, text: &'a str) -> impl Renderable {
    let colours = match kind {
        Kind::Info => "bg-sunken text-muted",
        Kind::Success => "bg-success-soft text-success",
        Kind::Warning => "bg-warning-soft text-warning",
        Kind::Danger => "bg-danger-soft text-danger",
    };
    rsx! {
        <span class={ "inline-flex items-center rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap " (colours) }>
            (text)
        </span>
    }
}
