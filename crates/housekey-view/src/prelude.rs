//! What a file with views imports: `use housekey::view::prelude::*;`.

pub use crate::elements as hypertext_elements;
pub use crate::{View, asset_url, assets, csrf_field, method_field, page_data, shell, view};
pub use housekey_http::csrf::csrf_token;
pub use housekey_http::validation::{errors, old, old_choice, old_list, old_list_or, old_or};
pub use housekey_http::{csp_nonce, path_to, path_to_with};
pub use hypertext::validation::attributes::*;
pub use hypertext::{Renderable, RenderableExt, component, rsx, rsx_borrow};
