use std::net::IpAddr;

/// Where a device was seen, in the short way that addresses are written. Of a long one only the first half is known: the
/// part that stands for a household.
pub fn place(address: Option<&str>) -> String {
    let address = address.unwrap_or_default();
    address.parse::<IpAddr>().map_or_else(|_| address.to_owned(), |address| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_in_its_short_form() {
        assert_eq!(place(Some("2001:0db8:85a3:08d3:0000:0000:0000:0000")), "2001:db8:85a3:8d3::");
        assert_eq!(place(Some("198.51.100.7")), "198.51.100.7");
        assert_eq!(place(Some("behind a wall")), "behind a wall");
        assert_eq!(place(None), "");
    }
}
