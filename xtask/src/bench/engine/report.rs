use super::{Both, Storm};
use crate::bench::median;
use crate::ui;

/// The p99 under a storm, in milliseconds.
const STORM_BAR: f64 = 5.0;
/// Resident memory in MB.
const MEMORY_BAR: f64 = 40.0;

/// One line for each kind of work: its name, the ratio that we promise, what was measured.
pub(super) fn ratios(works: &[(&str, f64, Both)]) {
    let head = ["", "Node req/s", "ours", "ratio", "Node CPU µs/req", "ours", "ratio", "p99 ms", "bar", ""];
    let mut rows = vec![head.map(String::from).to_vec()];
    for (name, bar, Both { node, ours }) in works {
        let (rate, cost) = (ours.rate() / node.rate(), node.cost() / ours.cost());
        rows.push(vec![
            (*name).into(),
            format!("{:.1}", node.rate()),
            format!("{:.1}", ours.rate()),
            format!("{rate:.1}×"),
            format!("{:.0}", node.cost()),
            format!("{:.1}", ours.cost()),
            format!("{cost:.1}×"),
            format!("{:.2}", ours.median(|round| round.p99)),
            format!("≥ {bar}×"),
            match (rate >= *bar, cost >= *bar) {
                (true, true) => "met".into(),
                (true, false) => "met in rate, missed in CPU".into(),
                (false, true) => "met in CPU, missed in rate".into(),
                (false, false) => "missed".into(),
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
