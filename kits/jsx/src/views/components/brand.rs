use housekey::prelude::*;

/// The mark and the name of the app.
#[component]
pub fn brand<'a>(href: &'a str) -> impl Renderable {
    let app = service::<AppConfig>().unwrap_or_default();
    rsx! {
        <a href=(href) class="inline-flex min-w-0 items-center gap-2.5 rounded-md font-display text-lg font-bold tracking-tight">
            <svg class="size-8 flex-none" viewBox="0 0 32 32" aria-hidden="true">
                <path class="fill-home" d="M16 1.5 30 13v14.5a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V13z"></path>
                <path class="lit" d="M16 10.5a5 5 0 0 1 2.6 9.27L20 26.5h-8l1.4-6.73A5 5 0 0 1 16 10.5z"></path>
            </svg>
            <span class="truncate">(app.name)</span>
        </a>
    }
}

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
