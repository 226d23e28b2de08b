use housekey::auth::SocialProvider;
use housekey::prelude::*;

use crate::views::components::{
    Button, Captcha, CaptchaWidget, Divider, ErrorSummary, Field, Form, Password, SocialButtons,
};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct SignUp {
    /// Whether people have names to sign in with, beside the address.
    pub usernames: bool,
    /// The providers that people may make their account with instead.
    pub providers: Vec<SocialProvider>,
    /// What tells people from programs, where it is turned on.
    pub captcha: Option<Captcha>,
    /// The shortest password that is taken.
    pub min_password_length: u16,
}

/// `GET /sign-up`
pub fn sign_up(props: &SignUp) -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Sign up"))
            heading=(&t("Create your account"))
            text=(&t("A name, an address and a password. That is all."))
        >
            <Form action=(&path_to("sign-up.store")) method="POST">
                <ErrorSummary fields=(&["name", "username", "email", "password"])/>
                <Field
                    name="name"
                    label=(&t("Name"))
                    autocomplete="name"
                    maxlength=(Some(255))
                    required=true
                    autofocus=true
                    ..
                />
                <Field
                    name="email"
                    label=(&t("E-mail"))
                    kind="email"
                    autocomplete="username"
                    maxlength=(Some(254))
                    required=true
                    ..
                />
                @if props.usernames {
                    <Field
                        name="username"
                        label=(&t("Username"))
                        hint=(&t("Letters, digits, dots and underscores. You can sign in with it, too."))
                        autocomplete="off"
                        maxlength=(Some(30))
                        ..
                    />
                }
                <Password
                    name="password"
                    label=(&t("Password"))
                    autocomplete="new-password"
                    hint=(&t!("At least :count characters. A few words in a row are easy to remember; your name and well-known passwords are refused.", count = props.min_password_length))
                    minlength=(Some(props.min_password_length))
                    ..
                />
                <CaptchaWidget captcha=(props.captcha.as_ref())/>
                <Button label=(&t("Create account")) wide=true ../>
            </Form>
            @if !props.providers.is_empty() {
                <Divider scripted=false/>
                <SocialButtons providers=(&props.providers) sign_up=true ../>
            }
            <p class="text-[0.9375rem] text-muted">
                (t("Already have an account?")) " "
                <a href=(path_to("sign-in")) class="link">(t("Sign in"))</a>
            </p>
        </Guest>
    }
}
