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
export interface Channels {}

/** What is said in a channel. */
export type MessageOf<C extends string> = C extends keyof Channels ? Channels[C] : unknown

/** Why a channel is not heard. */
export interface Refusal {
  channel: string
  /** 401 sign in first, 403 not allowed, 404 no such channel. */
  status: number
  message: string
}

export interface ListenOptions {
  /** Something may have been said that did not arrive: fetch the present state again. */
  onMissed?: () => void
  /** The channel is not for this person, or not any more. Nothing more is heard of it. */
  onRefused?: (refusal: Refusal) => void
}

/** `signed-out`: the session is over, and nothing is tried until {@link Live.reconnect}. */
export type LiveState = 'idle' | 'connecting' | 'open' | 'waiting' | 'signed-out'

export interface LiveOptions {
  /** Where the server listens. Default `/api/live`. */
  path?: string
  /** Told whenever the connection changes. */
  onState?: (state: LiveState) => void
}

export interface Live {
  /** Hears a channel until the returned function is called. */
  listen: <const C extends string>(channel: C, heard: (message: MessageOf<C>) => void, options?: ListenOptions) => () => void
  /** Connects anew, and asks for every channel again: after somebody signed in, or as somebody else. */
  reconnect: () => void
  /** Hears nothing more. */
  close: () => void
  /** Sets options after it was made. */
  configure: (more: LiveOptions) => void
}

interface Listener extends ListenOptions {
  heard: (message: never) => void
}

type Frame =
  | { type: 'message'; id: string; channel: string; data: never }
  | { type: 'subscribed'; channels: string[]; id: string | null; heartbeat: number }
  | ({ type: 'refused' } & Refusal)
  | { type: 'missed' }
  | { type: 'ping'; id: string | null }

/** Milliseconds: before the first try to come back, and the longest before any. */
const FIRST = 500
const LONGEST = 30_000

const SIGNED_OUT = 4401
/** Codes that say: too much, or not like this. */
const REPROACHES = [4400, 4429]

/** Makes a connection of its own. Most apps use the ready-made {@link live} and `configure` it. */
export function createLive(options: LiveOptions = {}): Live {
  const settings: LiveOptions = { ...options }
  const channels = new Map<string, Set<Listener>>()
  /** Those that were refused; asked for again when somebody else may be there. */
  const refused = new Set<string>()
  /** Those that this socket was asked for. */
  let asked = new Set<string>()
  /** Those that an earlier socket heard, up to `last`. */
  let heardBefore = new Set<string>()
  let socket: WebSocket | undefined
  let state: LiveState = 'idle'
  let last: string | undefined
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let watchdog: ReturnType<typeof setTimeout> | undefined
  let silenceLimit = 60_000
  let asksSoon = false

  function become(next: LiveState): void {
    if (next === state) return
    state = next
    settings.onState?.(next)
  }

  function connect(): void {
    clearTimeout(timer)
    if (socket || !channels.size) return
    become('connecting')
    const url = new URL(settings.path ?? '/api/live', globalThis.location?.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const opened = (socket = new WebSocket(url))
    opened.onopen = () => {
      become('open')
      watch()
      ask()
    }
    opened.onmessage = (event) => {
      watch()
      take(JSON.parse(String(event.data)) as Frame)
    }
    opened.onclose = (event) => {
      if (socket === opened) lost(event.code)
    }
    // A handshake that nobody answers.
    watch()
  }

  function drop(code?: number): void {
    clearTimeout(watchdog)
    const old = socket
    socket = undefined
    for (const channel of asked) heardBefore.add(channel)
    asked = new Set()
    old?.close(code)
  }

  function lost(code: number): void {
    drop()
    if (code === SIGNED_OUT) return become('signed-out')
    if (!channels.size) return become('idle')
    if (REPROACHES.includes(code)) tries = 16
    const most = Math.min(LONGEST, FIRST * 2 ** tries++)
    become('waiting')
    clearTimeout(timer)
    // Not all at the same moment, when it is the server that went away.
    timer = setTimeout(connect, most * (0.5 + Math.random() / 2))
  }

  /** A connection that broke without a word is silent for ever. */
  function watch(): void {
    clearTimeout(watchdog)
    const watched = socket
    watchdog = setTimeout(() => {
      if (watched && watched === socket) lost(1006)
    }, silenceLimit)
  }

  /** Asks for what is not asked for yet, once for everything that is wanted at this moment. */
  function ask(): void {
    if (asksSoon) return
    asksSoon = true
    queueMicrotask(() => {
      asksSoon = false
      if (socket?.readyState !== 1) return
      const wanted = [...channels.keys()].filter((channel) => !asked.has(channel) && !refused.has(channel))
      const again = wanted.filter((channel) => last && heardBefore.has(channel))
      const first = wanted.filter((channel) => !again.includes(channel))
      for (const channel of wanted) asked.add(channel)
      heardBefore = new Set()
      if (again.length) socket.send(JSON.stringify({ subscribe: again, after: last }))
      if (first.length) socket.send(JSON.stringify({ subscribe: first }))
    })
  }

  function take(frame: Frame): void {
    if ('id' in frame && frame.id) last = frame.id
    if (frame.type === 'message') {
      each(frame.channel, ({ heard }) => heard(frame.data))
    } else if (frame.type === 'subscribed') {
      tries = 0
      silenceLimit = frame.heartbeat * 2_500
      watch()
    } else if (frame.type === 'refused') {
      refused.add(frame.channel)
      asked.delete(frame.channel)
      const { channel, status, message } = frame
      each(channel, ({ onRefused }) => onRefused?.({ channel, status, message }))
    } else if (frame.type === 'missed') {
      for (const channel of asked) each(channel, ({ onMissed }) => onMissed?.())
    }
  }

  /** One listener that fails keeps nothing from the others. */
  function each(channel: string, tell: (listener: Listener) => void): void {
    for (const listener of [...(channels.get(channel) ?? [])]) {
      try {
        tell(listener)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  function listen<const C extends string>(
    channel: C,
    heard: (message: MessageOf<C>) => void,
    options: ListenOptions = {},
  ): () => void {
    const listener: Listener = { ...options, heard }
    const others = channels.get(channel) ?? new Set()
    channels.set(channel, others.add(listener))
    if (others.size === 1) refused.delete(channel)
    if (socket) ask()
    else if (state === 'idle') connect()
    return () => {
      if (!others.delete(listener) || others.size || channels.get(channel) !== others) return
      channels.delete(channel)
      heardBefore.delete(channel)
      if (asked.delete(channel) && socket?.readyState === 1) socket.send(JSON.stringify({ unsubscribe: [channel] }))
      if (!channels.size) rest()
    }
  }

  function rest(): void {
    clearTimeout(timer)
    drop(1000)
    heardBefore = new Set()
    last = undefined
    become('idle')
  }

  function reconnect(): void {
    refused.clear()
    tries = 0
    drop(1000)
    become('idle')
    connect()
  }

  // A network that is back is worth a try at once.
  globalThis.addEventListener?.('online', () => {
    if (state === 'waiting') connect()
  })

  return {
    listen,
    reconnect,
    close: () => {
      channels.clear()
      rest()
    },
    configure: (more) => void Object.assign(settings, more),
  }
}

/** The connection that most apps need only one of. It is made when something is first listened to. */
export const live: Live = /* @__PURE__ */ createLive()
