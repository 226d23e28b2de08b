use std::path::PathBuf;
use std::sync::Arc;

use axum_core::extract::Request;
use axum_core::response::Response;

use crate::file_request::FileRequest;
use crate::folder::Folder;
use crate::path::FilePath;
use crate::reply::{self, Caching};

/// A folder beside `public` that a route serves files from, with what browsers ask for: ranges and conditions. Nothing
/// outside of it is ever sent, and nothing hidden; `a.csv.gz` is another file, and never sent in place of `a.csv`.
///
/// ```
/// use axum_core::extract::Request;
/// use axum_core::response::Response;
/// use housekey_core::{Error, Result};
/// use housekey_static_files::{FilePath, ServedFolder};
///
/// async fn download(folder: ServedFolder, request: Request) -> Result<Response> {
///     let raw = request.uri().path().strip_prefix("/downloads").unwrap_or_default();
///     let file = FilePath::parse(raw).ok_or_else(Error::not_found)?;
///     folder.serve(&request, file).await.ok_or_else(Error::not_found)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ServedFolder(Arc<Folder>);

impl ServedFolder {
    /// A folder, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self(Arc::new(Folder::new(root.into())))
    }

    /// The answer, if there is such a file. A browser may keep it and asks before each use.
    ///
    /// The request is only looked at before the first wait: its body cannot be shared between threads.
    pub fn serve(
        &self,
        request: &Request,
        path: FilePath,
    ) -> impl Future<Output = Option<Response>> + Send + use<> {
        self.answer(path, FileRequest::of(request).of_this_file(), Caching::Revalidate)
    }

    pub(crate) fn answer(
        &self,
        path: FilePath,
        request: FileRequest,
        caching: Caching,
    ) -> impl Future<Output = Option<Response>> + Send + use<> {
        let folder = self.0.clone();
        async move {
            tokio::task::spawn_blocking(move || {
                let found = folder.find(&path, request.encodings())?;
                reply::answer(found, &path, &request, caching)
            })
            .await
            .unwrap_or_else(|error| {
                tracing::error!(%error, "looking for a static file failed");
                None
            })
        }
    }
}
