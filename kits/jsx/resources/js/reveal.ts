// The switch that shows a password while it is typed.

import { all, onAction } from './dom'

function controlled(button: HTMLElement): HTMLInputElement | null {
  const field = document.getElementById(button.getAttribute('aria-controls') ?? '')
  return field instanceof HTMLInputElement ? field : null
}

function set(button: HTMLElement, shown: boolean): void {
  const field = controlled(button)
  if (!field) return
  field.type = shown ? 'text' : 'password'
  button.setAttribute('aria-pressed', String(shown))
}

onAction('reveal', (button) => set(button, button.getAttribute('aria-pressed') !== 'true'))

// Sent as a password again: browsers offer to keep passwords, and remember plain text as a suggestion.
document.addEventListener('submit', (event) => {
  if (event.target instanceof HTMLFormElement) {
    for (const button of all('[data-action="reveal"]', event.target)) set(button, false)
  }
})
