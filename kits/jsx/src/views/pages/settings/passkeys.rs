use housekey::prelude::*;

use crate::views::components::{
    Badge, Button, Card, ConfirmedForm, Form, Icon, Input, Kind, Moment, Notice, PasskeyError, Tone, When,
};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct PasskeySettings {
    /// Who is signed in.
    pub member: Member,
    /// The passkeys of the account, the newest first.
    pub passkeys: Vec<PasskeyRow>,
    /// Whether the only passkey is the only way into the account. It cannot be removed then.
    pub last_credential: bool,
}

/// One passkey of the list.
#[derive(Clone, Debug, Default)]
pub struct PasskeyRow {
    /// Its name in addresses.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Who keeps it, such as `iCloud Keychain`, where the key tells.
    pub provider: Option<&'static str>,
    /// Whether its owner's other devices have it too; else it is on one device only.
    pub synced: bool,
    /// When it was added.
    pub added: Moment,
    /// When somebody signed in with it last.
    pub last_used: Option<Moment>,
}

/// `GET /settings/passkeys`. Adding one is a talk between the browser and the engine: resources/js/passkeys.ts.
pub fn passkeys(props: &PasskeySettings) -> impl Renderable {
    rsx! {
        <Settings tab=(Tab::Passkeys) member=(&props.member) fields=(&[])>
            <Card
                title=(&t("Your passkeys"))
                text=(&t("A passkey is a key your device keeps for you. You sign in with a finger, a face or a PIN, and there is nothing that could be stolen from us."))
            >
                @if props.passkeys.is_empty() {
                    <p class="rounded-control border border-dashed border-edge px-4 py-8 text-center text-muted">
                        (t("No passkey yet."))
                    </p>
                } @else {
                    <ul class="divide-y divide-line">
                        @for passkey in &props.passkeys { (row(passkey, props.last_credential)) }
                    </ul>
                }
            </Card>
            <Card title=(&t("Add a passkey")) text="">
                <div class="unscripted:hidden" data-passkey="add">
                    <div hidden data-passkey-unsupported>
                        <Notice kind=(Kind::Warning)><p>(t("This browser cannot use passkeys. Try a newer one, or another device."))</p></Notice>
                    </div>
                    <div hidden data-passkey-insecure>
                        <Notice kind=(Kind::Warning)><p>(t("Browsers make passkeys over https only, or on localhost."))</p></Notice>
                    </div>
                    <form class="grid gap-5" data-passkey-form>
                        <div class="grid gap-1.5">
                            <label for="passkey-name" class="justify-self-start text-sm font-semibold">(t("Name"))</label>
                            <Input
                                id="passkey-name"
                                name="name"
                                autocomplete="off"
                                maxlength=(Some(64))
                                described_by=(Some("passkey-name-hint"))
                                ..
                            />
                            <p id="passkey-name-hint" class="text-sm text-muted">
                                (t("So that you know later which one it is."))
                            </p>
                        </div>
                        <PasskeyError adding=true/>
                        <div><Button label=(&t("Add a passkey")) icon=(Some(Icon::Plus)) ../></div>
                    </form>
                </div>
                <p class="text-[0.9375rem] text-muted scripted:hidden">
                    (t("Adding a passkey needs JavaScript. Everything else here works without."))
                </p>
            </Card>
        </Settings>
    }
}

fn row(passkey: &PasskeyRow, last_credential: bool) -> impl Renderable {
    let rename = path_to_with("settings.passkeys.rename", &[("id", &passkey.id)]);
    let remove = path_to_with("settings.passkeys.destroy", &[("id", &passkey.id)]);
    let rename_id = format!("rename-{}", passkey.id);
    let remove_id = format!("remove-{}", passkey.id);
    let name = &passkey.name;
    let rename_label = t!("New name for :name", name);
    let remove_label = t!("Remove :name", name);
    let (icon, kept) =
        if passkey.synced { (Icon::Cloud, t("Synced")) } else { (Icon::Laptop, t("This device only")) };
    rsx! {
        <li class="group/row py-5 first:pt-0 last:pb-0">
            <div class="flex items-start gap-4">
                <span class="mt-0.5 grid size-10 flex-none place-items-center rounded-control bg-accent-soft text-lg text-link">(icon)</span>
                <div class="min-w-0 grow">
                    <p class="flex flex-wrap items-center gap-x-3 gap-y-1">
                        <span class="font-semibold [overflow-wrap:anywhere]">(&passkey.name)</span>
                        <Badge kind=(Kind::Info) text=(&kept)/>
                    </p>
                    <p class="mt-1 text-sm text-muted">
                        @if let Some(provider) = passkey.provider { (provider) " · " }
                        (t("Added")) " " <When moment=(&passkey.added)/>
                        @if let Some(used) = &passkey.last_used {
                            " · " (t("Last used")) " " <When moment=used/>
                        }
                    </p>
                    <div class="mt-3 flex flex-wrap items-start gap-2">
                        <details class="group max-w-full open:w-full">
                            <summary
                                aria-label=(t!("Rename :name", name))
                                class="inline-flex min-h-9 items-center gap-2 rounded-control border border-edge/45 bg-raised px-3 text-sm font-semibold transition-colors select-none hover:border-edge hover:bg-sunken"
                            >
                                (Icon::Pencil) (t("Rename"))
                            </summary>
                            <div class="mt-3">
                                <Form action=(&rename) method="PATCH">
                                    <div class="flex flex-wrap gap-2">
                                        <span class="min-w-40 grow basis-52">
                                            <Input
                                                id=(&rename_id)
                                                name="name"
                                                value=(&passkey.name)
                                                autocomplete="off"
                                                maxlength=(Some(64))
                                                required=true
                                                aria_label=(Some(&rename_label))
                                                ..
                                            />
                                        </span>
                                        <Button label=(&t("Save")) ../>
                                    </div>
                                </Form>
                            </div>
                        </details>
                        @if last_credential {
                            <p class="self-center text-sm text-muted">(t("Your only way in: it cannot be removed."))</p>
                        } @else {
                            <div class="group-has-[details[open]]/row:hidden">
                                <ConfirmedForm
                                    id=(&remove_id)
                                    action=(&remove)
                                    method="DELETE"
                                    label=(&t("Remove"))
                                    aria_label=(Some(&remove_label))
                                    tone=(Tone::Quiet)
                                    icon=(Some(Icon::Trash))
                                    small=true
                                    title=(&t!("Remove “:name”?", name))
                                    text=(&t("You can no longer sign in with it. The device may keep its half of the key; you can delete it there."))
                                />
                            </div>
                        }
                    </div>
                </div>
            </div>
        </li>
    }
}
