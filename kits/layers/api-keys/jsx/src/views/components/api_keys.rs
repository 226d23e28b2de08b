use housekey::prelude::*;

use super::alert::{Alert, Kind};
use super::badge::Badge;
use super::button::{Button, Tone};
use super::card::{Actions, Card};
use super::dialog::ConfirmedForm;
use super::field::{Field, FieldState, Label};
use super::form::Form;
use super::icon::Icon;
use super::when::{Moment, When};
use crate::controllers::api_keys::keys::ApiKeyState;
use crate::controllers::api_keys::lifetimes::usual_lifetime;

/// The API keys of somebody, and what can be done with them.
#[derive(Clone, Debug, Default)]
pub struct ApiKeys {
    /// The newest first.
    pub rows: Vec<ApiKeyRow>,
    /// A key that was just made; it is shown this once.
    pub fresh: Option<String>,
    /// How long a new one may live. None: nobody is asked.
    pub lifetimes: Vec<&'static str>,
    /// Why whoever asks makes none, if they do not.
    pub why_not_create: Option<String>,
    pub may_change: bool,
    pub may_revoke: bool,
    /// Where the form for a new one goes.
    pub action: String,
}

/// One key of the list.
#[derive(Clone, Debug, Default)]
pub struct ApiKeyRow {
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// How it begins.
    pub start: Option<String>,
    pub created: Moment,
    pub last_used: Option<Moment>,
    /// The day on which it ends, if it does.
    pub expires: Option<Moment>,
    pub state: ApiKeyState,
    /// Where the form goes that turns it off or on.
    pub update: String,
    /// Where the one goes that revokes it.
    pub destroy: String,
}

impl ApiKeys {
    /// The key that was just made, and how to try it.
    pub fn fresh_key(&self) -> impl Renderable + use<'_> {
        let app = service::<AppConfig>().unwrap_or_default();
        rsx! {
            @if let Some(key) = &self.fresh {
                <section class="rounded-card border-2 border-lamp bg-surface p-5 shadow-card sm:p-7" aria-labelledby="fresh-key">
                    <h2 id="fresh-key" class="font-display text-xl font-semibold tracking-tight">(t("Copy your key now"))</h2>
                    <p class="mt-1 max-w-prose text-[0.9375rem] text-muted">
                        (t("It is shown only this once. Nobody can find it again, not even we: if it gets lost, make a new one."))
                    </p>
                    <div class="mt-4 flex flex-wrap items-center gap-3">
                        <code class="w-full rounded-control bg-sunken px-4 py-3 font-mono text-[0.9375rem] select-all [overflow-wrap:anywhere]" data-copy-source>(key)</code>
                        <Button label=(&t("Copy the key")) icon=(Some(Icon::Copy)) action=(Some("copy")) ../>
                        <p role="status" class="text-sm font-medium text-success" data-copied=(t("Copied."))></p>
                    </div>
                    <p class="mt-5 text-sm text-muted">(t("This tells whether it works:"))</p>
                    <pre class="mt-1.5 rounded-control bg-sunken px-4 py-3 font-mono text-[0.8125rem] whitespace-pre-wrap select-all [overflow-wrap:anywhere]">"curl " (&app.url) (path_to("api.me")) " -H 'x-api-key: " (key) "'"</pre>
                </section>
            }
        }
    }

    /// All of them.
    pub fn list<'a>(&'a self, title: &'a str, about: &'a str) -> impl Renderable + use<'a> {
        rsx! {
            <Card title=title text=about>
                @if self.rows.is_empty() {
                    <p class="rounded-control border border-dashed border-edge px-4 py-8 text-center text-muted">(t("No key yet."))</p>
                } @else {
                    <ul aria-label=(t("API keys")) class="divide-y divide-line">
                        @for row in &self.rows { (self.item(row)) }
                    </ul>
                }
            </Card>
        }
    }

    /// The form for a new one.
    pub fn form(&self) -> impl Renderable + use<'_> {
        rsx! {
            <Card title=(&t("Make a key")) text="">
                @if let Some(why_not) = &self.why_not_create {
                    <Alert kind=(Kind::Info) text=why_not ../>
                } @else {
                    <Form action=(&self.action) method="POST">
                        <Field
                            name="name"
                            label=(&t("Name"))
                            hint=(&t("So that you know later which one it is: “build server”."))
                            autocomplete="off"
                            maxlength=(Some(32))
                            required=true
                            ..
                        />
                        (lifetime(&self.lifetimes))
                        <Actions><Button label=(&t("Make the key")) icon=(Some(Icon::Plus)) ../></Actions>
                    </Form>
                }
            </Card>
        }
    }

    fn item<'a>(&self, row: &'a ApiKeyRow) -> impl Renderable + use<'a> {
        let name = &row.name;
        let turns_off = row.state == ApiKeyState::On;
        let turnable = self.may_change && row.state != ApiKeyState::Expired;
        let may_revoke = self.may_revoke;
        let (turn, turn_label) = match turns_off {
            true => (t("Turn off"), t!("Turn off :name", name)),
            false => (t("Turn on"), t!("Turn on :name", name)),
        };
        rsx! {
            <li class="grid gap-3 py-5 first:pt-0 last:pb-0">
                <div class="grid gap-1">
                    <p class="flex flex-wrap items-center gap-x-3 gap-y-1">
                        <span class="font-semibold [overflow-wrap:anywhere]">(name)</span>
                        @if row.state == ApiKeyState::Off { <Badge kind=(Kind::Info) text=(&t("Off"))/> }
                        @if row.state == ApiKeyState::Expired { <Badge kind=(Kind::Warning) text=(&t("Expired"))/> }
                    </p>
                    @if let Some(start) = &row.start {
                        <p class="font-mono text-[0.8125rem] text-muted [overflow-wrap:anywhere]">(start) "…"</p>
                    }
                    <p class="text-sm text-muted">
                        (t("Made")) " " <When moment=(&row.created)/> " · "
                        @if let Some(used) = &row.last_used {
                            (t("last used")) " " <When moment=used/>
                        } @else {
                            (t("never used"))
                        }
                        " · "
                        @if let Some(expires) = &row.expires {
                            @if row.state == ApiKeyState::Expired { (t("expired on")) } @else { (t("expires on")) }
                            " " <When moment=expires/>
                        } @else {
                            (t("does not expire"))
                        }
                    </p>
                </div>
                @if turnable || may_revoke {
                    <div class="flex flex-wrap gap-2">
                        @if turnable {
                            <Form action=(&row.update) method="PATCH">
                                <div>
                                    <input type="hidden" name="enabled" value=(if turns_off { "false" } else { "true" })>
                                    <Button label=(&turn) aria_label=(Some(&turn_label)) tone=(Tone::Quiet) small=true ../>
                                </div>
                            </Form>
                        }
                        @if may_revoke {
                            <ConfirmedForm
                                id=(&format!("revoke-{}", row.id))
                                action=(&row.destroy)
                                method="DELETE"
                                label=(&t("Revoke"))
                                aria_label=(Some(&t!("Revoke :name", name)))
                                tone=(Tone::Quiet)
                                icon=(Some(Icon::Trash))
                                small=true
                                title=(&t!("Revoke “:name”?", name))
                                text=(&t("Every program that uses it is locked out at once. This cannot be undone."))
                            />
                        }
                    </div>
                }
            </li>
        }
    }
}

/// How long the new key lives, where that can be said.
fn lifetime<'a>(offered: &'a [&'static str]) -> impl Renderable + use<'a> {
    let state = FieldState::of("lifetime", false);
    let chosen = old_or("lifetime", usual_lifetime(offered));
    rsx! {
        @if !offered.is_empty() {
            <div class="grid gap-1.5 sm:max-w-xs">
                <Label id="lifetime" text=(&t("How long it lives"))/>
                <select
                    id="lifetime"
                    name="lifetime"
                    autofocus[state.takes_focus(false)]
                    aria-invalid=[state.error.is_some().then_some("true")]
                    aria-describedby=[state.described_by.as_deref()]
                    class="block min-h-11 w-full min-w-0 rounded-control border border-edge bg-surface py-1 pr-2 pl-3.5 text-base text-ink transition-colors hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger"
                >
                    @for name in offered { <option value=(*name) selected[*name == chosen]>(words(name))</option> }
                </select>
                (state.message("lifetime"))
            </div>
        }
    }
}

fn words(lifetime: &str) -> String {
    match lifetime {
        "30" => t("30 days"),
        "90" => t("90 days"),
        "365" => t("One year"),
        _ => t("Until it is revoked"),
    }
}
