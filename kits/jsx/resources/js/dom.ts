/** The elements of this page that a selector finds, as what they are. */
export function all<E extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): E[] {
  return [...root.querySelectorAll<E>(selector)]
}

/** Calls `handler` when a button with this `data-action` is pressed, now or later on the page. */
export function onAction(action: string, handler: (button: HTMLButtonElement) => void): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (button?.dataset['action'] === action) handler(button)
  })
}
