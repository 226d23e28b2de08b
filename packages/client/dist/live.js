/**
 * Live updates: what happens on the server, as it happens.
 *
 * ```ts
 * import { live } from '@housekey/client/live'
 *
 * const stop = live.listen('books.1', (change) => console.log(change))
 * ```
 *
 * One websocket carries all channels of a page. It comes back by itself when it breaks, asks again for every channel, and says so when
 * something may have been missed meanwhile.
 *
 * @module
 */
/** Milliseconds: before the first try to come back, and the longest before any. */
const FIRST = 500;
const LONGEST = 30_000;
const SIGNED_OUT = 4401;
/** Codes that say: too much, or not like this. */
const REPROACHES = [4400, 4429];
/** Makes a connection of its own. Most apps use the ready-made {@link live} and `configure` it. */
export function createLive(options = {}) {
    const settings = { ...options };
    const channels = new Map();
    /** Those that were refused; asked for again when somebody else may be there. */
    const refused = new Set();
    /** Those that this socket was asked for. */
    let asked = new Set();
    /** Those that an earlier socket heard, up to `last`. */
    let heardBefore = new Set();
    let socket;
    let state = 'idle';
    let last;
    let tries = 0;
    let timer;
    let watchdog;
    let silenceLimit = 60_000;
    let asksSoon = false;
    function become(next) {
        if (next === state)
            return;
        state = next;
        settings.onState?.(next);
    }
    function connect() {
        clearTimeout(timer);
        if (socket || !channels.size)
            return;
        become('connecting');
        const url = new URL(settings.path ?? '/api/live', globalThis.location?.href);
        url.protocol = url.protocol.replace('http', 'ws');
        const opened = (socket = new WebSocket(url));
        opened.onopen = () => {
            become('open');
            watch();
            ask();
        };
        opened.onmessage = (event) => {
            watch();
            take(JSON.parse(String(event.data)));
        };
        opened.onclose = (event) => {
            if (socket === opened)
                lost(event.code);
        };
        // A handshake that nobody answers.
        watch();
    }
    function drop(code) {
        clearTimeout(watchdog);
        const old = socket;
        socket = undefined;
        for (const channel of asked)
            heardBefore.add(channel);
        asked = new Set();
        old?.close(code);
    }
    function lost(code) {
        drop();
        if (code === SIGNED_OUT)
            return become('signed-out');
        if (!channels.size)
            return become('idle');
        if (REPROACHES.includes(code))
            tries = 16;
        const most = Math.min(LONGEST, FIRST * 2 ** tries++);
        become('waiting');
        clearTimeout(timer);
        // Not all at the same moment, when it is the server that went away.
        timer = setTimeout(connect, most * (0.5 + Math.random() / 2));
    }
    /** A connection that broke without a word is silent for ever. */
    function watch() {
        clearTimeout(watchdog);
        const watched = socket;
        watchdog = setTimeout(() => {
            if (watched && watched === socket)
                lost(1006);
        }, silenceLimit);
    }
    /** Asks for what is not asked for yet, once for everything that is wanted at this moment. */
    function ask() {
        if (asksSoon)
            return;
        asksSoon = true;
        queueMicrotask(() => {
            asksSoon = false;
            if (socket?.readyState !== 1)
                return;
            const wanted = [...channels.keys()].filter((channel) => !asked.has(channel) && !refused.has(channel));
            const again = wanted.filter((channel) => last && heardBefore.has(channel));
            const first = wanted.filter((channel) => !again.includes(channel));
            for (const channel of wanted)
                asked.add(channel);
            heardBefore = new Set();
            if (again.length)
                socket.send(JSON.stringify({ subscribe: again, after: last }));
            if (first.length)
                socket.send(JSON.stringify({ subscribe: first }));
        });
    }
    function take(frame) {
        if ('id' in frame && frame.id)
            last = frame.id;
        if (frame.type === 'message') {
            each(frame.channel, ({ heard }) => heard(frame.data));
        }
        else if (frame.type === 'subscribed') {
            tries = 0;
            silenceLimit = frame.heartbeat * 2_500;
            watch();
        }
        else if (frame.type === 'refused') {
            refused.add(frame.channel);
            asked.delete(frame.channel);
            const { channel, status, message } = frame;
            each(channel, ({ onRefused }) => onRefused?.({ channel, status, message }));
        }
        else if (frame.type === 'missed') {
            for (const channel of asked)
                each(channel, ({ onMissed }) => onMissed?.());
        }
    }
    /** One listener that fails keeps nothing from the others. */
    function each(channel, tell) {
        for (const listener of [...(channels.get(channel) ?? [])]) {
            try {
                tell(listener);
            }
            catch (error) {
                queueMicrotask(() => {
                    throw error;
                });
            }
        }
    }
    function listen(channel, heard, options = {}) {
        const listener = { ...options, heard };
        const others = channels.get(channel) ?? new Set();
        channels.set(channel, others.add(listener));
        if (others.size === 1)
            refused.delete(channel);
        if (socket)
            ask();
        else if (state === 'idle')
            connect();
        return () => {
            if (!others.delete(listener) || others.size || channels.get(channel) !== others)
                return;
            channels.delete(channel);
            heardBefore.delete(channel);
            if (asked.delete(channel) && socket?.readyState === 1)
                socket.send(JSON.stringify({ unsubscribe: [channel] }));
            if (!channels.size)
                rest();
        };
    }
    function rest() {
        clearTimeout(timer);
        drop(1000);
        heardBefore = new Set();
        last = undefined;
        become('idle');
    }
    function reconnect() {
        refused.clear();
        tries = 0;
        drop(1000);
        become('idle');
        connect();
    }
    // A network that is back is worth a try at once.
    globalThis.addEventListener?.('online', () => {
        if (state === 'waiting')
            connect();
    });
    return {
        listen,
        reconnect,
        close: () => {
            channels.clear();
            rest();
        },
        configure: (more) => void Object.assign(settings, more),
    };
}
/** The connection that most apps need only one of. It is made when something is first listened to. */
export const live = /* @__PURE__ */ createLive();
