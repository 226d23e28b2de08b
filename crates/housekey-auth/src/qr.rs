use std::fmt::Write as _;

use housekey_core::{Error, Result};
use qrcode::{Color, QrCode};

/// The light border that readers need, in modules.
const QUIET: usize = 4;

/// A QR code as an SVG to put into a page: dark on light whatever the theme, for cameras read nothing else. It carries no
/// style of its own, so the strictest content security policy lets it through.
///
/// ```
/// let svg = housekey_auth::qr_svg("otpauth://totp/Shop:ada@example.com?secret=JBSWY3DPEHPK3PXP").unwrap();
/// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
/// ```
pub fn qr_svg(text: &str) -> Result<String> {
    let code =
        QrCode::new(text).map_err(|error| Error::internal(format!("no QR code can hold this: {error}")))?;
    let width = code.width();
    let side = width + 2 * QUIET;
    let mut path = String::new();
    for (place, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let _ = write!(path, "M{} {}h1v1h-1z", place % width + QUIET, place / width + QUIET);
        }
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\" \
         aria-hidden=\"true\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/><path fill=\"#000\" d=\"{path}\"/></svg>"
    ))
}
