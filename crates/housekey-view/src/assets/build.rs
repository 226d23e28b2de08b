use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use super::manifest::Manifest;
use super::problem::AssetProblem;
use super::tags::Tags;

/// A build, and the tags of the pages that were made with it: the same for every visitor, so they are written once.
#[derive(Debug)]
pub(super) struct Build {
    manifest: Manifest,
    /// By the entries that pages name in their source; there are as many as pages name.
    pages: RwLock<HashMap<Vec<&'static str>, Arc<Tags>>>,
}

impl Build {
    /// `None` when there is none.
    pub(super) fn read(manifest: &Path) -> Result<Option<Self>, AssetProblem> {
        let manifest = Manifest::read(manifest)?;
        Ok(manifest.map(|manifest| Self { manifest, pages: RwLock::default() }))
    }

    pub(super) fn tags(&self, entries: &[&'static str], prefix: &str) -> Result<Arc<Tags>, AssetProblem> {
        if let Some(known) = self.pages.read().unwrap_or_else(PoisonError::into_inner).get(entries) {
            return Ok(known.clone());
        }
        let own = self.manifest.tags(entries, prefix)?;
        let tags = Arc::new(Tags::new(own, &self.manifest.injected, None));
        let mut pages = self.pages.write().unwrap_or_else(PoisonError::into_inner);
        pages.insert(entries.to_vec(), tags.clone());
        Ok(tags)
    }

    /// The file that a source file became.
    pub(super) fn file(&self, source: &str) -> Result<&str, AssetProblem> {
        self.manifest.file(source)
    }
}
