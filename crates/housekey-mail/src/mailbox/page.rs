use housekey_view::csrf_field;
use housekey_view::prelude::*;
use hypertext::{Buffer, Raw};
use serde::Deserialize;
use time::OffsetDateTime;
use time::macros::format_description;

use super::KeptMail;

/// The page of the mailbox: the mails on one side, the chosen one on the other.
pub(super) struct MailboxPage {
    pub(super) mails: Vec<KeptMail>,
    pub(super) mail: Option<KeptMail>,
    pub(super) previews: Vec<String>,
    pub(super) show: Show,
    pub(super) nonce: String,
}

/// How the chosen mail is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Show {
    #[default]
    Html,
    Phone,
    Text,
    Headers,
    Source,
}

impl Show {
    const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Html, "html", "Preview"),
        (Self::Phone, "phone", "Phone"),
        (Self::Text, "text", "Text"),
        (Self::Headers, "headers", "Headers"),
        (Self::Source, "source", "Source"),
    ];
}

impl Renderable for MailboxPage {
    fn render_to(&self, buffer: &mut Buffer) {
        // XSS SAFETY: a style sheet of ours.
        let style = Raw::dangerously_create(include_str!("page.css"));
        let chosen = self.mail.as_ref().map(|mail| mail.id.as_str());
        let is_empty = self.mails.is_empty() && self.mail.is_none();
        rsx_borrow! {
            <!DOCTYPE html>
            <html lang="en">
                <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width, initial-scale=1">
                    <meta name="robots" content="noindex">
                    @if is_empty { <meta http-equiv="refresh" content="3"> }
                    <title>"Mailbox"</title>
                    <style nonce=(&self.nonce)>(style)</style>
                </head>
                <body>
                    <header class="bar">
                        <h1>"Mailbox"</h1>
                        <p>"Every mail this app sends, for your eyes only. Production has no such page."</p>
                        @if !self.mails.is_empty() {
                            <form method="post" action="/dev/mailbox/clear">
                                (csrf_field())
                                <button>"Empty mailbox"</button>
                            </form>
                        }
                    </header>
                    <div class="desk">
                        <nav aria-label="Mails">
                            @if !self.mails.is_empty() {
                                <ul>
                                    @for mail in &self.mails {
                                        <li>(Entry { mail, is_chosen: chosen == Some(mail.id.as_str()) })</li>
                                    }
                                </ul>
                            }
                            @if self.mails.is_empty() { <p class="none">"Nothing was sent yet."</p> }
                            (Previews { names: &self.previews, chosen })
                        </nav>
                        <main>
                            @match &self.mail {
                                Some(mail) => { (Opened { mail, show: self.show }) }
                                None => {
                                    <div class="empty">
                                        <h2>"No mail yet"</h2>
                                        <p>"Sign up, or ask for a new password: what the app sends shows up here by itself."</p>
                                    </div>
                                }
                            }
                        </main>
                    </div>
                </body>
            </html>
        }
        .render_to(buffer);
    }
}

struct Entry<'a> {
    mail: &'a KeptMail,
    is_chosen: bool,
}

impl Renderable for Entry<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let mail = self.mail;
        let to = mail.to.first().or_else(|| mail.cc.first()).or_else(|| mail.bcc.first());
        rsx_borrow! {
            <a href=(format!("/dev/mailbox/{}", mail.id)) aria-current=(if self.is_chosen { "true" } else { "false" })>
                <span class="row">
                    <span class="to">(to.map_or("nobody", String::as_str))</span>
                    <time datetime=(iso(mail.time()))>(clock_time(mail.time()))</time>
                </span>
                <span class="subject">(&mail.subject)</span>
                <span class="snippet">(&mail.snippet)</span>
                @if mail.problem.is_some() { <span class="failed">"Not delivered"</span> }
            </a>
        }
        .render_to(buffer);
    }
}

struct Previews<'a> {
    names: &'a [String],
    chosen: Option<&'a str>,
}

impl Renderable for Previews<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        if self.names.is_empty() {
            return;
        }
        let entries: Vec<_> =
            self.names.iter().enumerate().map(|(number, name)| (format!("preview-{number}"), name)).collect();
        rsx_borrow! {
            <h2>"Previews"</h2>
            <ul>
                @for (id, name) in &entries {
                    <li>
                        <a
                            href=(format!("/dev/mailbox/{id}"))
                            aria-current=(if self.chosen == Some(id.as_str()) { "true" } else { "false" })
                        >
                            <span class="subject">(name)</span>
                        </a>
                    </li>
                }
            </ul>
        }
        .render_to(buffer);
    }
}

struct Opened<'a> {
    mail: &'a KeptMail,
    show: Show,
}

impl Renderable for Opened<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let mail = self.mail;
        let address = format!("/dev/mailbox/{}", mail.id);
        rsx_borrow! {
            <article>
                <header class="envelope">
                    <h2>(&mail.subject)</h2>
                    <dl>
                        <div><dt>"From"</dt><dd>(&mail.from)</dd></div>
                        @for (label, list) in [("To", &mail.to), ("Cc", &mail.cc), ("Bcc", &mail.bcc)] {
                            @if !list.is_empty() { <div><dt>(label)</dt><dd>(list.join(", "))</dd></div> }
                        }
                        <div>
                            <dt>"Sent"</dt>
                            <dd><time datetime=(iso(mail.time()))>(date_time(mail.time()))</time> " by " (&mail.transport)</dd>
                        </div>
                        @if !mail.attachments.is_empty() {
                            <div>
                                <dt>"Files"</dt>
                                <dd>
                                    @for (name, kind, size) in &mail.attachments {
                                        <span class="file" title=(kind)>(name) " (" (size_text(*size)) ")"</span>
                                    }
                                </dd>
                            </div>
                        }
                    </dl>
                    @if let Some(problem) = &mail.problem { <p class="problem">"Not delivered: " (problem)</p> }
                    <nav class="tabs" aria-label="View">
                        @for (show, name, label) in Show::ALL {
                            <a
                                href=(format!("{address}?show={name}"))
                                aria-current=(if show == self.show { "page" } else { "false" })
                            >
                                (label)
                            </a>
                        }
                    </nav>
                </header>
                (Content { mail, show: self.show, address: &address })
            </article>
        }
        .render_to(buffer);
    }
}

struct Content<'a> {
    mail: &'a KeptMail,
    show: Show,
    address: &'a str,
}

impl Renderable for Content<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let mail = self.mail;
        match self.show {
            Show::Html | Show::Phone => {
                let class = if self.show == Show::Phone { "frame phone" } else { "frame" };
                rsx_borrow! {
                    <div class=(class)>
                        <iframe
                            title="The mail as its reader sees it"
                            sandbox="allow-popups allow-popups-to-escape-sandbox"
                            referrerpolicy="no-referrer"
                            src=(format!("{}/html", self.address))
                        ></iframe>
                    </div>
                }
                .render_to(buffer);
            }
            Show::Text => rsx_borrow! { <pre class="letter">(&mail.text)</pre> }.render_to(buffer),
            Show::Headers => rsx_borrow! {
                <dl class="headers">
                    @for (name, value) in &mail.headers { <div><dt>(name)</dt><dd>(value)</dd></div> }
                </dl>
            }
            .render_to(buffer),
            Show::Source => rsx_borrow! {
                <p class="save"><a href=(format!("{}/source", self.address))>"Save as .eml"</a></p>
                <pre>(&mail.source)</pre>
            }
            .render_to(buffer),
        }
    }
}

fn iso(time: OffsetDateTime) -> String {
    time.format(&time::format_description::well_known::Rfc3339).unwrap_or_default()
}

fn clock_time(time: OffsetDateTime) -> String {
    time.format(format_description!("[hour]:[minute]")).unwrap_or_default()
}

fn date_time(time: OffsetDateTime) -> String {
    time.format(format_description!(
        "[day padding:none] [month repr:long] [year], [hour]:[minute]:[second] UTC"
    ))
    .unwrap_or_default()
}

fn size_text(bytes: usize) -> String {
    match bytes {
        0..=1023 => format!("{bytes} bytes"),
        1024..=1_048_575 => format!("{} KB", bytes.div_ceil(1024)),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}
