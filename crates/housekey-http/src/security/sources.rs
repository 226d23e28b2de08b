use std::sync::Arc;

use housekey_core::Scope;

/// Sources that one answer needs beyond the configured policy: the bundler's development server, a payment frame.
///
/// Origins (`http://localhost:5173`) or schemes with a host (`ws://localhost:5173`); anything that is not one source is
/// left out when the policy is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CspSources {
    pub script: Vec<String>,
    pub style: Vec<String>,
    pub connect: Vec<String>,
    pub font: Vec<String>,
    pub img: Vec<String>,
    pub media: Vec<String>,
    pub worker: Vec<String>,
    pub frame: Vec<String>,
}

/// Adds sources to the content security policy of the present answer. Outside a request it does nothing.
///
/// ```
/// use housekey_http::security::{CspSources, allow_sources};
///
/// allow_sources(CspSources { frame: vec!["https://pay.example".into()], ..Default::default() });
/// ```
pub fn allow_sources(more: impl Into<Arc<CspSources>>) {
    let Some(scope) = Scope::current() else { return };
    let more = more.into();
    scope.set(match scope.get::<CspSources>() {
        None => more,
        Some(known) => {
            let mut all = Arc::unwrap_or_clone(known);
            all.merge(&more);
            Arc::new(all)
        }
    });
}

impl CspSources {
    /// What [`allow_sources`] gathered for the answer being written.
    pub(super) fn current() -> Option<Arc<Self>> {
        Scope::read(Scope::get::<Self>).flatten()
    }

    fn merge(&mut self, more: &Self) {
        let Self { script, style, connect, font, img, media, worker, frame } = more;
        for (list, more) in [
            (&mut self.script, script),
            (&mut self.style, style),
            (&mut self.connect, connect),
            (&mut self.font, font),
            (&mut self.img, img),
            (&mut self.media, media),
            (&mut self.worker, worker),
            (&mut self.frame, frame),
        ] {
            for source in more {
                if !list.contains(source) {
                    list.push(source.clone());
                }
            }
        }
    }
}
