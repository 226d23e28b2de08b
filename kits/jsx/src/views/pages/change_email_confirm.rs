use housekey::prelude::*;

use crate::views::components::{Button, ButtonLink, ErrorSummary, Form};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct ChangeEmailConfirm {
    /// The token of the mail's link.
    pub token: String,
    /// The address the account is about to move to, where the link tells it.
    pub new_email: Option<String>,
    /// Whether this is the link in the new address's mail: with it the change is done. The one in the old address's
    /// mail only lets it go on.
    pub last_step: bool,
    /// Whether the link was used already or is too old: then there is no button.
    pub spent: bool,
}

/// `GET /change-email/confirm?token=…`: where the links of a change of address lead. Opening one spends nothing; the
/// button does.
pub fn change_email_confirm(props: &ChangeEmailConfirm) -> impl Renderable {
    let (title, text, button) = if props.last_step {
        (
            t("Confirm your new address", &[]),
            t("From now on you sign in with it, and our mails go there.", &[]),
            t("Use this address", &[]),
        )
    } else {
        (
            t("Move your account?", &[]),
            t(
                "Somebody who is signed in as you asked to change the address. If it was not you, close this page and change your password.",
                &[],
            ),
            t("Yes, it was me", &[]),
        )
    };
    rsx! {
        @if props.spent {
            <Guest
                title=(&t("This link is spent", &[]))
                heading=(&t("This link is spent", &[]))
                text=(&t("It was used already, or it is too old. You can ask for the change again in your settings.", &[]))
            >
                <ButtonLink href="/settings/profile" label=(&t("Go to your profile", &[])) wide=true ../>
            </Guest>
        } @else {
            <Guest title=(&title) heading=(&title) text=(&text)>
                <ErrorSummary fields=(&[])/>
                @if let Some(email) = &props.new_email {
                    <dl class="rounded-control bg-sunken px-3.5 py-3">
                        <dt class="text-sm text-muted">(t("New address", &[]))</dt>
                        <dd class="font-semibold [overflow-wrap:anywhere]">(email)</dd>
                    </dl>
                }
                <Form action="/change-email/confirm" method="POST">
                    <input type="hidden" name="token" value=(&props.token)>
                    <Button label=(&button) wide=true ../>
                </Form>
            </Guest>
        }
    }
}
