//! What the kernel knows of a process: the time it computed, the memory it holds.

use std::fs;
use std::time::Duration;

/// Linux counts processor time in hundredths of a second for user programs, on every platform Rust runs on.
const TICKS_PER_SECOND: f64 = 100.0;

/// The processor time a process has used so far.
pub(crate) fn used(id: u32) -> Option<Duration> {
    let (user, system) = fields(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?, 11)?;
    Some(ticks(user + system))
}

/// Waits until a process has nothing more to do: one that was cut off in the middle of its work must not disturb the next.
pub(crate) fn wait_until_quiet(id: u32) {
    const PAUSE: Duration = Duration::from_millis(200);
    for _ in 0..50 {
        let before = used(id);
        std::thread::sleep(PAUSE);
        let spent = used(id).zip(before).map(|(after, before)| after.saturating_sub(before));
        if spent.is_none_or(|spent| spent < PAUSE / 10) {
            return;
        }
    }
}

/// The processor time of all our children that have ended, and of theirs.
pub(crate) fn of_children() -> Option<Duration> {
    let (user, system) = fields(&fs::read_to_string("/proc/self/stat").ok()?, 13)?;
    Some(ticks(user + system))
}

/// The processor time of a process and everything it has started: those that run, and those that have ended.
pub(crate) fn of_family(id: u32) -> Option<Duration> {
    let stats: Vec<(u32, String)> = fs::read_dir("/proc")
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|id: u32| Some((id, fs::read_to_string(format!("/proc/{id}/stat")).ok()?)))
        .collect();
    family_ticks(id, &stats).map(ticks)
}

fn family_ticks(id: u32, stats: &[(u32, String)]) -> Option<u64> {
    let (_, stat) = stats.iter().find(|(one, _)| *one == id)?;
    let (own, ended) = (fields(stat, 11)?, fields(stat, 13)?);
    let running =
        stats.iter().filter(|(_, stat)| fields(stat, 1).is_some_and(|(parent, _)| parent == u64::from(id)));
    let running: u64 = running.filter_map(|(child, _)| family_ticks(*child, stats)).sum();
    Some(own.0 + own.1 + ended.0 + ended.1 + running)
}

/// Resident memory in MB.
pub(crate) fn resident(id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// The most memory that a process ever had, in MB of a million bytes.
pub(crate) fn peak(id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}

fn ticks(count: u64) -> Duration {
    Duration::from_secs_f64(count as f64 / TICKS_PER_SECOND)
}

/// Two neighbours after the command's name, which may itself hold spaces and parentheses.
fn fields(stat: &str, first: usize) -> Option<(u64, u64)> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_whitespace().skip(first);
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_are_found_behind_an_awkward_name() {
        let stat = "42 (a) b) S 1 42 42 0 -1 4194304 100 0 0 0 7 3 11 5 20 0 1 0";
        assert_eq!(fields(stat, 11), Some((7, 3)));
        assert_eq!(fields(stat, 13), Some((11, 5)));
    }

    #[test]
    fn a_family_is_everyone_below_and_everyone_gone() {
        let stat = |id: u32, parent: u32, times: &str| {
            (id, format!("{id} (x) S {parent} {id} {id} 0 -1 4194304 100 0 0 0 {times} 20 0 1 0"))
        };
        let stats =
            [stat(7, 1, "1 2 10 20"), stat(8, 7, "3 0 0 0"), stat(9, 8, "4 0 0 0"), stat(10, 1, "99 0 0 0")];
        assert_eq!(family_ticks(7, &stats), Some(40));
        assert_eq!(family_ticks(11, &stats), None);
    }
}
