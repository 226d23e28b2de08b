use super::load::{Ask, Load, Round};
use super::{cpu, median};

/// What a server did, round by round. The median counts.
#[derive(Default)]
pub(crate) struct Series {
    rounds: Vec<Round>,
    /// Microseconds of processor time per request.
    cpu: Vec<f64>,
}

impl Series {
    /// One more round against the server that is process `id`.
    pub(crate) fn measure(&mut self, id: u32, ask: &Ask, load: &Load) -> Result<(), String> {
        let before = cpu::used(id).unwrap_or_default();
        let round = load.press(ask)?;
        let spent = cpu::used(id).unwrap_or_default().saturating_sub(before);
        self.cpu.push(spent.as_secs_f64() * 1e6 / round.requests);
        self.rounds.push(round);
        Ok(())
    }

    /// Requests per second.
    pub(crate) fn rate(&self) -> f64 {
        self.median(|round| round.per_second)
    }

    /// Microseconds of processor time per request. It tells the truth also on a busy machine, where the rate does not.
    pub(crate) fn cost(&self) -> f64 {
        median(self.cpu.clone())
    }

    pub(crate) fn median(&self, value: impl Fn(&Round) -> f64) -> f64 {
        median(self.rounds.iter().map(value).collect())
    }
}
