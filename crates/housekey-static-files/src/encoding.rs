use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, HeaderValue};

/// A compression a sibling file can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }

    pub(crate) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        })
    }
}

/// The encodings a client accepts, the best first.
pub(crate) fn accepted(headers: &HeaderMap) -> Vec<Encoding> {
    let quality = |wanted: &[&str]| {
        let offers = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        offers.flat_map(|value| value.split(',')).filter_map(|offer| quality_of(offer, wanted)).next()
    };
    let any = quality(&["*"]).unwrap_or(0);
    let mut encodings = [
        (quality(&["br"]).unwrap_or(any), Encoding::Brotli),
        (quality(&["gzip", "x-gzip"]).unwrap_or(any), Encoding::Gzip),
    ];
    // Stable: at equal quality the smaller one stays in front.
    encodings.sort_by_key(|(quality, _)| std::cmp::Reverse(*quality));
    encodings.into_iter().filter(|(quality, _)| *quality > 0).map(|(_, encoding)| encoding).collect()
}

/// The weight of an offer in thousandths, if it names one of the wanted codings. A weight that cannot be read is a
/// refusal: plain bytes are always understood.
fn quality_of(offer: &str, wanted: &[&str]) -> Option<u32> {
    let mut parts = offer.split(';').map(str::trim);
    let name = parts.next()?;
    if !wanted.iter().any(|wanted| name.eq_ignore_ascii_case(wanted)) {
        return None;
    }
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    Some(weight.map_or(1000, |weight| match weight.parse::<f32>() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => (weight * 1000.0) as u32,
        _ => 0,
    }))
}

#[cfg(test)]
mod tests {
    use super::Encoding::{Brotli, Gzip};
    use super::*;

    #[test]
    fn the_clients_weights_decide_and_brotli_wins_a_tie() {
        for (header, expected) in [
            ("", vec![]),
            ("identity", vec![]),
            ("gzip", vec![Gzip]),
            ("gzip, deflate, br, zstd", vec![Brotli, Gzip]),
            ("br;q=0.5, gzip;q=0.9", vec![Gzip, Brotli]),
            ("br;q=0, gzip", vec![Gzip]),
            ("BR , x-gzip", vec![Brotli, Gzip]),
            ("*", vec![Brotli, Gzip]),
            ("*;q=0.1, br;q=0", vec![Gzip]),
            ("br;q=NaN, gzip;q=7", vec![]),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(header));
            assert_eq!(accepted(&headers), expected, "{header}");
        }
    }
}
