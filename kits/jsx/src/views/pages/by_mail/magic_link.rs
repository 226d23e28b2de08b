use housekey::prelude::*;

use crate::views::components::{BackToDoor, Button, ButtonLink, ErrorSummary, Form};
use crate::views::layouts::Guest;

/// What the page is about: it is where people wait for a link to sign in with, and where the link leads.
#[derive(Clone, Debug)]
pub enum MagicLink {
    /// A link was asked for, by a guest or by somebody who shows that it is them. Whether one was sent, the page does not say: it is the same for an address without an account.
    Sent { signed_in: bool },
    /// The link was opened. That spends nothing, because the scanners of mail providers open links too; the button does.
    Opened { token: String, email: String },
    /// The link works in the browser that asked for it, and this is another one.
    Elsewhere,
    /// The link was used already, or is too old.
    Spent,
}

/// `GET /sign-in/link`, and with the token of the mail `GET /magic-link`.
pub fn magic_link(props: &MagicLink) -> impl Renderable {
    rsx! {
        @match props {
            MagicLink::Sent { signed_in } => { (sent(*signed_in)) }
            MagicLink::Opened { token, email } => { (opened(token, email)) }
            MagicLink::Elsewhere => { (elsewhere()) }
            MagicLink::Spent => { (spent()) }
        }
    }
}

fn sent(signed_in: bool) -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Look into your mail"))
            heading=(&t("Look into your mail"))
            text=(&t("If this address can sign in here, a link is on its way to it. It works once, and not for long."))
        >
            <p class="text-[0.9375rem] text-muted">
                (t("Nothing arrived? Look into the spam folder, or ask for another one in a minute."))
            </p>
            <BackToDoor signed_in=signed_in/>
        </Guest>
    }
}

fn opened(token: &str, email: &str) -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Sign in"))
            heading=(&t("Sign in?"))
            text=(&t("You opened a link from a mail. If you did not ask for it, close this page."))
        >
            <ErrorSummary fields=(&[])/>
            <dl class="rounded-control bg-sunken px-3.5 py-3">
                <dt class="text-sm text-muted">(t("You sign in as"))</dt>
                <dd class="font-semibold [overflow-wrap:anywhere]">(email)</dd>
            </dl>
            <Form action=(&path_to("magic-link.store")) method="POST">
                <input type="hidden" name="token" value=(token)>
                <Button label=(&t("Sign in")) wide=true ../>
            </Form>
        </Guest>
    }
}

fn elsewhere() -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Another browser"))
            heading=(&t("Not in this browser"))
            text=(&t("This link works in the browser in which you asked for it. Open it there, or ask for another one here."))
        >
            <ButtonLink href=(&path_to("sign-in")) label=(&t("Back to sign-in")) wide=true ../>
        </Guest>
    }
}

fn spent() -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("This link is spent"))
            heading=(&t("This link is spent"))
            text=(&t("It was used already, or it is too old. Ask for a fresh one."))
        >
            <ButtonLink href=(&path_to("sign-in")) label=(&t("Back to sign-in")) wide=true ../>
        </Guest>
    }
}
