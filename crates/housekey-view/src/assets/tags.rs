use std::sync::Arc;

use data_encoding::BASE64;
use housekey_http::security::CspSources;
use sha2::{Digest, Sha256};

use super::tag::{Position, Tag};

/// The tags of a page, where they belong.
#[derive(Debug, Default)]
pub(crate) struct Tags {
    head: Vec<Tag>,
    body: Vec<Tag>,
    dev_server: Option<Origins>,
    needs_nonce: bool,
    plain: Plain,
}

/// What is the same for every page without nonces.
#[derive(Debug, Default)]
struct Plain {
    head: String,
    body: String,
    /// Everything, for a head.
    into_head: String,
    sources: Option<Arc<CspSources>>,
}

/// The addresses a dev server is reached under.
#[derive(Clone, Debug)]
pub(super) struct Origins {
    pub(super) http: String,
    pub(super) socket: String,
}

impl Tags {
    pub(super) fn new(own: Vec<Tag>, injected: &[Tag], dev_server: Option<Origins>) -> Self {
        let at = |wanted: Position| injected.iter().filter(move |tag| tag.position == wanted).cloned();
        let mut tags = Self {
            head: at(Position::HeadPrepend).chain(own).chain(at(Position::Head)).collect(),
            body: at(Position::BodyPrepend).chain(at(Position::Body)).collect(),
            needs_nonce: dev_server.is_some() || !injected.is_empty(),
            dev_server,
            plain: Plain::default(),
        };
        tags.plain = Plain {
            head: written(&tags.head),
            body: written(&tags.body),
            into_head: tags.written_into_head(None),
            sources: tags.sources_of_inline_tags().map(Arc::new),
        };
        tags
    }

    /// Whether a page that may use a nonce must. Files of our own are allowed by their origin, and a policy without a
    /// nonce is the stricter one.
    pub(crate) fn needs_nonce(&self) -> bool {
        self.needs_nonce
    }

    /// Everything, for a head. Module scripts wait for the document wherever they stand, so that nothing is lost by
    /// not asking a layout for a second place; elements that cannot stand in a head are left out.
    pub(crate) fn write_into_head(&self, html: &mut String, nonce: Option<&str>) {
        match nonce {
            None => html.push_str(&self.plain.into_head),
            Some(_) => html.push_str(&self.written_into_head(nonce)),
        }
    }

    fn written_into_head(&self, nonce: Option<&str>) -> String {
        let mut html = String::new();
        if let (Some(_), Some(nonce)) = (&self.dev_server, nonce) {
            // The dev server's client gives this nonce to the style elements it makes.
            html.extend(["<meta property=\"csp-nonce\" nonce=\"", nonce, "\">"]);
        }
        let of_body = self.body.iter().filter(|tag| tag.fits_a_head());
        self.head.iter().chain(of_body).for_each(|tag| tag.write(&mut html, nonce));
        html
    }

    /// The head's part, without nonces.
    pub(crate) fn head(&self) -> &str {
        &self.plain.head
    }

    /// The body's part, without nonces.
    pub(crate) fn body(&self) -> &str {
        &self.plain.body
    }

    /// What the content security policy has to allow for a page with nonces: the dev server, while it runs.
    pub(crate) fn sources(&self) -> Option<CspSources> {
        self.dev_server.as_ref().map(Origins::sources)
    }

    /// What it has to allow for a page without nonces: the dev server, inline tags by their hash, and in front of a dev
    /// server, whose client makes style elements, every inline style.
    pub(crate) fn sources_without_nonce(&self) -> Option<Arc<CspSources>> {
        self.plain.sources.clone()
    }

    fn sources_of_inline_tags(&self) -> Option<CspSources> {
        if !self.needs_nonce {
            return None;
        }
        let tags = || self.head.iter().chain(&self.body);
        let mut sources = self.sources().unwrap_or_default();
        sources.script.extend(tags().filter_map(Tag::inline_script).map(hash));
        match &self.dev_server {
            // A hash beside it would switch it off again.
            Some(_) => sources.style.push("'unsafe-inline'".into()),
            None => sources.style.extend(tags().filter_map(Tag::inline_style).map(hash)),
        }
        Some(sources)
    }
}

impl Origins {
    fn sources(&self) -> CspSources {
        let from_server = || vec![self.http.clone()];
        CspSources {
            script: from_server(),
            style: from_server(),
            img: from_server(),
            font: from_server(),
            connect: vec![self.http.clone(), self.socket.clone()],
            ..CspSources::default()
        }
    }
}

fn written(tags: &[Tag]) -> String {
    let mut html = String::new();
    tags.iter().for_each(|tag| tag.write(&mut html, None));
    html
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}
