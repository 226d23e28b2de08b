// Before each file: the document as the server sends it.

import { afterEach, vi } from 'vitest'
import { closeServer } from './server'

document.title = 'Test app'
document.documentElement.lang = 'en'

afterEach(async () => {
  vi.useRealTimers()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  await closeServer()
})
