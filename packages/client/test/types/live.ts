// What live updates must allow, and what they must refuse.

import { live } from '@housekey/client/live'

declare module '@housekey/client/live' {
  interface Channels {
    news: { headline: string }
    [book: `books.${string}`]: { lent: boolean }
  }
}

const id: number = 7
const stop: () => void = live.listen('news', (message) => message.headline.toUpperCase())
live.listen(`books.${id}`, (message) => message.lent === true)
live.listen('books.1', ({ lent }) => lent, { onMissed: () => {}, onRefused: ({ status }) => status.toFixed() })
// @ts-expect-error there is no such field
live.listen('news', (message) => message.lent)
// @ts-expect-error what is said in a channel that nobody described is not known
live.listen('weather', (message) => message.sunny)
live.listen('weather', (message: unknown) => message)
stop()
