use serde_json::json;

use super::keyring;
use super::token as signing;
use crate::{Endpoint, Field, Reply, Shape};

/// `GET /token`
pub(super) fn token() -> Endpoint {
    Endpoint::get("/token", |api| {
        Box::pin(async move { Reply::json(&json!({ "token": signing::token(api).await? })) })
    })
    .about("Gives a JWT about whoever is signed in. Other services check it with the public keys, without asking.")
    .needs_session()
    .answers(Shape::object([Field::secret("token")]))
}

/// `GET /jwks`
pub(super) fn key_set(path: String) -> Endpoint {
    Endpoint::get(path, |api| Box::pin(async move { Reply::json(&keyring::key_set(api).await?) }))
        .about("Gives the public keys that tokens are checked with, as a JSON Web Key Set (RFC 7517).")
        .answers(Shape::object([Field::list(
            "keys",
            Shape::object([
                Field::text("kid").about("The name that a token gives to its key."),
                Field::text("kty"),
                Field::text("alg"),
                Field::text("crv").optional(),
                Field::text("x").optional(),
                Field::text("y").optional(),
                Field::text("n").optional(),
                Field::text("e").optional(),
            ]),
        )]))
}
