import { beforeEach, expect, test, vi } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { createApp, h, type Component } from 'vue'
import { eventually, find } from './support/mount'
import { closeServer, serve } from './support/server'

const session = {
  user: null,
  csrf: 'token-1',
  challenged: false,
  expired: false,
  lastUsed: 'openid',
  accounts: {
    signUpOpen: true,
    offers: ['password', 'social'],
    minPasswordLength: 8,
    mailbox: null,
    providers: [
      { id: 'github', name: 'GitHub' },
      { id: 'openid', name: 'The House & Sons' },
    ],
  },
}

beforeEach(() => vi.resetModules())

/** A component on a page with this address. */
async function show(load: () => Promise<Component>, address: string, properties = {}): Promise<void> {
  const { loadSession } = await import('@/lib/session')
  await loadSession()
  const component = await load()
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/:path(.*)*', component: { render: () => null }, meta: { title: '' } }] })
  await router.push(address)
  const host = document.createElement('div')
  document.body.append(host)
  createApp({ render: () => h(component, properties) }).use(router).mount(host)
}

const buttons = async () => (await import('@/components/social')).SocialButtons
const refusal = async () => (await import('@/components/social')).SocialRefusal

// spec: SOC-1
test('every provider has a form of its own that carries the token', async () => {
  await serve({ 'GET /api/session': { body: session } })
  await show(buttons, '/auth/sign-in')
  const forms = [...document.querySelectorAll('form')]
  expect(forms.map((form) => form.getAttribute('action'))).toEqual(['/auth/social/github', '/auth/social/openid'])
  expect(forms.map((form) => form.method)).toEqual(['post', 'post'])
  expect(forms.map((form) => form.querySelector<HTMLInputElement>('[name=_token]')?.value)).toEqual(['token-1', 'token-1'])
  expect(document.querySelector('[name=sign_up]'), 'nobody asked for a new account').toBeNull()
  expect(forms[1]?.textContent).toContain('Continue with The House & Sons')
})

test('the way that was used last is marked, and no other', async () => {
  await serve({ 'GET /api/session': { body: session } })
  await show(buttons, '/auth/sign-in')
  expect([...document.querySelectorAll('form')].map((form) => form.textContent?.includes('Last used'))).toEqual([false, true])
})

test('on the page to sign up a new account is asked for', async () => {
  await serve({ 'GET /api/session': { body: session } })
  await show(buttons, '/auth/sign-up', { signUp: true })
  expect(document.querySelectorAll('[name=sign_up][value="1"]').length).toBe(2)
})

test('a mark is shown where there is one, from a file and not from the script', async () => {
  await serve({ 'GET /api/session': { body: session } })
  await show(buttons, '/auth/sign-in')
  expect([...document.querySelectorAll('use')].map((use) => use.getAttribute('href'))).toEqual(['/providers.svg#github'])
})

// spec: SOC-5
test('a refusal is what the server says about its code, and nothing of the address', async () => {
  const asked = await serve({
    'GET /api/session': { body: session },
    'POST /api/social-refusal': { body: { sentence: 'Sign in with your password, then connect.' } },
  })
  await show(refusal, '/auth/sign-in?error=account_not_linked&provider=github&error_description=Call+0900+123')
  await eventually(() => expect(find('[role="alert"]').textContent).toContain('Sign in with your password, then connect.'))
  expect(asked.at(-1)?.body).toEqual({ error: 'account_not_linked', provider: 'github' })
  expect(document.body.textContent).not.toContain('0900')
})

test('without an answer it still says that it did not work', async () => {
  await serve({ 'GET /api/session': { body: session } })
  const shown = show(refusal, '/auth/sign-in?error=x')
  await shown
  await closeServer()
  await eventually(() => expect(find('[role="alert"]').textContent).toContain('That did not work.'))
})

test('without a code there is nothing to say and nothing is asked', async () => {
  const asked = await serve({ 'GET /api/session': { body: session } })
  await show(refusal, '/auth/sign-in')
  expect(document.querySelector('[role="alert"]')).toBeNull()
  expect(asked.map(({ path }) => path)).toEqual(['/api/session'])
})
