use housekey_core::{Clock, Error, Result, service};
use housekey_http::axum::extract::{Path, Query};
use housekey_http::guard::{from_fn, this_machine};
use housekey_http::response::{Redirect, redirect};
use housekey_http::{Response, Routes, csp_nonce};
use housekey_view::{View, view};
use http::HeaderValue;
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_FRAME_OPTIONS,
};
use serde::Deserialize;

use super::page::{MailboxPage, Show};
use super::{KeptMail, MailPreviews, Mailbox};
use crate::mail;

/// The addresses below `/dev/mailbox`. Every link to a new password is in there, so they are only for whoever sits at this
/// machine.
// spec: SEC-6
pub(crate) fn routes(route: &mut Routes) {
    route
        .group()
        .prefix("/dev/mailbox")
        .name("dev.mailbox.")
        .middleware(from_fn("this-machine", this_machine))
        .routes(|route| {
            route.get("/", newest).name("index");
            route.post("/clear", clear).name("clear");
            route.get("/{id}", open).name("open");
            route.get("/{id}/html", html).name("html");
            route.get("/{id}/source", source).name("source");
        });
}

#[derive(Deserialize)]
struct Shown {
    #[serde(default)]
    show: Show,
}

async fn newest(Query(shown): Query<Shown>) -> Result<View> {
    let mails = mailbox()?.all().await?;
    let mail = mails.first().cloned();
    Ok(page(mails, mail, shown.show))
}

async fn open(Path(id): Path<String>, Query(shown): Query<Shown>) -> Result<View> {
    let mail = find(&id).await?;
    Ok(page(mailbox()?.all().await?, Some(mail), shown.show))
}

async fn clear() -> Result<Redirect> {
    mailbox()?.clear().await?;
    Ok(redirect("/dev/mailbox"))
}

/// The HTML version for the frame. Whatever it holds, it runs no script, sends no form and reaches nothing of ours:
/// the sandbox gives it an origin of its own.
async fn html(Path(id): Path<String>) -> Result<Response> {
    let mail = find(&id).await?;
    let mut response = Response::new(opening_links_outside(&mail.html).into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(FRAME_POLICY));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

const FRAME_POLICY: &str = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; \
     style-src 'unsafe-inline'; img-src data: https: http:; font-src data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'";

/// The bytes that travelled, as a file that mail programs open.
async fn source(Path(id): Path<String>) -> Result<Response> {
    let mail = find(&id).await?;
    let mut response = Response::new(mail.source.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("message/rfc822"));
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"mail.eml\""));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

fn page(mails: Vec<KeptMail>, mail: Option<KeptMail>, show: Show) -> View {
    let nonce = csp_nonce().unwrap_or_default();
    // The app's own policy may be looser, or forbid the frame.
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; frame-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    let previews = service::<MailPreviews>().map(|previews| previews.names()).unwrap_or_default();
    let page = view(MailboxPage { mails, mail, previews, show, nonce });
    let page = page.header(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    match HeaderValue::try_from(policy) {
        Ok(policy) => page.header(CONTENT_SECURITY_POLICY, policy),
        Err(_) => page,
    }
}

/// A mail of the mailbox, or a preview rendered now.
async fn find(id: &str) -> Result<KeptMail> {
    let Some(number) = id.strip_prefix("preview-") else {
        return mailbox()?.find(id).await?.ok_or_else(Error::not_found);
    };
    let number = number.parse().map_err(|_| Error::not_found())?;
    let made = service::<MailPreviews>().and_then(|previews| previews.make(number));
    let mail = mail()?.render(made.ok_or_else(Error::not_found)??).await?;
    let now = service::<Clock>().map_or(0, |clock| clock.unix_millis());
    Ok(KeptMail { id: id.to_owned(), ..KeptMail::new(&mail, now, "preview", None) })
}

fn mailbox() -> Result<Mailbox> {
    mail()?.mailbox().cloned().ok_or_else(Error::not_found)
}

/// A link in the frame would open inside it, where our own pages refuse to be.
fn opening_links_outside(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let head = lower.find("<head").and_then(|at| Some(at + lower[at..].find('>')? + 1));
    match head {
        Some(at) => format!("{}<base target=\"_blank\">{}", &html[..at], &html[at..]),
        None => html.to_owned(),
    }
}
