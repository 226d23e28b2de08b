use std::fmt;

use bytes::Bytes;

/// The files of a multipart form.
#[derive(Clone, Debug, Default)]
pub struct Uploads(pub(super) Vec<(String, UploadedFile)>);

impl Uploads {
    /// The first file of a field.
    pub fn get(&self, field: &str) -> Option<&UploadedFile> {
        self.0.iter().find(|(name, _)| name == field).map(|(_, file)| file)
    }

    pub fn all<'u>(&'u self, field: &'u str) -> impl Iterator<Item = &'u UploadedFile> {
        self.0.iter().filter(move |(name, _)| name == field).map(|(_, file)| file)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A file that came with a form. Nothing of what the client says about it is checked: neither name nor type.
#[derive(Clone)]
pub struct UploadedFile {
    pub(super) name: String,
    pub(super) content_type: Option<String>,
    pub(super) bytes: Bytes,
}

impl UploadedFile {
    /// The file's name as the client tells it, without folders. To be shown, not to be written to.
    pub fn name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// The type as the client tells it.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

impl fmt::Debug for UploadedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UploadedFile")
            .field("name", &self.name())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}
