//! A server that speaks S3 over a folder: `housekey-s3-server <folder> <bucket>`. It makes the bucket, takes the key that
//! `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY` name, and says where it listens and what it is asked for.

#![allow(clippy::print_stdout, reason = "whoever starts it reads the address")]

use std::path::PathBuf;

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, folder, bucket] = std::env::args()
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: housekey-s3-server <folder> <bucket>")?;
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(folder.join(bucket))?;
    let files = FileSystem::new(&folder).map_err(|error| format!("{}: {error:?}", folder.display()))?;
    let mut service = S3ServiceBuilder::new(files);
    let [id, secret] = ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"].map(std::env::var);
    service.set_auth(SimpleAuth::from_single(id?, secret?));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on {}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let service = service.clone();
        let told = service_fn(move |request: Request<Incoming>| {
            println!("{} {}", request.method(), request.uri().path());
            Service::call(&service, request)
        });
        let serving = http1::Builder::new().serve_connection(TokioIo::new(stream), told);
        tokio::spawn(async move { drop(serving.await) });
    }
}
