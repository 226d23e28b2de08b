//! The pages below `/settings`.

mod account;
mod appearance;
mod passkeys;
mod password;
mod profile;
mod sessions;
mod two_factor;

pub use account::{AccountRow, AccountSettings, account};
pub use appearance::{AppearanceSettings, appearance};
pub use passkeys::{PasskeyRow, PasskeySettings, passkeys};
pub use password::{PasswordSettings, password};
pub use profile::{ProfileSettings, profile};
pub use sessions::{HistoryRow, SessionRow, SessionSettings, sessions};
pub use two_factor::{TwoFactorSettings, TwoFactorState, two_factor};
