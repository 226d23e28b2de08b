use housekey::auth::{Feature, SocialProvider, offers};
use housekey::prelude::*;

use crate::views::components::{
    Button, Divider, Form, Icon, PasskeyError, Password, SocialButtons, Tone, Username,
};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct ConfirmPassword {
    /// Whose password it is, for password managers.
    pub email: String,
    /// Whether there is one. Who has none signs in again instead.
    pub has_password: bool,
    /// The providers they may do that with.
    pub providers: Vec<SocialProvider>,
    /// The page that this is asked on.
    pub return_to: String,
    /// Whether the account has a passkey that can be used instead.
    pub passkeys: bool,
    /// The request that was refused, sealed: `ConfirmForm::replay`.
    pub replay: Option<String>,
    /// What was wrong with the password that was entered: `ConfirmForm::error`.
    pub error: Option<String>,
}

/// `GET /confirm-password`, and the answer (423) to whatever needs a fresh confirmation. What was refused is done once
/// the password is right.
pub fn confirm_password(props: &ConfirmPassword) -> impl Renderable {
    let asks_password = offers(Feature::Password) && props.has_password;
    let by_mail = offers(Feature::MagicLink) || offers(Feature::EmailCode);
    rsx! {
        <Guest
            title=(&t("Confirm it is you"))
            heading=(&t("Is it you?"))
            text=(&t("This is about how your account is protected. Please confirm before we go on."))
        >
            @if asks_password {
                <Form action=(&path_to("password.confirm.store")) method="POST">
                    <Username email=(&props.email)/>
                    @if let Some(sealed) = &props.replay { <input type="hidden" name="replay" value=(sealed)> }
                    <Password
                        name="password"
                        label=(&t("Password"))
                        autocomplete="current-password"
                        error=(props.error.as_deref())
                        autofocus=true
                        ..
                    />
                    <Button label=(&t("Go on")) wide=true ../>
                </Form>
            }
            @if !props.has_password && (!props.passkeys || !props.providers.is_empty() || by_mail) {
                <p class="text-[0.9375rem]">
                    (t("Your account has no password, so please sign in once more. Then do again what you were about to do."))
                </p>
                @if offers(Feature::MagicLink) {
                    (mail_button("password.confirm.link", &t("E-mail me a link"), &props.return_to))
                }
                @if offers(Feature::EmailCode) {
                    (mail_button("password.confirm.code", &t("E-mail me a code"), &props.return_to))
                }
                <SocialButtons providers=(&props.providers) return_to=(Some(&props.return_to)) ../>
            }
            @if props.passkeys {
                <div class="hidden gap-5 scripted:grid" data-passkey="confirm">
                    @if asks_password { <Divider scripted=true/> }
                    // The device's answer goes the way of every form, so that the refused request can be done.
                    <Form action=(&path_to("password.confirm.passkey")) method="POST">
                        @if let Some(sealed) = &props.replay { <input type="hidden" name="replay" value=(sealed)> }
                        <input type="hidden" name="response" value="">
                        <Button
                            label=(&t("Use a passkey"))
                            tone=(Tone::Quiet)
                            icon=(Some(Icon::Key))
                            wide=true
                            action=(Some("passkey-confirm"))
                            ..
                        />
                    </Form>
                    <PasskeyError adding=false/>
                </div>
            }
            <p>
                <a href=(path_to("dashboard")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Not now"))
                </a>
            </p>
        </Guest>
    }
}

/// Who gets in by mail gets one at the address of the account, and at no other.
fn mail_button<'a>(route: &'static str, label: &str, return_to: &'a str) -> impl Renderable + use<'a> {
    let label = label.to_owned();
    rsx! {
        <Form action=(&path_to(route)) method="POST">
            <input type="hidden" name="return_to" value=(return_to)>
            <Button label=(&label) tone=(Tone::Quiet) icon=(Some(Icon::Mail)) wide=true ../>
        </Form>
    }
}
