// Live updates against a websocket server that says what tests want it to say. spec: WRK-3

import { createLive, type Live, type LiveOptions, type LiveState } from '@housekey/client/live'
import { expect, onTestFinished, test } from 'vitest'
import { serveSockets, type Peer, type SocketServer } from '../support/sockets.js'

interface Said {
  subscribe?: string[]
  unsubscribe?: string[]
  after?: string
}

/** A server that lets everybody hear everything but `secret`, and a client of it. */
async function start(heartbeat = 20, options: LiveOptions = {}): Promise<{ server: SocketServer; live: Live; states: LiveState[] }> {
  const server = await serveSockets((peer: Peer, { subscribe }: Said) => {
    if (!subscribe) return
    const channels = subscribe.filter((channel) => channel !== 'secret')
    if (channels.length < subscribe.length) peer.send({ type: 'refused', channel: 'secret', status: 403, message: 'No.' })
    peer.send({ type: 'subscribed', channels, id: 'start', heartbeat })
  })
  const states: LiveState[] = []
  const live = createLive({ path: server.url, onState: (state) => states.push(state), ...options })
  onTestFinished(() => live.close())
  return { server, live, states }
}

const say = (peer: Peer, id: string, channel: string, data: unknown) => peer.send({ type: 'message', id, channel, data })

test('channels share one connection and are asked for together', async () => {
  const { server, live } = await start()
  const heard: unknown[] = []
  live.listen('news', (message) => heard.push(['news', message]))
  live.listen('books.1', (message) => heard.push(['one', message]))
  const stop = live.listen('books.1', (message) => heard.push(['other', message]))
  await expect.poll(() => server.peers[0]?.heard).toEqual([{ subscribe: ['news', 'books.1'] }])
  const peer = server.peers[0]!
  say(peer, 'a', 'books.1', { lent: true })
  await expect.poll(() => heard).toEqual([['one', { lent: true }], ['other', { lent: true }]])
  stop()
  say(peer, 'b', 'books.1', 2)
  say(peer, 'c', 'weather', 'nobody listens')
  await expect.poll(() => heard.length).toBe(3)
  expect(server.peers.length).toBe(1)
})

test('who stops listening says so, and the last one closes the connection', async () => {
  const { server, live, states } = await start()
  const stops = ['news', 'books.1'].map((channel) => live.listen(channel, () => {}))
  await expect.poll(() => server.peers[0]?.heard.length).toBe(1)
  stops[0]!()
  stops[0]!()
  await expect.poll(() => server.peers[0]!.heard[1]).toEqual({ unsubscribe: ['news'] })
  stops[1]!()
  expect(states.at(-1)).toBe('idle')
})

test('a broken connection comes back, asks for every channel again, and from where it was', async () => {
  const { server, live, states } = await start()
  const heard: unknown[] = []
  live.listen('news', (message) => heard.push(message))
  await expect.poll(() => server.peers[0]?.heard.length).toBe(1)
  say(server.peers[0]!, 'last-seen', 'news', 1)
  await expect.poll(() => heard).toEqual([1])
  server.peers[0]!.break()
  await expect.poll(() => server.peers[1]?.heard).toEqual([{ subscribe: ['news'], after: 'last-seen' }])
  say(server.peers[1]!, 'next', 'news', 2)
  await expect.poll(() => heard).toEqual([1, 2])
  expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open'])
})

test('what was listened to while it was away is asked for without a past', async () => {
  const { server, live, states } = await start()
  live.listen('news', () => {})
  await expect.poll(() => server.peers[0]?.heard.length).toBe(1)
  server.peers[0]!.close(1001)
  await expect.poll(() => states.at(-1)).toBe('waiting')
  live.listen('weather', () => {})
  await expect.poll(() => server.peers[1]?.heard).toEqual([{ subscribe: ['news'], after: 'start' }, { subscribe: ['weather'] }])
})

test('a connection that is silent for too long is given up', async () => {
  const { server, live } = await start(0.05)
  live.listen('news', () => {})
  await expect.poll(() => server.peers.length).toBeGreaterThan(1)
})

test('a refusal is told, and not asked for again until somebody else may be there', async () => {
  const { server, live } = await start()
  const refused: unknown[] = []
  live.listen('secret', () => {}, { onRefused: (refusal) => refused.push(refusal) })
  live.listen('news', () => {})
  await expect.poll(() => refused).toEqual([{ channel: 'secret', status: 403, message: 'No.' }])
  server.peers[0]!.break()
  await expect.poll(() => server.peers[1]?.heard).toEqual([{ subscribe: ['news'], after: 'start' }])
  live.reconnect()
  await expect.poll(() => server.peers[2]?.heard).toContainEqual({ subscribe: ['secret'] })
})

test('what may be missing is told to everybody who listens', async () => {
  const { server, live } = await start()
  let missed = 0
  live.listen('news', () => {}, { onMissed: () => missed++ })
  live.listen('books.1', () => {}, { onMissed: () => missed++ })
  await expect.poll(() => server.peers[0]?.heard.length).toBe(1)
  server.peers[0]!.send({ type: 'missed' })
  await expect.poll(() => missed).toBe(2)
})

test('a session that is over is not knocked about until it is asked to', async () => {
  const { server, live, states } = await start()
  live.listen('news', () => {})
  await expect.poll(() => server.peers[0]?.heard.length).toBe(1)
  server.peers[0]!.close(4401)
  await expect.poll(() => states.at(-1)).toBe('signed-out')
  live.listen('weather', () => {})
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(server.peers.length).toBe(1)
  live.reconnect()
  await expect.poll(() => server.peers[1]?.heard.length).toBeGreaterThan(0)
  expect(states.at(-1)).toBe('open')
})

test('one listener that throws keeps nothing from the others', async () => {
  const { server, live } = await start()
  const heard: unknown[] = []
  const thrown: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => thrown.push(error.message))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
  })
  live.listen('news', () => {
    throw new Error('mine alone')
  })
  live.listen('news', (message) => heard.push(message))
  await expect.poll(() => server.peers[0]?.heard.length).toBe(1)
  say(server.peers[0]!, 'a', 'news', 1)
  await expect.poll(() => [heard, thrown]).toEqual([[1], ['mine alone']])
})
