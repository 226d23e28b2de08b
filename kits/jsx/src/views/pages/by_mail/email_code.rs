use housekey::prelude::*;

use crate::views::components::{BackToDoor, Button, Captcha, CaptchaWidget, Form, Otp, Tone};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct EmailCode {
    /// Where the code was sent, if the address can sign in here: the page does not say whether it can.
    pub email: String,
    /// Whether it is asked of somebody who is in already, to show that it is them.
    pub confirms: bool,
    /// What tells people from programs before another mail is sent, where it is turned on.
    pub captcha: Option<Captcha>,
}

/// `GET /sign-in/code`: the second step of signing in with a code from a mail, for the first time or once more.
pub fn email_code(props: &EmailCode) -> impl Renderable {
    let again = if props.confirms { "password.confirm.code" } else { "email-code.send" };
    rsx! {
        <Guest title=(&t("Sign in with a code")) heading=(&t("Look into your mail")) text="">
            <p class="text-muted first:-mt-4">
                (t("If this address can sign in here, a code is on its way to")) " "
                <strong class="font-semibold text-ink [overflow-wrap:anywhere]">(&props.email)</strong>
                "."
            </p>
            <Form action=(&path_to("email-code.store")) method="POST">
                <Otp label=(&t("Six-digit code")) autofocus=true ../>
                <Button label=(&t("Sign in")) wide=true ../>
            </Form>
            <Form action=(&path_to(again)) method="POST">
                @if !props.confirms { <input type="hidden" name="email" value=(&props.email)> }
                <CaptchaWidget captcha=(props.captcha.as_ref())/>
                <Button label=(&t("Send a new code")) tone=(Tone::Quiet) wide=true ../>
            </Form>
            <BackToDoor signed_in=(props.confirms)/>
        </Guest>
    }
}
