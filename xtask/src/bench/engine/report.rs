use super::{Both, Storm};
use crate::bench::median;
use crate::bench::series::Series;
use crate::ui;

/// The p99 under a storm, in milliseconds.
const STORM_BAR: f64 = 5.0;
/// Resident memory in MB.
const MEMORY_BAR: f64 = 40.0;

/// What an API key may cost, in times of what a session costs.
const KEY_BAR: f64 = 1.3;

/// What is promised of a kind of work.
#[derive(Clone, Copy)]
pub(super) enum Promise {
    /// So many times as much in a second, at so many times less processor time.
    Both(f64),
    /// So many times less processor time: an answer waits on purpose, or the path between is not ours.
    Cpu(f64),
}

/// One line for each kind of work: its name, the ratio that we promise, what was measured.
pub(super) fn ratios(works: &[(&str, Promise, Both)]) {
    let head = ["", "Node req/s", "ours", "ratio", "Node CPU µs/req", "ours", "ratio", "p99 ms", "bar", ""];
    let mut rows = vec![head.map(String::from).to_vec()];
    for (name, promise, Both { node, ours }) in works {
        let (rate, cost) = (ours.rate() / node.rate(), node.cost() / ours.cost());
        let (bar, in_rate) = match *promise {
            Promise::Both(bar) => (format!("≥ {bar}×"), Some(rate >= bar)),
            Promise::Cpu(bar) => (format!("≥ {bar}× CPU"), None),
        };
        let (Promise::Both(least) | Promise::Cpu(least)) = *promise;
        rows.push(vec![
            (*name).into(),
            format!("{:.1}", node.rate()),
            format!("{:.1}", ours.rate()),
            format!("{rate:.1}×"),
            format!("{:.0}", node.cost()),
            format!("{:.1}", ours.cost()),
            format!("{cost:.1}×"),
            format!("{:.2}", ours.median(|round| round.p99)),
            bar,
            match (in_rate, cost >= least) {
                (Some(true) | None, true) => "met".into(),
                (Some(true), false) => "met in rate, missed in CPU".into(),
                (Some(false), true) => "met in CPU, missed in rate".into(),
                (Some(false) | None, false) => "missed".into(),
            },
        ]);
    }
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
}

pub(super) fn storm(storm: &Storm) {
    let [idle, busy] = [&storm.idle, &storm.busy].map(|series| series.median(|round| round.p99));
    let times = busy / idle;
    ui::line(format_args!(
        "  get-session, p99: {idle:.2} ms idle, {busy:.2} ms ({times:.1}×) under a storm of sign-ins, the bar is ≤ {STORM_BAR} ms: {}",
        verdict(busy <= STORM_BAR)
    ));
    ui::line(format_args!(
        "    meanwhile {:.0} of {:.0} get-session/s and {:.1} sign-ins/s",
        storm.busy.rate(),
        storm.idle.rate(),
        median(storm.sign_ins.clone())
    ));
}

/// What a key costs beside a session of its owner, on one database.
pub(super) fn keys(database: &str, session: &Series, key: &Series) {
    let (cost, rate) = (key.cost() / session.cost(), session.rate() / key.rate());
    ui::line(format_args!(
        "  API key check on {database}: {:.1} µs CPU, get-session {:.1} µs ({cost:.2}×); {:.0}/s, get-session {:.0}/s \
         ({rate:.2}× the time), the bar is ≤ {KEY_BAR}×: {}",
        key.cost(),
        session.cost(),
        key.rate(),
        session.rate(),
        verdict(cost <= KEY_BAR)
    ));
}

/// Node's and ours, at the end of the storm and when it was over.
pub(super) fn memory(in_storm: [Option<f64>; 2], after: [Option<f64>; 2]) {
    let [node, ours] = after;
    let show = |memory: Option<f64>| memory.map_or_else(|| "-".into(), |memory| format!("{memory:.1}"));
    ui::line(format_args!(
        "  resident memory after load: Node {} MB, ours {} MB ({} MB right after the storm), the bar is ≤ {MEMORY_BAR} MB: {}",
        show(node),
        show(ours),
        show(in_storm[1]),
        verdict(ours.is_some_and(|ours| ours <= MEMORY_BAR))
    ));
}

fn verdict(met: bool) -> String {
    if met { ui::green("met") } else { ui::red("missed") }
}
