use std::sync::Arc;

use data_encoding::BASE64;
use housekey_http::security::CspSources;
use sha2::{Digest, Sha256};

use super::tag::{Position, Tag};

/// Tags ready to be written: the text is made once, with gaps where each answer's nonce belongs.
#[derive(Debug, Default)]
pub(crate) struct Tags {
    head: Gapped,
    body: Gapped,
    dev_server: Option<Origins>,
    needs_nonce: bool,
    without_nonce: Option<Arc<CspSources>>,
}

/// The addresses a dev server is reached under.
#[derive(Clone, Debug)]
pub(super) struct Origins {
    pub(super) http: String,
    pub(super) socket: String,
}

impl Tags {
    pub(super) fn new(own: &[Tag], injected: &[Tag], dev_server: Option<Origins>) -> Self {
        let at = |wanted: Position| injected.iter().filter(move |tag| tag.position == wanted);
        let mut head = Gapped::default();
        at(Position::HeadPrepend).chain(own).chain(at(Position::Head)).for_each(|tag| head.add(tag));
        let mut body = Gapped::default();
        at(Position::BodyPrepend).chain(at(Position::Body)).for_each(|tag| body.add(tag));
        let needs_nonce = dev_server.is_some() || !injected.is_empty();
        let without_nonce =
            needs_nonce.then(|| Arc::new(allowed_without_nonce(injected, dev_server.as_ref())));
        Self { head, body, needs_nonce, dev_server, without_nonce }
    }

    /// Whether a page that may use a nonce must. Files of our own are allowed by their origin, and a policy without a
    /// nonce is the stricter one.
    pub(crate) fn needs_nonce(&self) -> bool {
        self.needs_nonce
    }

    /// Everything, for a head. Module scripts wait for the document wherever they stand, so that nothing is lost by
    /// not asking a layout for a second place; elements that cannot stand in a head are left out.
    pub(crate) fn write_into_head(&self, html: &mut String, nonce: Option<&str>) {
        if let (Some(_), Some(nonce)) = (&self.dev_server, nonce) {
            // The dev server's client gives this nonce to the style elements it makes.
            html.push_str("<meta property=\"csp-nonce\" nonce=\"");
            html.push_str(nonce);
            html.push_str("\">");
        }
        self.head.write(html, nonce);
        self.body.write_what_fits_a_head(html, nonce);
    }

    /// The head's part, without nonces.
    pub(crate) fn write_head(&self, html: &mut String) {
        self.head.write(html, None);
    }

    /// The body's part, without nonces.
    pub(crate) fn write_body(&self, html: &mut String) {
        self.body.write(html, None);
    }

    /// What the content security policy has to allow for a page with nonces: the dev server, while it runs.
    pub(crate) fn sources(&self) -> Option<CspSources> {
        self.dev_server.as_ref().map(Origins::sources)
    }

    /// What it has to allow for a page without nonces.
    pub(crate) fn sources_without_nonce(&self) -> Option<Arc<CspSources>> {
        self.without_nonce.clone()
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

/// The dev server, inline tags by their hash, and in front of a dev server, whose client makes style elements, every
/// inline style.
fn allowed_without_nonce(injected: &[Tag], dev_server: Option<&Origins>) -> CspSources {
    let mut sources = dev_server.map(Origins::sources).unwrap_or_default();
    sources.script.extend(injected.iter().filter_map(Tag::inline_script).map(hash));
    match dev_server {
        // A hash beside it would switch it off again.
        Some(_) => sources.style.push("'unsafe-inline'".into()),
        None => sources.style.extend(injected.iter().filter_map(Tag::inline_style).map(hash)),
    }
    sources
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}

/// Text with gaps for a nonce attribute.
#[derive(Debug, Default)]
struct Gapped(Vec<GappedTag>);

#[derive(Debug)]
struct GappedTag {
    pieces: Vec<String>,
    fits_a_head: bool,
}

impl Gapped {
    fn add(&mut self, tag: &Tag) {
        let mut pieces = Vec::new();
        let mut rest = String::new();
        tag.write(&mut rest, &mut |html| pieces.push(std::mem::take(html)));
        pieces.push(rest);
        self.0.push(GappedTag { pieces, fits_a_head: tag.fits_a_head() });
    }

    fn write(&self, html: &mut String, nonce: Option<&str>) {
        self.0.iter().for_each(|tag| tag.write(html, nonce));
    }

    fn write_what_fits_a_head(&self, html: &mut String, nonce: Option<&str>) {
        self.0.iter().filter(|tag| tag.fits_a_head).for_each(|tag| tag.write(html, nonce));
    }
}

impl GappedTag {
    fn write(&self, html: &mut String, nonce: Option<&str>) {
        for (at, piece) in self.pieces.iter().enumerate() {
            if let (true, Some(nonce)) = (at > 0, nonce) {
                html.push_str(" nonce=\"");
                html.push_str(nonce);
                html.push('"');
            }
            html.push_str(piece);
        }
    }
}
