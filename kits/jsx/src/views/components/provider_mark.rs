use housekey::prelude::*;

/// The marks in public/providers.svg.
const DRAWN: [&str; 3] = ["github", "google", "microsoft"];

/// The mark of a provider, where its rules let us show one. It says nothing to a screen reader: the words beside it do.
#[component]
pub fn provider_mark<'a>(id: &'a str) -> impl Renderable {
    rsx! {
        @if DRAWN.contains(&id) {
            <svg class="size-[1.125rem] flex-none" aria-hidden="true"><use href={ "/providers.svg#" (id) }></use></svg>
        }
    }
}
