import { beforeEach, expect, test, vi } from 'vitest'
import { createApp, h } from 'vue'
import { createMemoryHistory, createRouter, RouterView } from 'vue-router'
import { button, eventually, find, type } from './support/mount'
import { serve } from './support/server'

const session = {
  user: { id: 'u-1', name: 'Ada', email: 'ada@example.com', emailVerified: true },
  csrf: 'token-1',
  challenged: false,
  expired: false,
  awaitsCode: null,
  signedIn: [],
  lastUsed: null,
  accounts: { signUpOpen: true, offers: ['password', 'devices'], minPasswordLength: 8, mailbox: null, providers: [] },
}
const asked = {
  entered: 'abcd 2345',
  code: 'ABCD-2345',
  client: 'shop-cli',
  scopes: ['orders:read'],
  address: '203.0.113.7',
  program: 'curl',
  at: new Date().toISOString(),
}
const nothing = { asked: null, over: null, decided: null }

beforeEach(() => vi.resetModules())

/** The pages about devices, at one of their addresses. */
async function open(address: string, answers: Parameters<typeof serve>[0]) {
  const requests = await serve({ 'GET /api/session': { body: session }, ...answers })
  const { loadSession } = await import('@/lib/session')
  await loadSession()
  const { setNavigation } = await import('@/lib/navigate')
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/device', component: (await import('@/pages/device/EnterCode.vue')).default, meta: { title: '' } },
      { path: '/device/confirm', component: (await import('@/pages/device/DecideDevice.vue')).default, meta: { title: '' } },
      { path: '/device/done', component: (await import('@/pages/device/DeviceDone.vue')).default, meta: { title: '' } },
      { path: '/:path(.*)*', component: { render: () => h('p') }, meta: { title: '' } },
    ],
  })
  setNavigation(router, () => true)
  await router.push(address)
  const host = document.createElement('div')
  document.body.append(host)
  createApp({ render: () => h(RouterView) }).use(router).mount(host)
  return { requests, router }
}

const heading = (text: string) => eventually(() => expect(find('h1').textContent).toBe(text))

// spec: KEY-1
test('a code in the address is filled in, and nothing is sent before somebody says so', async () => {
  const { requests, router } = await open('/device?user_code=ABCD-2345', {
    'POST /device': { body: { redirect: '/device/confirm' } },
    'GET /api/device': { body: { ...nothing, asked } },
  })
  const field = find<HTMLInputElement>('[name=user_code]')
  expect(field.value).toBe('ABCD-2345')
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/session'])
  type(field, ' abcd 2345')
  button('Go on').click()
  await eventually(() => expect(router.currentRoute.value.path).toBe('/device/confirm'))
  expect(requests[1]?.body).toEqual({ user_code: ' abcd 2345' })
})

test('a wrong code stays in its field with what is wrong', async () => {
  await open('/device', { 'POST /device': { status: 422, body: { message: 'Invalid', errors: { user_code: ['There is no such code.'] } } } })
  type(find('[name=user_code]'), 'nope')
  button('Go on').click()
  await eventually(() => expect(find('[aria-invalid=true]').getAttribute('aria-describedby')).toContain('-error'))
  expect(find<HTMLInputElement>('[name=user_code]').value).toBe('nope')
  expect(document.body.textContent).toContain('There is no such code.')
})

// spec: KEY-1
test('the question names everything that is known, and each answer names the code', async () => {
  let isDecided = false
  const { requests, router } = await open('/device/confirm', {
    'GET /api/device': () => ({ body: isDecided ? { ...nothing, decided: 'denied' } : { ...nothing, asked } }),
    'POST /device/deny': () => {
      isDecided = true
      return { body: { redirect: '/device/done' } }
    },
  })
  await heading('Let this device in?')
  await eventually(() => expect(document.body.textContent).toContain('Only go on if you started this yourself'))
  for (const shown of ['ABCD-2345', 'shop-cli', 'orders:read', '203.0.113.7', 'curl', 'just now', 'ada@example.com']) {
    expect(document.body.textContent).toContain(shown)
  }
  expect(button('Let it in').closest('form')).not.toBe(button('Turn it away').closest('form'))
  button('Turn it away').click()
  await heading('The device is turned away')
  expect(router.currentRoute.value.path).toBe('/device/done')
  expect(requests.find(({ path }) => path === '/device/deny')?.body).toEqual({ user_code: 'abcd 2345' })
})

test('what can no longer be decided says why and leads to the form', async () => {
  await open('/device/confirm', { 'GET /api/device': { body: { ...nothing, over: 'This code is too old.' } } })
  await heading('Nothing to decide')
  expect(document.body.textContent).toContain('This code is too old.')
  expect(find('a[href="/device"]').textContent).toContain('Enter another code')
})

test('a decision that came too late is told instead of the question', async () => {
  await open('/device/confirm', {
    'GET /api/device': { body: { ...nothing, asked } },
    'POST /device/approve': { status: 422, body: { message: 'Invalid', errors: { user_code: ['This code was used already.'] } } },
  })
  await eventually(() => button('Let it in').click())
  await heading('Nothing to decide')
  expect(document.body.textContent).toContain('This code was used already.')
})

test.each(['/device/confirm', '/device/done'])('without a code, and without a decision, %s leads to the form', async (address) => {
  const { router } = await open(address, { 'GET /api/device': { body: nothing } })
  await eventually(() => expect(router.currentRoute.value.path).toBe('/device'))
})

test('the end says what was decided', async () => {
  await open('/device/done', { 'GET /api/device': { body: { ...nothing, decided: 'approved' } } })
  await heading('The device is let in')
  expect(document.title).toContain('The device is let in')
})
