// The library as people use it: somebody who looks after the books and somebody who reads them, at the same time.
// `SHELF_PICTURES=folder` keeps a picture of every page that is looked at.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { startApp } from './support/app.js'
import { startBrowser } from './support/browser.js'
import { inspector } from './support/inspect.js'
import { mailLink } from './support/mailbox.js'
import { confirmAddress, signIn, signUp } from './support/member.js'

const demo = { email: 'demo@example.com', password: 'correct horse battery staple' }

/** A picture of two by three pixels. */
const cover = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEElEQVR4nGPQiu0HIgYUCgBCIQaFr/1euQAAAABJRU5ErkJggg==',
  'base64',
)

/** @type {import('playwright-core').Browser} */
let browser
/** @type {{ url: string, stop: () => Promise<void> }} */
let app

before(async () => {
  app = await startApp({ seed: true })
  browser = await startBrowser()
})

after(async () => {
  await browser?.close()
  await app?.stop()
})

/**
 * Somebody who looks closely at every page, with a picture of it where one is wanted.
 */
async function visitor() {
  const person = await inspector(browser, app.url)
  const pictures = process.env['SHELF_PICTURES']
  return {
    ...person,
    /** @param {string} state */
    async look(state) {
      await person.look(state)
      if (!pictures) return
      const name = state.replaceAll(' ', '-')
      await person.page.screenshot({ path: join(pictures, `${name}-light.png`), fullPage: true })
      await person.page.emulateMedia({ colorScheme: 'dark' })
      await person.page.setViewportSize({ width: 360, height: 800 })
      await person.page.screenshot({ path: join(pictures, `${name}-dark-360.png`), fullPage: true })
      await person.page.emulateMedia({ colorScheme: 'light' })
      await person.page.setViewportSize({ width: 1280, height: 800 })
    },
  }
}

async function librarian() {
  const person = await visitor()
  await person.page.goto('/sign-in')
  await signIn(person.page, demo)
  await person.page.waitForURL('**/dashboard')
  await person.page.goto('/books')
  return person
}

async function reader() {
  const person = await visitor()
  const { email } = await signUp(person.page, { name: 'Rita Reader' })
  await confirmAddress(person.page, email)
  return person
}

test('a librarian adds a book with a cover, changes it and takes it away', async () => {
  const { page, look, end } = await librarian()
  await page.getByRole('link', { name: 'Frankenstein' }).waitFor()
  await look('books')

  await page.getByRole('link', { name: 'Add a book' }).click()
  await page.getByLabel('Title').fill('The Sea')
  await page.getByLabel('Author').fill('John Banville')
  await page.getByLabel('ISBN').fill('12')
  await page.getByLabel('Pages').fill('264')
  await page.getByLabel('Price').fill('19.90')
  await page.getByLabel('Tags').fill('sea, novel')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The ISBN has thirteen digits.').first().waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'The Sea')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'isbn')
  await look('book refused')

  await page.getByLabel('ISBN').fill('9780330483292')
  await page.getByLabel('Cover').setInputFiles({ name: 'sea.png', mimeType: 'image/png', buffer: cover })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“The Sea” is on the shelf.').waitFor()
  const picture = page.getByRole('img', { name: 'Cover of The Sea' })
  assert.ok(await picture.evaluate((/** @type {HTMLImageElement} */ image) => image.decode().then(() => image.naturalWidth === 2)))
  await look('book')

  await page.getByRole('link', { name: 'Edit' }).click()
  assert.equal(await page.getByLabel('Tags').inputValue(), 'novel, sea')
  await page.getByLabel('Condition').selectOption('worn')
  await look('book form')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('“The Sea” is off the shelf.').waitFor()
  await end()
})

test('books are searched, chosen by tag, sorted and exported', async () => {
  const { page, look, end } = await librarian()
  await page.getByLabel('Title, author or ISBN').fill('homer')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**/books?search=homer*')
  assert.deepEqual(await titles(page), ['The Odyssey'])
  await page.getByLabel('Title, author or ISBN').fill('')
  await page.getByLabel('Tag').selectOption('poem')
  await page.getByLabel('Sorted by').selectOption('author')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**tag=poem*')
  assert.deepEqual(await titles(page), ['The Odyssey', 'The Rime of the Ancient Mariner'])
  await page.goto('/books?search=nothing+like+it')
  await look('no such book')

  await page.goto('/books')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  assert.equal((await download).suggestedFilename(), 'books.csv')
  await end()
})

/** @param {import('playwright-core').Page} page */
function titles(page) {
  return page.locator('tbody a').allTextContents()
}

test('a page that is open shows that a book was lent and is back, without a reload', async () => {
  const watching = await librarian()
  const state = watching.page.getByRole('row').filter({ hasText: 'Moby-Dick' })
  await state.getByText('On the shelf').waitFor()
  await watching.page.evaluate(() => Object.assign(globalThis, { notReloaded: true }))

  const reading = await reader()
  await reading.page.goto('/books')
  await reading.page.getByRole('link', { name: 'Moby-Dick' }).click()
  await reading.page.getByRole('button', { name: 'Borrow' }).click()
  await reading.page.getByText('Enjoy it!').waitFor()
  await state.getByText('Lent').waitFor()
  await reading.look('book lent to me')

  await reading.page.goto('/loans')
  await reading.look('my loans')
  await reading.page.getByRole('button', { name: 'Bring it back' }).click()
  await reading.page.getByText('Thank you').waitFor()
  await state.getByText('On the shelf').waitFor()
  assert.ok(await watching.page.evaluate(() => 'notReloaded' in globalThis))

  await watching.page.goto('/activity')
  await watching.page.getByText('Rita Reader').first().waitFor()
  await watching.look('activity')
  await reading.end()
  await watching.end()
})

test('somebody who was invited joins the library', async () => {
  const inviting = await librarian()
  await inviting.page.goto('/invitations/new')
  await inviting.page.getByLabel('E-mail').fill(`nora.${process.pid}@example.com`)
  await inviting.look('invite')
  await inviting.page.getByRole('button', { name: 'Send the invitation' }).click()
  await inviting.page.getByText('An invitation is on its way').waitFor()

  const nora = await visitor()
  await nora.page.goto(await mailLink(nora.context, `nora.${process.pid}@example.com`, '/join'))
  await nora.look('join')
  await nora.page.getByLabel('Name').fill('Nora New')
  await nora.page.getByLabel('Password', { exact: true }).fill('a good long password')
  await nora.page.getByRole('button', { name: 'Join' }).click()
  await nora.page.getByText('Welcome to the library.').waitFor()
  assert.equal(await nora.page.getByRole('link', { name: 'Add a book' }).count(), 0)
  await nora.page.goto('/loans')
  await nora.look('no loans yet')
  await nora.end()
  await inviting.end()
})
