use std::sync::Arc;

use serde::Serialize;

use crate::models::{Changes, Commit, UserView, credential_account};
use crate::password::Owner;
use crate::storage::Filter;
use crate::timing::with_minimum_duration;
use crate::wire::check_sign_in_origin;
use crate::{
    Api, Columns, Endpoint, Field, FieldsOrigin, Media, Record, Reply, Result, Secret, SecurityEventKind,
    Shape, SignedIn, User, UserFields, codes,
};

/// A person who wants an account.
#[derive(Clone, Debug, Default)]
pub struct SignUpEmail {
    /// What they are called; may be empty.
    pub name: String,
    pub email: String,
    pub password: Secret,
    /// Where a picture of them is.
    pub image: Option<String>,
    /// Where the link in the verification mail leads.
    pub callback_url: Option<String>,
    /// Whether the session outlives the browser; yes when unset.
    pub remember_me: Option<bool>,
    /// Columns of plugins and of the app's own.
    pub fields: Record,
}

/// The answer to a sign-up.
#[derive(Clone, Debug)]
pub struct SignedUp {
    /// The user. When addresses must be proven first, this looks the same for an address that is taken.
    pub user: User,
    /// Their session, unless something has to happen first.
    pub session: Option<Arc<SignedIn>>,
}

/// `POST /sign-up/email`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-up/email", |api| Box::pin(answer(api)))
        .accepting(Media::JsonOrForm)
        .about(
            "Makes an account with an address and a password, and signs in. Where addresses have \
             to be proven first, nobody is signed in, the token is null, and the answer is the \
             same for an address that is taken.",
        )
        .takes([
            Field::text("name").about("What the person is called; may be empty.").example("Ada"),
            Field::email("email"),
            Field::secret("password"),
            Field::url("image").optional().about("Where a picture of them is."),
            Field::url("callbackURL")
                .optional()
                .about("Where the link of the mail leads that proves the address."),
            Field::boolean("rememberMe")
                .optional()
                .about("Whether the session outlives the browser; yes by default."),
        ])
        .takes_columns("user", Columns::Create)
        .answers(Shape::object([Field::text("token").or_null(), Field::row("user", "user")]))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        token: Option<&'a str>,
        user: UserView<'a>,
    }
    let mut body = api.request().read_body().shaped(&["object", "record"]);
    let mut input = SignUpEmail {
        name: body.text("name"),
        email: body.email("email"),
        password: body.some_text("password").into(),
        image: body.optional_text("image"),
        callback_url: body.optional_text("callbackURL"),
        remember_me: body.optional_bool("rememberMe"),
        fields: Record::new(),
    };
    let fields = body.all();
    body.finish()?;
    check_sign_in_origin(api).await?;
    input.fields = api.additional_input("user", &fields, true)?;
    let signed_up = api.sign_up_email(input).await?;
    let token = signed_up.session.as_ref().map(|signed_in| signed_in.session.token.as_str());
    Reply::json(&Body { token, user: api.user_view(&signed_up.user)? })
}

impl Api {
    /// Makes an account with an address and a password, and signs in unless the options want something else first. Where they
    /// want the address proven first, an answer tells neither by what it says nor by its time whether the address is taken.
    // spec: SEC-5
    pub async fn sign_up_email(&mut self, input: SignUpEmail) -> Result<SignedUp> {
        let core = Arc::clone(&self.core);
        match core.options.email_and_password.require_email_verification {
            true => with_minimum_duration(&core.clock, Box::pin(self.make_account(input))).await,
            false => self.make_account(input).await,
        }
    }

    async fn make_account(&mut self, mut input: SignUpEmail) -> Result<SignedUp> {
        let core = Arc::clone(&self.core);
        core.check_email(&input.email)?;
        self.check_password_of(owner(&input), &input.password).await?;
        self.set_sign_in_method("password");
        input.fields = self.check_new_fields(&input).await?;
        let email = input.email.to_lowercase();
        let users = core.table("user")?;
        if let Some(existing) = core.storage.find_one(users, &Filter::by("email", &email)).await? {
            return self.refuse_taken(input, email, Some(existing)).await;
        }
        let hash = core.passwords.hash(&input.password).await?;
        let mut changes = Changes::new(&core);
        let user = User::from_record(changes.create("user", user_record(&input, &email)).await?)?;
        changes.create("account", credential_account(&user.id, &hash)).await?;
        let options = &core.options.email_and_password;
        let session = if options.auto_sign_in && !options.require_email_verification {
            self.first_session_in(&mut changes, &user).await?;
            Some(self.prepare_session(&mut changes, &user.id, remember(&input)).await?)
        } else {
            None
        };
        if changes.commit().await? == Commit::Lost {
            // Whoever was faster may have taken something else than the address.
            self.check_new_fields(&input).await?;
            return self.refuse_taken(input, email, None).await;
        }
        let verification = &core.options.email_verification;
        if verification.send_on_sign_up.unwrap_or(options.require_email_verification) {
            self.send_verification(&user, input.callback_url.as_deref()).await;
        }
        let session = match session {
            Some(session) => {
                let signed_in =
                    self.adopt_session(SignedIn::new(session, user.clone()), remember(&input)).await;
                // After the session's cookie, which simple clients take to be the first.
                self.remember_device(&user, &hash);
                Some(signed_in)
            }
            None => None,
        };
        self.emit(self.event(SecurityEventKind::SignUp, Some(&user.id))).await;
        Ok(SignedUp { user, session })
    }

    /// Makes an account without signing in and without sending anything: for those who make accounts for others.
    /// `fields` are set on the user as they are, `emailVerified` for instance.
    pub async fn create_user(&self, mut input: SignUpEmail, fields: Record) -> Result<User> {
        let core = &self.core;
        core.check_email(&input.email)?;
        self.check_password_of(owner(&input), &input.password).await?;
        input.fields = self.check_new_fields(&input).await?;
        let hash = core.passwords.hash(&input.password).await?;
        let mut record = user_record(&input, &input.email.to_lowercase());
        record.merge(fields);
        let mut changes = Changes::new(core);
        let user = User::from_record(changes.create("user", record).await?)?;
        changes.create("account", credential_account(&user.id, &hash)).await?;
        match changes.commit().await? {
            Commit::Lost => {
                self.check_new_fields(&input).await?;
                Err(codes::USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL.unprocessable())
            }
            Commit::Done => Ok(user),
        }
    }

    /// What plugins make of the fields of somebody who is coming.
    async fn check_new_fields(&self, input: &SignUpEmail) -> Result<Record> {
        let asked = UserFields {
            user: None,
            email: input.email.to_lowercase(),
            fields: input.fields.clone(),
            origin: FieldsOrigin::Person,
        };
        self.check_user_fields(asked).await
    }

    /// Says that the address is taken, or, where the answer must not tell, makes up what a new user would see.
    async fn refuse_taken(
        &self,
        input: SignUpEmail,
        email: String,
        existing: Option<Record>,
    ) -> Result<SignedUp> {
        let options = &self.core.options.email_and_password;
        if options.auto_sign_in && !options.require_email_verification {
            return Err(codes::USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL.unprocessable());
        }
        if let Some(existing) = existing {
            self.core.passwords.pretend(&input.password).await?;
            let existing = User::from_record(existing)?;
            if self.may_mail("sign-up", &existing.email, u32::MAX).await {
                self.send("onExistingUserSignUp", &options.on_existing_user_sign_up, existing).await;
            }
        }
        let mut made_up = user_record(&input, &email);
        self.core.complete(self.core.table("user")?, &mut made_up).await?;
        Ok(SignedUp { user: User::from_record(made_up)?, session: None })
    }
}

fn owner(input: &SignUpEmail) -> Owner<'_> {
    Owner { name: &input.name, email: &input.email }
}

fn user_record(input: &SignUpEmail, email: &str) -> Record {
    let mut record = input.fields.clone();
    record.merge(
        Record::new()
            .with("name", &input.name)
            .with("email", email)
            .with("emailVerified", false)
            .with("image", input.image.as_deref()),
    );
    record
}

fn remember(input: &SignUpEmail) -> Option<bool> {
    Some(input.remember_me.unwrap_or(true))
}
