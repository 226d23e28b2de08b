use housekey::prelude::*;

/// Where a passkey ceremony says what went wrong. The browser's part knows the reason, the server knows the language.
#[component]
pub fn passkey_error() -> impl Renderable {
    rsx! {
        <p
            hidden
            role="alert"
            data-passkey-error
            data-failed=(t("That did not work. Please try again.", &[]))
            data-known=(t("This device already has a passkey for your account.", &[]))
            data-unknown=(t("This passkey is not known here any more. Sign in with your password.", &[]))
            data-stale=(t("You signed in a while ago. Sign out and in again before you add a passkey.", &[]))
            class="text-sm font-medium text-danger"
        ></p>
    }
}
