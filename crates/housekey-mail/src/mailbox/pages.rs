use std::net::IpAddr;

use housekey_core::{Clock, Error, Result, is_local_host, service};
use housekey_http::axum::extract::{Path, Query};
use housekey_http::guard::from_fn;
use housekey_http::response::{Redirect, redirect};
use housekey_http::{Next, Request, Response, Routes, client_ip, csp_nonce};
use housekey_view::{View, view};
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, FORWARDED, HOST,
    X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderValue};
use serde::Deserialize;

use super::page::{MailboxPage, Show};
use super::{KeptMail, MailPreviews, Mailbox};
use crate::mail;

/// The addresses below `/dev/mailbox`.
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

/// Every link to a new password is in there. So it is only for whoever sits at this machine: for anybody else, also behind
/// a proxy or by a name that somebody else's DNS gives this machine, it is not there.
// spec: SEC-6
async fn this_machine(request: Request, next: Next) -> Result<Response> {
    let is_here = client_ip().is_some_and(|address| address.to_canonical().is_loopback());
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    // HTTP/2 has it in the address.
    let host = host.or_else(|| request.uri().authority().map(|authority| authority.as_str()));
    match is_here && host.is_some_and(is_local_host) && !is_from_elsewhere(request.headers()) {
        true => Ok(next.run(request).await),
        false => Err(Error::not_found()),
    }
}

/// What proxies add. Behind one that is not listed as trusted, every visitor has the address of this machine.
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let is_loopback =
        |part: &str| part.trim().parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
    let said = ["x-forwarded-for", "x-real-ip"].into_iter().flat_map(|name| headers.get_all(name));
    let mut said = said.flat_map(|value| value.to_str().unwrap_or_default().split(','));
    headers.contains_key(FORWARDED) || said.any(|part| !is_loopback(part))
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
