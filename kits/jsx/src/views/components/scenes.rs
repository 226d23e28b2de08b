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

/// A house whose windows are steps: each one done lights one, and the last one lights the door.
#[component]
pub fn house<'a>(lit: &'a [bool]) -> impl Renderable {
    let window = |at: usize| if lit.get(at).copied().unwrap_or(false) { "lit lights-up" } else { "unlit" };
    let door = if lit.iter().all(|lit| *lit) { "lit lights-up" } else { "fill-sky" };
    let (first, second, third) = (window(0), window(1), window(2));
    rsx! {
        <svg class="block w-full overflow-visible" viewBox="0 0 360 212" aria-hidden="true">
            <path class="fill-far" d="M-160 204v-40l34-30 34 30v-50h60v90zM0 204v-52l38-32 38 32v52zM76 204v-84h20V96h14v24h40v84zM262 204v-74l40-34 40 34v74zM330 204v-50h56l40-34 40 34v50z"></path>
            <circle class="fill-sun" cx="312" cy="34" r="17"></circle>
            <path class="fill-roof" d="M224 30h20v50h-20z"></path>
            <path class="fill-home" d="M106 204V92h148v112z"></path>
            <path class="fill-roof" d="M180 16 278 100H82z"></path>
            <circle class=(first) cx="180" cy="70" r="12"></circle>
            <rect class=(second) x="124" y="118" width="28" height="36" rx="3"></rect>
            <rect class=(third) x="208" y="118" width="28" height="36" rx="3"></rect>
            <path class="fill-roof" d="M161 204v-48a19 19 0 0 1 38 0v48z"></path>
            <path class=(door) d="M180 158a8 8 0 0 1 4.2 14.8l2.6 12.7h-13.6l2.6-12.7A8 8 0 0 1 180 158z"></path>
            <path class="fill-ground" d="M-2400 202h5160v40H-2400z"></path>
        </svg>
    }
}

/// The street of the welcome page.
#[component]
pub fn street() -> impl Renderable {
    rsx! {
        // Cut at both sides on a narrow screen, never squeezed: the house with the key stays in the middle.
        <svg class="block h-64 w-full sm:h-80 lg:h-96" viewBox="0 0 1440 384" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
            <defs>
                <radialGradient id="glow">
                    <stop class="[stop-color:var(--color-glow)]" offset="0"></stop>
                    <stop class="[stop-color:var(--color-lamp)] [stop-opacity:0]" offset="1"></stop>
                </radialGradient>
            </defs>
            <circle class="fill-sun" cx="936" cy="66" r="38"></circle>
            <path class="fill-far" d="M0 236h60l58-52 58 52h40v-58h22v-40h26v40h70l74-66 74 66v70h70l50-44 50 44h148l66-58 66 58h84v-96h120v96h54l66-58 66 58h118v184H0z"></path>
            <path class="fill-near" d="M40 300v-82l78-66 78 66v82zM226 300V170h30v-34h24v34h96v130zM410 300v-92l70-58 70 58v92zM870 300v-96l76-64 76 64v96zM1052 300V164h138v136zM1222 300v-88l80-66 80 66v88z"></path>
            @for (x, y, light) in WINDOWS {
                <rect class=(if light { "lit lights-up" } else { "unlit" }) x=(x) y=(y) width="20" height="26" rx="2"></rect>
            }
            <ellipse fill="url(#glow)" cx="720" cy="250" rx="330" ry="220"></ellipse>
            <path class="fill-ground" d="M0 300h1440v84H0z"></path>
            <path class="lit opacity-45" d="M686 342h68l44 42H642z"></path>
            <path class="fill-home" d="M600 342V176h240v166z"></path>
            <path class="fill-roof" d="M798 84h30v64h-30zM720 62l148 124H572z"></path>
            <rect class="lit" x="628" y="212" width="34" height="44" rx="3"></rect>
            <rect class="lit" x="778" y="212" width="34" height="44" rx="3"></rect>
            <path class="fill-roof" d="M680 342v-90a40 40 0 0 1 80 0v90z"></path>
            <path class="lit" d="M720 250a18 18 0 0 1 9.5 33.3l5.5 24.7h-30l5.5-24.7A18 18 0 0 1 720 250z"></path>
            <circle class="lit" cx="720" cy="184" r="7"></circle>
        </svg>
    }
}

const WINDOWS: [(u16, u16, bool); 18] = [
    (92, 226, true),
    (126, 226, false),
    (250, 190, false),
    (292, 190, true),
    (334, 190, true),
    (250, 238, true),
    (292, 238, false),
    (454, 222, false),
    (488, 222, true),
    (918, 222, true),
    (954, 222, false),
    (1076, 186, true),
    (1112, 186, false),
    (1148, 186, true),
    (1076, 236, false),
    (1112, 236, true),
    (1276, 230, true),
    (1310, 230, false),
];
