// Light, dark, or as the system has it. A script in the head (vite.config.ts) reads the same key before anything is painted;
// without a choice there is no class and the style sheet follows the system.

import { ref } from 'vue'

export type Theme = 'light' | 'dark' | 'system'

const key = 'theme'
const root = document.documentElement.classList

/** What is chosen. */
export const theme = ref<Theme>(root.contains('dark') ? 'dark' : root.contains('light') ? 'light' : 'system')

/** Chooses, for this and every later visit. */
export function choose(wanted: Theme): void {
  theme.value = wanted
  root.remove('light', 'dark')
  if (wanted !== 'system') root.add(wanted)
  try {
    if (wanted === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, wanted)
  } catch {
    // A browser that keeps nothing shows the choice until the page is left.
  }
}

// Chosen in another tab.
addEventListener('storage', ({ key: changed, newValue }) => {
  if (changed === key) choose(newValue === 'light' || newValue === 'dark' ? newValue : 'system')
})
