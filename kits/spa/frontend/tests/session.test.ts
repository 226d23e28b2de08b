import { beforeEach, expect, test, vi } from 'vitest'
import { closeServer, serve } from './support/server'

const ada = { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: true }
const answer = {
  user: ada,
  csrf: 'token-1',
  challenged: false,
  expired: false,
  lastUsed: 'github',
  accounts: { signUpOpen: true, offers: ['password', 'passkeys'], minPasswordLength: 12, mailbox: null, providers: [{ id: 'github', name: 'GitHub' }] },
}

beforeEach(() => vi.resetModules())
const load = () => import('@/lib/session')

test('before the server was asked nobody is known, and sign-up is closed', async () => {
  const { user, accounts, expired } = await load()
  expect([user.value, accounts.value.signUpOpen, expired.value]).toEqual([null, false, false])
})

test('the answer says who is there and how accounts are set up', async () => {
  await serve({ 'GET /api/session': { body: answer } })
  const { loadSession, user, accounts } = await load()
  await loadSession()
  expect(user.value).toEqual(ada)
  expect(accounts.value.minPasswordLength).toBe(12)
})

test('what the app does not offer is not there', async () => {
  await serve({ 'GET /api/session': { body: answer } })
  const { loadSession, offers } = await load()
  expect(offers('two-factor'), 'until it is known, what most apps have').toBe(true)
  await loadSession()
  expect([offers('passkeys'), offers('two-factor')]).toEqual([true, false])
})

test('who is gone without a sign-out is told so, once', async () => {
  let user: typeof ada | null = ada
  await serve({ 'GET /api/session': () => ({ body: { ...answer, user } }) })
  await (await load()).loadSession()

  // The session ended, and the next page is one of guests.
  user = null
  for (const isExpired of [true, false]) {
    vi.resetModules()
    const { loadSession, expired } = await load()
    await loadSession()
    expect(expired.value).toBe(isExpired)
  }
})

test('who signed out knows it', async () => {
  let user: typeof ada | null = ada
  await serve({ 'GET /api/session': () => ({ body: { ...answer, user } }) })
  await (await load()).loadSession()
  const { forgetMember } = await import('@/lib/was-here')
  forgetMember()
  user = null
  vi.resetModules()
  const { loadSession, expired } = await load()
  await loadSession()
  expect(expired.value).toBe(false)
})

test('a question without an answer changes nothing', async () => {
  await serve({ 'GET /api/session': { body: answer } })
  const { loadSession, user } = await load()
  await loadSession()
  await closeServer()
  await expect(loadSession()).rejects.toThrow()
  expect(user.value).toEqual(ada)
})

test('the token of the answer goes with what is sent afterwards', async () => {
  const asked = await serve({ 'GET /api/session': { body: answer }, 'POST /sign-out': {} })
  const { loadSession } = await load()
  await loadSession()
  const { http } = await import('@housekey/client')
  await http.post('/sign-out', { prefix: '' })
  expect(asked.at(-1)?.headers['x-csrf-token']).toBe('token-1')
})
