use housekey::prelude::*;

use crate::views::components::{
    Button, ButtonLink, Captcha, CaptchaWidget, ErrorSummary, Field, Form, Icon, Tone,
};
use crate::views::layouts::Guest;

/// What the page is about: it is where people wait for a mail about their address, and where the links of those mails lead.
#[derive(Clone, Debug)]
pub enum VerifyEmail {
    /// A mail was sent to somebody who is not signed in. Which one, the page does not know: it is the same for an address
    /// that had an account already.
    Sent { captcha: Option<Captcha> },
    /// A link was sent to this address, and nobody has opened it yet.
    Waiting { email: String },
    /// The address of who is signed in is proven.
    Confirmed,
    /// A link was opened. That spends nothing, because the scanners of mail providers open links too; the button does.
    Opened { token: String, link: EmailLink },
    /// The link was used already, or is too old. There is another way for each kind of link.
    Spent { changes_address: bool },
}

/// What the button of an opened link does.
#[derive(Clone, Debug)]
pub enum EmailLink {
    /// Proves that the address is theirs.
    Proves,
    /// Lets the account move on to this address: the link was in the mail to the old one.
    AgreesTo(String),
    /// Moves the account to this address: the link was in the mail to the new one.
    MovesTo(String),
}

/// `GET /verify-email`, for guests `GET /verify-email/sent`, and with the token of a mail `GET /verify-email/confirm` and `GET /change-email/confirm`.
pub fn verify_email(props: &VerifyEmail) -> impl Renderable {
    rsx! {
        @match props {
            VerifyEmail::Sent { captcha } => { (sent(captcha.as_ref())) }
            VerifyEmail::Waiting { email } => { (waiting(email)) }
            VerifyEmail::Confirmed => { (confirmed()) }
            VerifyEmail::Opened { token, link } => { (opened(token, link)) }
            VerifyEmail::Spent { changes_address } => { (spent(*changes_address)) }
        }
    }
}

fn sent(captcha: Option<&Captcha>) -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Look into your mail"))
            heading=(&t("Look into your mail"))
            text=(&t("We sent you a mail. Open its link to go on."))
        >
            <p class="text-[0.9375rem] text-muted">
                (t("Nothing arrived? Look into the spam folder, or let us send the link again."))
            </p>
            <Form action=(&path_to("verification.send")) method="POST">
                <Field
                    name="email"
                    label=(&t("E-mail"))
                    kind="email"
                    autocomplete="username"
                    maxlength=(Some(254))
                    required=true
                    ..
                />
                <CaptchaWidget captcha=captcha/>
                <Button label=(&t("Send it again")) tone=(Tone::Quiet) wide=true ../>
            </Form>
            <p>
                <a href=(path_to("sign-in")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Back to sign-in"))
                </a>
            </p>
        </Guest>
    }
}

fn waiting(email: &str) -> impl Renderable {
    rsx! {
        <Guest title=(&t("Confirm your address")) heading=(&t("Look into your mail")) text="">
            <p class="text-muted first:-mt-4">
                (t("We sent a link to")) " "
                <strong class="font-semibold text-ink [overflow-wrap:anywhere]">(email)</strong>
                ". " (t("Open it to confirm that the address is yours."))
            </p>
            <Form action=(&path_to("verification.resend")) method="POST">
                <Button label=(&t("Send it again")) wide=true ../>
            </Form>
            <p class="text-[0.9375rem] text-muted">
                (t("Nothing arrived? Look into the spam folder, or")) " "
                <a href=(path_to("settings.profile")) class="link">(t("change the address"))</a> "."
            </p>
            <hr class="border-line">
            <Form action=(&path_to("sign-out")) method="POST">
                <Button label=(&t("Sign out")) tone=(Tone::Quiet) wide=true ../>
            </Form>
            <p>
                <a href=(path_to("dashboard")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Do it later"))
                </a>
            </p>
        </Guest>
    }
}

fn confirmed() -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Your address is confirmed"))
            heading=(&t("Your address is confirmed"))
            text=(&t("Nothing is left to do here."))
        >
            <ButtonLink href=(&path_to("dashboard")) label=(&t("Go to the dashboard")) wide=true ../>
        </Guest>
    }
}

fn opened(token: &str, link: &EmailLink) -> impl Renderable {
    let (title, text, button) = match link {
        EmailLink::Proves => (
            t("Confirm your address"),
            t("One press, and this address belongs to your account."),
            t("Yes, this is my address"),
        ),
        EmailLink::AgreesTo(_) => (
            t("Move your account?"),
            t(
                "Somebody who is signed in as you asked to change the address. If it was not you, close this page and change your password.",
            ),
            t("Yes, it was me"),
        ),
        EmailLink::MovesTo(_) => (
            t("Confirm your new address"),
            t("From now on you sign in with it, and our mails go there."),
            t("Use this address"),
        ),
    };
    let (action, new_address) = match link {
        EmailLink::Proves => ("verification.confirm", None),
        EmailLink::AgreesTo(email) | EmailLink::MovesTo(email) => ("change-email.confirm", Some(email)),
    };
    rsx! {
        <Guest title=(&title) heading=(&title) text=(&text)>
            <ErrorSummary fields=(&[])/>
            @if let Some(email) = new_address {
                <dl class="rounded-control bg-sunken px-3.5 py-3">
                    <dt class="text-sm text-muted">(t("New address"))</dt>
                    <dd class="font-semibold [overflow-wrap:anywhere]">(email)</dd>
                </dl>
            }
            <Form action=(&path_to(action)) method="POST">
                <input type="hidden" name="token" value=(token)>
                <Button label=(&button) wide=true ../>
            </Form>
        </Guest>
    }
}

fn spent(changes_address: bool) -> impl Renderable {
    let (text, to, label) = if changes_address {
        (
            t("It was used already, or it is too old. You can ask for the change again in your settings."),
            "settings.profile",
            t("Go to your profile"),
        )
    } else {
        (
            t("It was used already, or it is too old. Sign in to ask for a fresh one."),
            "verify-email",
            t("Send me a new link"),
        )
    };
    rsx! {
        <Guest title=(&t("This link is spent")) heading=(&t("This link is spent")) text=(&text)>
            <ButtonLink href=(&path_to(to)) label=(&label) wide=true ../>
        </Guest>
    }
}
