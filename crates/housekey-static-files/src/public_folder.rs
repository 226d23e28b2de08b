use std::path::Path;
use std::sync::Arc;

use axum_core::extract::Request;
use axum_core::response::{IntoResponse, Response};
use housekey_core::Error;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, Method};

use crate::file_request::FileRequest;
use crate::hashed_name;
use crate::path::FilePath;
use crate::reply::Caching;
use crate::served::ServedFolder;

/// The files of the `public` folder, asked before the routes are.
#[derive(Clone, Debug)]
pub struct StaticFiles(Arc<Inner>);

/// The `public` folder, and what is special in it.
#[derive(Clone, Copy, Debug)]
pub struct PublicFolder<'a> {
    pub path: &'a Path,
    /// Where the bundler writes, below it.
    pub build_directory: &'a str,
    /// Whether a miss below the build directory ends there, as 404.
    pub guard_build_directory: bool,
    /// The file that may control the whole site.
    pub service_worker: Option<&'a str>,
}

#[derive(Debug)]
struct Inner {
    folder: ServedFolder,
    /// `build/`: with its slash, so that `/builders` is not below it.
    build_prefix: String,
    guard_build_directory: bool,
    service_worker: Option<FilePath>,
}

impl StaticFiles {
    pub fn new(public: PublicFolder<'_>) -> Self {
        let build = public.build_directory.trim_matches('/');
        Self(Arc::new(Inner {
            folder: ServedFolder::new(public.path),
            build_prefix: format!("{build}/"),
            guard_build_directory: public.guard_build_directory && !build.is_empty(),
            service_worker: public.service_worker.and_then(FilePath::trusted),
        }))
    }

    /// Answers if the request is for a file. `None`: it is not, go on to the routes.
    ///
    /// The request is only looked at before the first wait: its body cannot be shared between threads.
    pub fn serve(&self, request: &Request) -> impl Future<Output = Option<Response>> + Send + use<> {
        let files = self.clone();
        let plan = self.0.plan(request);
        async move {
            let Plan { file, or_missing } = plan?;
            let found = match file {
                Some((path, request, caching)) => files.find(path, request, caching).await,
                None => None,
            };
            found.or_else(|| or_missing.then(missing))
        }
    }

    async fn find(&self, path: FilePath, request: FileRequest, caching: Caching) -> Option<Response> {
        self.0.folder.answer(path, request, caching).await
    }
}

/// What to do about a request.
struct Plan {
    /// The file to look for.
    file: Option<(FilePath, FileRequest, Caching)>,
    /// Whether a miss ends here, as 404.
    or_missing: bool,
}

impl Inner {
    /// `None`: not our affair.
    fn plan(&self, request: &Request) -> Option<Plan> {
        let raw = request.uri().path();
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let path = FilePath::parse(raw);
        if reads && path.is_some() && path == self.service_worker {
            // Missing is a 404: a page in a worker's place helps nobody.
            let file = path.map(|path| (path, FileRequest::of(request), Caching::ServiceWorker));
            return Some(Plan { file, or_missing: true });
        }
        let below_build = self.is_below_build(raw, path.as_ref());
        let path = path.filter(|path| reads && (below_build || path.may_be_a_file()));
        let file = path.map(|path| {
            let caching = match below_build && hashed_name::is_hashed(path.name()) {
                true => Caching::Immutable,
                false => Caching::Revalidate,
            };
            (path, FileRequest::of(request), caching)
        });
        let or_missing = below_build && self.guard_build_directory;
        (file.is_some() || or_missing).then_some(Plan { file, or_missing })
    }

    /// Also true for addresses that are no file's: `/build/..%2f.env` is a miss below the build directory, not a
    /// page of the application.
    fn is_below_build(&self, raw: &str, path: Option<&FilePath>) -> bool {
        let decoded = path.map_or(raw.trim_start_matches('/'), FilePath::as_str);
        decoded.starts_with(&self.build_prefix)
    }
}

fn missing() -> Response {
    // A page of the next release may ask an old server for its new script: nobody must remember this answer.
    Error::not_found().with_header(CACHE_CONTROL, HeaderValue::from_static("no-store")).into_response()
}
