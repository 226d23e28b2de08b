use housekey::prelude::*;

/// One subject of a page, with its heading.
#[component]
pub fn card<'a, R: Renderable>(title: &'a str, text: &'a str, children: &R) -> impl Renderable {
    rsx! {
        <section class="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
            <h2 class="font-display text-xl font-semibold tracking-tight">(title)</h2>
            @if !text.is_empty() { <p class="mt-1 max-w-prose text-[0.9375rem] text-muted">(text)</p> }
            <div class="mt-5 grid grid-cols-1 gap-5">(children)</div>
        </section>
    }
}
