use housekey::prelude::*;

use crate::views::components::{Button, Captcha, CaptchaWidget, Field, Form, Icon};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct ForgotPassword {
    /// What tells people from programs, where it is turned on.
    pub captcha: Option<Captcha>,
}

/// `GET /forgot-password`. The answer is the same for an address we know and one we do not.
pub fn forgot_password(props: &ForgotPassword) -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Forgot password"))
            heading=(&t("Forgot your password?"))
            text=(&t("Tell us your address. If there is an account, a link to choose a new password is on its way."))
        >
            <Form action=(&path_to("password.request")) method="POST">
                <Field
                    name="email"
                    label=(&t("E-mail"))
                    kind="email"
                    autocomplete="username"
                    maxlength=(Some(254))
                    required=true
                    autofocus=true
                    ..
                />
                <CaptchaWidget captcha=(props.captcha.as_ref())/>
                <Button label=(&t("Send the link")) wide=true ../>
            </Form>
            <p>
                <a href=(path_to("sign-in")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Back to sign-in"))
                </a>
            </p>
        </Guest>
    }
}
