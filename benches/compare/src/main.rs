//! The peers that `cargo xtask bench http` and `bench pages` measure an app of ours against, and a load generator for
//! machines without wrk. The peer of `cargo xtask bench engine` is `reference.mjs` beside this; `people_seeder.rs` makes the
//! people who ask, in an app that the bench writes it into.
//!
//! Each peer answers with bytes it is given: those of the app it is compared with. Nothing here is clever; a peer is
//! what a person would write who wants nothing but the answer.

mod bare_hyper;
mod load;
mod mail;
mod page;
mod plain_axum;
mod provider;

use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;

use bytes::Bytes;
use clap::{Args, Parser};
use tokio::net::TcpListener;

#[derive(Parser)]
#[command(about = "Peers and a load generator for cargo xtask bench")]
enum Cli {
    /// Serve with hyper alone
    Hyper(Peer),
    /// Serve pages, headers and all, with hyper alone
    Pages {
        /// The port on loopback
        #[arg(long)]
        port: u16,
        /// A file with a page's path, its headers, an empty line and its body; any number of times
        #[arg(long)]
        page: Vec<PathBuf>,
    },
    /// Serve with axum alone
    Axum(Peer),
    /// Press a server on loopback and print what it did
    Load(load::Options),
}

#[derive(Args)]
struct Peer {
    /// The port on loopback
    #[arg(long)]
    port: u16,
    /// A file with the body of /health
    #[arg(long)]
    health: PathBuf,
    /// A file with the body of /
    #[arg(long)]
    landing: PathBuf,
}

/// The two bodies, held in memory.
#[derive(Clone)]
struct Bodies {
    health: Bytes,
    landing: Bytes,
}

impl Peer {
    async fn open(&self) -> io::Result<(TcpListener, Bodies)> {
        let bodies = Bodies {
            health: std::fs::read(&self.health)?.into(),
            landing: std::fs::read(&self.landing)?.into(),
        };
        Ok((TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).await?, bodies))
    }
}

#[tokio::main]
async fn main() -> io::Result<()> {
    match Cli::parse() {
        Cli::Hyper(peer) => {
            let (listener, bodies) = peer.open().await?;
            bare_hyper::serve(listener, bodies).await
        }
        Cli::Pages { port, page } => {
            let pages = page.iter().map(|file| page::Page::read(file)).collect::<io::Result<_>>()?;
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
            bare_hyper::serve_pages(listener, pages).await
        }
        Cli::Axum(peer) => {
            let (listener, bodies) = peer.open().await?;
            plain_axum::serve(listener, bodies).await
        }
        Cli::Load(options) => load::press(&options).await,
    }
}
