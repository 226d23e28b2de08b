use housekey::auth::impersonated_by;
use housekey::prelude::*;

use super::icon::Icon;

/// On every page, for an admin who acts as somebody else: as whom, and the way back.
#[component]
pub fn impersonation_banner() -> impl Renderable {
    let whom = impersonated_by().and_then(|_| user());
    rsx! {
        @if let Some(whom) = &whom {
            <aside aria-label=(t("Acting as somebody else")) class="flex flex-wrap items-center justify-center gap-x-5 gap-y-2 bg-warning-soft px-5 py-2.5 font-sans text-[0.9375rem] leading-relaxed text-warning">
                <p class="flex min-w-0 items-center gap-2.5">
                    <span class="text-lg leading-none">(Icon::Eye)</span>
                    <span class="min-w-0 [overflow-wrap:anywhere]">(t!("You act as :name (:email).", name = whom.name, email = whom.email))</span>
                </p>
                <form method="post" action=(path_to("impersonation.stop"))>
                    (csrf_field())
                    <button class="inline-flex min-h-9 items-center rounded-control border border-current px-3 py-1 text-sm font-semibold">(t("Back to yourself"))</button>
                </form>
            </aside>
        }
    }
}
