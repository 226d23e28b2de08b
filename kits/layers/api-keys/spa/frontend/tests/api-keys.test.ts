// Making a key, and what becomes of it.

import { beforeEach, expect, test, vi } from 'vitest'
import { button, eventually, find, h, mount, type } from './support/mount'
import { serve } from './support/server'

const session = {
  user: { id: 'a1', name: 'Ada', email: 'ada@example.com', emailVerified: true },
  csrf: 'token-1',
  challenged: false,
  expired: false,
  awaitsCode: null,
  signedIn: [],
  lastUsed: null,
  accounts: { signUpOpen: false, offers: [], minPasswordLength: 8, mailbox: null, providers: [] },
}
const row = { id: 'k1', name: 'build server', start: 'shop_abcd', created: '2026-05-04T09:30:00Z', lastUsed: null, expires: null, state: 'on' }
const rights = { lifetimes: ['30', '90', '365', 'never'], usualLifetime: '90', whyNotCreate: null, mayChange: true, mayRevoke: true }

beforeEach(() => vi.resetModules())

async function open(): Promise<void> {
  const { loadSession } = await import('@/lib/session')
  await loadSession()
  const { default: ApiKeys } = await import('@/pages/settings/ApiKeys.vue')
  mount(() => h(ApiKeys))
}

// spec: KEY-4
test('a key that was made is shown with how to try it, and the list is asked for again', async () => {
  let keys: object[] = []
  const asked = await serve({
    'GET /api/session': { body: session },
    'GET /api/settings/api-keys': () => ({ body: { ...rights, keys } }),
    'POST /settings/api-keys': () => {
      keys = [row]
      return { body: { redirect: '/settings/api-keys', api_key: 'shop_abcdSECRET', status: 'The key is made.' } }
    },
  })
  await open()
  await eventually(() => expect(document.body.textContent).toContain('No key yet.'))
  expect(find<HTMLSelectElement>('select').value).toBe('90')
  type(find('input[name=name]'), 'build server')
  button('Make the key').click()
  await eventually(() => expect(find('code').textContent).toBe('shop_abcdSECRET'))
  expect(find('pre').textContent).toContain("/api/me -H 'x-api-key: shop_abcdSECRET'")
  expect(asked.find(({ method, path }) => method === 'POST' && path === '/settings/api-keys')?.body).toEqual({ name: 'build server', lifetime: '90' })
  await eventually(() => expect(document.body.textContent).toContain('shop_abcd…'))
  expect(find<HTMLInputElement>('input[name=name]').value, 'ready for the next one').toBe('')
})

// spec: KEY-4
test('a key is turned off, and the same button turns it on again', async () => {
  let state = 'on'
  const asked = await serve({
    'GET /api/session': { body: session },
    'GET /api/settings/api-keys': () => ({ body: { ...rights, keys: [{ ...row, state }] } }),
    'PATCH /settings/api-keys/k1': ({ body }) => {
      state = (body as { enabled: boolean }).enabled ? 'on' : 'off'
      return { body: { redirect: '/settings/api-keys', status: 'Done.' } }
    },
  })
  await open()
  await eventually(() => button('Turn off'))
  button('Turn off').click()
  await eventually(() => button('Turn on'))
  button('Turn on').click()
  await eventually(() => button('Turn off'))
  expect(asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([{ enabled: false }, { enabled: true }])
})

test('an expired key is not turned on, and whoever acts as somebody else makes none', async () => {
  await serve({
    'GET /api/session': { body: session },
    'GET /api/settings/api-keys': {
      body: { ...rights, whyNotCreate: 'Not in the name of somebody else.', mayChange: false, keys: [{ ...row, state: 'expired', expires: '2026-05-05T09:30:00Z' }] },
    },
  })
  await open()
  await eventually(() => expect(document.body.textContent).toContain('Not in the name of somebody else.'))
  expect(document.body.textContent).toContain('Expired')
  expect([...document.querySelectorAll('main button, button')].map((each) => each.textContent?.trim())).not.toContain('Turn on')
  expect(document.querySelector('input[name=name]')).toBeNull()
})
