//! A server that speaks S3, from the package registry, over a folder.

#![allow(dead_code, reason = "no test needs all of it")]

use std::net::SocketAddr;
use std::path::Path;

use housekey_storage::{DiskConfig, S3Config};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

pub(crate) const BUCKET: &str = "shelf";
const KEY: &str = "AKIAIOSFODNN7EXAMPLE";
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/// Serves a folder as S3, with a bucket in it, until the runtime ends.
pub(crate) async fn serve_s3(folder: &Path) -> SocketAddr {
    std::fs::create_dir_all(folder.join(BUCKET)).unwrap();
    let mut service = S3ServiceBuilder::new(FileSystem::new(folder).unwrap());
    service.set_auth(SimpleAuth::from_single(KEY, SECRET));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let serving = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service.clone());
            tokio::spawn(async move { drop(serving.await) });
        }
    });
    address
}

/// The disk over such a server.
pub(crate) fn bucket(address: &str) -> DiskConfig {
    DiskConfig::s3(S3Config {
        bucket: BUCKET.into(),
        endpoint: Some(format!("http://{address}")),
        access_key_id: KEY.into(),
        secret_access_key: SECRET.into(),
        ..S3Config::default()
    })
}
