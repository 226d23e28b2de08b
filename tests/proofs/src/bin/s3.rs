//! A server that speaks S3 over a folder: `housekey-proofs-s3 <folder>`. It makes the bucket `films`, takes the key that
//! `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY` name, and says where it listens.

#![allow(clippy::print_stdout, reason = "whoever starts it reads the address")]

use std::path::PathBuf;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: housekey-proofs-s3 <folder>")?);
    std::fs::create_dir_all(folder.join("films"))?;
    let files = FileSystem::new(&folder).map_err(|error| format!("{}: {error:?}", folder.display()))?;
    let mut service = S3ServiceBuilder::new(files);
    let [id, secret] = ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"].map(std::env::var);
    service.set_auth(SimpleAuth::from_single(id?, secret?));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on {}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let serving = http1::Builder::new().serve_connection(TokioIo::new(stream), service.clone());
        tokio::spawn(async move { drop(serving.await) });
    }
}
