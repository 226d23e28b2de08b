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
/**
 * What is said in which channel. Say it by merging:
 *
 * ```ts
 * declare module '@housekey/client/live' {
 *   interface Channels {
 *     news: { headline: string }
 *     [book: `books.${string}`]: { lent: boolean }
 *   }
 * }
 * ```
 */
export interface Channels {
}
/** What is said in a channel. */
export type MessageOf<C extends string> = C extends keyof Channels ? Channels[C] : unknown;
/** Why a channel is not heard. */
export interface Refusal {
    channel: string;
    /** 401 sign in first, 403 not allowed, 404 no such channel. */
    status: number;
    message: string;
}
export interface ListenOptions {
    /** Something may have been said that did not arrive: fetch the present state again. */
    onMissed?: () => void;
    /** The channel is not for this person, or not any more. Nothing more is heard of it. */
    onRefused?: (refusal: Refusal) => void;
}
/** `signed-out`: the session is over, and nothing is tried until {@link Live.reconnect}. */
export type LiveState = 'idle' | 'connecting' | 'open' | 'waiting' | 'signed-out';
export interface LiveOptions {
    /** Where the server listens. Default `/api/live`. */
    path?: string;
    /** Told whenever the connection changes. */
    onState?: (state: LiveState) => void;
}
export interface Live {
    /** Hears a channel until the returned function is called. */
    listen: <const C extends string>(channel: C, heard: (message: MessageOf<C>) => void, options?: ListenOptions) => () => void;
    /** Connects anew, and asks for every channel again: after somebody signed in, or as somebody else. */
    reconnect: () => void;
    /** Hears nothing more. */
    close: () => void;
    /** Sets options after it was made. */
    configure: (more: LiveOptions) => void;
}
/** Makes a connection of its own. Most apps use the ready-made {@link live} and `configure` it. */
export declare function createLive(options?: LiveOptions): Live;
/** The connection that most apps need only one of. It is made when something is first listened to. */
export declare const live: Live;
