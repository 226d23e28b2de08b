//! When somebody who comes from a provider is one of our users.

use crate::options::AccountLinking;

/// What speaks for connecting an account with a user of the same address, when nobody but the address says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SameAddress {
    /// The provider says that it proved the address.
    pub(super) provider_verified: bool,
    /// The options take the provider's word without that.
    pub(super) provider_trusted: bool,
    /// Our own user has proved it.
    pub(super) local_verified: bool,
}

impl SameAddress {
    /// Why it is not enough, for the log; `None` when it is.
    // spec: SOC-5
    pub(super) fn objection(self, options: &AccountLinking) -> Option<&'static str> {
        if options.enabled == Some(false) {
            Some("account.accountLinking.enabled is false")
        } else if options.disable_implicit_linking {
            Some("account.accountLinking.disableImplicitLinking is on")
        } else if !self.provider_verified && !self.provider_trusted {
            Some("the provider does not say that it proved the address, and is not among trustedProviders")
        } else if !self.local_verified && options.require_local_email_verified {
            // Also for a trusted provider: whoever signed up with this address may be somebody else, who would be in the
            // account of its owner then.
            Some(
                "our user with this address has not proved it: they can sign in with their password and connect then",
            )
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    // spec: SOC-5
    fn an_address_connects_by_the_measured_matrix() {
        let default = AccountLinking::default();
        let open = AccountLinking { require_local_email_verified: false, ..default.clone() };
        let off = AccountLinking { enabled: Some(false), ..open.clone() };
        let explicit = AccountLinking { disable_implicit_linking: true, ..open.clone() };
        // Columns: provider verified and local verified; provider only; local only; neither.
        for (name, options, trusted, linked) in [
            ("default", &default, false, [true, false, false, false]),
            ("trusted provider", &default, true, [true, false, true, false]),
            ("local need not be verified", &open, false, [true, true, false, false]),
            ("both", &open, true, [true, true, true, true]),
            ("linking off", &off, true, [false; 4]),
            ("implicit linking off", &explicit, true, [false; 4]),
        ] {
            let cells = [(true, true), (true, false), (false, true), (false, false)];
            let measured = cells.map(|(provider_verified, local_verified)| {
                let same = SameAddress { provider_verified, provider_trusted: trusted, local_verified };
                same.objection(options).is_none()
            });
            assert_eq!(measured, linked, "{name}");
        }
    }
}
