use housekey_core::AppConfig;

use crate::ViewConfig;

/// What the framework's own documents are made with.
#[derive(Clone, Debug, Default)]
pub(crate) struct ViewSettings {
    pub(crate) app: AppConfig,
    pub(crate) view: ViewConfig,
}
