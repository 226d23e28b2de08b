// Recovery codes and keys: copy, download, print.

import { onAction } from './dom'

/** The text near a button that it is about: one line for each item of a list. */
function source(button: HTMLElement): string {
  const place = button.closest('[data-recovery-codes]') ?? button.parentElement
  const element = place?.querySelector('[data-copy-source]')
  if (!element) return ''
  const items = [...element.querySelectorAll('li')].map((item) => item.textContent.trim())
  // A key is shown in groups; it is copied without the spaces between them.
  return items.length > 0 ? items.join('\n') : element.textContent.replace(/\s+/g, '')
}

onAction('copy', (button) => {
  void navigator.clipboard.writeText(source(button)).then(() => {
    const note = button.parentElement?.querySelector<HTMLElement>('[data-copied]')
    if (note) note.textContent = note.dataset['copied'] ?? ''
    button.dataset['done'] = 'true'
    setTimeout(() => delete button.dataset['done'], 2000)
  })
})

onAction('download', (button) => {
  const place = button.closest<HTMLElement>('[data-recovery-codes]')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([source(button) + '\n'], { type: 'text/plain' }))
  link.download = place?.dataset['fileName'] ?? 'codes.txt'
  link.click()
  // The download has begun with the click; the text need not stay in memory.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
})

onAction('print', () => print())
