use housekey::auth::{Feature, SignedInAccount, offers};
use housekey::prelude::*;
use housekey::view::{AttributeValue, attribute};

use crate::middleware::my_accounts;
use crate::views::components::{Form, Icon};

/// The other accounts of this browser, the way to one more, and the ways out. Without the plugin `multi_session` there is one way
/// out and nothing else.
#[component]
pub fn account_switcher() -> impl Renderable {
    let mine = my_accounts();
    let (current, others): (Vec<_>, Vec<_>) = mine.into_iter().partition(|account| account.is_current);
    // Of one alone there is nothing to leave but everything.
    let current = current.first().filter(|_| !others.is_empty());
    let leave = current.map(|current| path_to_with("accounts.destroy", &[("id", &current.id)]));
    rsx! {
        @if !others.is_empty() {
            <ul aria-label=(t("Your other accounts")) class="grid grid-cols-1 gap-1 border-t border-line pt-1">
                @for account in &others { <li class="flex items-center gap-1">(entry(account))</li> }
            </ul>
        }
        @if offers(Feature::SeveralAccounts) {
            <Form action=(&path_to("accounts.add")) method="POST">
                <button class=(entry_classes())><span class="text-lg leading-none">(Icon::Plus)</span> (t("Add an account"))</button>
            </Form>
        }
        @if let Some(leave) = &leave {
            <Form action=(leave) method="DELETE">
                <button class=(entry_classes())><span class="text-lg leading-none">(Icon::SignOut)</span> (t("Sign out of this one"))</button>
            </Form>
            (sign_out(&t("Sign out of all")))
        } @else {
            (sign_out(&t("Sign out")))
        }
    }
}

fn entry(account: &SignedInAccount) -> impl Renderable + use<'_> {
    let switch = path_to_with("accounts.switch", &[("id", &account.id)]);
    let leave = path_to_with("accounts.destroy", &[("id", &account.id)]);
    let out = t!("Sign out of :email", email = &account.user.email);
    rsx! {
        <div class="min-w-0 grow">
            <Form action=(&switch) method="POST">
                <button class=(entry_classes())>
                    <span class="text-lg leading-none">(Icon::User)</span>
                    <span class="sr-only">(t("Switch to"))</span>
                    <span class="grid min-w-0 leading-snug">
                        <span class="truncate font-semibold text-ink">(&account.user.name)</span>
                        <span class="truncate text-[0.8125rem]">(&account.user.email)</span>
                    </span>
                </button>
            </Form>
        </div>
        <div class="flex-none">
            <Form action=(&leave) method="DELETE">
                <button
                    aria-label=(&out)
                    title=(&out)
                    class="grid size-10 place-items-center rounded-control text-lg leading-none text-muted transition-colors hover:bg-sunken hover:text-ink"
                >
                    (Icon::SignOut)
                </button>
            </Form>
        </div>
    }
}

fn sign_out(label: &str) -> impl Renderable + use<'_> {
    rsx! {
        <Form action=(&path_to("sign-out")) method="POST">
            <button class=(entry_classes())><span class="text-lg leading-none">(Icon::SignOut)</span> (label)</button>
        </Form>
    }
}

fn entry_classes() -> impl Renderable<AttributeValue> {
    attribute! {
        "flex min-h-10 w-full items-center gap-3 rounded-control px-3 py-1.5 text-left \
         text-[0.9375rem] font-medium text-muted transition-colors hover:bg-sunken hover:text-ink"
    }
}
