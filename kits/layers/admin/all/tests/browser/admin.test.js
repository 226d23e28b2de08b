// Somebody who looks after the others: finds them, closes an account and opens it again, sees the app with their eyes. With a
// mouse, without one, and without script.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser, visit, withoutRefusals } from './support/browser.js'
import { inspector } from './support/inspect.js'
import { press, reach, write } from './support/keyboard.js'
import { confirmAddress, confirmPassword, shownKey, signIn, signUp } from './support/member.js'
import { places } from './support/places.js'
import { authenticatorApp } from './support/totp.js'

/** The lists, each with a search of its own. */
const LISTS = ['/admin/users', '/admin/events']

/** @type {import('playwright-core').Browser} */
let browser
/** @type {Awaited<ReturnType<typeof startApp>>} */
let app

before(async () => {
  app = await startApp()
  browser = await startBrowser()
})

after(async () => {
  await browser?.close()
  await app?.stop()
})

/** A name and an address that nobody has. */
function fresh(/** @type {string} */ name) {
  const number = `${Date.now()}${Math.floor(Math.random() * 1e6)}`
  return { name: `${name} ${number}`, email: `${name.toLowerCase()}.${number}@example.com` }
}

/**
 * Signs up somebody whom the console makes an admin, and opens the list of people. The password is asked for on the way.
 *
 * @param {import('playwright-core').Page} page
 */
async function becomeAdmin(page) {
  const alice = await signUp(page, fresh('Alice'))
  await app.run('auth:admin', alice.email)
  await page.goto('/admin/users')
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await confirmPassword(page, alice.password)
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  return alice
}

/**
 * Finds somebody in the list and opens their page.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ name: string, email: string }} person
 */
async function open(page, person) {
  await page.goto('/admin/users')
  await page.getByLabel('Name or e-mail begins with').fill(person.email)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: person.name }).click()
  await page.getByRole('heading', { name: person.name, level: 1 }).waitFor()
}

/**
 * Unfolds what is serious, and presses its button.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} title
 * @param {string} button
 */
async function decide(page, title, button) {
  await page.locator('summary', { hasText: title }).click()
  await page.getByRole('button', { name: button }).click()
}

/** What says that an admin acts as somebody else, on every page. */
const banner = (/** @type {import('playwright-core').Page} */ page) => page.getByRole('complementary', { name: 'Acting as somebody else' })

// spec: ADM-1
test('somebody is found, their account closed with a reason, and opened again', { timeout: 300_000 }, async () => {
  const admin = await visit(browser, app.url)
  const guest = await visit(browser, app.url)
  const bob = await signUp(guest.page, fresh('Bob'))
  const alice = await becomeAdmin(admin.page)
  const { page } = admin

  await page.getByLabel('Name or e-mail begins with').fill(bob.email.toUpperCase().slice(0, -4))
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: bob.name }).waitFor()
  assert.equal(await page.getByRole('link', { name: alice.name }).count(), 0)
  await page.getByRole('link', { name: bob.name }).click()

  // What is wrong is said where it is, and the form stays open.
  await page.locator('summary', { hasText: 'Close the account' }).click()
  await page.getByLabel('Why').fill('Sold <b>spam</b>')
  await page.getByLabel('For how many days').fill('0')
  await page.getByRole('button', { name: 'Close it' }).click()
  await page.locator('#days[aria-invalid=true]').waitFor()
  assert.equal(await page.getByLabel('Why').inputValue(), 'Sold <b>spam</b>')
  await page.getByLabel('For how many days').fill('7')
  await page.getByRole('button', { name: 'Close it' }).click()
  await page.getByText('The account is closed, and all its sessions are over.').waitFor()
  await page.getByText('Sold <b>spam</b>').waitFor()
  await page.getByText(/^This account is closed until \d{4}-\d\d-\d\d/).waitFor()

  await guest.page.goto('/settings/profile')
  await guest.page.waitForURL(`**${places.signIn}`)
  await signIn(guest.page, bob)
  await guest.page.getByText(/banned|closed/i).first().waitFor()
  assert.equal(new URL(guest.page.url()).pathname, places.signIn)

  await page.getByRole('button', { name: 'Open the account again' }).click()
  await page.getByText('The account is open again.').waitFor()
  await signIn(guest.page, bob)
  await guest.page.waitForURL((url) => url.pathname !== places.signIn)
  // Both are among what happened to the account, with who did it.
  await page.reload()
  await page.getByText('user-banned').waitFor()
  await page.getByText(`by ${alice.email}`).first().waitFor()

  assert.deepEqual(withoutRefusals(admin.problems), [])
  await admin.context.close()
  await guest.context.close()
})

// spec: ADM-1
test('a long list is turned over page by page, and what was searched for stays', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await becomeAdmin(page)
  const crowd = fresh('Crowd')
  for (let number = 10; number < 37; number += 1) {
    const person = { name: `${crowd.name} no ${number}`, email: `${number}.${crowd.email}` }
    const made = await context.request.post('/api/auth/admin/create-user', { data: person, headers: { origin: app.url } })
    assert.equal(made.status(), 200, await made.text())
  }
  await page.getByLabel('Name or e-mail begins with').fill(crowd.name)
  await page.getByLabel('Sort').selectOption({ label: 'By name' })
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText(`${crowd.name} no 10`).waitFor()
  assert.equal(await page.getByRole('link', { name: crowd.name }).count(), 25)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText(`${crowd.name} no 36`).waitFor()
  assert.equal(await page.getByRole('link', { name: crowd.name }).count(), 2)
  assert.equal(await page.getByLabel('Name or e-mail begins with').inputValue(), crowd.name)
  assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0)
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByText(`${crowd.name} no 10`).waitFor()
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

// spec: ADM-2
test('an admin acts as somebody, sees it on every page, and comes back by the banner', { timeout: 300_000 }, async () => {
  const guest = await visit(browser, app.url)
  const bob = await signUp(guest.page, fresh('Bob'))
  await guest.context.close()
  const { context, page, problems } = await visit(browser, app.url)
  const alice = await becomeAdmin(page)
  await open(page, bob)
  await page.getByRole('button', { name: 'Act as this person' }).click()
  await page.waitForURL('**/dashboard')
  for (const path of ['/dashboard', '/settings/profile', '/']) {
    await page.goto(path)
    await banner(page).getByText(`You act as ${bob.name} (${bob.email}).`).waitFor()
  }
  // With his rights, and no others.
  await page.goto('/admin/users')
  await page.getByRole('heading', { name: 'This door is locked.' }).waitFor()

  await page.goto('/dashboard')
  await banner(page).getByRole('button', { name: 'Back to yourself' }).click()
  await page.getByText('You are yourself again.').waitFor()
  assert.equal(await banner(page).count(), 0)
  await page.goto('/settings/profile')
  await page.locator(`input[value="${alice.email}"]`).or(page.getByText(alice.email)).first().waitFor()
  assert.deepEqual(withoutRefusals(problems, [403, 423]), [])
  await context.close()
})

// spec: ADM-1
test('a lost second factor is reset, and sessions are ended one by one and all at once', { timeout: 300_000 }, async () => {
  const guest = await visit(browser, app.url)
  const bob = await signUp(guest.page, fresh('Bob'))
  await confirmAddress(guest.page, bob.email)
  await guest.page.goto('/settings/two-factor')
  await guest.page.getByRole('button', { name: 'Set it up' }).click()
  await guest.page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await confirmPassword(guest.page, bob.password)
  await guest.page.getByRole('img', { name: 'QR code with your key' }).waitFor()
  const phone = authenticatorApp(await shownKey(guest.page))
  await guest.page.getByLabel('Six-digit code').fill(phone.code())
  await guest.page.getByText('Two-factor sign-in is on.').waitFor()
  const other = await visit(browser, app.url)
  await other.page.goto(places.signIn)
  await signIn(other.page, bob)
  await other.page.waitForURL(`**${places.challenge}`)
  await other.page.getByLabel('Six-digit code').fill(phone.code())
  await other.page.waitForURL('**/dashboard')

  const { context, page, problems } = await visit(browser, app.url)
  await becomeAdmin(page)
  await open(page, bob)
  const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('button', { name: /^End the session of/ })
  assert.equal(await sessions.count(), 2)
  await sessions.first().click()
  await page.getByText('The session is ended.').waitFor()
  assert.equal(await sessions.count(), 1)
  await decide(page, 'Reset the second factor', 'Turn the second factor off')
  await page.getByText('The second factor is off. They can set up a new one.').waitFor()
  assert.equal(await page.locator('summary', { hasText: 'Reset the second factor' }).count(), 0)
  if (await sessions.count()) {
    await page.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByText('All their sessions are ended.').waitFor()
  }
  await page.getByText('They are signed in nowhere.').waitFor()

  for (const his of [guest, other]) {
    await his.page.goto('/settings/profile')
    await his.page.waitForURL(`**${places.signIn}`)
  }
  // The password alone opens it.
  await signIn(guest.page, bob)
  await guest.page.waitForURL('**/settings/profile')
  assert.deepEqual(withoutRefusals(problems), [])
  for (const visitor of [guest, other, { context }]) await visitor.context.close()
})

// spec: ADM-1, ADM-2
test('the keyboard alone finds somebody, closes and opens the account, acts as them and comes back', { timeout: 300_000 }, async () => {
  const guest = await visit(browser, app.url)
  const bob = await signUp(guest.page, fresh('Bob'))
  await guest.context.close()
  const { context, page, problems } = await visit(browser, app.url)
  await becomeAdmin(page)
  await write(page, 'Name or e-mail begins with', bob.email)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/users?**')
  await press(page, bob.name)
  await page.getByRole('heading', { name: bob.name, level: 1 }).waitFor()
  await press(page, 'Close the account')
  await write(page, 'Why', 'Spam')
  await press(page, 'Close it')
  await page.getByText('The account is closed, and all its sessions are over.').waitFor()
  await press(page, 'Open the account again')
  await page.getByText('The account is open again.').waitFor()
  await press(page, 'Act as this person')
  await page.waitForURL('**/dashboard')
  await banner(page).waitFor()
  await press(page, 'Back to yourself')
  await page.getByText('You are yourself again.').waitFor()
  await reach(page, 'Events')
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

// spec: ADM-1, ADM-2
test('without script an admin does the same', { timeout: 300_000 }, async () => {
  const guest = await visit(browser, app.url)
  const bob = await signUp(guest.page, fresh('Bob'))
  await guest.context.close()
  const scripted = await visit(browser, app.url)
  await becomeAdmin(scripted.page)
  const { context, page } = await visit(browser, app.url, { javaScriptEnabled: false, storageState: await scripted.context.storageState() })

  await open(page, bob)
  await page.locator('summary', { hasText: 'Close the account' }).click()
  await page.getByLabel('Why').fill('Spam')
  await page.getByRole('button', { name: 'Close it' }).click()
  await page.getByText('The account is closed, and all its sessions are over.').waitFor()
  await page.getByText('They are signed in nowhere.').waitFor()
  await page.getByRole('button', { name: 'Open the account again' }).click()
  await page.getByText('The account is open again.').waitFor()
  await page.getByRole('button', { name: 'Act as this person' }).click()
  await page.waitForURL('**/dashboard')
  await page.goto('/')
  await banner(page).getByRole('button', { name: 'Back to yourself' }).click()
  await page.getByText('You are yourself again.').waitFor()
  await decide(page, 'Delete the account', 'Delete it for good')
  await page.getByText(`The account of ${bob.name} is deleted.`).waitFor()
  await context.close()
  await scripted.context.close()
})

// spec: RTE-6
test('nobody meets a barrier on the pages of admins, whatever they have to say', { timeout: 600_000 }, async () => {
  const guest = await visit(browser, app.url)
  const long = fresh('Maximiliane')
  const bob = await signUp(guest.page, { ...long, name: `${long.name} Donaudampfschifffahrtsgesellschaftskapitänswitwe` })
  await guest.context.close()
  const { page, look, end } = await inspector(browser, app.url)
  const alice = await signUp(page, fresh('Alice'))
  await app.run('auth:admin', alice.email)
  await page.goto('/admin/users')
  await look('is it you')
  await confirmPassword(page, 'not my password')
  await page.locator('[aria-invalid=true]').waitFor()
  await look('is it you, refused')
  await confirmPassword(page, alice.password)
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  for (const list of LISTS) {
    await page.goto(list)
    await look(list)
    await page.goto(`${list}?search=nobody.at.all&user=nobody.at.all`)
    await look(`${list}, nothing found`)
  }
  await page.goto('/admin/jobs')
  await look('jobs that never wait')
  await open(page, alice)
  await look('their own page')
  await open(page, bob)
  for (const summary of await page.locator('main summary').all()) await summary.click()
  await look('the page of somebody, all open')
  await page.getByLabel('Why').fill('Spam, and more spam, in a word that knows no end: spamspamspamspamspamspamspamspamspamspamspam')
  await page.getByLabel('For how many days').fill('0')
  await page.getByRole('button', { name: 'Close it' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await look('the page of somebody, refused')
  await page.getByLabel('For how many days').fill('')
  await page.getByRole('button', { name: 'Close it' }).click()
  await page.getByText('The account is closed, and all its sessions are over.').waitFor()
  await look('the page of somebody, closed')
  await page.getByRole('button', { name: 'Open the account again' }).click()
  await page.getByRole('button', { name: 'Act as this person' }).click()
  for (const path of ['/dashboard', '/']) {
    await page.goto(path)
    await banner(page).waitFor()
    await look(`${path} with the banner`)
  }
  await page.goto('/admin/users')
  await page.getByRole('heading', { name: 'This door is locked.' }).waitFor()
  await look('locked, with the banner')
  await banner(page).getByRole('button', { name: 'Back to yourself' }).click()
  await page.getByText('You are yourself again.').waitFor()
  await end([403, 422, 423])
})
