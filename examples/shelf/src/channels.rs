//! Who may hear what is said on open pages.

use housekey::live::Channel;
use housekey::prelude::*;

pub fn channels(live: &mut Channels) {
    // Which book is out is everybody's business who may see the list; who has it is not said there.
    live.channel("shelf", async |_: Channel| user().is_some());
}
