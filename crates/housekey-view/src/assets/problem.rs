use std::fmt;
use std::path::PathBuf;

/// Why the tags of an entry cannot be written: what happened, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AssetProblem {
    /// Neither a build nor, in development, a dev server.
    NothingBuilt { manifest: PathBuf, stale: Option<Stale>, development: bool },
    /// The manifest is there, but cannot be read.
    Unreadable { file: PathBuf, reason: String },
    /// The build does not know this entry.
    UnknownEntry { entry: String, known: Vec<String> },
}

/// A hot file whose dev server does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stale {
    pub(crate) file: PathBuf,
    pub(crate) origin: String,
}

impl AssetProblem {
    /// What is the matter, in one line.
    pub(crate) fn headline(&self) -> String {
        match self {
            Self::NothingBuilt { .. } => "The front end is not built yet.".into(),
            Self::Unreadable { file, .. } => format!("{} cannot be read.", file.display()),
            Self::UnknownEntry { entry, .. } => format!("The build has no entry `{entry}`."),
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::NothingBuilt { development: true, .. } => {
                "Run `npm install` once (it needs Node.js 20.19 or newer), then `housekey dev`, which starts the dev \
                 server beside the app. This page reloads by itself when it is there. To do without a dev server, run \
                 `npm run build`."
                    .into()
            }
            Self::NothingBuilt { .. } => {
                "Run `npm ci && npm run build` before the app starts, and ship public/build with it.".into()
            }
            Self::Unreadable { .. } => "Run `npm run build` to write it anew.".into(),
            Self::UnknownEntry { entry, .. } => format!(
                "Add `{entry}` to `input` in vite.config.ts and run `npm run build`, or ask for one that exists."
            ),
        }
    }
}

impl fmt::Display for AssetProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingBuilt { manifest, stale, development } => {
                write!(f, "there is no build of the front end: {} does not exist", manifest.display())?;
                match stale {
                    Some(Stale { file, origin }) => write!(
                        f,
                        ", and nobody answers at {origin}, where {} says a dev server runs (it is left over from one \
                         that crashed; delete it)",
                        file.display()
                    )?,
                    None if *development => write!(f, ", and no dev server runs")?,
                    None => {}
                }
            }
            Self::Unreadable { file, reason } => write!(f, "{} cannot be read: {reason}", file.display())?,
            Self::UnknownEntry { entry, known } if known.is_empty() => {
                write!(f, "the build has no entry `{entry}`; it has none at all")?;
            }
            Self::UnknownEntry { entry, known } => {
                write!(f, "the build has no entry `{entry}`; it has {}", known.join(", "))?;
            }
        }
        write!(f, ". {}", self.hint())
    }
}

impl std::error::Error for AssetProblem {}
