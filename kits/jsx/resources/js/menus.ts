// Menus are `<details>` and open by themselves. Script closes them: on Escape, and when something else gets attention.

import { all } from './dom'

const menus = all<HTMLDetailsElement>('details[data-menu]')

function closeAllBut(inside: EventTarget | null): void {
  for (const menu of menus) {
    if (!(inside instanceof Node && menu.contains(inside))) menu.open = false
  }
}

if (menus.length > 0) {
  document.addEventListener('click', (event) => closeAllBut(event.target))
  document.addEventListener('focusin', (event) => closeAllBut(event.target))
  document.addEventListener('keydown', (event) => {
    const open = event.key === 'Escape' ? menus.find((menu) => menu.open) : undefined
    if (!open) return
    open.open = false
    open.querySelector('summary')?.focus()
  })
}

// On a narrow screen the tabs of the settings run out of it: begin at the one that is open.
for (const tabs of all('[data-tabs]')) {
  const current = tabs.querySelector<HTMLElement>('[aria-current]')
  if (current && tabs.scrollWidth > tabs.clientWidth) {
    tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2
  }
}
