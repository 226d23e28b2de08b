//! An engine with everything on.

use std::collections::BTreeMap;

use housekey_engine::options::{
    AdditionalField, ChangeEmailMail, EmailAndPassword, EngineOptions, FieldKind, LinkMail,
};
use housekey_engine::plugins::admin::AdminOptions;
use housekey_engine::plugins::email_otp::{ChangeEmailByCode, EmailOtpMail};
use housekey_engine::plugins::magic_link::MagicLinkMail;
use housekey_engine::plugins::organization::{
    DynamicRoles, OrganizationOptions, TeamOptions, default_access,
};
use housekey_engine::plugins::two_factor::{OtpMail, OtpOptions, TwoFactorOptions};
use housekey_engine::plugins::{
    EmailOtpOptions, MagicLinkOptions, admin, anonymous, api_key, bearer, device_authorization, email_otp,
    jwt, last_login_method, magic_link, multi_session, one_time_token, organization, passkey, two_factor,
    username,
};
use housekey_engine::social::{Provider, SocialProviders};
use housekey_engine::{ApiError, Callback, Engine, MemoryStorage, Plugins};

pub(crate) fn engine() -> Engine {
    let mut options = EngineOptions {
        secret: "a-very-long-secret-for-testing-0123456789-abcdef".into(),
        base_url: "http://localhost:3000".into(),
        production: false,
        email_and_password: EmailAndPassword { enabled: true, ..EmailAndPassword::default() },
        ..EngineOptions::default()
    };
    options.email_and_password.send_reset_password =
        Callback::new(|_: LinkMail| async { Ok::<_, ApiError>(()) });
    options.email_verification.send_verification_email =
        Callback::new(|_: LinkMail| async { Ok::<_, ApiError>(()) });
    options.user.change_email.enabled = true;
    options.user.change_email.send_change_email_confirmation =
        Callback::new(|_: ChangeEmailMail| async { Ok::<_, ApiError>(()) });
    options.user.delete_user.enabled = true;
    options.user.delete_user.send_delete_account_verification =
        Callback::new(|_: LinkMail| async { Ok::<_, ApiError>(()) });
    options.user.additional_fields = BTreeMap::from([(
        "shoeSize".to_owned(),
        AdditionalField { kind: FieldKind::Number, required: true, ..AdditionalField::default() },
    )]);
    options.session.additional_fields = BTreeMap::from([(
        "theme".to_owned(),
        AdditionalField { kind: FieldKind::String, required: false, ..AdditionalField::default() },
    )]);
    options.session.defer_session_refresh = true;
    options.social_providers = SocialProviders::from([Provider::google("an id", "a secret")]);
    Engine::builder(options).plugins(plugins()).build(MemoryStorage::new()).unwrap()
}

fn plugins() -> Plugins {
    let otp = OtpOptions {
        send_otp: Callback::new(|_: OtpMail| async { Ok::<_, ApiError>(()) }),
        ..OtpOptions::default()
    };
    let organizations = OrganizationOptions {
        teams: Some(TeamOptions::default()),
        access: Some(default_access()),
        dynamic_roles: Some(DynamicRoles::default()),
        ..OrganizationOptions::default()
    };
    let codes = EmailOtpOptions {
        send_verification_otp: Callback::new(|_: EmailOtpMail| async { Ok::<_, ApiError>(()) }),
        change_email: ChangeEmailByCode { enabled: true, ..ChangeEmailByCode::default() },
        ..EmailOtpOptions::default()
    };
    let links = MagicLinkOptions {
        send_magic_link: Callback::new(|_: MagicLinkMail| async { Ok::<_, ApiError>(()) }),
        ..MagicLinkOptions::default()
    };
    // What asks other hosts (captcha, breached passwords) has no endpoints.
    Plugins::from([
        two_factor(TwoFactorOptions { otp, ..TwoFactorOptions::default() }),
        passkey(Default::default()),
        organization(organizations),
        admin(AdminOptions::default()),
        bearer(Default::default()),
        email_otp(codes),
        magic_link(links),
        username(Default::default()),
        anonymous(Default::default()),
        last_login_method(Default::default()),
        multi_session(Default::default()),
        device_authorization(Default::default()),
        one_time_token(Default::default()),
        api_key(Default::default()),
        jwt(Default::default()),
    ])
}
