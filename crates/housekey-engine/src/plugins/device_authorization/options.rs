use crate::Callback;
use crate::options::{ModelNames, RateRule};

#[derive(Clone, Debug)]
pub struct DeviceAuthorizationOptions {
    /// Seconds that a pair of codes lives.
    pub expires_in: u32,
    /// Seconds that a device waits between two polls.
    pub interval: u32,
    /// Characters of the code that the device keeps.
    pub device_code_length: usize,
    /// Characters of the code that the person types.
    pub user_code_length: usize,
    /// The page where the person enters the code: a path of the app's origin, or a whole address.
    pub verification_uri: String,
    /// Says whether there is a client of that id. Unset, every id is taken: then it is only what the device calls itself, and
    /// the page must not present it as known.
    pub validate_client: Callback<String, bool>,
    /// How many user codes one person may try, right or wrong, to look at, approve and deny.
    pub tries_per_user: RateRule,
    /// Keeps rows exactly as the reference does: codes as they are, and nothing about where a request came from or who
    /// approved it. For a database that a JavaScript deployment works on at the same time.
    pub reference_rows: bool,
    /// Other names for the `deviceCode` table and its columns.
    pub schema: ModelNames,
}

impl Default for DeviceAuthorizationOptions {
    fn default() -> Self {
        Self {
            expires_in: 1800,
            interval: 5,
            device_code_length: 40,
            user_code_length: 8,
            verification_uri: "/device".into(),
            validate_client: Callback::unset(),
            tries_per_user: RateRule { window: 1800, max: 20 },
            reference_rows: false,
            schema: ModelNames::new(),
        }
    }
}
