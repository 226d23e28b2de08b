use housekey::prelude::*;

/// The front door, beside the forms of guests: tall, and cut at the sides where there is little room. Its colours are in
/// resources/css/tokens.css, for day and night.
#[component]
pub fn door() -> impl Renderable {
    rsx! {
        <svg class="block h-full w-full" viewBox="0 0 720 960" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
            <defs>
                <radialGradient id="glow">
                    <stop class="[stop-color:var(--color-glow)]" offset="0"></stop>
                    <stop class="[stop-color:var(--color-lamp)] [stop-opacity:0]" offset="1"></stop>
                </radialGradient>
            </defs>
            <circle class="fill-sun" cx="574" cy="196" r="52"></circle>
            <path class="fill-far" d="M-400 620h440l64-58 64 58h44v-84h24v-44h28v44h78l84-76 84 76v60h70v-116h128v116h52l64-58 64 58h412v320H-400z"></path>
            <path class="fill-near" d="M-400 850V690h280l70-62 70 62h8V560l84-72 84 72v290zM534 850V600l80-70 80 70v-78h26v-40h22v40h378v328z"></path>
            @for (x, y, light) in LANES {
                <rect class=(if light { "lit" } else { "unlit" }) x=(x) y=(y) width="26" height="34" rx="3"></rect>
            }
            <ellipse fill="url(#glow)" cx="360" cy="720" rx="330" ry="260"></ellipse>
            <path class="fill-ground" d="M-400 846h1520v120H-400z"></path>
            <path class="lit opacity-45" d="M310 866h100l64 100H246z"></path>
            <path class="fill-roof" d="M466 330h44v120h-44z"></path>
            <path class="fill-home" d="M196 866V470h328v396z"></path>
            <path class="fill-roof" d="M360 296 572 488H148z"></path>
            <circle class="lit lights-up" cx="360" cy="418" r="24"></circle>
            <path class="fill-roof" d="M358.5 394h3v48h-3zM336 416.5h48v3h-48z"></path>
            <rect class="lit lights-up" x="240" y="530" width="62" height="82" rx="5"></rect>
            <rect class="lit" x="418" y="530" width="62" height="82" rx="5"></rect>
            <path class="fill-home" d="M269.5 530h3v82h-3zM240 569.5h62v3h-62zM447.5 530h3v82h-3zM418 569.5h62v3h-62z"></path>
            <rect class="unlit opacity-60" x="232" y="700" width="50" height="70" rx="5"></rect>
            <rect class="lit lights-up" x="438" y="700" width="50" height="70" rx="5"></rect>
            <path class="fill-roof" d="M302 866V716a58 58 0 0 1 116 0v150z"></path>
            <path class="lit" d="M360 726a21 21 0 0 1 11 38.9l7 33.1h-36l7-33.1A21 21 0 0 1 360 726z"></path>
            <circle class="lit" cx="360" cy="640" r="7"></circle>
            <path class="fill-roof" d="M358 622h4v12h-4zM284 860h152v10H284z"></path>
        </svg>
    }
}

const LANES: [(i16, i16, bool); 10] = [
    (80, 590, true),
    (122, 590, false),
    (80, 650, false),
    (122, 650, true),
    (578, 620, true),
    (622, 620, false),
    (578, 690, false),
    (622, 690, true),
    (-4, 720, true),
    (676, 700, false),
];
