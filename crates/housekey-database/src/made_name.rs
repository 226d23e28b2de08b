//! The names of indexes and keys that nobody named.

use crate::stable_hash::stable_hash;

/// PostgreSQL cuts a name at 63 bytes without a word, MySQL refuses more than 64 characters.
const LONGEST: usize = 60;

/// `posts_author_id_title_unique`; a long one ends in a number made from all of it.
pub(crate) fn made_name(table: &str, columns: &[String], kind: &str) -> String {
    let name = format!("{table}_{}_{kind}", columns.join("_"));
    if name.len() <= LONGEST {
        return name;
    }
    let tail = format!("_{:08x}_{kind}", stable_hash(name.bytes()) & 0xffff_ffff);
    let mut end = LONGEST - tail.len();
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{tail}", &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_name_fits_every_engine_and_stays_apart_from_its_neighbours() {
        let long = |last: &str| {
            made_name("a_table_with_quite_a_long_name", &["first_long_column".into(), last.into()], "index")
        };
        assert!(long("second_long_column").len() <= LONGEST);
        assert_ne!(long("second_long_column_a"), long("second_long_column_b"));
        assert_eq!(made_name("posts", &["title".into()], "unique"), "posts_title_unique");
    }
}
