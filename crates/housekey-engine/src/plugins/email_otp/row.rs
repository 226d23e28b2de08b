//! A code that was sent: its row, and the tries that it has.

use super::stored::{is_same, readable, stored};
use super::{EmailOtpOptions, EmailOtpType, INVALID_OTP, OTP_EXPIRED, ResendStrategy, TOO_MANY_ATTEMPTS};
use crate::storage::Filter;
use crate::{Api, ApiError, Changes, Record, Result, Secret, User, Verification, random};

/// Where a code lies.
pub(super) struct Slot<'a> {
    identifier: String,
    /// The address that it is sent to.
    email: &'a str,
    /// Whose account a guess is about, if it is anybody's.
    user: Option<&'a User>,
}

impl<'a> Slot<'a> {
    /// The place of a code for an address, which must be in lower case.
    pub(super) fn new(kind: EmailOtpType, email: &'a str, user: Option<&'a User>) -> Self {
        Self { identifier: format!("{kind}-otp-{email}"), email, user }
    }

    /// The place of a code with which a user moves to an address: nobody else can use it.
    pub(super) fn of_change(user: &'a User, new_email: &'a str) -> Self {
        let kind = EmailOtpType::ChangeEmail;
        // Guesses are counted by the address alone: whoever is signed in as somebody else has no better right to it.
        Self { identifier: format!("{kind}-otp-{}:{new_email}", user.id), email: new_email, user: None }
    }

    /// Makes a code, or takes the one that is there where the options want that. It is the only one from now on.
    pub(super) async fn issue(&self, api: &Api, options: &EmailOtpOptions) -> Result<String> {
        if options.resend_strategy == ResendStrategy::Reuse
            && let Some(otp) = self.prolong(api, options).await?
        {
            return Ok(otp);
        }
        let otp = random::digits(options.otp_length);
        let value = format!("{}:0", stored(api, options, &self.identifier, &otp)?);
        api.verifications().replace(&self.identifier, &value, options.expires_in).await?;
        Ok(otp)
    }

    /// The code that is there, if it can be read and has tries left, which then works longer. Its tries go on where they were.
    async fn prolong(&self, api: &Api, options: &EmailOtpOptions) -> Result<Option<String>> {
        let Some(found) = api.verifications().find(&self.identifier).await? else { return Ok(None) };
        let (kept, attempts) = split(&found);
        let Some(otp) = readable(api, options, kept)?.filter(|_| attempts < options.allowed_attempts) else {
            return Ok(None);
        };
        let mut changes = api.changes();
        let life = time::Duration::seconds(i64::from(options.expires_in));
        let longer = Record::new().with("expiresAt", api.clock().now() + life);
        changes.update("verification", Filter::by("id", &found.id), longer).await?;
        let _ = changes.commit().await?;
        Ok(Some(otp))
    }

    /// The code that is there, where it can be read.
    pub(super) async fn read(&self, api: &Api, options: &EmailOtpOptions) -> Result<Option<Option<String>>> {
        let Some(found) = api.verifications().find(&self.identifier).await? else { return Ok(None) };
        readable(api, options, split(&found).0).map(Some)
    }

    /// Looks whether a code is right. It is counted before it is compared: over all codes of the address, and in its row, so that
    /// of guesses which arrive together each costs a try or loses to the one that did.
    // spec: SEC-4
    pub(super) async fn check(&self, api: &Api, options: &EmailOtpOptions, otp: &Secret) -> Result<Right> {
        api.count_code_guess(self.email, self.user).await?;
        let verifications = api.verifications();
        let Some(found) = verifications.find_even_expired(&self.identifier).await? else {
            return Err(INVALID_OTP.bad_request());
        };
        let ended = found.expires_at <= api.clock().now();
        let (kept, attempts) = split(&found);
        if ended || attempts >= options.allowed_attempts {
            verifications.delete(&self.identifier).await?;
            return Err(if ended { OTP_EXPIRED.bad_request() } else { TOO_MANY_ATTEMPTS.forbidden() });
        }
        let counted = Verification { value: format!("{kept}:{}", attempts + 1), ..found.clone() };
        let is_ours = verifications.swap(&found, &counted.value).await?;
        if !is_ours || !is_same(api, options, &self.identifier, kept, otp.reveal())? {
            return Err(INVALID_OTP.bad_request());
        }
        api.forget_code_guesses(self.email, self.user).await?;
        Ok(Right { identifier: self.identifier.clone(), before: found.value, counted })
    }
}

/// Adds to some changes the end of the codes that are on their way to a user and let somebody in.
pub(super) async fn end_all_in(api: &Api, changes: &mut Changes, user: &User) -> Result<()> {
    for kind in [EmailOtpType::SignIn, EmailOtpType::ForgetPassword, EmailOtpType::EmailVerification] {
        let slot = Slot::new(kind, &user.email, None);
        api.verifications().delete_in(changes, &slot.identifier).await?;
    }
    Ok(())
}

/// A code that was right. It works on until it is spent.
pub(super) struct Right {
    identifier: String,
    /// The row's value before this try was counted.
    before: String,
    counted: Verification,
}

impl Right {
    /// Adds to some changes that the code is spent: of two who try, one does.
    pub(super) async fn spend_in(&self, api: &Api, changes: &mut Changes) -> Result<()> {
        changes.delete_expecting("verification", Filter::by("id", &self.counted.id)).await?;
        api.verifications().delete_in(changes, &self.identifier).await
    }

    /// Gives back the try that it took: it was right, and is not spent.
    pub(super) async fn give_back(&self, api: &Api) -> Result<()> {
        api.verifications().swap(&self.counted, &self.before).await.map(drop)
    }

    /// The same for something else that was refused, which it gives on.
    pub(super) async fn kept_for(&self, api: &Api, refusal: ApiError) -> ApiError {
        match self.give_back(api).await {
            Ok(()) => refusal,
            Err(error) => error,
        }
    }
}

/// The code as it is stored, and the tries that it had. A count that cannot be read allows none.
fn split(row: &Verification) -> (&str, u32) {
    match row.value.rsplit_once(':') {
        Some((kept, attempts)) => (kept, attempts.parse().unwrap_or(u32::MAX)),
        None => (&row.value, 0),
    }
}
