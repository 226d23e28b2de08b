import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { open, requests } from '../support/browser.js'
import { bundle } from '../support/bundle.js'
import type { Handler } from '../support/server.js'

declare global {
  function unmount(): void
  var states: string[]
}

// spec: VER-2, CLT-9
describe.each([
  ['Vue', 'vue.ts'],
  ['React', 'react.tsx'],
  ['Svelte', 'svelte.js'],
])('the form in %s', (_, entry) => {
  let script: string
  beforeAll(async () => {
    script = await bundle(entry)
  })

  const visit = async (api: Handler) => {
    const site = await open({ script, html: '<div id="app"></div>', api })
    await site.page.waitForSelector('#name')
    // A state that lasts for a moment is looked up here: polling may come too late for it.
    await site.page.evaluate(() => {
      states = []
      const look = () => states.push(document.getElementById('state')?.textContent ?? 'gone')
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    return site
  }
  const shows = async (page: Page, id: string, text: string) =>
    expect.poll(() => page.textContent(`#${id}`)).toBe(text)
  const press = (page: Page, id: string) => page.$eval(`#${id}`, (button) => (button as HTMLElement).click())

  // spec: FRM-1, FRM-2
  test('typing makes it dirty, saving makes it recent, committing makes it clean', async () => {
    const site = await visit(() => ({ body: {} }))
    const { page } = site
    expect(await page.inputValue('#name')).toBe('Ada')
    await shows(page, 'state', '')
    await page.fill('#name', 'Grace')
    await shows(page, 'state', 'dirty')
    await press(page, 'save')
    await expect.poll(() => page.evaluate(() => states)).toContain('dirty recent')
    await shows(page, 'state', 'dirty')
    expect(JSON.parse(requests(site)[0]!.body.toString())).toEqual({ name: 'Grace', nested: { tags: ['a'] } })
    await press(page, 'commit')
    await shows(page, 'state', '')
    expect(site.problems).toEqual([])
  })

  test('nested values count, and reset brings them back', async () => {
    const { page, problems } = await visit(() => ({ body: {} }))
    await press(page, 'tag')
    await shows(page, 'state', 'dirty')
    await page.fill('#name', 'Grace')
    await press(page, 'reset')
    await shows(page, 'state', '')
    expect(await page.inputValue('#name')).toBe('Ada')
    expect(problems).toEqual([])
  })

  // spec: FRM-2
  test('a refused field shows its first message until the next try', async () => {
    const answers = [{ status: 422, body: { errors: { name: ['Too short.', 'Taken.'] } } }]
    const { page, problems } = await visit(() => answers.shift())
    await press(page, 'save')
    await shows(page, 'error', 'Too short.')
    await shows(page, 'state', '')
    await press(page, 'save')
    await shows(page, 'state', 'processing')
    await shows(page, 'error', '')
    expect(problems).toEqual([])
  })

  // spec: FRM-2
  test('a refusal of the whole form is shown until the next try', async () => {
    const answers = [{ status: 422, body: { message: 'Already taken.' } }]
    const { page, problems } = await visit(() => answers.shift())
    await press(page, 'save')
    await shows(page, 'whole', 'Already taken.')
    await shows(page, 'state', '')
    await press(page, 'save')
    await shows(page, 'state', 'processing')
    await shows(page, 'whole', '')
    expect(await page.title()).toBe('test')
    expect(problems).toEqual([])
  })

  // spec: FRM-3
  test('a redirect is handed over as a path', async () => {
    const { page } = await visit(({ url }) => (url === '/api/profile' ? { status: 303, headers: { location: '/elsewhere' } } : { body: '<h1>page</h1>' }))
    await press(page, 'save')
    await expect.poll(() => page.title()).toBe('/elsewhere')
  })

  test('submitting twice sends once, and unmounting ends it in silence', async () => {
    let ended = 0
    const site = await visit((_request, response) => {
      response.on('close', () => (ended += 1))
      return undefined
    })
    await site.page.$eval('form', (form: HTMLFormElement) => {
      form.requestSubmit()
      form.requestSubmit()
    })
    await expect.poll(() => requests(site).length).toBe(1)
    await site.page.evaluate(() => unmount())
    await expect.poll(() => ended).toBe(1)
    expect(await site.page.title()).toBe('test')
    expect(requests(site)).toHaveLength(1)
    expect(site.problems).toEqual([])
  })

  test('other failures are thrown to whoever submitted', async () => {
    const { page } = await visit(() => ({ status: 429, headers: { 'retry-after': '5' }, body: {} }))
    await press(page, 'save')
    await expect.poll(() => page.title()).toBe('Throttled')
    await shows(page, 'state', '')
  })
})
