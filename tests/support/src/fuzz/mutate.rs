/// Numbers that a seed decides (splitmix64).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit that is not zero.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.roll() % u64::try_from(limit).unwrap()).unwrap()
    }

    pub(super) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// What text formats are made of: pieces that a blind change would hardly hit upon.
const PIECES: [&[u8]; 36] = [
    b"\0",
    b".",
    b"..",
    b"=",
    b"==",
    b";",
    b"; ",
    b",",
    b"%",
    b"%00",
    b"%zz",
    b"+",
    b"!",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"\\ud800",
    b"\xff\xfe",
    b"$ba$1$",
    b"eyJhbGciOiJub25lIn0.",
    b"__proto__",
    b"\r\n",
    b"\r\n\r\n",
    b"\r\n--XX\r\n",
    b"--XX--",
    b"name=\"_method\"",
    b"_method=DELETE&",
    "\u{202e}é".as_bytes(),
];

/// The longest input: what is far longer is refused by its length, which is no news.
const LONGEST: usize = 16 * 1024;

/// One to four changes of an input, some with a piece of another one.
pub(super) fn mutate(dice: &mut Dice, input: &[u8], corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=dice.below(4) {
        change(dice, &mut bytes, corpus);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn change(dice: &mut Dice, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let at = dice.below(bytes.len() + 1);
    let end = at + dice.below(bytes.len() - at + 1);
    let byte = u8::try_from(dice.below(256)).unwrap();
    match dice.below(9) {
        0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        1 if at < bytes.len() => bytes[at] = byte,
        2 => bytes.insert(at, byte),
        3 => drop(bytes.drain(at..end)),
        4 => bytes.truncate(at),
        5 => {
            let run = bytes[at..end].to_vec();
            for _ in 0..=dice.below(8) {
                bytes.splice(at..at, run.iter().copied());
                if bytes.len() > LONGEST {
                    break;
                }
            }
        }
        6 => {
            let other = dice.one_of(corpus);
            let from = dice.below(other.len() + 1);
            bytes.splice(at..end, other[from..].iter().copied());
        }
        7 => drop(bytes.splice(at..end, std::iter::repeat_n(byte, dice.below(300)))),
        _ => drop(bytes.splice(at..at, dice.one_of(&PIECES).iter().copied())),
    }
}
