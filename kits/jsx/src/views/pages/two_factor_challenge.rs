use housekey::prelude::*;

use crate::views::components::{Button, Checkbox, Form, Icon, Otp, RecoveryCode, Tone};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct TwoFactorChallenge {
    /// For how many days a trusted device is not asked again.
    pub trust_days: u16,
    /// Whether a recovery code was sent and came back: then its form is open, and what is said is said there.
    pub recovery: bool,
}

/// `GET /two-factor-challenge`: the second step of signing in. Below the form for the code of the app is one for the day
/// the phone is lost.
pub fn two_factor_challenge(props: &TwoFactorChallenge) -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Two-factor sign-in"))
            heading=(&t("One more step"))
            text=(&t("Open your authenticator app and type the code it shows for this account."))
        >
            <Form action=(&path_to("two-factor.challenge")) method="POST">
                <Otp label=(&t("Six-digit code")) autofocus=true idle=(props.recovery) ../>
                <Checkbox
                    name="trust_device"
                    label=(&t("Trust this device"))
                    hint=(&t!("No code is asked for on it for :days days.", days = props.trust_days))
                    ..
                />
                <Button label=(&t("Sign in")) wide=true ../>
            </Form>
            (recovery(props.recovery))
            <p>
                <a href=(path_to("sign-in")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Sign in as someone else"))
                </a>
            </p>
        </Guest>
    }
}

fn recovery(open: bool) -> impl Renderable {
    rsx! {
        <details class="group border-y border-line" open[open] data-begins-in="recovery-code">
            <summary class="flex min-h-12 items-center justify-between gap-3 rounded-control py-3 text-[0.9375rem] select-none">
                <span class="text-muted">
                    (t("No access to your app?")) " "
                    <span class="link inline-block">(t("Use a recovery code"))</span>
                </span>
                <span class="text-muted transition-transform group-open:rotate-180">(Icon::ChevronDown)</span>
            </summary>
            <div class="grid gap-5 pt-2 pb-6">
                <p class="text-[0.9375rem] text-muted">
                    (t("One of the codes you kept when you turned on two-factor sign-in. Each works once."))
                </p>
                <Form action=(&path_to("two-factor.recovery")) method="POST">
                    // Refused, the form finds back to itself by this.
                    <input type="hidden" name="with" value="recovery">
                    <RecoveryCode sent=open/>
                    <Button label=(&t("Sign in with this code")) tone=(Tone::Quiet) wide=true ../>
                </Form>
            </div>
        </details>
    }
}
