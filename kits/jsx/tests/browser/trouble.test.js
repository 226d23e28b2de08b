// What goes wrong, and what a person is told then: no script, old pages, used links, second presses, strange input.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser, visit, withoutRefusals } from './support/browser.js'
import { mailLink, mailPage } from './support/mailbox.js'
import { confirmAddress, confirmPassword, recoveryCodes, shownKey, signIn, signOut, signUp, useRecoveryCode } from './support/member.js'
import { authenticatorApp } from './support/totp.js'

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

/** @param {import('playwright-core').Page} page */
const pathOf = (page) => new URL(page.url()).pathname

test('without script an account lives from its sign-up through two-factor to its end', async () => {
  const { context, page } = await visit(browser, app.url, { javaScriptEnabled: false })
  const ada = await signUp(page)
  await confirmAddress(page, ada.email)

  await page.goto('/settings/two-factor')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await confirmPassword(page, ada.password)
  const phone = authenticatorApp(await shownKey(page))
  await page.getByLabel('Six-digit code').fill(phone.code())
  await page.getByRole('button', { name: 'Turn it on' }).click()
  const codes = await recoveryCodes(page)
  assert.equal(codes.length, 10)

  await signOut(page)
  await page.goto('/sign-in')
  await signIn(page, ada)
  // The other form unfolds without script too, and comes back unfolded when it is refused.
  await useRecoveryCode(page, 'AAAAA-AAAAA')
  await page.locator('#recovery-code-error').waitFor()
  assert.ok(await page.getByLabel('Recovery code').isVisible())
  await page.getByLabel('Six-digit code').fill(phone.code())
  await page.getByLabel('Trust this device').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')

  // A trusted device is asked for the password alone.
  await signOut(page)
  await page.goto('/sign-in')
  await signIn(page, ada)
  await page.waitForURL('**/dashboard')

  await page.goto('/settings/account')
  await page.getByLabel(/^Yes, delete/).check()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await confirmPassword(page, ada.password)
  assert.ok(await page.getByText('Your account is deleted. Farewell.').isVisible())
  await context.close()
})

test('a form that was open too long says so, and keeps what was typed but the password', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await page.goto('/sign-up')
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'This page was open too long.' }).waitFor()
  await page.getByRole('link', { name: 'Back to the form' }).click()
  await page.waitForURL('**/sign-up')
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ada Lovelace')
  assert.equal(await page.getByLabel('E-mail').inputValue(), 'ada@example.com')
  assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), '')
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

test('a link to a new password works once, ends every session, and says so afterwards', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const ada = await signUp(page)
  const guest = await visit(browser, app.url)
  await guest.page.goto('/forgot-password')
  await guest.page.getByLabel('E-mail').fill(ada.email)
  await guest.page.getByRole('button', { name: 'Send the link' }).click()
  await guest.page.getByText('If there is an account with this address').waitFor()
  const link = await mailLink(guest.context, ada.email, '/reset-password')

  // Two tabs hold the same link; only one of them can use it.
  const late = await guest.context.newPage()
  const password = 'a wholly different horse'
  await late.goto(link)
  await late.getByLabel('New password').fill(password)
  await late.getByLabel('The same once more').fill('something else')
  await late.getByRole('button', { name: 'Save the password' }).click()
  await late.locator('[aria-invalid=true]').first().waitFor()
  for (const tab of [late, guest.page]) {
    await tab.goto(link)
    assert.equal(await tab.getByLabel('E-mail').inputValue(), ada.email)
    await tab.getByLabel('New password').fill(password)
    await tab.getByLabel('The same once more').fill(password)
  }
  await guest.page.getByRole('button', { name: 'Save the password' }).click()
  await guest.page.waitForURL('**/sign-in')
  assert.ok(await guest.page.getByText('Your password is changed.').isVisible())
  await late.getByRole('button', { name: 'Save the password' }).click()
  await late.getByRole('heading', { name: 'This link is spent' }).waitFor()
  await late.goto(link)
  assert.ok(await late.getByRole('heading', { name: 'This link is spent' }).isVisible())
  await late.goto('/reset-password?token=made-up')
  assert.ok(await late.getByRole('heading', { name: 'This link is spent' }).isVisible())

  await page.goto('/settings/profile')
  assert.equal(pathOf(page), '/sign-in', 'the session from before is over')
  await signIn(guest.page, { email: ada.email, password })
  await guest.page.waitForURL('**/dashboard')
  assert.deepEqual(withoutRefusals([...problems, ...guest.problems]), [])
  await guest.context.close()
  await context.close()
})

test('a link that proves an address and was tampered with changes nothing and says so', async () => {
  const { context, page } = await visit(browser, app.url)
  const ada = await signUp(page)
  const link = await mailLink(context, ada.email, '/verify-email/confirm')
  await page.goto(`${link.slice(0, -4)}AAAA`)
  await page.getByRole('heading', { name: 'This link is spent' }).waitFor()
  await page.goto('/verify-email')
  assert.ok(await page.getByRole('heading', { name: 'Look into your mail' }).isVisible())
  await context.close()
})

test('a name is text wherever it is shown, in the mail too', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const name = '<img src=x onerror="document.title=1"><b>Ada</b> & \'Co\''
  const ada = await signUp(page, { name })
  // In a browser of its own: the mail is shut off from its site, and the browser says that it gets no icon from there.
  const mail = await browser.newContext({ baseURL: app.url })
  const reader = await mail.newPage()
  await reader.goto(`${await mailPage(context, ada.email)}/html`)
  const first = await reader.locator('body').textContent()
  assert.ok(first && !first.includes('Ada'), 'nobody has proven the address: whoever typed it has no words in the mail')
  await confirmAddress(page, ada.email)
  await reader.goto('/forgot-password')
  await reader.getByLabel('E-mail').fill(ada.email)
  await reader.getByRole('button', { name: 'Send the link' }).click()
  await mailLink(context, ada.email, '/reset-password')
  await reader.goto(`${await mailPage(context, ada.email)}/html`)
  assert.ok((await reader.locator('body').textContent())?.includes(name))
  assert.equal(await reader.locator('img[src=x], b:text-is("Ada")').count(), 0)
  await mail.close()
  for (const path of ['/', '/dashboard', '/settings/profile', '/settings/account']) {
    await page.goto(path)
    assert.equal(await page.locator('img[src=x], main b:text-is("Ada")').count(), 0, path)
  }
  await page.goto('/settings/profile')
  assert.equal(await page.getByLabel('Name').inputValue(), name)
  assert.ok((await page.locator('header:visible').textContent())?.includes(name))
  assert.deepEqual(problems, [])
  await context.close()
})

test('pressing twice makes one account', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await page.goto('/sign-up')
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(`twice.${Date.now()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create account' }).dblclick()
  await page.waitForURL('**/dashboard')
  assert.deepEqual(problems, [])
  await context.close()
})

test('what is done in one tab holds in the other', async () => {
  const { context, page } = await visit(browser, app.url)
  await signUp(page)
  await page.goto('/settings/profile')
  const other = await context.newPage()
  await other.goto('/settings/profile')
  await signOut(other)
  await page.getByLabel('Name').fill('Somebody else')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForLoadState()
  assert.equal(await page.getByText('Saved.').count(), 0)
  await page.goto('/settings/profile')
  assert.equal(pathOf(page), '/sign-in')
  await context.close()
})

test('too many attempts: the time to wait counts down, and the address is still there afterwards', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await page.goto('/sign-in')
  for (let attempt = 0; attempt < 7; attempt += 1) {
    await signIn(page, { email: 'nobody@example.com', password: 'wrong' })
    await page.locator('[role=alert], [data-countdown]').first().waitFor()
    if ((await page.locator('[data-countdown]').count()) > 0) break
  }
  assert.match((await page.locator('[data-clock]').textContent()) ?? '', /^\d:\d\d$/)
  await page.getByRole('link', { name: 'Back to the form' }).click()
  await page.waitForURL('**/sign-in')
  assert.equal(await page.getByLabel('E-mail').inputValue(), 'nobody@example.com')
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

test('no form breaks on what it does not expect', async () => {
  const guest = await visit(browser, app.url)
  await guest.page.goto('/sign-in')
  await refuseEverything(guest.page, [
    ['/sign-in', 'POST', 'email'], ['/sign-up', 'POST', 'name'], ['/forgot-password', 'POST', 'email'],
    ['/two-factor-challenge', 'POST', 'code'], ['/two-factor-challenge/recovery', 'POST', 'code'],
  ])
  await guest.context.close()

  const { context, page } = await visit(browser, app.url)
  const ada = await signUp(page)
  await page.goto('/confirm-password')
  await confirmPassword(page, ada.password)
  await page.waitForURL('**/dashboard')
  await page.goto('/settings/profile')
  await refuseEverything(page, [
    ['/settings/profile', 'POST', 'name'], ['/settings/profile/email', 'POST', 'email'],
    ['/settings/password', 'PUT', 'current_password'], ['/settings/two-factor/confirm', 'POST', 'code'],
    ['/verify-email/confirm', 'POST', 'token'], ['/change-email/confirm', 'POST', 'token'], ['/reset-password', 'POST', 'token'],
  ])
  await page.reload()
  assert.equal(await page.getByLabel('Name').inputValue(), ada.name)
  await context.close()

  // Somebody else: the password that Ada confirmed counts among her six tries a minute.
  const bob = await visit(browser, app.url)
  await signUp(bob.page)
  await bob.page.goto('/confirm-password')
  await refuseEverything(bob.page, [['/confirm-password', 'POST', 'password']])
  await bob.context.close()
})

/**
 * @param {import('playwright-core').Page} page a page with a form, whose token is used
 * @param {[path: string, method: string, field: string][]} forms
 */
async function refuseEverything(page, forms) {
  const token = (await page.locator('[name=_token]').first().getAttribute('value')) ?? ''
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'x-csrf-token': token }
  for (const [path, method, field] of forms) {
    for (const input of [{}, { [field]: '' }, { [field]: 'x'.repeat(20_000) }, { [field]: { $ne: 1 } }, { [field]: [1, 2] }, 'text']) {
      const data = JSON.stringify(input)
      const answer = await page.request.fetch(path, { method, headers, data })
      assert.ok([400, 422].includes(answer.status()), `${method} ${path} ${data.slice(0, 40)}: ${answer.status()} ${await answer.text()}`)
    }
  }
}

test('a page that does not exist says so in the look of the app', async () => {
  const { context, page } = await visit(browser, app.url)
  const answer = await page.goto('/nowhere')
  assert.equal(answer?.status(), 404)
  assert.ok(await page.getByRole('heading', { name: 'Nobody lives at this address.' }).isVisible())
  await context.close()
})
