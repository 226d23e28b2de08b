import './echo'

if (document.querySelector('[data-book]')) {
  window.Echo.private('shelf').listen('ShelfChanged', ({ book, isLent }) => {
    for (const state of document.querySelectorAll(`[data-book="${book}"] [data-state]`)) {
      state.hidden = (state.dataset.state === 'out') !== isLent
    }
  })
}
