use housekey::default;
use housekey::security::{CspConfig, HstsConfig, SecurityConfig, sources};

/// The headers that tell browsers what to refuse. A route that sets one of them itself wins.
pub fn security() -> SecurityConfig {
    SecurityConfig {
        // Browsers run and load only what this policy names. `'nonce'` becomes a fresh random word on every page
        // that asks for one; scripts and styles that carry it are ours. Start with `report_only: true` when you add
        // a source and want to see what would break.
        csp: CspConfig {
            script_src: sources(["'self'", "'nonce'"]),
            style_src: sources(["'self'", "'nonce'"]),
            img_src: sources(["'self'", "data:"]),
            ..default()
        },

        // Tells browsers to use nothing but https for a year. Sent in production over https only.
        hsts: HstsConfig { include_subdomains: true, ..default() },

        // Nobody may show these pages in a frame: a click on them is meant for them.
        frame_options: Some("DENY".into()),

        // Other sites learn where a visitor came from, but not which page.
        referrer_policy: Some("strict-origin-when-cross-origin".into()),

        ..default()
    }
}
