use std::fs::File;
use std::io::{Read, Seek};

/// So many bytes of a file's beginning are looked at.
pub(super) const HEAD: usize = 8 * 1024;

/// The size of a picture stands within so many bytes, behind whatever a camera tells of itself.
const MOST_OF_A_PICTURE: u64 = 1024 * 1024;

/// Pictures that every browser shows. SVG is none of them: it is a document that can hold scripts.
const PICTURES: [&str; 6] = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp"];

/// What a file is, by its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) mime: Option<&'static str>,
    pub(super) extension: Option<&'static str>,
    /// Width and height of a picture that can be read.
    pub(super) dimensions: Option<(usize, usize)>,
}

impl Content {
    /// Looks at a file's beginning, for the size of a picture at more of it.
    pub(super) fn of(head: &[u8], file: &File) -> Self {
        let Some(kind) = infer::get(head) else {
            return match is_text(head) {
                true => Self { mime: Some("text/plain"), extension: Some("txt"), dimensions: None },
                false => Self::default(),
            };
        };
        let is_picture = PICTURES.contains(&kind.mime_type());
        Self {
            mime: Some(kind.mime_type()),
            extension: Some(kind.extension()),
            dimensions: is_picture.then(|| dimensions(file)).flatten(),
        }
    }

    /// A picture that browsers show, and whose size could be read: more than three bytes of it are right.
    pub(super) fn is_picture(&self) -> bool {
        self.dimensions.is_some()
    }
}

fn dimensions(mut file: &File) -> Option<(usize, usize)> {
    file.rewind().ok()?;
    // Read once: from one marker to the next it is a jump, behind which a reader of files would fill its buffer anew, and a file
    // can consist of nothing but markers.
    let mut start = Vec::new();
    file.take(MOST_OF_A_PICTURE).read_to_end(&mut start).ok()?;
    let size = imagesize::blob_size(&start).ok()?;
    Some((size.width, size.height))
}

/// Text has no NUL and is UTF-8, up to a character that the end of the head cuts in two.
fn is_text(head: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && head.len() == HEAD,
    };
    !head.is_empty() && is_utf8 && !head.contains(&0)
}

/// Whether a file is of the type that is asked for: `image/png`, `image/*`, or a kind of text (`text/csv`), which only its
/// name tells from other text.
pub(crate) fn is_of_kind(wanted: &str, upload: &super::Upload) -> bool {
    let Some(mime) = upload.content_type() else { return false };
    if let Some(family) = wanted.strip_suffix("/*") {
        return mime.split('/').next() == Some(family);
    }
    if wanted == mime {
        return true;
    }
    let name = upload.name();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_named = |endings: &[&str]| endings.iter().any(|ending| extension.eq_ignore_ascii_case(ending));
    mime == "text/plain"
        && match wanted {
            "text/csv" => is_named(&["csv"]),
            "text/markdown" => is_named(&["md", "markdown"]),
            "text/calendar" => is_named(&["ics"]),
            "application/json" => is_named(&["json"]),
            _ => false,
        }
}
