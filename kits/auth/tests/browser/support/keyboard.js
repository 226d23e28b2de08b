// Somebody without a mouse: everything here is a key that is pressed.

import assert from 'node:assert/strict'

/**
 * Presses Tab until the control with this name has the focus. On the way, and there, the focus must be visible.
 *
 * @param {import('playwright-core').Page} page
 * @param {string | RegExp} name what a screen reader would call it
 */
export async function reach(page, name) {
  /** @type {string[]} */
  const passed = []
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab')
    const here = await focused(page)
    if (here === undefined) continue
    assert.ok(here.visible, `nothing shows that the focus is on “${here.name}” of ${page.url()}`)
    if (typeof name === 'string' ? here.name === name : name.test(here.name)) return
    passed.push(here.name)
  }
  throw new Error(`Tab does not lead to “${name}” on ${page.url()}, but to: ${passed.join(', ')}`)
}

/**
 * Goes to a control and presses it, as one does a link or a button.
 *
 * @param {import('playwright-core').Page} page
 * @param {string | RegExp} name
 */
export async function press(page, name) {
  await reach(page, name)
  await page.keyboard.press('Enter')
}

/**
 * Goes to a field, unless the page begins there, and types.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @param {string} text
 */
export async function write(page, name, text) {
  if ((await focused(page))?.name !== name) await reach(page, name)
  await page.keyboard.type(text)
}

/**
 * What has the focus: its name, and whether one can see it there. Nothing while the focus is on the page as a whole.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{ name: string, visible: boolean } | undefined>}
 */
export function focused(page) {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body) return undefined
    const labels = 'labels' in element ? /** @type {HTMLInputElement} */ (element).labels : null
    const name = element.getAttribute('aria-label') ?? labels?.[0]?.innerText ?? element.innerText
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    return {
      name: name.trim().replace(/\s+/g, ' '),
      visible: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && box.width > 0 && box.bottom > 0,
    }
  })
}
