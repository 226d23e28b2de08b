/// The longest name that every database takes.
const LONGEST_NAME: usize = 63;

/// An index with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// `<table>_<column>…_idx`, `_uidx` when unique, `_search_idx` when it is for searching.
    pub name: String,
    /// The engine's names of the columns.
    pub fields: Vec<String>,
    /// Their names in the database.
    pub columns: Vec<String>,
    /// Whether no two rows may agree in all of them.
    pub unique: bool,
    /// Whether it finds texts by how they begin, whatever their case. It has one column then.
    pub search: bool,
}

/// What an index is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Looking rows up, and reading them in its order.
    Order,
    /// The same, and that no two rows agree.
    Unique,
    /// Finding texts by how they begin.
    Search,
}

impl Index {
    pub(super) fn new(table: &str, fields: Vec<String>, columns: Vec<String>, purpose: Purpose) -> Self {
        let (unique, search) = (purpose == Purpose::Unique, purpose == Purpose::Search);
        Self { name: name(table, &columns, purpose), fields, columns, unique, search }
    }
}

fn name(table: &str, columns: &[String], purpose: Purpose) -> String {
    let suffix = match purpose {
        Purpose::Order => "_idx",
        Purpose::Unique => "_uidx",
        Purpose::Search => "_search_idx",
    };
    let stem = format!("{table}_{}", columns.join("_"));
    if stem.len() + suffix.len() <= LONGEST_NAME {
        return format!("{stem}{suffix}");
    }
    // Two long names that begin alike must not become one.
    let hash = format!("_{:08x}", fnv_1a(stem.as_bytes()));
    let room = LONGEST_NAME - suffix.len() - hash.len();
    let cut: String =
        stem.char_indices().take_while(|(at, c)| at + c.len_utf8() <= room).map(|(_, c)| c).collect();
    format!("{cut}{hash}{suffix}")
}

fn fnv_1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_table_and_columns() {
        let columns = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(name("session", &columns(&["userId"]), Purpose::Order), "session_userId_idx");
        assert_eq!(
            name("account", &columns(&["issuer", "accountId"]), Purpose::Unique),
            "account_issuer_accountId_uidx"
        );
        assert_eq!(name("user", &columns(&["name"]), Purpose::Search), "user_name_search_idx");
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let column = |last: char| vec![format!("{}{last}", "c".repeat(70))];
        let (first, second) =
            (name("table", &column('a'), Purpose::Unique), name("table", &column('b'), Purpose::Unique));
        assert_eq!(first.len(), 63);
        assert_ne!(first, second);
        assert!(first.ends_with("_uidx"));
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv_1a(b"foobar"), 0xbf9c_f968);
    }
}
