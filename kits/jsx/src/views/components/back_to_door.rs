use housekey::prelude::*;

use super::icon::Icon;

/// The way back from a page that waits for a mail: `<BackToDoor signed_in=false/>`. Whoever is in already is not sent to the door.
#[component]
pub fn back_to_door(signed_in: bool) -> impl Renderable {
    let (to, label) = if signed_in { ("dashboard", t("Not now")) } else { ("sign-in", t("Back to sign-in")) };
    rsx! {
        <p>
            <a href=(path_to(to)) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">(Icon::ArrowLeft) (label)</a>
        </p>
    }
}
