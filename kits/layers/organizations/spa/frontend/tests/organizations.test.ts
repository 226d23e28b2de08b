import { beforeEach, expect, test, vi } from 'vitest'
import { createApp, h, type Component } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { toasts } from '@/lib/toasts'
import { button, eventually, find, type } from './support/mount'
import { serve, type Answer, type Asked } from './support/server'

const acme = { id: 'o-1', name: 'Acme Works', slug: 'acme' }
const bolt = { id: 'o-2', name: 'Bolt', slug: 'bolt' }
const mine = { active: 'o-1', organizations: [acme, bolt], invitations: [] as object[] }
const ada = { id: 'm-1', name: 'Ada Lovelace', email: 'ada@example.com', roles: ['owner'], since: '2026-05-04T10:00:00Z', you: true, mayChangeRole: false, mayRemove: false, whyNot: 'The only owner. Make somebody else an owner first.' }
const bob = { id: 'm/2', name: 'Bob', email: 'bob@example.com', roles: ['member'], since: '2026-05-05T10:00:00Z', you: false, mayChangeRole: true, mayRemove: true, whyNot: null }
const people = { organization: 'o-1', members: [ada, bob], total: 2, page: 1, pages: 1, mayInvite: true, roles: ['owner', 'admin', 'member'] }
const members = '/settings/organization/members'

beforeEach(() => {
  vi.resetModules()
  toasts.splice(0)
})

/** A page of members at its address, with what the shell has loaded before. */
async function open(load: () => Promise<{ default: Component }>, address: string) {
  const { loadOrganizations } = await import('@/lib/organizations')
  await loadOrganizations()
  const { default: page } = await load()
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/:path(.*)*', component: page, meta: { title: '' } }] })
  const { setNavigation } = await import('@/lib/navigate')
  setNavigation(router, () => true)
  await router.push(address)
  const host = document.createElement('div')
  document.body.append(host)
  const app = createApp({ render: () => h(page) }).use(router)
  app.mount(host)
  return router
}

const bodies = (asked: Asked[], path: string) => asked.filter((each) => each.path === path).map(({ body }) => body)

test('what the server says about organizations is there, and the one that is chosen', async () => {
  await serve({ 'GET /api/organizations': { body: mine } })
  const { active, loadOrganizations, organizations } = await import('@/lib/organizations')
  expect([active.value, organizations.value]).toEqual([undefined, []])
  await loadOrganizations()
  expect([active.value?.name, organizations.value.length]).toEqual(['Acme Works', 2])
})

test('who comes back to this tab sees where they are by now', async () => {
  let active = 'o-1'
  await serve({ 'GET /api/organizations': () => ({ body: { ...mine, active } }) })
  const lib = await import('@/lib/organizations')
  await lib.loadOrganizations()
  lib.followOrganization()
  active = 'o-2'
  document.dispatchEvent(new Event('visibilitychange'))
  await eventually(() => expect(lib.active.value?.name).toBe('Bolt'))
})

test('a press on another organization goes there once, and tells the way', async () => {
  let active = 'o-1'
  const asked = await serve({
    'GET /api/organizations': () => ({ body: { ...mine, active } }),
    'POST /organizations/switch': () => {
      active = 'o-2'
      return { body: { redirect: '/dashboard', status: 'You are in Bolt now.' } }
    },
  })
  const router = await open(() => import('@/components/organizations/OrganizationList.vue'), '/settings/profile')
  const [here, there] = document.querySelectorAll<HTMLButtonElement>('ul button')
  expect(here?.getAttribute('aria-current')).toBe('true')
  here?.click()
  there?.click()
  there?.click()
  await eventually(() => expect(router.currentRoute.value.path).toBe('/dashboard'))
  expect(bodies(asked, '/organizations/switch')).toEqual([{ organization: 'o-2' }])
  expect(there?.getAttribute('aria-current')).toBe('true')
})

test('an organization that is not theirs any more leaves the list', async () => {
  let organizations = [acme, bolt]
  await serve({
    'GET /api/organizations': () => ({ body: { ...mine, organizations } }),
    'POST /organizations/switch': () => {
      organizations = [acme]
      return { status: 404, body: { message: 'Not found' } }
    },
  })
  await open(() => import('@/components/organizations/OrganizationList.vue'), '/dashboard')
  document.querySelectorAll<HTMLButtonElement>('ul button')[1]?.click()
  await eventually(() => expect(document.querySelectorAll('ul button').length).toBe(1))
})

test('who is in none is shown the way into one', async () => {
  await serve({ 'GET /api/organizations': { body: { active: null, organizations: [], invitations: [] } } })
  await open(() => import('@/pages/organizations/ChooseOrganization.vue'), '/organizations')
  expect(document.body.textContent).toContain('You are in no organization yet')
  expect(find('a[href="/organizations/create"]').textContent).toContain('Create one')
})

test('invitations that wait are listed, and lead to the document of guests', async () => {
  const invitation = { id: 'i 1', organization: 'Bolt', roles: ['admin'], expires: new Date(Date.now() + 3 * 86_400_000).toISOString() }
  await serve({ 'GET /api/organizations': { body: { active: null, organizations: [], invitations: [invitation] } } })
  await open(() => import('@/pages/organizations/ChooseOrganization.vue'), '/organizations')
  expect(find('a[href="/invitations/i%201"]').getAttribute('aria-label')).toBe('Answer the invitation to Bolt')
  expect(document.body.textContent).toContain('As Admin. The invitation ends in 3 days.')
})

test('the short name follows the name until somebody writes one of their own', async () => {
  const asked = await serve({ 'GET /api/organizations': { body: mine }, 'POST /organizations': { body: { redirect: '/settings/organization/invitations' } } })
  const router = await open(() => import('@/pages/organizations/CreateOrganization.vue'), '/organizations/create')
  const slug = find<HTMLInputElement>('[name=slug]')
  type(find('[name=name]'), 'Müller & Sons')
  await eventually(() => expect(slug.value).toBe('muller-sons'))
  type(slug, 'mine')
  type(find('[name=name]'), 'Müller & Daughters')
  find<HTMLFormElement>('form').requestSubmit()
  await eventually(() => expect(router.currentRoute.value.path).toBe('/settings/organization/invitations'))
  expect(bodies(asked, '/organizations')).toEqual([{ name: 'Müller & Daughters', slug: 'mine' }])
})

test('the last owner reads why they stay', async () => {
  const why = 'You are the only owner, and an organization always has one.'
  const it = { id: 'o-1', name: 'Acme Works', slug: 'acme', roles: ['owner'], mayUpdate: true, mayDelete: true, whyNotLeave: why }
  await serve({ 'GET /api/organizations': { body: mine }, 'GET /api/settings/organization': { body: it } })
  await open(() => import('@/pages/settings/organization/General.vue'), '/settings/organization')
  await eventually(() => expect(document.body.textContent).toContain(why))
  expect([...document.querySelectorAll('button')].map((each) => each.textContent?.trim())).not.toContain('Leave')
  expect(find<HTMLInputElement>('[name=slug]').value).toBe('acme')
})

test('a plain member changes nothing and may leave', async () => {
  const it = { id: 'o-1', name: 'Acme Works', slug: 'acme', roles: ['member'], mayUpdate: false, mayDelete: false, whyNotLeave: null }
  const asked = await serve({
    'GET /api/organizations': { body: mine },
    'GET /api/settings/organization': { body: it },
    'POST /settings/organization/leave?organization=o-1': { body: { redirect: '/organizations', status: 'You have left Acme Works.' } },
  })
  const router = await open(() => import('@/pages/settings/organization/General.vue'), '/settings/organization')
  await eventually(() => expect(document.body.textContent).toContain('Your role here is Member.'))
  expect(document.querySelector('[name=name]')).toBeNull()
  expect(document.body.textContent).not.toContain('Delete the organization')
  button('Leave').click()
  await eventually(() => expect(find<HTMLDialogElement>('dialog').open).toBe(true))
  find('dialog').querySelectorAll('button')[1]?.click()
  await eventually(() => expect(router.currentRoute.value.path).toBe('/organizations'))
  expect(bodies(asked, '/settings/organization/leave?organization=o-1').length).toBe(1)
})

test('members show what can be done with them, and why not where nothing can', async () => {
  await serve({ 'GET /api/organizations': { body: mine }, [`GET /api${members}?search=&page=1`]: { body: people } })
  await open(() => import('@/pages/settings/organization/Members.vue'), members)
  await eventually(() => expect(document.querySelectorAll('[aria-label=Members] > li').length).toBe(2))
  const [first, second] = document.querySelectorAll('[aria-label=Members] > li')
  expect(first?.textContent).toContain('The only owner.')
  expect(first?.querySelectorAll('button').length).toBe(0)
  expect([...(second?.querySelectorAll('button') ?? [])].map((each) => each.getAttribute('aria-label'))).toEqual(['Change role of Bob', 'Remove Bob'])
})

test('another role is chosen in a dialog, which says what each allows', async () => {
  let roles = ['member']
  const asked = await serve({
    'GET /api/organizations': { body: mine },
    [`GET /api${members}?search=&page=1`]: () => ({ body: { ...people, members: [ada, { ...bob, roles }] } }),
    [`PATCH ${members}/m%2F2?organization=o-1`]: ({ body }) => {
      roles = [(body as { role: string }).role]
      return { body: { status: 'Bob has another role now: Admin.' } }
    },
  })
  await open(() => import('@/pages/settings/organization/Members.vue'), members)
  await eventually(() => button('Change role').click())
  await eventually(() => expect(find<HTMLInputElement>('dialog [value=member]').checked).toBe(true))
  expect(find('dialog[open]').textContent).toContain('Invites and removes people')
  find<HTMLInputElement>('dialog [value=admin]').click()
  button('Save').click()
  await eventually(() => expect(bodies(asked, `${members}/m%2F2?organization=o-1`)).toEqual([{ role: 'admin' }]))
  await eventually(() => expect(document.querySelector('dialog[open]')).toBeNull())
  await eventually(() => expect(document.querySelectorAll('[aria-label=Members] > li')[1]?.textContent).toContain('Admin'))
})

test('a role that is refused is said in the dialog, which stays', async () => {
  const no: Answer = { status: 422, body: { message: 'No', errors: { role: ['Somebody has to be an owner.'] } } }
  await serve({ 'GET /api/organizations': { body: mine }, [`GET /api${members}?search=&page=1`]: { body: people }, [`PATCH ${members}/m%2F2?organization=o-1`]: no })
  await open(() => import('@/pages/settings/organization/Members.vue'), members)
  await eventually(() => button('Change role').click())
  await eventually(() => button('Save').click())
  await eventually(() => expect(find('dialog[open]').textContent).toContain('Somebody has to be an owner.'))
})

test('a search stands in the address, begins at the first page, and the last one typed wins', async () => {
  const found = (name: string) => ({ body: { ...people, members: [{ ...bob, name }], total: 1 } })
  let release = (): void => undefined
  const late = new Promise<void>((resolve) => (release = resolve))
  const asked = await serve({
    'GET /api/organizations': { body: mine },
    [`GET /api${members}?search=&page=2`]: { body: { ...people, page: 2, pages: 2 } },
    [`GET /api${members}?search=slow&page=1`]: async () => {
      await late
      return found('Too late')
    },
    [`GET /api${members}?search=bo&page=1`]: found('Bob'),
  })
  const router = await open(() => import('@/pages/settings/organization/Members.vue'), `${members}?page=2`)
  await eventually(() => expect(document.body.textContent).toContain('Page 2 of 2'))
  type(find('[name=search]'), 'slow')
  await eventually(() => expect(asked.at(-1)?.path).toContain('search=slow'))
  type(find('[name=search]'), 'bo')
  await eventually(() => expect(document.body.textContent).toContain('1 person found'))
  release()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.body.textContent).not.toContain('Too late')
  expect(router.currentRoute.value.fullPath).toBe(`${members}?search=bo`)
})

test('nobody found is said, with what was looked for', async () => {
  await serve({ 'GET /api/organizations': { body: mine }, [`GET /api${members}?search=zed&page=1`]: { body: { ...people, members: [], total: 0 } } })
  await open(() => import('@/pages/settings/organization/Members.vue'), `${members}?search=zed`)
  await eventually(() => expect(document.body.textContent).toContain('Nobody here is called “zed”.'))
  expect(find<HTMLInputElement>('[name=search]').value).toBe('zed')
})

test('several are invited at once, and what was not sent is said beside what was', async () => {
  const empty = { organization: 'o-1', invitations: [], mayInvite: true, mayCancel: true, roles: ['owner', 'admin', 'member'] }
  const asked = await serve({
    'GET /api/organizations': { body: mine },
    'GET /api/settings/organization/invitations': { body: empty },
    'POST /settings/organization/invitations?organization=o-1': { body: { status: '2 invitations are on their way.', warning: 'Not sent: bob@example.com' } },
  })
  await open(() => import('@/pages/settings/organization/Invitations.vue'), '/settings/organization/invitations')
  await eventually(() => expect(document.body.textContent).toContain('Nobody is invited at the moment.'))
  expect(find<HTMLInputElement>('[value=member]').checked, 'the smallest role to begin with').toBe(true)
  const field = find<HTMLInputElement>('[name=emails]')
  type(field, 'eve@example.com, joe@example.com\nbob@example.com')
  find<HTMLFormElement>('form').requestSubmit()
  const { toasts } = await import('@/lib/toasts')
  await eventually(() => expect(toasts.map(({ kind }) => kind)).toEqual(['success', 'danger']))
  expect(bodies(asked, '/settings/organization/invitations?organization=o-1')).toEqual([{ emails: 'eve@example.com, joe@example.com\nbob@example.com', role: 'member' }])
  await eventually(() => expect(field.value).toBe(''))
})

test('an invitation is copied as a link; one that is over can only be sent again', async () => {
  const waiting = { id: 'i-1', email: 'eve@example.com', roles: ['member'], expires: new Date(Date.now() + 2 * 86_400_000).toISOString(), expired: false, link: 'https://app.example.com/invitations/i-1' }
  const over = { ...waiting, id: 'i-2', email: 'joe@example.com', expired: true }
  const asked = await serve({
    'GET /api/organizations': { body: mine },
    'GET /api/settings/organization/invitations': { body: { organization: 'o-1', invitations: [waiting, over], mayInvite: true, mayCancel: true, roles: ['member'] } },
    'POST /settings/organization/invitations/i-2/resend?organization=o-1': { body: { status: 'On its way again.' } },
  })
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await open(() => import('@/pages/settings/organization/Invitations.vue'), '/settings/organization/invitations')
  await eventually(() => button('Copy link').click())
  expect(copied).toHaveBeenCalledWith('https://app.example.com/invitations/i-1')
  expect([...document.querySelectorAll('[aria-label^="Copy"]')].length, 'no link that does nothing').toBe(1)
  expect(document.body.textContent).toContain('Its link ends in 2 days.')
  find('[aria-label="Send again to joe@example.com"]').click()
  await eventually(() => expect(bodies(asked, '/settings/organization/invitations/i-2/resend?organization=o-1').length).toBe(1))
})

// spec: ORG-4
test('who has gone to another organization since is told, and keeps what was typed', async () => {
  const it = { id: 'o-1', name: 'Acme Works', slug: 'acme', roles: ['owner'], mayUpdate: true, mayDelete: false, whyNotLeave: null }
  const message = 'This page was about another organization: by now you are in Bolt. Nothing was changed.'
  await serve({
    'GET /api/organizations': { body: mine },
    'GET /api/settings/organization': { body: it },
    'PATCH /settings/organization?organization=o-1': { status: 409, body: { message, code: 'OTHER_ORGANIZATION' } },
  })
  await open(() => import('@/pages/settings/organization/General.vue'), '/settings/organization')
  await eventually(() => expect(find<HTMLInputElement>('[name=name]').value).toBe('Acme Works'))
  type(find('[name=name]'), 'Acme House')
  find<HTMLFormElement>('form').requestSubmit()
  await eventually(() => expect(find('[role=alert]').textContent).toContain('by now you are in Bolt'))
  expect(find<HTMLInputElement>('[name=name]').value).toBe('Acme House')
})
