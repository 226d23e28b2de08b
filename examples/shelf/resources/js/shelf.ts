// Books that are lent or returned while the page is open change on it, without a reload.

import { all } from './dom'

interface Change {
  data: { book: number; isLent: boolean }
}

if (all('[data-book]').length > 0) {
  const shelf = new EventSource('/api/live?channels=shelf')
  shelf.addEventListener('message', (event: MessageEvent<string>) => {
    const { data } = JSON.parse(event.data) as Change
    for (const state of all(`[data-book="${data.book}"] [data-state]`)) {
      state.hidden = (state.dataset['state'] === 'out') !== data.isLent
    }
  })
  // Something was said that this page did not hear.
  shelf.addEventListener('missed', () => location.reload())
}
