// The time to wait after too many attempts, counted down.

import { all } from './dom'

for (const note of all('[data-countdown]')) {
  const clock = note.querySelector<HTMLElement>('[data-clock]')
  const end = performance.now() + Number(note.dataset['countdown']) * 1000

  const tick = (): void => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000))
    if (clock) clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    if (left > 0) setTimeout(tick, 250)
    else note.hidden = true
  }
  tick()
}
