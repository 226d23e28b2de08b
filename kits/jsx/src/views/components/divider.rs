use housekey::prelude::*;

/// Between one way and the others: `or`, with a line to both sides. `scripted`: what follows is only there where script runs,
/// and so is this.
#[component]
pub fn divider(scripted: bool) -> impl Renderable {
    let shown = if scripted { "hidden scripted:flex" } else { "flex" };
    rsx! {
        <p class={ (shown) " items-center gap-4 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line" }>
            (t("or"))
        </p>
    }
}
