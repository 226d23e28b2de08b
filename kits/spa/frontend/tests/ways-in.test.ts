// Signing in by mail, and several accounts in one browser.

import { beforeEach, expect, test, vi } from 'vitest'
import { createMemoryHistory, createRouter, type Router } from 'vue-router'
import { createApp, h, nextTick, type Component } from 'vue'
import { button, eventually, find, type } from './support/mount'
import { serve } from './support/server'

const session = {
  user: null,
  csrf: 'token-1',
  challenged: false,
  expired: false,
  awaitsCode: null as string | null,
  signedIn: [] as object[],
  lastUsed: 'email-code',
  accounts: { signUpOpen: false, offers: ['password', 'magic-link', 'email-code', 'username'], minPasswordLength: 8, mailbox: null, providers: [] },
}
const ada = { id: 'a1', name: 'Ada', email: 'ada@example.com', current: true }
const bob = { id: 'b2', name: 'Bob', email: 'bob@example.com', current: false }

beforeEach(() => vi.resetModules())

/** A component on a page with this address. */
async function show(load: () => Promise<{ default: Component }>, address: string, properties = {}): Promise<Router> {
  const { loadSession } = await import('@/lib/session')
  const { setNavigation } = await import('@/lib/navigate')
  await loadSession()
  const component = (await load()).default
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/:path(.*)*', component: { render: () => null }, meta: { title: '' } }] })
  setNavigation(router, (path) => path.startsWith('/auth/'))
  await router.push(address)
  const host = document.createElement('div')
  document.body.append(host)
  createApp({ render: () => h(component, properties) }).use(router).mount(host)
  return router
}

const signIn = () => import('@/pages/auth/SignIn.vue')

// spec: KEY-1
test('the one field of the page is where a link or a code is sent', async () => {
  const asked = await serve({
    'GET /api/session': { body: session },
    'POST /sign-in/link': { body: { redirect: '/auth/link-sent' } },
  })
  const router = await show(signIn, '/auth/sign-in')
  await eventually(() => button('E-mail me a link'))
  expect(document.querySelectorAll('input[name=email]').length).toBe(1)
  expect(find<HTMLInputElement>('input[name=email]').type, 'a name has no @').toBe('text')
  type(find('input[name=email]'), 'ada@example.com')
  await nextTick()
  button('E-mail me a link').click()
  await eventually(() => expect(router.currentRoute.value.path).toBe('/auth/link-sent'))
  expect(asked.at(-1)).toMatchObject({ path: '/sign-in/link', body: { email: 'ada@example.com' } })
})

test('the way that was used last is marked', async () => {
  await serve({ 'GET /api/session': { body: session } })
  await show(signIn, '/auth/sign-in')
  await eventually(() => expect(document.body.textContent).toContain('E-mail me a code'))
  const marked = [...document.querySelectorAll('button')].filter((each) => each.textContent?.includes('Last used'))
  expect(marked.map((each) => each.textContent)).toEqual(['E-mail me a codeLast used'])
})

test('what is wrong with the address is said, and nothing is lost', async () => {
  await serve({
    'GET /api/session': { body: session },
    'POST /sign-in/code': { status: 422, body: { message: 'Invalid', errors: { email: ['This is not an e-mail address.'] } } },
  })
  await show(signIn, '/auth/sign-in')
  await eventually(() => expect(document.body.textContent).toContain('E-mail me a code'))
  type(find('input[name=email]'), 'ada')
  ;[...document.querySelectorAll('button')].find((each) => each.textContent?.startsWith('E-mail me a code'))?.click()
  await eventually(() => expect(find('[role=alert]').textContent).toContain('This is not an e-mail address.'))
  expect(find<HTMLInputElement>('input[name=email]').value).toBe('ada')
})

test('without passwords the page has one field and one first way', async () => {
  const accounts = { ...session.accounts, offers: ['magic-link', 'email-code'] }
  await serve({ 'GET /api/session': { body: { ...session, accounts } } })
  await show(signIn, '/auth/sign-in')
  await eventually(() => button('E-mail me a link'))
  expect([...document.querySelectorAll('input')].map((input) => input.name)).toEqual(['email'])
})

// spec: KEY-1
test('a code is ONE field, sent at its last digit, and says where it went', async () => {
  const asked = await serve({
    'GET /api/session': { body: { ...session, awaitsCode: 'ada@example.com' } },
    'POST /sign-in/code/enter': { status: 422, body: { message: 'Invalid', errors: { code: ['This code is not right.'] } } },
  })
  await show(() => import('@/pages/by-mail/EmailCode.vue'), '/auth/code')
  expect(document.body.textContent).toContain('ada@example.com')
  const field = find<HTMLInputElement>('input[name=code]')
  expect([field.autocomplete, field.inputMode, document.querySelectorAll('input').length]).toEqual(['one-time-code', 'numeric', 1])
  type(field, '123 456')
  await eventually(() => expect(asked.at(-1)).toMatchObject({ path: '/sign-in/code/enter', body: { code: '123456' } }))
  await eventually(() => expect(document.body.textContent).toContain('This code is not right.'))
  expect(field.value, 'the next one is typed over nothing').toBe('')
})

// spec: KEY-3
test('an opened link says who would sign in, and the button spends it', async () => {
  const asked = await serve({
    'GET /api/session': { body: session },
    'POST /api/magic-link': { body: { email: 'ada@example.com', isHere: true } },
    'POST /magic-link': { body: { redirect: '/auth/two-factor-challenge' } },
  })
  const router = await show(() => import('@/pages/by-mail/MagicLink.vue'), '/auth/magic-link?token=abc')
  await eventually(() => expect(document.body.textContent).toContain('ada@example.com'))
  expect(asked.map(({ path }) => path)).not.toContain('/magic-link')
  button('Sign in').click()
  await eventually(() => expect(router.currentRoute.value.path).toBe('/auth/two-factor-challenge'))
  expect(asked.at(-1)).toMatchObject({ path: '/magic-link', body: { token: 'abc' } })
})

// spec: KEY-3
test('a spent link and one of another browser have no button to sign in with', async () => {
  for (const [answer, words] of [
    [{ status: 404, body: { message: 'Not found' } }, 'This link is spent'],
    [{ body: { email: 'ada@example.com', isHere: false } }, 'Not in this browser'],
  ] as const) {
    document.body.replaceChildren()
    vi.resetModules()
    await serve({ 'GET /api/session': { body: session }, 'POST /api/magic-link': answer })
    await show(() => import('@/pages/by-mail/MagicLink.vue'), '/auth/magic-link?token=abc')
    await eventually(() => expect(document.body.textContent).toContain(words))
    expect(() => button('Sign in')).toThrow()
  }
})

const switcher = () => import('@/components/AccountSwitcher.vue')
const several = { ...session.accounts, offers: ['password', 'several-accounts'] }

// spec: KEY-1
test('the menu leads to the other accounts, to one more, and out of one or all', async () => {
  const asked = await serve({
    'GET /api/session': { body: { ...session, accounts: several, signedIn: [ada, bob] } },
    'POST /accounts/b2/switch': { body: { redirect: '/dashboard' } },
    'DELETE /accounts/b2': { body: { redirect: '/dashboard' } },
    'DELETE /accounts/a1': { body: { redirect: '/dashboard' } },
    'POST /accounts/add': { body: { redirect: '/auth/sign-in' } },
  })
  const went = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  await show(switcher, '/dashboard')
  expect(document.body.textContent).toContain('bob@example.com')
  expect(document.body.textContent).not.toContain('ada@example.com')
  for (const [press, does] of [
    [() => find('ul button').click(), 'POST /accounts/b2/switch'],
    [() => find('[aria-label="Sign out of bob@example.com"]').click(), 'DELETE /accounts/b2'],
    [() => button('Sign out of this one').click(), 'DELETE /accounts/a1'],
    [() => button('Add an account').click(), 'POST /accounts/add'],
  ] as const) {
    went.mockClear()
    press()
    await eventually(() => expect(went).toHaveBeenCalledOnce())
    expect(`${asked.at(-1)?.method} ${asked.at(-1)?.path}`).toBe(does)
  }
  button('Sign out of all')
})

test('where an app has one account at a time there is one way out and nothing else', async () => {
  await serve({ 'GET /api/session': { body: session } })
  await show(switcher, '/dashboard')
  expect([...document.querySelectorAll('button')].map((each) => each.textContent?.trim())).toEqual(['Sign out'])
})

/** The dialog, opened by something that was refused. */
async function askToConfirm(): Promise<boolean[]> {
  await show(() => import('@/components/ConfirmPasswordDialog.vue'), '/settings/account')
  const { askPassword } = await import('@/lib/confirmation')
  const said: boolean[] = []
  void askPassword().then((confirmed) => said.push(confirmed))
  await eventually(() => button('E-mail me a code'))
  return said
}

const member = { ...session, user: { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: true } }
const noPassword = { body: { hasPassword: false, accounts: [], providers: [] } }

// spec: SEC-1, STA-8
test('who has no password confirms with a code, typed where others type the password', async () => {
  const asked = await serve({
    'GET /api/session': { body: member },
    'GET /api/settings/accounts': noPassword,
    'POST /confirm-password/code': { body: { redirect: '/auth/code' } },
    'POST /sign-in/code/enter': { body: { redirect: '/settings/account' } },
  })
  const said = await askToConfirm()
  expect(document.querySelector('input[type=password]')).toBeNull()
  button('E-mail me a code').click()
  await eventually(() => find('input[name=code]'))
  expect(document.body.textContent).toContain('ada@example.com')
  expect(said).toEqual([])
  type(find('input[name=code]'), '123456')
  await eventually(() => expect(said).toEqual([true]))
  const paths = asked.map(({ method, path }) => `${method} ${path}`)
  expect(paths.slice(-2), 'another session has another token').toEqual(['POST /sign-in/code/enter', 'GET /api/session'])
})

// spec: SEC-1
test('or with a link, which leads back to the page', async () => {
  const asked = await serve({
    'GET /api/session': { body: member },
    'GET /api/settings/accounts': noPassword,
    'POST /confirm-password/link': { body: { redirect: '/auth/link-sent' } },
  })
  const said = await askToConfirm()
  button('E-mail me a link').click()
  await eventually(() => expect(document.body.textContent).toContain('A link is on its way'))
  expect(asked.at(-1)).toMatchObject({ path: '/confirm-password/link', body: { return_to: location.pathname } })
  expect(said, 'nothing is confirmed by asking').toEqual([])
})

const captcha = {
  script: 'https://captcha.example/api.js',
  class: 'cf-turnstile',
  global: 'turnstile',
  field: 'cf-turnstile-response',
  siteKey: 'the-site-key',
}

// spec: KEY-1
test('a captcha stands in the form, its answer goes along, and a refused form asks for another one', async () => {
  const asked = await serve({
    'GET /api/session': { body: { ...session, accounts: { ...session.accounts, captchas: { signIn: captcha, signUp: null, forgotPassword: null } } } },
    'POST /sign-in': { status: 422, body: { message: 'Invalid', errors: { email: ['Wrong.'] } } },
  })
  let answers = 0
  const reset = vi.fn()
  // What its script would leave in the page.
  const render = vi.fn((element: HTMLElement, options: Record<string, string>) => {
    element.innerHTML = `<input type="hidden" name="cf-turnstile-response" value="answer-${(answers += 1)}">`
    return `widget of ${options['sitekey']}`
  })
  vi.stubGlobal('turnstile', { render, reset })
  await show(signIn, '/auth/sign-in')
  await eventually(() => expect(render).toHaveBeenCalledOnce())
  type(find('input[name=email]'), 'ada@example.com')
  type(find('input[name=password]'), 'a password')
  find<HTMLFormElement>('form').requestSubmit()
  await eventually(() => expect(reset).toHaveBeenCalledWith('widget of the-site-key'))
  expect(asked.at(-1)?.headers['x-captcha-response']).toBe('answer-1')
  vi.unstubAllGlobals()
})

test('without a captcha nobody else is asked for a script', async () => {
  await serve({ 'GET /api/session': { body: session } })
  await show(signIn, '/auth/sign-in')
  await eventually(() => button('E-mail me a link'))
  expect(document.querySelector('script')).toBeNull()
})
