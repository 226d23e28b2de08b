use housekey::prelude::*;

use crate::views::components::{Button, Checkbox, Form, Icon, Otp};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct TwoFactorChallenge {
    /// For how many days a trusted device is not asked again.
    pub trust_days: u16,
}

/// `GET /two-factor-challenge`: the second step of signing in.
pub fn two_factor_challenge(props: &TwoFactorChallenge) -> impl Renderable {
    let days = props.trust_days.to_string();
    rsx! {
        <Guest
            title=(&t("Two-factor sign-in", &[]))
            heading=(&t("One more step", &[]))
            text=(&t("Open your authenticator app and type the code it shows for this account.", &[]))
        >
            <Form action="/two-factor-challenge" method="POST">
                <Otp label=(&t("Six-digit code", &[])) autofocus=true ../>
                <Checkbox
                    name="trust_device"
                    label=(&t("Trust this device", &[]))
                    hint=(&t("No code is asked for on it for :days days.", &[("days", &days)]))
                    ..
                />
                <Button label=(&t("Sign in", &[])) wide=true ../>
            </Form>
            <p class="text-[0.9375rem] text-muted">
                (t("No access to your app?", &[])) " "
                <a href="/two-factor-challenge/recovery" class="link">(t("Use a recovery code", &[]))</a>
            </p>
            <p>
                <a href="/sign-in" class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Sign in as someone else", &[]))
                </a>
            </p>
        </Guest>
    }
}
