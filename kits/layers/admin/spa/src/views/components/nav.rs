use housekey::prelude::*;

use super::icon::Icon;

/// A line of a navigation. `current` is `page` for the page one is on, `true` for the part of the app it belongs to, else
/// empty.
#[component]
pub fn nav_link<'a>(href: &'a str, label: &'a str, icon: Icon, current: &'static str) -> impl Renderable {
    rsx! {
        <a
            href=(href)
            aria-current=[(!current.is_empty()).then_some(current)]
            class="flex min-h-10 items-center gap-3 rounded-control px-3 py-1.5 text-[0.9375rem] font-medium whitespace-nowrap text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-semibold aria-[current]:text-ink"
        >
            <span class="text-lg leading-none">(icon)</span>
            (label)
        </a>
    }
}

/// Where the page stands: the pages above it, then itself.
#[component]
pub fn breadcrumbs<'a>(trail: &'a [(String, String)], here: &'a str) -> impl Renderable {
    rsx! {
        <nav aria-label=(t("Breadcrumbs"))>
            <ol class="flex flex-wrap items-center gap-1.5 text-sm text-muted">
                @for (label, href) in trail {
                    <li class="flex min-w-0 items-center gap-1.5 [overflow-wrap:anywhere]">
                        <a href=(href) class="rounded-sm hover:text-ink hover:underline">(label)</a>
                        (Icon::ChevronRight)
                    </li>
                }
                <li aria-current="page" class="min-w-0 font-medium text-ink [overflow-wrap:anywhere]">(here)</li>
            </ol>
        </nav>
    }
}
