use housekey_core::{Error, Result};
use housekey_http::routing::RouteBuilder;
use housekey_http::{Request, Response, Routes};
use housekey_static_files::{FilePath, ServedFolder};
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};

use crate::Disk;
use crate::harmless::is_harmless;

/// Whatever somebody uploaded: it runs nothing, loads nothing, and has an origin of its own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// The address of a disk whose files anyone can fetch.
pub(crate) fn public(disk: &Disk, route: &mut Routes) {
    let Some(prefix) = disk.served_at().map(str::to_owned) else { return };
    let name = format!("storage.{}", disk.name());
    serve(disk, &prefix, route).name(&name);
}

/// The address of a folder's files for whoever has a signed one.
pub(crate) fn signed(disk: &Disk, route: &mut Routes) {
    if disk.local().is_some() {
        let prefix = format!("{SIGNED}/{}", disk.name());
        let headers = serve(disk, &prefix, route).name(&disk.signed_route()).middleware("signed");
        // The address is a key: nobody on the way keeps what it opens, nor tells it on.
        headers.header("cache-control", "private, no-cache").header("referrer-policy", "no-referrer");
    }
}

/// Where signed addresses begin.
const SIGNED: &str = "/storage-signed";

fn serve<'r>(disk: &Disk, prefix: &str, route: &'r mut Routes) -> RouteBuilder<'r> {
    let folder = disk.root().map(ServedFolder::new);
    let (disk, path, prefix) = (disk.clone(), format!("{prefix}/{{path}}"), prefix.to_owned());
    let serve = async move |request: Request| -> Result<Response> {
        let raw = request.uri().path().strip_prefix(&*prefix).unwrap_or_default();
        let file = FilePath::parse(raw).ok_or_else(Error::not_found)?;
        let Some(folder) = &folder else {
            let headers = request.headers().clone();
            drop(request);
            return disk.answer(file.as_str(), &headers).await.map(guarded);
        };
        let found = folder.serve(&request, file);
        drop(request);
        found.await.map(guarded).ok_or_else(Error::not_found)
    };
    route.get(&path, serve).where_("path", ".*")
}

/// Only what cannot act is shown in the browser; the rest is a download. A page or an SVG that somebody uploaded would
/// otherwise speak with our voice, and a script of theirs could be loaded by a page of ours: it comes from our origin.
fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    // An answer without a body has no kind, and says nothing new about the file.
    if kind.is_some_and(|kind| !is_harmless(kind)) {
        headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    }
    response
}
