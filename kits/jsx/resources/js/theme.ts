// Light, dark, or as the system has it. The head of the page reads the same key before anything is painted
// (src/views/components/theme.rs); without a choice there is no class and the style sheet follows the system.

import { all, onAction } from './dom'

const key = 'theme'
const root = document.documentElement
type Theme = 'light' | 'dark' | 'system'

function chosen(): Theme {
  if (root.classList.contains('dark')) return 'dark'
  return root.classList.contains('light') ? 'light' : 'system'
}

function choose(theme: Theme): void {
  root.classList.remove('light', 'dark')
  if (theme !== 'system') root.classList.add(theme)
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // A browser that keeps nothing shows the choice until the page is left.
  }
  show()
}

function show(): void {
  const theme = chosen()
  for (const button of all('[data-action="theme"]')) {
    button.setAttribute('aria-pressed', String(button.dataset['theme'] === theme))
  }
  for (const radio of all<HTMLInputElement>('[data-theme-choice]')) radio.checked = radio.value === theme
}

function read(value: string | null | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

onAction('theme', (button) => choose(read(button.dataset['theme'])))
for (const radio of all<HTMLInputElement>('[data-theme-choice]')) {
  radio.addEventListener('change', () => choose(read(radio.value)))
}
// Chosen in another tab.
addEventListener('storage', (event) => {
  if (event.key === key) choose(read(event.newValue))
})
show()
