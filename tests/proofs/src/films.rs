//! Films of any size, on a disk that is a bucket.

use housekey::prelude::*;
use serde::Deserialize;

/// A little more than the 2 GiB of the proof, in bytes.
pub(crate) const LARGEST: usize = 2_300_000_000;

#[derive(Deserialize, Validated)]
pub(crate) struct NewFilm {
    #[validate(required, max(120))]
    title: String,
    #[validate(required, mimes(["video/mp4"]), max(2.3e9))]
    film: Upload,
}

pub(crate) async fn store(Valid(form): Valid<NewFilm>) -> Result<String> {
    let path = format!("{}.mp4", form.title);
    storage()?.disk("films")?.store_as(&path, form.film).await?;
    Ok(path)
}

pub(crate) async fn show(Path(name): Path<String>) -> Result<Response> {
    storage()?.disk("films")?.download(&name, &name).await
}
