use housekey::prelude::*;

use crate::views::components::{Button, ButtonLink, ErrorSummary, Form};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct VerifyEmailConfirm {
    /// The token of the mail's link.
    pub token: String,
    /// Whether the link was used already or is too old: then there is no button.
    pub spent: bool,
}

/// `GET /verify-email/confirm?token=…`: where the link of the mail leads. Opening it spends nothing, because the
/// scanners of mail providers open links too; the button does.
pub fn verify_email_confirm(props: &VerifyEmailConfirm) -> impl Renderable {
    rsx! {
        @if props.spent {
            <Guest
                title=(&t("This link is spent", &[]))
                heading=(&t("This link is spent", &[]))
                text=(&t("It was used already, or it is too old. Sign in to ask for a fresh one.", &[]))
            >
                <ButtonLink href="/verify-email" label=(&t("Send me a new link", &[])) wide=true ../>
            </Guest>
        } @else {
            <Guest
                title=(&t("Confirm your address", &[]))
                heading=(&t("Confirm your address", &[]))
                text=(&t("One press, and this address belongs to your account.", &[]))
            >
                <ErrorSummary fields=(&[])/>
                <Form action="/verify-email/confirm" method="POST">
                    <input type="hidden" name="token" value=(&props.token)>
                    <Button label=(&t("Yes, this is my address", &[])) wide=true ../>
                </Form>
            </Guest>
        }
    }
}
