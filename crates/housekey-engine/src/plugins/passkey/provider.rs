/// Who keeps a passkey, by the make of the device ([`Passkey::aaguid`](super::Passkey::aaguid)): the name people know it
/// by, for a list of passkeys. `None` for a make that is not known here, and for the many that do not tell theirs.
///
/// A device can claim any make, since no attestation is asked for: show the name, decide nothing by it.
///
/// ```
/// use housekey_engine::plugins::passkey::passkey_provider;
///
/// assert_eq!(passkey_provider("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"), Some("Google Password Manager"));
/// assert_eq!(passkey_provider("00000000-0000-0000-0000-000000000000"), None);
/// ```
pub fn passkey_provider(aaguid: &str) -> Option<&'static str> {
    let known = PROVIDERS.iter().find(|(make, _)| make.eq_ignore_ascii_case(aaguid));
    known.map(|(_, name)| *name)
}

/// From what the makers publish, and the FIDO Alliance's metadata.
const PROVIDERS: [(&str, &str); 32] = [
    // Part of a system or a browser.
    ("fbfc3007-154e-4ecc-8c0b-6e020557d7bd", "Apple Passwords"),
    ("dd4ec289-e01d-41c9-bb89-70fa845d4bf2", "iCloud Keychain (managed)"),
    ("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", "Google Password Manager"),
    ("adce0002-35bc-c60a-648b-0b25f1f05503", "Chrome on Mac"),
    ("08987058-cadc-4b81-b6e1-30de50dcbe96", "Windows Hello"),
    ("9ddd1817-af5a-4672-a2b9-3e3dd95000a9", "Windows Hello"),
    ("6028b017-b1d4-4c02-b4b3-afcdafc96bb2", "Windows Hello"),
    ("d3452668-01fd-4c12-926c-83a4204853aa", "Microsoft Password Manager"),
    ("771b48fd-d3d4-4f74-9232-fc157ab0507a", "Edge on Mac"),
    ("53414d53-554e-4700-0000-000000000000", "Samsung Pass"),
    // Password managers.
    ("bada5566-a7aa-401f-bd96-45619a55120d", "1Password"),
    ("d548826e-79b4-db40-a3d8-11116f7e8349", "Bitwarden"),
    ("531126d6-e717-415c-9320-3d9aa6981239", "Dashlane"),
    ("f3809540-7f14-49c1-a8b3-8f813b225541", "Enpass"),
    ("fdb141b2-5d84-443e-8a35-4698c205a502", "KeePassXC"),
    ("eaecdef2-1c31-5634-8639-f1cbd9c00a08", "KeePassDX"),
    ("0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6", "Keeper"),
    ("b78a0a55-6ef8-d246-a042-ba0f6d55050c", "LastPass"),
    ("b84e4048-15dc-4dd0-8640-f4f60813c8af", "NordPass"),
    ("50726f74-6f6e-5061-7373-50726f746f6e", "Proton Pass"),
    // Phones as keys.
    ("de1e552d-db1d-4423-a619-566b625cdc84", "Microsoft Authenticator"),
    ("90a3ccdf-635c-4729-a248-9b709135078f", "Microsoft Authenticator"),
    // Keys to carry: one make for each kind of plug and each line of firmware.
    ("cb69481e-8ff7-4039-93ec-0a2729a154a8", "YubiKey 5"),
    ("ee882879-721c-4913-9775-3dfcce97072a", "YubiKey 5"),
    ("19083c3d-8383-4b18-bc03-8f1c9ab2fd1b", "YubiKey 5"),
    ("fa2b99dc-9e39-4257-8f92-4a30d23c4118", "YubiKey 5 NFC"),
    ("2fc0579f-8113-47ea-b116-bb5a8db9202a", "YubiKey 5 NFC"),
    ("a25342c0-3cdc-4414-8e46-f4807fca511c", "YubiKey 5 NFC"),
    ("d7781e5d-e353-46aa-afe2-3ca49f13332a", "YubiKey 5 NFC"),
    ("c5ef55ff-ad9a-4b9f-b580-adebafe026d0", "YubiKey 5Ci"),
    ("a02167b9-ae71-4ac7-9a07-06432ebb6f1c", "YubiKey 5Ci"),
    ("24673149-6c86-42e7-98d9-433fb5b73296", "YubiKey 5Ci"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_make_is_a_uuid_of_its_own_with_a_name() {
        for (index, (make, name)) in PROVIDERS.iter().enumerate() {
            let parts: Vec<usize> = make.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{make}");
            assert!(make.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-')), "{make}");
            assert!(!name.is_empty() && PROVIDERS[..index].iter().all(|(other, _)| other != make), "{make}");
            assert_eq!(passkey_provider(&make.to_uppercase()), Some(*name));
        }
    }

    #[test]
    fn what_is_no_make_has_no_name() {
        for unknown in ["", "bada5566", "00000000-0000-0000-0000-000000000000", "<script>"] {
            assert_eq!(passkey_provider(unknown), None);
        }
    }
}
