import { beforeEach, expect, test, vi } from 'vitest'
import { createApp, h } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { button, eventually, find, type } from './support/mount'
import { serve, type Answer } from './support/server'

const session = {
  user: null,
  csrf: 'token-1',
  challenged: false,
  expired: false,
  lastUsed: null,
  accounts: { signUpOpen: true, offers: ['password', 'sign-up'], minPasswordLength: 8, mailbox: null, providers: [] },
}
const invited = { organization: 'Acme Works', inviter: 'Ada', email: 'eve@example.com', roles: ['member'], visitor: 'guest', signedInAs: null as string | null }

beforeEach(() => vi.resetModules())

/** The page of an invitation, as the link leads there. */
async function open(answers: Record<string, Answer>, address = '/invitations/i-1?token=proof') {
  const asked = await serve({ 'GET /api/session': { body: session }, ...answers })
  const { loadSession } = await import('@/lib/session')
  await loadSession()
  const { default: page } = await import('@/pages/auth/Invitation.vue')
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/invitations/:id', component: page, meta: { title: '' } }] })
  await router.push(address)
  const host = document.createElement('div')
  document.body.append(host)
  createApp({ render: () => h(page) }).use(router).mount(host)
  return asked
}

const heading = (text: string) => eventually(() => expect(find('h1').textContent).toBe(text))

// spec: ORG-5
test('a new person reads who invites them to what, and opening the link sends nothing', async () => {
  const asked = await open({ 'POST /api/invitation': { body: invited } })
  await heading('Join Acme Works')
  expect(document.body.textContent).toContain('Ada invites you to Acme Works as Member.')
  expect(find('dd').textContent).toBe('eve@example.com')
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/session', 'POST /api/invitation'])
  expect(asked[1]?.body).toEqual({ id: 'i-1', token: 'proof' })
})

// spec: ORG-5
test('a guest is offered an account and the sign-in alike: the page does not know which one they need', async () => {
  await open({ 'POST /api/invitation': { body: invited } })
  await heading('Join Acme Works')
  expect(find('[name=password]').getAttribute('autocomplete')).toBe('new-password')
  expect(find('a[href^="/invitations"]').getAttribute('href')).toBe('/invitations/i-1/sign-in?token=proof')
})

test('an account is made in one step, with what the mail carried', async () => {
  vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const asked = await open({ 'POST /api/invitation': { body: invited }, 'POST /invitations/i-1/sign-up': { body: { redirect: '/dashboard', status: 'Welcome to Acme Works.' } } })
  await heading('Join Acme Works')
  type(find('[name=name]'), 'Eve')
  type(find('[name=password]'), 'correct horse battery')
  button('Create account and join').click()
  await eventually(() => expect(location.assign).toHaveBeenCalledWith('/dashboard'))
  expect(asked.at(-1)?.body).toEqual({ name: 'Eve', password: 'correct horse battery', token: 'proof' })
})

test('where nobody can sign up there is only the sign-in', async () => {
  const closed = { ...session, accounts: { ...session.accounts, signUpOpen: false } }
  await open({ 'GET /api/session': { body: closed }, 'POST /api/invitation': { body: invited } }, '/invitations/i-1')
  await heading('Join Acme Works')
  expect(document.querySelector('[name=password]')).toBeNull()
  expect(find('a[href^="/invitations"]').getAttribute('href')).toBe('/invitations/i-1/sign-in')
})

test('whom it is for accepts or declines', async () => {
  vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const asked = await open({ 'POST /api/invitation': { body: { ...invited, visitor: 'recipient' } }, 'POST /invitations/i-1/accept': { body: { redirect: '/dashboard' } } })
  await heading('Join Acme Works')
  expect(button('Decline').closest('form')).not.toBe(button('Accept the invitation').closest('form'))
  button('Accept the invitation').click()
  await eventually(() => expect(location.assign).toHaveBeenCalledWith('/dashboard'))
  expect([asked.at(-1)?.path, asked.at(-1)?.body]).toEqual(['/invitations/i-1/accept', { token: 'proof' }])
})

test('somebody else is told who they are, and can come back as the right person', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  await open({
    'POST /api/invitation': { body: { ...invited, visitor: 'somebodyElse', signedInAs: 'bob@example.com' } },
    'POST /invitations/i-1/sign-out': { body: { redirect: '/invitations/i-1?token=proof' } },
  })
  await heading('Join Acme Works')
  expect(document.body.textContent).toContain('You are signed in as bob@example.com')
  expect([...document.querySelectorAll('button')].some((each) => each.textContent?.includes('Accept'))).toBe(false)
  button('Sign out and go on').click()
  await eventually(() => expect(reload).toHaveBeenCalledTimes(1))
})

// spec: ORG-5
test('whatever became of an invitation, a stranger reads one sentence', async () => {
  await open({ 'POST /api/invitation': { status: 404, body: { message: 'Not found' } } })
  await heading('This invitation is over')
  expect(document.body.textContent).not.toContain('example.com')
})

test('without an answer the page says that nothing is lost', async () => {
  await open({ 'POST /api/invitation': { status: 502, body: '<h1>502</h1>' } })
  await heading('We could not look at the invitation')
  expect(find('[role=alert]').textContent).toContain('The lights went out on our side.')
})
