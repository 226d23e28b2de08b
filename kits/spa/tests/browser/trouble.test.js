// What goes wrong between a page that stays open and a server that moves on, and what a person is told then.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser, TIMEOUT_MS, visit, withoutRefusals } from './support/browser.js'
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
 * Everything that is sent from now on, as "POST /sign-in 422".
 *
 * @param {import('playwright-core').Page} page
 */
function traffic(page) {
  /** @type {string[]} */
  const seen = []
  page.on('response', (response) => {
    const request = response.request()
    seen.push(`${request.method()} ${new URL(response.url()).pathname} ${response.status()}`)
  })
  const of = (/** @type {RegExp} */ pattern) => seen.filter((line) => pattern.test(line))
  return {
    of,
    /**
     * Waits until so many were answered: a page shows what came of the first before the last is here.
     *
     * @param {RegExp} pattern
     * @param {number} count
     */
    async until(pattern, count) {
      const deadline = Date.now() + TIMEOUT_MS
      while (of(pattern).length < count) {
        assert.ok(Date.now() < deadline, `${count} of ${pattern} in ${seen.join(', ')}`)
        await page.waitForTimeout(20)
      }
    },
  }
}

/**
 * Signs the owner of an account in, in a browser of its own.
 *
 * @param {{ email: string, password: string }} person
 */
async function signedIn(person) {
  const visitor = await visit(browser, app.url)
  await visitor.page.goto(places.signIn)
  await signIn(visitor.page, person)
  await visitor.page.waitForURL((url) => !url.pathname.startsWith('/auth'))
  return visitor
}

/**
 * Ends every session of an account, from a browser of its own.
 *
 * @param {{ email: string, password: string }} person
 */
async function endElsewhere(person) {
  const { context, page } = await signedIn(person)
  await page.goto('/settings/sessions')
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
  await confirmPassword(page, person.password)
  await page.getByRole('button', { name: /^End the session of/ }).waitFor({ state: 'detached' })
  await context.close()
}

// spec: STA-7
test('a session that is ended elsewhere says so, and what was typed is kept and can be sent after signing in again', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const ada = await signUp(page)
  await page.goto('/settings/profile')
  await page.getByLabel('Name').fill('Ada, half')

  await endElsewhere(ada)

  await page.getByLabel('Name').fill('Ada, half filled')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
  await page.getByRole('button', { name: 'Stay here' }).click()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ada, half filled')

  const tab = await context.newPage()
  await tab.goto(places.signIn)
  await signIn(tab, ada)
  await tab.waitForURL('**/dashboard')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(withoutRefusals(problems, [401, 419]), [])
  await context.close()
})

// spec: KIT-4
test('after a session was ended elsewhere the next page leads to the door, and from there to that page', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const ada = await signUp(page)
  await page.goto('/settings/profile')
  await endElsewhere(ada)

  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.waitForURL(`**${places.signIn}`)
  await signIn(page, ada)
  await page.waitForURL('**/settings/sessions')
  await page.getByText('This device').waitFor()
  assert.deepEqual(withoutRefusals(problems, [401]), [])
  await context.close()
})

test('two tabs: after a sign-in in one, the other notices the new token once and goes on', async () => {
  const { context, page } = await visit(browser, app.url)
  const ada = await signUp(page)
  await page.goto('/settings/profile')
  await page.getByLabel('Name').fill('Ada in the first tab')

  const tab = await context.newPage()
  await tab.goto('/settings/profile')
  await signOut(tab)
  await tab.goto(places.signIn)
  await signIn(tab, ada)
  await tab.waitForURL('**/dashboard')

  const sent = traffic(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(sent.of(/^POST/), ['POST /settings/profile 419', 'POST /settings/profile 200'])
  await page.getByLabel('Name').fill('Ada once more')
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Save' }).click()
  await answered
  assert.equal(sent.of(/^POST .* 419/).length, 1, 'the new token is kept')
  await context.close()
})

test('two tabs of a guest: after a sign-in in one, the form in the other leads inside and not to an error', async () => {
  const { context, page } = await visit(browser, app.url)
  const maker = await visit(browser, app.url)
  const ada = await signUp(maker.page)
  await maker.context.close()

  await page.goto(places.signIn)
  await page.getByLabel('E-mail').fill(ada.email)
  const tab = await context.newPage()
  await tab.goto(places.signIn)
  await signIn(tab, ada)
  await tab.waitForURL('**/dashboard')

  const sent = traffic(page)
  await signIn(page, ada)
  await page.waitForURL('**/dashboard')
  assert.ok(sent.of(/^POST \/sign-in 419/).length <= 1)
  await context.close()
})

// spec: KIT-8, STA-8
test('requests that are refused together ask for the password once, and all are carried out afterwards', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const ada = await signUp(page)
  const others = [await signedIn(ada), await signedIn(ada)]
  await page.goto('/settings/sessions')
  await page.getByRole('button', { name: /^End the session of/ }).nth(1).waitFor()

  const sent = traffic(page)
  await endBoth(page)
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.waitFor()
  await sent.until(/^DELETE .* 423$/, 2)
  assert.equal(await page.locator('dialog[open]').filter({ hasText: 'Is it you?' }).count(), 1)

  await confirmPassword(page, ada.password)
  await page.getByRole('button', { name: /^End the session of/ }).first().waitFor({ state: 'detached' })
  await sent.until(/^DELETE .* 200$/, 2)
  assert.equal(sent.of(/^POST \/confirm-password 2/).length, 1)
  assert.equal(await page.locator('dialog[open]').count(), 0)
  for (const other of others) {
    await other.page.goto('/settings/profile')
    assert.equal(new URL(other.page.url()).pathname, places.signIn)
    await other.context.close()
  }
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

/**
 * Presses "End" for two sessions in the same moment, faster than a hand can.
 *
 * @param {import('playwright-core').Page} page
 */
async function endBoth(page) {
  await page.getByRole('button', { name: /^End the session of/ }).evaluateAll((buttons) => {
    for (const button of buttons) /** @type {HTMLElement} */ (button).click()
  })
  const questions = page.locator('dialog[open]').filter({ hasText: 'End this session?' })
  await questions.nth(1).waitFor()
  await questions.evaluateAll((dialogs) => {
    for (const dialog of dialogs) {
      const button = [...dialog.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'End')
      button?.click()
    }
  })
}

// spec: KIT-8
test('a dialog that is closed changes nothing, and asks again the next time', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const ada = await signUp(page)
  await confirmAddress(page, ada.email)
  await page.goto('/settings/two-factor')
  const sent = traffic(page)
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  const begin = page.getByRole('button', { name: 'Set it up' })

  await begin.click()
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.getByRole('alert').count(), 0, 'who closed it knows')
  await begin.click()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.deepEqual(sent.of(/^POST/), ['POST /settings/two-factor 423', 'POST /settings/two-factor 423'])

  await begin.click()
  await confirmPassword(page, ada.password)
  await page.getByRole('img', { name: 'QR code with your key' }).waitFor()
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

test('without a network a form says so and keeps what was typed', async () => {
  const { context, page } = await visit(browser, app.url)
  await signUp(page)
  await page.goto('/settings/profile')
  await page.getByLabel('Name').fill('Ada on a train')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('We cannot be reached.').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ada on a train')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await context.close()
})

test('an error page in HTML, as a proxy writes it, becomes a sentence', async () => {
  const { context, page } = await visit(browser, app.url)
  await signUp(page)
  await page.goto('/settings/profile')
  await page.getByLabel('Name').fill('Ada behind a proxy')
  const body = '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>'
  for (const status of [502, 200]) {
    await page.route('**/settings/profile', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status, contentType: 'text/html', body }) : route.fallback(),
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'The lights went out on our side.' }).waitFor()
    assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /Bad Gateway|JSON|token </)
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ada behind a proxy')
    await page.unroute('**/settings/profile')
  }
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await context.close()
})

test('an app that is broken says so, and not why', async () => {
  const broken = await startApp({ migrate: false })
  try {
    const { context, page, problems } = await visit(browser, broken.url)
    await page.goto(places.signIn)
    await signIn(page, { email: 'ada@example.com', password: 'correct horse battery staple' })
    await page.getByRole('alert').filter({ hasText: 'The lights went out on our side.' }).waitFor()
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /sql|table|panick|\.rs\b/i)
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'ada@example.com')
    assert.deepEqual(withoutRefusals(problems, [500]), [])
    await context.close()
  } finally {
    await broken.stop()
  }
})

test('too many attempts: the time to wait counts down, and the button waits with it', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await page.goto(places.signIn)
  const clock = page.getByText(/^\d:\d\d$/)
  for (let attempt = 0; attempt < 10 && (await clock.count()) === 0; attempt += 1) {
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await signIn(page, { email: 'nobody@example.com', password: `wrong ${attempt}` })
    await answer
    await page.getByRole('alert').first().waitFor()
  }
  assert.match((await clock.textContent()) ?? '', /^\d:\d\d$/)
  assert.ok(await page.getByRole('button', { name: 'Sign in', exact: true }).isDisabled())
  assert.deepEqual(withoutRefusals(problems), [])
  await context.close()
})

test('a refused form says what is wrong and where, and begins at the first wrong field', async () => {
  const { context, page } = await visit(browser, app.url)
  await page.goto(places.signUp)
  await page.getByLabel('Name').fill('Ada <b>Lovelace</b>')
  await page.locator('form').first().evaluate((/** @type {HTMLFormElement} */ form) => (form.noValidate = true))
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').waitFor()
  assert.ok(await page.getByLabel('E-mail').evaluate((field) => field === document.activeElement))
  for (const label of ['E-mail', 'Password']) {
    const field = page.getByLabel(label, { exact: true })
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
    const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))
    assert.ok(texts.some((text) => text?.trim()), `${label} is told why`)
  }
  assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), null)
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ada <b>Lovelace</b>')
  await context.close()
})

test('pressing twice makes one account', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  await page.goto(places.signUp)
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(`twice.${Date.now()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  const sent = traffic(page)
  await page.getByRole('button', { name: 'Create account' }).dblclick()
  await page.waitForURL('**/dashboard')
  assert.equal(sent.of(/^POST \/sign-up/).length, 1)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a name is text wherever it is shown', async () => {
  const { context, page, problems } = await visit(browser, app.url)
  const ada = await signUp(page, { name: '<img src=x onerror="document.title=1"><b>Ada</b> & \'Co\'' })
  await confirmAddress(page, ada.email)
  for (const path of ['/', '/dashboard', '/settings/profile', '/settings/account']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.locator('img[src=x], main b:text-is("Ada")').count(), 0, path)
  }
  assert.ok((await page.locator('header:visible').textContent())?.includes(ada.name))
  assert.deepEqual(problems, [])
  await context.close()
})
