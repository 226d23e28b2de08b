import { createClient, isExpired, needsPasswordConfirmation, type NeedsPasswordConfirmation } from '@housekey/client'
import { expect, test } from 'vitest'
import { failure } from '../support/error.js'
import { serve } from '../support/server.js'

/** A server with a token that changes, as a sign-in in another tab would change it. */
async function guarded(token: { now: string }, session: () => unknown = () => ({ user: null, csrf: token.now })) {
  return serve(({ method, url, headers }) => {
    if (url === '/api/session') {
      const body = session()
      return body === undefined ? { status: 500 } : { body }
    }
    if (method !== 'GET' && headers['x-csrf-token'] !== token.now) return { status: 419, body: { message: 'Expired.' } }
    return { body: { ok: true } }
  })
}

test('a first write without a token fetches one and goes again', async () => {
  const server = await guarded({ now: 'a' })
  const { http } = createClient({ prefix: `${server.origin}/api` })
  expect(await http.post('/things', { body: { a: 1 } })).toEqual({ ok: true })
  expect(server.log()).toEqual(['POST /api/things', 'GET /api/session', 'POST /api/things'])
  expect(server.arrived[2]?.body.toString()).toBe('{"a":1}')

  await http.delete('/things')
  expect(server.log()).toHaveLength(4)
})

test('a token that was given and is too old is replaced', async () => {
  const token = { now: 'a' }
  const server = await guarded(token)
  const { http, session } = createClient({ prefix: `${server.origin}/api` })
  expect(await session()).toEqual({ user: null, csrf: 'a' })
  await http.post('/things')
  token.now = 'b'
  await http.post('/things', { token: 'a' })
  await http.post('/things')
  expect(server.log()).toEqual([
    'GET /api/session', 'POST /api/things', 'POST /api/things', 'GET /api/session', 'POST /api/things', 'POST /api/things',
  ])
})

test('writes that expire together fetch one token', async () => {
  const server = await guarded({ now: 'a' })
  const { http } = createClient({ prefix: `${server.origin}/api` })
  await Promise.all([http.post('/one'), http.post('/two'), http.post('/three')])
  expect(server.log().filter((line) => line === 'GET /api/session')).toHaveLength(1)
  expect(server.arrived).toHaveLength(7)
})

test('a write that is refused again is not sent a third time', async () => {
  const server = await guarded({ now: 'a' }, () => ({ user: null, csrf: 'wrong' }))
  const { http } = createClient({ prefix: `${server.origin}/api` })
  const error = await failure(http.post('/things'))
  expect(isExpired(error)).toBe(true)
  expect(error).toMatchObject({ status: 419, message: 'Expired.' })
  expect(server.arrived).toHaveLength(3)
})

test.each([
  ['fails', () => undefined],
  ['has no token', () => ({ user: null })],
  ['is empty', () => null],
])('a session that %s leaves the write expired', async (_, session) => {
  const server = await guarded({ now: 'a' }, session)
  const { http } = createClient({ prefix: `${server.origin}/api` })
  expect(isExpired(await failure(http.post('/things')))).toBe(true)
  expect(server.arrived).toHaveLength(2)
})

test('the session can live elsewhere', async () => {
  const server = await serve(({ url, headers }) => {
    if (url === '/admin/api/me') return { body: { csrf: 'a' } }
    return headers['x-csrf-token'] === 'a' ? { body: {} } : { status: 419 }
  })
  const { http } = createClient({ prefix: `${server.origin}/admin/api`, session: '/me' })
  expect(await http.post('/things')).toEqual({})
})

/** A server that asks for the password until it is confirmed. */
async function locked() {
  const state = { confirmed: false }
  const server = await serve(({ url }) => {
    if (url === '/confirm') {
      state.confirmed = true
      return { body: {} }
    }
    return state.confirmed ? { body: { ok: url } } : { status: 423, body: { message: 'Confirm your password.' } }
  })
  return { server, state }
}

test('a confirmed password sends the refused request again', async () => {
  const { server } = await locked()
  const asked: NeedsPasswordConfirmation[] = []
  const { http } = createClient({
    prefix: server.origin,
    onConfirm: async (error) => {
      asked.push(error)
      await http.post('/confirm', { confirm: false })
      return true
    },
  })
  expect(await http.delete('/passkey', { body: { id: 1 } })).toEqual({ ok: '/passkey' })
  expect(server.log()).toEqual(['DELETE /passkey', 'POST /confirm', 'DELETE /passkey'])
  expect(server.arrived[2]?.body.toString()).toBe('{"id":1}')
  expect(asked.map((error) => error.message)).toEqual(['Confirm your password.'])
})

test('requests that are refused together ask once', async () => {
  const { server, state } = await locked()
  let asked = 0
  const { http, configure } = createClient({ prefix: server.origin })
  configure({
    onConfirm: async () => {
      asked += 1
      await expect.poll(() => server.arrived.length).toBe(3)
      state.confirmed = true
      return true
    },
  })
  const answers = await Promise.all([http.post('/one'), http.post('/two'), http.post('/three')])
  expect(answers).toEqual([{ ok: '/one' }, { ok: '/two' }, { ok: '/three' }])
  expect(asked).toBe(1)
})

test('a refusal that arrives after the answer takes the answer that was given', async () => {
  let release = () => {}
  const late = new Promise<void>((resolve) => (release = resolve))
  const seen = new Map<string, number>()
  const server = await serve(async ({ url }) => {
    const count = (seen.get(url) ?? 0) + 1
    seen.set(url, count)
    if (count === 2) return { body: { ok: url } }
    if (url === '/late') await late
    return { status: 423 }
  })
  let asked = 0
  const { http } = createClient({ prefix: server.origin, onConfirm: async () => !!(asked += 1) })
  const waiting = http.post('/late')
  await expect.poll(() => seen.get('/late')).toBe(1)
  expect(await http.post('/early')).toEqual({ ok: '/early' })
  release()
  expect(await waiting).toEqual({ ok: '/late' })
  expect(asked).toBe(1)
})

test('a cancelled confirmation is the refusal, for all who waited, and the next one asks again', async () => {
  const { server } = await locked()
  let asked = 0
  const { http } = createClient({ prefix: server.origin, onConfirm: async () => (asked++, false) })
  const errors = await Promise.all([failure(http.post('/one')), failure(http.post('/two'))])
  expect(errors.every(needsPasswordConfirmation)).toBe(true)
  expect(asked).toBe(1)
  await failure(http.post('/three'))
  expect(asked).toBe(2)
  expect(server.arrived).toHaveLength(3)
})

test('without anyone to ask, the refusal is thrown', async () => {
  const { server } = await locked()
  expect(needsPasswordConfirmation(await failure(createClient({ prefix: server.origin }).http.post('/one')))).toBe(true)
})

test('a confirmation that the server does not believe is not asked for twice', async () => {
  const { server } = await locked()
  let asked = 0
  const { http } = createClient({ prefix: server.origin, onConfirm: async () => !!(asked += 1) })
  expect(needsPasswordConfirmation(await failure(http.post('/one')))).toBe(true)
  expect(asked).toBe(1)
  expect(server.arrived).toHaveLength(2)
})

test('an error in the dialog comes out', async () => {
  const { server } = await locked()
  const { http } = createClient({ prefix: server.origin, onConfirm: () => Promise.reject(new Error('the dialog broke')) })
  await expect(http.post('/one')).rejects.toThrow('the dialog broke')
})

test('a write can expire and need a confirmation as well', async () => {
  let confirmed = false
  const server = await serve(({ url, headers }) => {
    if (url === '/session') return { body: { csrf: 'a' } }
    if (headers['x-csrf-token'] !== 'a') return { status: 419 }
    return confirmed ? { body: { ok: true } } : { status: 423 }
  })
  const { http } = createClient({ prefix: server.origin, onConfirm: async () => (confirmed = true) })
  expect(await http.post('/things')).toEqual({ ok: true })
  expect(server.log()).toEqual(['POST /things', 'GET /session', 'POST /things', 'POST /things'])
})
