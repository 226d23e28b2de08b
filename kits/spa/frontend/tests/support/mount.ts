import { createApp, h, type Component, type VNodeChild } from 'vue'
import { onTestFinished, vi } from 'vitest'

/** Draws what `content` returns into the page, until the test ends. */
export function mount(content: () => VNodeChild): HTMLElement {
  const host = document.createElement('div')
  document.body.append(host)
  const app = createApp({ render: content } as Component)
  app.mount(host)
  onTestFinished(() => app.unmount())
  return host
}

/** Types into a field, as a person or a password manager does. */
export function type(field: HTMLInputElement, text: string): void {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The one element of the page that is meant; a test that finds none ends here. */
export function find<E extends HTMLElement = HTMLElement>(selector: string): E {
  const found = document.querySelector<E>(selector)
  if (!found) throw new Error(`Nothing matches ${selector} in:\n${document.body.innerHTML}`)
  return found
}

/** The button with these words. */
export function button(words: string): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === words)
  if (!found) throw new Error(`No button says “${words}” in:\n${document.body.innerHTML}`)
  return found
}

/** Waits until it does not fail any more, however busy the machine is. */
export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000 })
}

export { h }
