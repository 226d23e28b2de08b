// The time to wait after too many attempts: counted down, and the form's buttons locked until it is over.

import { all } from './dom'

for (const note of all('[data-countdown]')) {
  const clock = note.querySelector<HTMLElement>('[data-clock]')
  const form = note.closest('form')
  const buttons = form ? all<HTMLButtonElement>('button[type="submit"]', form) : []
  const end = performance.now() + Number(note.dataset['countdown']) * 1000

  const tick = (): void => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000))
    for (const button of buttons) button.disabled = left > 0
    if (clock) clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    if (left > 0) setTimeout(tick, 250)
    else note.hidden = true
  }
  tick()
}
