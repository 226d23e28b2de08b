use housekey::prelude::*;

/// The mark and the name of the app.
#[component]
pub fn brand<'a>(href: &'a str) -> impl Renderable {
    let app = service::<AppConfig>().unwrap_or_default();
    rsx! {
        <a href=(href) class="inline-flex max-w-full min-w-0 items-center gap-2.5 rounded-md font-display text-lg font-bold tracking-tight">
            <svg class="size-8 flex-none" viewBox="0 0 32 32" aria-hidden="true">
                <path class="fill-home" d="M16 1.5 30 13v14.5a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V13z"></path>
                <path class="lit" d="M16 10.5a5 5 0 0 1 2.6 9.27L20 26.5h-8l1.4-6.73A5 5 0 0 1 16 10.5z"></path>
            </svg>
            <span class="truncate">(app.name)</span>
        </a>
    }
}
