//! What the pages in `frontend/` ask for. The structs here are what `housekey types` describes in
//! `frontend/src/types/api.gen.ts`.

pub mod email_link_controller;
pub mod magic_link_controller;
pub mod password_reset_controller;
pub mod session_controller;
pub mod settings_controller;
pub mod signed_in_controller;
pub mod social_refusal_controller;
