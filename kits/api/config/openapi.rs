use housekey::{OpenApiConfig, default, env};

/// The description of the API, which is made from its routes: `/api/docs` for people, `/api/openapi.json` for programs.
pub fn openapi() -> OpenApiConfig {
    OpenApiConfig {
        // Everywhere but in production, unless the environment decides: it tells everybody what can be asked for.
        enabled: env::<String>("OPENAPI", "").parse().ok(),

        version: env!("CARGO_PKG_VERSION").into(),

        description: "Everything is JSON, errors too. Sign in, keep the token of the answer, and send it with every request as \
                      `authorization: Bearer <token>`."
            .into(),

        ..default()
    }
}
