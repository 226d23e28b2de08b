//! Room on the disk. A build that runs out of it dies in ways that name anything but the disk: a linker's bus error, a
//! test that cannot open a file.

use std::path::Path;

use crate::process::read;
use crate::workspace::program;

/// What a whole run leaves in an empty target folder, with room for what comes and goes meanwhile.
const WHOLE_RUN: Megabytes = 18_000;
/// Below this, builds and databases fail.
const NOTHING: Megabytes = 500;

type Megabytes = u64;

/// A word of warning before a long run that will hardly come to its end.
pub(crate) fn too_little_for_a_run(target: &Path) -> Option<String> {
    let free = free(target)?;
    if free >= WHOLE_RUN {
        return None;
    }
    let there = used(target).unwrap_or(0);
    (free + there < WHOLE_RUN).then(|| {
        format!(
            "{free} MB are free where {} is. A whole run needs about {WHOLE_RUN} from nothing ({there} are there): \
             make room, or name a folder on another disk in CARGO_TARGET_DIR.",
            target.display()
        )
    })
}

/// What to say after a failure on a disk that is full.
pub(crate) fn full(target: &Path) -> Option<String> {
    let free = free(target)?;
    (free < NOTHING).then(|| {
        format!(
            "The disk is full ({free} MB are left where {} is), and that alone may be why. Make room, and run again.",
            target.display()
        )
    })
}

fn free(folder: &Path) -> Option<Megabytes> {
    let existing = folder.ancestors().find(|folder| folder.exists())?;
    let told = read(program("df").arg("-Pk").arg(existing)).ok()?;
    available(&told)
}

fn used(folder: &Path) -> Option<Megabytes> {
    let told = read(program("du").arg("-sk").arg(folder)).ok()?;
    kilobytes(told.split_whitespace().next()?)
}

/// The fourth column of the second line, as POSIX lays it down.
fn available(df: &str) -> Option<Megabytes> {
    kilobytes(df.lines().nth(1)?.split_whitespace().nth(3)?)
}

fn kilobytes(text: &str) -> Option<Megabytes> {
    text.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_room_is_read_from_df() {
        let told = "Filesystem     1024-blocks     Used Available Capacity Mounted on\n\
                    /dev/vda         263174212 11340112  81952000      13% /\n";
        assert_eq!(available(told), Some(80_031));
        assert_eq!(available("df: no such folder\n"), None);
    }

    #[test]
    fn a_folder_that_is_not_there_yet_has_the_room_of_the_one_around_it() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(free(&folder.path().join("a/b")).is_some(), free(folder.path()).is_some());
        assert_eq!(used(folder.path()), Some(0));
    }
}
