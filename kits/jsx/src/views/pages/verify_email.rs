use housekey::prelude::*;

use crate::views::components::{Button, ButtonLink, Form, Tone};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct VerifyEmail {
    /// The address the link went to.
    pub email: String,
    /// Whether it was proven already.
    pub verified: bool,
}

/// `GET /verify-email`
pub fn verify_email(props: &VerifyEmail) -> impl Renderable {
    rsx! {
        @if props.verified {
            <Guest
                title=(&t("Your address is confirmed", &[]))
                heading=(&t("Your address is confirmed", &[]))
                text=(&t("Nothing is left to do here.", &[]))
            >
                <ButtonLink href="/dashboard" label=(&t("Go to the dashboard", &[])) wide=true ../>
            </Guest>
        } @else {
            <Guest title=(&t("Confirm your address", &[])) heading=(&t("Look into your mail", &[])) text="">
                <p class="text-muted first:-mt-4">
                    (t("We sent a link to", &[])) " "
                    <strong class="font-semibold text-ink [overflow-wrap:anywhere]">(&props.email)</strong>
                    ". " (t("Open it to confirm that the address is yours.", &[]))
                </p>
                <Form action="/verify-email/resend" method="POST">
                    <Button label=(&t("Send it again", &[])) wide=true ../>
                </Form>
                <p class="text-[0.9375rem] text-muted">
                    (t("Nothing arrived? Look into the spam folder, or", &[])) " "
                    <a href="/settings/profile" class="link">(t("change the address", &[]))</a> "."
                </p>
                <hr class="border-line">
                <Form action="/sign-out" method="POST">
                    <Button label=(&t("Sign out", &[])) tone=(Tone::Quiet) wide=true ../>
                </Form>
            </Guest>
        }
    }
}
