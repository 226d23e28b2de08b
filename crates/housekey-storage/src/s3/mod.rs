//! Buckets, over the crate `object_store`: it signs, retries, cuts large files into parts and lists page by page, and it
//! takes the HTTP client that we give it.

mod connector;
mod writer;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, future};
use housekey_core::{Error, Result};
use housekey_static_files::{FilePath, content_type};
use http::Method;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::signer::Signer;
use object_store::{
    Attribute, Attributes, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, PutOptions,
    RetryConfig,
};

use self::connector::Connector;
use crate::harmless::is_harmless;
use crate::local::within;
use crate::{FileInfo, FileStream, S3Config};

/// A bucket.
#[derive(Debug)]
pub(crate) struct S3Disk {
    name: String,
    store: Arc<AmazonS3>,
    /// What stands in front of every path, with a slash at its end, or nothing.
    root: String,
    bucket: String,
}

/// No signed address of S3 is good for longer.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

impl S3Disk {
    pub(crate) fn new(name: &str, config: &S3Config, root: &str) -> Result<Self> {
        if config.bucket.is_empty() {
            return Err(Error::internal(format!(
                "the disk `{name}` has no bucket; name one in config/storage.rs (S3Config)"
            )));
        }
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&config.bucket)
            .with_region(&config.region)
            .with_http_connector(Connector)
            // A visitor waits: better an error than minutes.
            .with_retry(RetryConfig {
                max_retries: 3,
                retry_timeout: Duration::from_secs(30),
                ..RetryConfig::default()
            })
            // Not every service can delete many at once, and we never do.
            .with_disable_bulk_delete(true);
        if let Some(endpoint) = config.endpoint.as_deref().filter(|endpoint| !endpoint.is_empty()) {
            builder = builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
        }
        if !config.access_key_id.is_empty() {
            builder = builder
                .with_access_key_id(&config.access_key_id)
                .with_secret_access_key(config.secret_access_key.reveal());
        }
        let store = builder.build().map_err(|error| {
            Error::from(error).context(format!("the disk `{name}` of config/storage.rs cannot be set up"))
        })?;
        let root = match root.trim_matches('/') {
            "" => String::new(),
            root => format!("{root}/"),
        };
        Ok(Self { name: name.to_owned(), store: Arc::new(store), root, bucket: config.bucket.clone() })
    }

    pub(crate) async fn put(&self, path: &FilePath, content: Vec<u8>) -> Result<()> {
        let options = PutOptions { attributes: attributes(path), ..PutOptions::default() };
        let put = self.store.put_opts(&self.key(path)?, content.into(), options).await;
        put.map(drop).map_err(|error| self.explain(error, path))
    }

    pub(crate) async fn put_stream(
        &self,
        path: &FilePath,
        content: BoxStream<'_, Result<Bytes>>,
    ) -> Result<u64> {
        let written = writer::write(self.store.clone(), self.key(path)?, attributes(path), content).await;
        written.map_err(|error| error.context(self.place(path)))
    }

    pub(crate) async fn read(
        &self,
        path: &FilePath,
        range: Option<Range<u64>>,
    ) -> Result<Option<FileStream>> {
        let key = self.key(path)?;
        // S3 refuses a range without bytes in it, and one that begins behind the end.
        if let Some(range) = &range {
            let Some(info) = self.info(path).await? else { return Ok(None) };
            let range = within(Some(range.clone()), info.size);
            if range.is_empty() {
                return Ok(Some(FileStream::new(info, range, futures_util::stream::empty().boxed())));
            }
        }
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let Some(found) = self.present(self.store.get_opts(&key, options).await, path)? else {
            return Ok(None);
        };
        let (info, range, place) =
            (describe(path.as_str(), &found.meta), found.range.clone(), self.place(path));
        let bytes = found.into_stream().map_err(move |error| Error::from(error).context(place.clone()));
        Ok(Some(FileStream::new(info, range, bytes.boxed())))
    }

    pub(crate) async fn info(&self, path: &FilePath) -> Result<Option<FileInfo>> {
        let found = self.present(self.store.head(&self.key(path)?).await, path)?;
        Ok(found.map(|meta| describe(path.as_str(), &meta)))
    }

    pub(crate) async fn delete(&self, path: &FilePath) -> Result<bool> {
        // S3 says nothing of whether there was one.
        if self.info(path).await?.is_none() {
            return Ok(false);
        }
        Ok(self.present(self.store.delete(&self.key(path)?).await, path)?.is_some())
    }

    pub(crate) async fn copy(&self, from: &FilePath, to: &FilePath) -> Result<bool> {
        Ok(self.present(self.store.copy(&self.key(from)?, &self.key(to)?).await, from)?.is_some())
    }

    /// A copy, and then the end of the first: buckets know no other way.
    pub(crate) async fn rename(&self, from: &FilePath, to: &FilePath) -> Result<bool> {
        if from == to {
            return Ok(self.info(from).await?.is_some());
        }
        Ok(self.copy(from, to).await?
            && self.present(self.store.delete(&self.key(from)?).await, from)?.is_some())
    }

    pub(crate) fn list(&self, folder: Option<&FilePath>) -> Result<BoxStream<'static, Result<FileInfo>>> {
        let prefix = match folder {
            Some(folder) => self.key(folder)?,
            None => parse(&self.root)?,
        };
        let (root, place) = (self.root.clone(), format!("listing the disk `{}`", self.name));
        let found = self.store.list(Some(&prefix));
        let found = found.map_err(move |error| Error::from(error).context(place.clone()));
        Ok(found
            .try_filter_map(move |meta| {
                // What cannot be asked for is not listed.
                let path =
                    meta.location.as_ref().strip_prefix(&root).filter(|path| FilePath::plain(path).is_some());
                future::ok(path.map(|path| describe(path, &meta)))
            })
            .boxed())
    }

    pub(crate) async fn temporary_url(&self, path: &FilePath, good_for: Duration) -> Result<String> {
        let signed = self.store.signed_url(Method::GET, &self.key(path)?, good_for.min(LONGEST)).await;
        signed.map(String::from).map_err(|error| self.explain(error, path))
    }

    /// What the addresses of all its files begin with.
    pub(crate) fn base(&self, address: &str) -> String {
        let bucket = format!("/{}/", self.bucket);
        // A service has its buckets below its own address, or each below one of its own.
        let host = address.find("://").map_or(0, |at| at + 3);
        let end = match address[host..].find('/').map(|at| host + at) {
            Some(path) if address[path..].starts_with(&bucket) => path + bucket.len(),
            Some(path) => path,
            None => address.len(),
        };
        address[..end].to_owned()
    }

    fn key(&self, path: &FilePath) -> Result<Path> {
        parse(&format!("{}{}", self.root, path.as_str()))
    }

    fn present<T>(&self, found: object_store::Result<T>, path: &FilePath) -> Result<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.explain(error, path)),
        }
    }

    fn explain(&self, error: object_store::Error, path: &FilePath) -> Error {
        Error::from(error).context(self.place(path))
    }

    fn place(&self, path: &FilePath) -> String {
        format!("the file `{}` on the disk `{}`", path.as_str(), self.name)
    }
}

fn describe(path: &str, meta: &ObjectMeta) -> FileInfo {
    FileInfo { path: path.to_owned(), size: meta.size, modified: meta.last_modified.into() }
}

/// The path as it is: `object_store` would otherwise encode what it thinks unusual, and the key would be another.
fn parse(key: &str) -> Result<Path> {
    Path::parse(key).map_err(|error| {
        Error::bad_request("This file name is not allowed.")
            .context(format!("{key:?} is no key of a bucket: {error}"))
    })
}

/// What a browser is told when it fetches the file itself: only what cannot act has a type.
fn attributes(path: &FilePath) -> Attributes {
    let kind = content_type(path.name());
    let kind = if is_harmless(kind) { kind } else { "application/octet-stream" };
    Attributes::from_iter([(Attribute::ContentType, kind)])
}
