use housekey::prelude::*;

use crate::views::components::Icon;

/// Something serious behind one press more: what it does is read before its button is there. Needs no script.
#[component]
pub(super) fn serious<'a, R: Renderable>(
    title: &'a str,
    text: &'a str,
    open: bool,
    children: &R,
) -> impl Renderable {
    rsx! {
        <details class="group border-t border-line pt-4" open[open]>
            <summary class="flex min-h-9 items-center justify-between gap-3 rounded-control text-[0.9375rem] font-semibold select-none">
                (title)
                <span class="text-muted transition-transform group-open:rotate-180">(Icon::ChevronDown)</span>
            </summary>
            <div class="grid grid-cols-1 gap-4 pt-3 pb-1">
                <p class="text-[0.9375rem] text-muted">(text)</p>
                (children)
            </div>
        </details>
    }
}
