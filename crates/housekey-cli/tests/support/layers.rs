//! The layers that this binary says it has, and what they do to an app, found out by looking.

use super::Sandbox;
use super::kept::{Files, files};

/// The names of the layers that fit a kit, in their order.
pub(crate) fn fitting(sandbox: &Sandbox, kit: &str) -> Vec<String> {
    let help = sandbox.housekey(&["add", "--help"]).said();
    let list =
        help.split("Layers in this version:\n").nth(1).unwrap_or_else(|| panic!("no list in:\n{help}"));
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let fits = |line: &str| line.rsplit_once(" For ").is_some_and(|(_, kits)| kits.contains(kit));
    lines
        .filter(|line| fits(line))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

/// Every set of layers that fits a kit, without the empty one.
pub(crate) fn combinations(sandbox: &Sandbox, kit: &str) -> Vec<Vec<String>> {
    let layers = fitting(sandbox, kit);
    let chosen = |set: usize| layers.iter().enumerate().filter(move |(bit, _)| set >> bit & 1 == 1);
    (1..1_usize << layers.len()).map(|set| chosen(set).map(|(_, name)| name.clone()).collect()).collect()
}

/// Creates an app below a folder of the sandbox and gives back its files, without what is random or of this machine.
pub(crate) fn created(sandbox: &Sandbox, folder: &str, kit: &str, layers: &[String]) -> Files {
    std::fs::create_dir_all(sandbox.path(folder)).unwrap();
    let (kit, with) = (format!("--kit={kit}"), format!("--with={}", layers.join(",")));
    let mut arguments = vec!["create", "shop", &kit, "--no-install", "--no-git"];
    if !layers.is_empty() {
        arguments.push(&with);
    }
    sandbox.housekey_in(folder, &arguments).assert_ok();
    comparable(sandbox, &format!("{folder}/shop"))
}

/// The files of an app but for `.env`, whose secrets are its own.
pub(crate) fn comparable(sandbox: &Sandbox, app: &str) -> Files {
    let mut files = files(&sandbox.path(app));
    files.remove(".env").expect("an app has its `.env`");
    files
}

/// A line of text that one side has and the other has not, and where: the first difference of two texts.
pub(crate) fn first_difference(one: &str, other: &str) -> usize {
    one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count()
}
