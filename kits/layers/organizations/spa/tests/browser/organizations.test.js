// Working together, as an owner, a new person and a known one live it: from the first organization to the last owner.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser, visit, withoutRefusals } from './support/browser.js'
import { inspector } from './support/inspect.js'
import { press, reach, write } from './support/keyboard.js'
import { mailLinkUnder } from './support/invitation-mail.js'
import { confirmAddress, confirmPassword, signIn, signOut, signUp } from './support/member.js'
import { places } from './support/places.js'

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

/**
 * Somebody with a confirmed address, on the dashboard.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} [name]
 */
async function proven(page, name = 'Ada Lovelace') {
  const person = await signUp(page, { name })
  await confirmAddress(page, person.email)
  return person
}

/** One that no other test has taken. */
const shortName = () => `house-${Date.now()}-${Math.floor(Math.random() * 1e6)}`

/**
 * Creates an organization.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function create(page, name) {
  await page.goto('/organizations/create')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Short name').fill(shortName())
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText(`${name} is ready.`).waitFor()
  await page.waitForURL('**/settings/organization/invitations')
}

/**
 * Sends invitations from the page where that is done, and waits until the last address is listed.
 *
 * @param {import('playwright-core').Page} page
 * @param {string[]} emails
 * @param {string} [role]
 */
async function invite(page, emails, role = 'Member') {
  await page.goto('/settings/organization/invitations')
  await page.getByLabel('E-mail addresses').fill(emails.join('\n'))
  await page.getByRole('radio', { name: role }).check()
  await page.getByRole('button', { name: 'Send invitations' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  const listed = page.getByRole('list', { name: 'Invitations' }).getByText(emails.at(-1) ?? '')
  await dialog.or(listed).first().waitFor()
  if (await dialog.isVisible()) await confirmPassword(page, 'correct horse battery staple')
  await listed.waitFor()
}

const address = (/** @type {string} */ name) => `${name}.${Date.now()}.${Math.floor(Math.random() * 1e6)}@example.com`

// spec: ORG-5, KIT-8
test('an owner invites, a new person makes an account with the link, and both see each other', { timeout: 600_000 }, async (life) => {
  const owner = await visit(browser, app.url)
  const guest = await visit(browser, app.url)
  const { page } = owner
  await proven(page)
  const email = address('eve')
  let link = ''

  await life.test('who is in none is led to the first one', async () => {
    await page.getByRole('link', { name: 'No organization yet' }).click()
    await page.getByRole('heading', { name: 'You are in no organization yet' }).waitFor()
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Acme Works')
    assert.equal(await page.getByLabel('Short name').inputValue(), 'acme-works')
    await page.getByLabel('Short name').fill(shortName())
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL('**/settings/organization/invitations')
    await page.locator('header:visible').getByText('Acme Works').first().waitFor()
  })

  await life.test('several are invited at once; what is wrong with one is said beside it', async () => {
    const joe = address('joe')
    await page.getByLabel('E-mail addresses').fill(`${email}, ${joe}\nnot-an-address`)
    await page.getByRole('button', { name: 'Send invitations' }).click()
    await page.getByText('2 invitations are on their way.').waitFor()
    await page.getByText(/^Not sent: not-an-address/).waitFor()
    await page.getByRole('list', { name: 'Invitations' }).getByText(joe).waitFor()
    await page.getByRole('button', { name: `Revoke the invitation for ${joe}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('list', { name: 'Invitations' }).getByText(joe).waitFor({ state: 'detached' })
  })

  await life.test('the link in the mail asks first, and says who invites to what', async () => {
    link = await mailLinkUnder(owner.context, email, '/invitations/')
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'Join Acme Works' }).waitFor()
    assert.ok(await guest.page.getByText('Ada Lovelace invites you to Acme Works as Member.').isVisible())
    assert.ok(await guest.page.getByRole('definition').getByText(email).isVisible())
    assert.ok(await guest.page.getByRole('link', { name: 'I have an account: sign in' }).isVisible())
  })

  await life.test('a name and a password, and she is in', async () => {
    await guest.page.getByLabel('Name', { exact: true }).fill('Eve Adams')
    await guest.page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await guest.page.getByRole('button', { name: 'Create account and join' }).click()
    await guest.page.waitForURL('**/dashboard')
    await guest.page.locator('header:visible').getByText('Acme Works').first().waitFor()
    // The mail was the proof: nothing is left to confirm.
    await guest.page.getByText('1 of 3 done').waitFor()
  })

  await life.test('the link is spent', async () => {
    const stranger = await visit(browser, app.url)
    await stranger.page.goto(link)
    await stranger.page.getByRole('heading', { name: 'This invitation is over' }).waitFor()
    assert.equal(await stranger.page.getByText(email).count(), 0)
    await stranger.context.close()
  })

  await life.test('a plain member sees who is there, and nothing to change', async () => {
    await guest.page.goto('/settings/organization/members')
    await guest.page.getByRole('list', { name: 'Members' }).getByText('Ada Lovelace').waitFor()
    assert.equal(await guest.page.getByRole('button', { name: /^(Remove|Change role)/ }).count(), 0)
    await guest.page.goto('/settings/organization/invitations')
    await guest.page.getByText('Owners and admins can invite people.').waitFor()
    assert.equal(await guest.page.getByLabel('E-mail addresses').count(), 0)
  })

  await life.test('a search finds her, also after a reload, and nobody else', async () => {
    await page.goto('/settings/organization/members')
    await page.getByLabel('Search by name or address').fill('eve')
    await page.getByText('1 person found').waitFor()
    await page.waitForURL('**/members?search=eve')
    await page.reload()
    await page.getByText('1 person found').waitFor()
    assert.equal(await page.getByLabel('Search by name or address').inputValue(), 'eve')
    await page.getByLabel('Search by name or address').fill('zebra')
    await page.getByText('Nobody here is called “zebra”.').waitFor()
    await page.getByLabel('Search by name or address').fill('')
    await page.getByText('2 people').waitFor()
  })

  await life.test('the last owner is told why they stay, until there is another', async () => {
    await page.goto('/settings/organization')
    await page.getByText('You are the only owner').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Leave' }).count(), 0)
    await page.goto('/settings/organization/members')
    await page.getByText('The only owner.').waitFor()
    await page.getByRole('button', { name: 'Change role of Eve Adams' }).click()
    await page.getByRole('radio', { name: 'Owner' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Is it you?' }).waitFor()
    await confirmPassword(page, 'correct horse battery staple')
    await page.getByText('Eve Adams has another role now: Owner.').waitFor()
    await page.goto('/settings/organization')
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByText('You have left Acme Works.').waitFor()
    await page.waitForURL('**/organizations')
    await page.getByRole('heading', { name: 'You are in no organization yet' }).waitFor()
  })

  await life.test('and the one who is left can end it', async () => {
    await guest.page.goto('/settings/organization')
    await guest.page.getByRole('checkbox', { name: /^Yes, delete Acme Works/ }).check()
    await guest.page.getByRole('button', { name: 'Delete the organization' }).click()
    const dialog = guest.page.getByRole('dialog', { name: 'Is it you?' })
    await dialog.waitFor()
    await confirmPassword(guest.page, 'correct horse battery staple')
    await guest.page.getByText('Acme Works is deleted.').waitFor()
    await guest.page.getByRole('link', { name: 'No organization yet' }).waitFor()
  })

  assert.deepEqual(withoutRefusals(owner.problems), [])
  assert.deepEqual(withoutRefusals(guest.problems, [404, 422, 423]), [])
  await owner.context.close()
  await guest.context.close()
})

// spec: ORG-5
test('a known person signs in from the link and accepts; somebody else cannot', { timeout: 300_000 }, async () => {
  const owner = await visit(browser, app.url)
  await proven(owner.page)
  await create(owner.page, 'Bolt')
  const bob = await visit(browser, app.url)
  const known = await proven(bob.page, 'Bob Boole')
  await signOut(bob.page)
  await invite(owner.page, [known.email], 'Admin')
  const link = await mailLinkUnder(owner.context, known.email, '/invitations/')

  // Whoever is signed in as somebody else is told so, and can come back as the right person.
  await owner.page.goto(link)
  await owner.page.getByText('this invitation is for somebody else').waitFor()
  assert.equal(await owner.page.getByRole('button', { name: 'Accept the invitation' }).count(), 0)

  await bob.page.goto(link)
  await bob.page.getByRole('link', { name: 'I have an account: sign in' }).click()
  await bob.page.waitForURL(`**${places.signIn}`)
  await signIn(bob.page, known)
  await bob.page.waitForURL('**/invitations/**')
  await bob.page.getByRole('button', { name: 'Accept the invitation' }).click()
  await bob.page.getByText('Welcome to Bolt.').waitFor()
  await bob.page.locator('header:visible').getByText('Bolt').first().waitFor()

  await owner.page.goto('/settings/organization/invitations')
  await owner.page.getByText('Nobody is invited at the moment.').waitFor()
  await owner.context.close()
  await bob.context.close()
})

// spec: ORG-3
test('in another organization every page is about the other one, in every tab', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await proven(page)
  await create(page, 'First House')
  await create(page, 'Second House')
  const other = await context.newPage()
  await other.goto('/settings/organization')
  await other.getByLabel('Name', { exact: true }).waitFor()
  assert.equal(await other.getByLabel('Name', { exact: true }).inputValue(), 'Second House')

  await page.goto('/settings/organization/members')
  await page.locator('header summary:visible').first().click()
  await page.getByRole('button', { name: 'First House' }).click()
  await page.getByText('You are in First House now.').waitFor()
  await page.waitForURL('**/dashboard')
  await page.locator('header summary:visible').first().getByText('First House').waitFor()

  // Somebody comes back to the tab that they left open.
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await other.locator('header summary:visible').first().getByText('First House').waitFor()
  await other.waitForFunction(() => document.querySelector('input[name=name]') instanceof HTMLInputElement && /** @type {HTMLInputElement} */ (document.querySelector('input[name=name]')).value === 'First House')
  assert.deepEqual(problems, [])
  await context.close()
})

// spec: ORG-4
test('a tab that was left open acts on no other organization', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await proven(page)
  await create(page, 'First House')
  const other = await context.newPage()
  await other.goto('/settings/organization')
  const name = other.getByLabel('Name', { exact: true })
  await name.waitFor()
  await create(page, 'Second House')

  await name.fill('Renamed House')
  await other.getByRole('button', { name: 'Save' }).click()
  await other.getByRole('alert').getByText('by now you are in Second House. Nothing was changed.').waitFor()
  assert.equal(await name.inputValue(), 'Renamed House', 'what was typed is still there')
  await other.goto('/organizations')
  await other.getByRole('main').getByText('First House', { exact: true }).first().waitFor()
  await other.getByRole('main').getByText('Second House', { exact: true }).first().waitFor()
  assert.deepEqual(withoutRefusals(problems, [409]), [])
  await context.close()
})

test('who was removed while a page was open is told, and led out', { timeout: 300_000 }, async () => {
  const owner = await visit(browser, app.url)
  await proven(owner.page)
  await create(owner.page, 'Carpenters')
  const eve = await visit(browser, app.url)
  const email = address('eve')
  await invite(owner.page, [email])
  await eve.page.goto(await mailLinkUnder(owner.context, email, '/invitations/'))
  await eve.page.getByLabel('Name', { exact: true }).fill('Eve Adams')
  await eve.page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await eve.page.getByRole('button', { name: 'Create account and join' }).click()
  await eve.page.waitForURL('**/dashboard')
  await eve.page.goto('/settings/organization')
  await eve.page.getByText('Your role here is Member.').waitFor()

  await owner.page.goto('/settings/organization/members')
  await owner.page.getByRole('button', { name: 'Remove Eve Adams' }).click()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await owner.page.getByRole('dialog', { name: 'Is it you?' }).waitFor()
  await confirmPassword(owner.page, 'correct horse battery staple')
  await owner.page.getByText('Eve Adams is no longer a member.').waitFor()

  await eve.page.locator('main').getByRole('link', { name: 'Members' }).click()
  await eve.page.getByRole('heading', { name: 'You are in no organization yet' }).waitFor()
  await owner.context.close()
  await eve.context.close()
})

// spec: KIT-4
test('nobody meets a barrier or an error on the pages about organizations, whatever they have to say', { timeout: 600_000 }, async () => {
  const { context, page, look, end } = await inspector(browser, app.url)
  const open = async (/** @type {string} */ path) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await look(path)
  }
  await page.goto('/invitations/never-was')
  await page.getByRole('heading', { name: 'This invitation is over' }).waitFor()
  await look('invitation, over')

  // Names as long as they get: they fit on a phone nowhere by chance.
  await proven(page, 'Maximiliane Wilhelmine Donaudampfschifffahrtsgesellschaft')
  await open('/organizations')
  await open('/settings/organization')
  await page.goto('/organizations/create')
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await page.getByLabel('Short name').fill('Not A Short Name')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await look('create, refused')
  await create(page, 'Donaudampfschifffahrtsgesellschaftskapitänsvereinigung')
  await look('invitations, none')
  await create(page, 'Second House')
  await page.getByLabel('E-mail addresses').fill('nobody')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await look('invitations, refused')
  const email = `${'eve'.repeat(18)}.${Date.now() % 1000}@example-of-a-long-domain.com`
  await invite(page, [email])
  await look('invitations, one')
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await page.getByRole('dialog').waitFor()
  await look('invitations, dialog')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  const link = await mailLinkUnder(context, email, '/invitations/')
  await page.goto(link)
  await page.getByText('this invitation is for somebody else').waitFor()
  await look('invitation, somebody else')

  const guest = await inspector(browser, app.url)
  await guest.page.goto(link)
  await guest.page.getByRole('heading', { name: 'Join Second House' }).waitFor()
  await guest.look('invitation, a guest')
  await guest.page.getByLabel('Name', { exact: true }).fill('Eve Adams')
  await guest.page.getByLabel('Password', { exact: true }).fill('password')
  await guest.page.getByRole('button', { name: 'Create account and join' }).click()
  await guest.page.locator('[aria-invalid=true]').first().waitFor()
  await guest.look('invitation, refused')
  await guest.page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await guest.page.getByRole('button', { name: 'Create account and join' }).click()
  await guest.page.waitForURL('**/dashboard')
  await guest.page.goto('/settings/organization')
  await guest.page.getByText('Your role here is Member.').waitFor()
  await guest.look('general, a plain member')
  await guest.end()

  await open('/settings/organization/members')
  await page.getByRole('button', { name: 'Change role of Eve Adams' }).click()
  await page.getByRole('dialog').waitFor()
  await look('members, another role')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Search by name or address').fill('zebra')
  await page.getByText('Nobody here is called “zebra”.').waitFor()
  await look('members, nobody found')
  await open('/settings/organization')
  await open('/organizations')
  await page.locator('header summary:visible').first().click()
  await look('switcher, open')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 800 })
  await page.locator('header summary:visible').last().click()
  await look('switcher, in a hand')
  await end([404, 422, 423])
})

test('everything works with the keyboard alone', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await proven(page)
  await page.goto('/organizations')
  await press(page, 'Create one')
  await page.getByLabel('Name', { exact: true }).waitFor()
  const keys = `Keys ${Date.now()}`
  await write(page, 'Name', keys)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings/organization/invitations')
  await page.getByLabel('E-mail addresses').waitFor()
  const email = address('joe')
  await write(page, 'E-mail addresses', email)
  await reach(page, 'Member')
  // The arrows choose: up is the mightier role.
  await page.keyboard.press('ArrowUp')
  assert.ok(await page.getByRole('radio', { name: 'Admin' }).isChecked())
  await press(page, 'Send invitations')
  await page.getByRole('list', { name: 'Invitations' }).getByText(email).waitFor()
  await press(page, `Revoke the invitation for ${email}`)
  await page.getByRole('dialog').waitFor()
  await press(page, 'Revoke')
  await page.getByText('Nobody is invited at the moment.').waitFor()

  await create(page, 'Second House')
  await page.goto('/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await press(page, /^SH Organization Second House/)
  await press(page, new RegExp(`${keys}$`))
  await page.getByText(`You are in ${keys} now.`).waitFor()
  await page.locator('header summary:visible').first().getByText(keys).waitFor()
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})
