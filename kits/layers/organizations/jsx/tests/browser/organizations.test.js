// People who work together: one creates an organization, others are invited, join, change and leave. Every page in every
// state it can be in, with a mouse, without one, and without script.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { loseCookies, startBrowser, visit, withoutRefusals } from './support/browser.js'
import { inspector } from './support/inspect.js'
import { press, reach, write } from './support/keyboard.js'
import { mailPage } from './support/mailbox.js'
import { confirmAddress, confirmPassword, signIn, signUp } from './support/member.js'

/** @type {import('playwright-core').Browser} */
let browser
/** @type {{ url: string, stop: () => Promise<void> }} */
let app

before(async () => {
  app = await startApp()
  browser = await startBrowser()
})

after(async () => {
  await browser?.close()
  await app?.stop()
})

/** An address that nobody has. */
function fresh(/** @type {string} */ name) {
  return `${name}.${Date.now()}.${Math.floor(Math.random() * 1e6)}@example.com`
}

/**
 * Signs somebody up with a confirmed address, who creates an organization.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name of the organization
 */
async function createOrganization(page, name) {
  const person = await signUp(page)
  await confirmAddress(page, person.email)
  await page.goto('/organizations/create')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('Invite the people you work with.').waitFor()
  return person
}

/**
 * Invites somebody, and finds the link in their mail.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} email
 * @param {string} [role]
 */
async function invite(page, email, role = 'Member') {
  await page.goto('/settings/organization/invitations')
  await page.getByLabel('E-mail addresses').fill(email)
  await page.getByLabel('Role').selectOption({ label: role })
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('The invitation is on its way.').waitFor()
  return invitationLink(page, email)
}

/** The link that an invitation's mail holds. */
async function invitationLink(/** @type {import('playwright-core').Page} */ page, /** @type {string} */ email) {
  const mail = await mailPage(page.context(), email)
  const text = await (await page.context().request.get(`${mail}?show=text`, { headers: { 'x-forwarded-for': '127.0.0.1' } })).text()
  const link = /https?:\/\/[^\s<>"]+\/invitations\/[^\s<>"]+/.exec(text)?.[0]
  assert.ok(link, 'the mail has a link to the invitation')
  const { pathname, search } = new URL(link.replaceAll('&amp;', '&'))
  return pathname + search
}

/**
 * Joins with a new account on the page of an invitation.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} link
 */
async function join(page, link, name = 'Grace Hopper') {
  await page.goto(link)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create account and join' }).click()
  await page.getByText(/^Welcome to /).waitFor()
}

// spec: ORG-5
test('an organization is created, others join with and without an account, and one leaves again', { timeout: 300_000 }, async () => {
  const host = await visit(browser, app.url)
  await createOrganization(host.page, 'Analytical Engines')
  const grace = fresh('grace')
  const link = await invite(host.page, grace, 'Admin')

  const guest = await visit(browser, app.url)
  await join(guest.page, link)
  assert.ok(await guest.page.getByText('Analytical Engines').first().isVisible())

  // Somebody with an account: signs in, and is back at the invitation.
  const known = await visit(browser, app.url)
  const eve = await signUp(known.page, { name: 'Eve' })
  await loseCookies(known.page)
  await known.page.goto(await invite(host.page, eve.email))
  await known.page.getByRole('link', { name: 'Sign in and join' }).click()
  await signIn(known.page, eve)
  await known.page.getByRole('button', { name: 'Accept and join' }).click()
  await known.page.getByText('Welcome to Analytical Engines.').waitFor()

  await host.page.goto('/settings/organization/members')
  await host.page.getByText('3 members').waitFor()
  await host.page.getByLabel('Search by name or e-mail').fill('hopper')
  await host.page.getByRole('button', { name: 'Search' }).click()
  await host.page.getByText('One member').waitFor()
  await host.page.getByLabel('Role of Grace Hopper', { exact: true }).selectOption('owner')
  await host.page.getByRole('button', { name: 'Save the role of Grace Hopper' }).click()
  await host.page.getByText('Grace Hopper has another role now: Owner.').or(host.page.getByRole('heading', { name: 'Is it you?' })).first().waitFor()
  if (await host.page.getByRole('heading', { name: 'Is it you?' }).isVisible()) {
    await confirmPassword(host.page, 'correct horse battery staple')
    await host.page.getByText('Grace Hopper has another role now: Owner.').waitFor()
  }

  // Now there are two owners, and the first may go.
  await host.page.goto('/settings/organization')
  await host.page.getByLabel('Yes, I want to leave Analytical Engines').check()
  await host.page.getByRole('button', { name: 'Leave the organization' }).click()
  await host.page.getByText('You have left Analytical Engines.').waitFor()
  await host.page.getByText('You are in no organization yet').waitFor()

  for (const { context, problems } of [host, guest, known]) {
    assert.deepEqual(withoutRefusals(problems), [])
    await context.close()
  }
})

// spec: ORG-5
test('the wrong person signs out on the page of the invitation and comes back to it', async () => {
  const host = await visit(browser, app.url)
  await createOrganization(host.page, 'Difference Engines')
  const link = await invite(host.page, fresh('grace'))
  const other = await visit(browser, app.url)
  await signUp(other.page, { name: 'Mallory' })
  await other.page.goto(link)
  await other.page.getByText('This invitation is for').waitFor()
  await other.page.getByRole('button', { name: 'Sign out and go on' }).click()
  await other.page.getByText('You are signed out.').waitFor()
  assert.equal(new URL(other.page.url()).pathname, link.split('?')[0])
  await join(other.page, link)
  await host.context.close()
  await other.context.close()
})

test('the link of an invitation is copied, sent again and taken back', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await createOrganization(page, 'Tabulating Machines')
  const email = fresh('grace')
  const link = await invite(page, email)
  await page.locator('summary', { hasText: 'Link' }).click()
  await page.getByRole('button', { name: `Copy the link for ${email}` }).click()
  await page.getByText('Copied.').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(new URL(copied).pathname, link.split('?')[0])
  await page.getByRole('button', { name: `Send again to ${email}` }).click()
  await page.getByText('is on its way again.').waitFor()
  await page.getByRole('button', { name: `Revoke the invitation to ${email}` }).click()
  await page.locator('dialog[open]').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('is taken back.').waitFor()
  await page.getByText('Nobody is invited right now.').waitFor()
  assert.deepEqual(withoutRefusals(problems), [])
  await page.goto(link)
  await page.getByRole('heading', { name: 'This invitation is no longer open' }).waitFor()
  await context.close()
})

// spec: ORG-3
test('the switcher leads from one organization to the other', async () => {
  const { context, page } = await visit(browser, app.url)
  await createOrganization(page, 'First House')
  await page.goto('/organizations/create')
  await page.getByLabel('Name', { exact: true }).fill('Second House')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('Second House is ready.').waitFor()
  await page.locator('header summary:visible').first().click()
  await page.getByRole('button', { name: 'Switch to First House' }).click()
  await page.getByText('You are in First House now.').waitFor()
  await page.goto('/settings/organization')
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'First House')
  await context.close()
})

// spec: ORG-4
test('a window that was left open acts on no other organization', async () => {
  const { context, page } = await visit(browser, app.url)
  await createOrganization(page, 'First House')
  const other = await context.newPage()
  await other.goto('/settings/organization')
  await page.goto('/organizations/create')
  await page.getByLabel('Name', { exact: true }).fill('Second House')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('Second House is ready.').waitFor()

  await other.getByLabel('Name', { exact: true }).fill('Renamed House')
  await other.getByRole('button', { name: 'Save' }).click()
  await other.getByRole('heading', { name: 'You are somewhere else by now.' }).waitFor()
  await other.getByText('by now you are in Second House. Nothing was changed.').waitFor()
  await other.getByRole('link', { name: 'Show the page of this one' }).click()
  await other.getByRole('heading', { name: 'General' }).waitFor()
  assert.equal(await other.getByLabel('Name', { exact: true }).inputValue(), 'Second House')
  await other.goto('/organizations')
  assert.ok(await other.getByRole('main').getByText('First House', { exact: true }).isVisible())
  await context.close()
})

test('without script everything works the same', { timeout: 300_000 }, async () => {
  const { context, page } = await visit(browser, app.url, { javaScriptEnabled: false })
  const person = await createOrganization(page, 'Quiet House')
  const email = fresh('grace')
  const link = await invite(page, email)
  await page.locator('summary', { hasText: 'Link' }).click()
  assert.ok(await page.getByText(link.split('?')[0] ?? '').isVisible())
  const guest = await visit(browser, app.url, { javaScriptEnabled: false })
  await join(guest.page, link)
  await page.goto('/settings/organization/members')
  await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
  if (await page.getByRole('heading', { name: 'Is it you?' }).isVisible()) await confirmPassword(page, person.password)
  await page.getByText('Grace Hopper is no longer a member.').waitFor()
  await guest.page.goto('/settings/organization')
  await guest.page.getByText('You are in no organization yet').waitFor()

  await page.goto('/settings/organization')
  await page.getByLabel('Yes, delete Quiet House and everything in it').check()
  await page.getByRole('button', { name: 'Delete the organization' }).click()
  if (await page.getByRole('heading', { name: 'Is it you?' }).isVisible()) await confirmPassword(page, person.password)
  await page.getByText('Quiet House is deleted.').waitFor()
  await context.close()
  await guest.context.close()
})

// spec: STA-1
test('the keyboard alone creates an organization, invites somebody and switches', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const person = await signUp(page)
  await confirmAddress(page, person.email)
  await page.goto('/organizations')
  await press(page, 'Create an organization')
  await page.waitForURL('**/organizations/create')
  await write(page, 'Name', 'Keys')
  await press(page, 'Create organization')
  await page.waitForURL('**/settings/organization/invitations')
  await write(page, 'E-mail addresses', `${fresh('one')} ${fresh('two')}`)
  await reach(page, 'Role')
  await page.keyboard.press('ArrowUp')
  await press(page, 'Send invitations')
  await page.getByText('2 invitations are on their way.').waitFor()
  await page.goto('/dashboard')
  await press(page, /Keys$/)
  await press(page, 'New organization')
  await page.waitForURL('**/organizations/create')
  await context.close()
  assert.deepEqual(withoutRefusals(problems), [])
})

// spec: RTE-6
test('nobody meets a barrier on any page of an organization, whatever it has to say', { timeout: 600_000 }, async () => {
  const { page, look, end } = await inspector(browser, app.url)
  const person = await signUp(page, { name: 'Maximiliane Wilhelmine Donaudampfschifffahrtsgesellschaft' })
  await page.goto('/organizations')
  await look('organizations, none yet')
  await confirmAddress(page, person.email)
  await page.goto('/organizations/create')
  await look('create')
  await page.getByLabel('Name', { exact: true }).fill('Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesellschaft')
  await page.getByLabel('Short name (optional)').fill('Not Short')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.waitForSelector('[aria-invalid=true]')
  await look('create, refused')
  await page.getByLabel('Short name (optional)').fill('')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('Invite the people you work with.').waitFor()
  await look('invitations, none yet')
  await page.locator('header summary:visible').first().click()
  await look('switcher, open')
  await page.goto('/settings/organization/invitations')
  await page.getByLabel('E-mail addresses').fill('nonsense')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.waitForSelector('[aria-invalid=true]')
  await look('invitations, refused')
  const email = `${'grace'.repeat(10)}.${Date.now() % 1000}@example-of-a-long-domain.com`
  const link = await invite(page, email)
  await page.locator('summary', { hasText: 'Link' }).click()
  await look('invitations, one with its link')
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await look('invitations, dialog')

  await page.goto(link)
  await look('invitation, for somebody else')
  const guest = await inspector(browser, app.url)
  await guest.page.goto(link)
  await guest.look('invitation, for a guest')
  await guest.page.locator('form').first().evaluate((/** @type {HTMLFormElement} */ form) => (form.noValidate = true))
  await guest.page.getByRole('button', { name: 'Create account and join' }).click()
  await guest.page.waitForSelector('[aria-invalid=true]')
  await guest.look('invitation, refused')
  await join(guest.page, link, 'Grace')
  await guest.look('dashboard of a member')
  for (const path of ['/organizations', '/settings/organization', '/settings/organization/members', '/settings/organization/invitations']) {
    await guest.page.goto(path)
    await guest.look(`${path} of a member`)
  }
  await guest.page.goto(link)
  await guest.look('invitation, no longer open')
  await guest.end([404, 422])

  for (const path of ['/organizations', '/settings/organization', '/settings/organization/members', '/settings/organization/members?q=nobody', '/settings/organization/members?page=7']) {
    await page.goto(path)
    await look(path)
  }
  await page.goto('/settings/organization/members')
  await page.getByRole('button', { name: 'Remove Grace' }).click()
  await look('members, dialog')
  await end()
})
