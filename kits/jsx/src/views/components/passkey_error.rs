use housekey::prelude::*;

/// Where a passkey ceremony says what went wrong. The browser's part knows the reason, the server knows the language. Some
/// things go wrong only where a passkey is added, others only where one is used.
#[component]
pub fn passkey_error(adding: bool) -> impl Renderable {
    rsx! {
        <p
            hidden
            role="alert"
            data-passkey-error
            data-failed=(t("That did not work. Please try again."))
            data-known=[adding.then(|| t("This device already has a passkey for your account."))]
            data-stale=[adding.then(|| t("You signed in a while ago. Sign out and in again before you add a passkey."))]
            data-unknown=[(!adding).then(|| t("This passkey is not known here any more. Sign in with your password."))]
            class="text-sm font-medium text-danger"
        ></p>
    }
}
