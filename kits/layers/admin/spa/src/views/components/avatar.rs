use housekey::prelude::*;

/// A person without a picture: the first letters of the name.
#[component]
pub fn avatar<'a>(name: &'a str) -> impl Renderable {
    rsx! {
        <span aria-hidden="true" class="grid size-9 flex-none place-items-center rounded-full bg-accent-soft text-sm font-bold text-link">
            (initials(name))
        </span>
    }
}

fn initials(name: &str) -> String {
    let mut words = name.split_whitespace().filter_map(|word| word.chars().next());
    words.next().into_iter().chain(words.next_back()).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_the_first_letters_of_its_first_and_last_word() {
        assert_eq!(initials("ada king countess of lovelace"), "AL");
        assert_eq!(initials("  Prince "), "P");
        assert_eq!(initials(""), "");
    }
}
