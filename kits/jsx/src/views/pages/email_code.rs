use housekey::prelude::*;

use crate::views::components::{Button, Form, Icon, Otp, Tone};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct EmailCode {
    /// Where the code was sent, if the address can sign in here: the page does not say whether it can.
    pub email: String,
}

/// `GET /sign-in/code`: the second step of signing in with a code from a mail.
pub fn email_code(props: &EmailCode) -> impl Renderable {
    rsx! {
        <Guest title=(&t("Sign in with a code")) heading=(&t("Look into your mail")) text="">
            <p class="text-muted first:-mt-4">
                (t("If this address can sign in here, a code is on its way to")) " "
                <strong class="font-semibold text-ink [overflow-wrap:anywhere]">(&props.email)</strong>
                "."
            </p>
            <Form action="/sign-in/code/enter" method="POST">
                <Otp label=(&t("Six-digit code")) autofocus=true ../>
                <Button label=(&t("Sign in")) wide=true ../>
            </Form>
            <Form action="/sign-in/code" method="POST">
                <input type="hidden" name="email" value=(&props.email)>
                <Button label=(&t("Send a new code")) tone=(Tone::Quiet) wide=true ../>
            </Form>
            <p>
                <a href="/sign-in" class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Back to sign-in"))
                </a>
            </p>
        </Guest>
    }
}
