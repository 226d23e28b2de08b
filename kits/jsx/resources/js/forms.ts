// What every form gets: a second submit is ignored, and what was typed survives a page that was open too long.

import { all } from './dom'

const kept = 'form:'
const again = 'form-again'

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.method === 'dialog' || event.defaultPrevented) return
  if (form.getAttribute('aria-busy') === 'true') {
    event.preventDefault()
    return
  }
  form.setAttribute('aria-busy', 'true')
  keep(form)
})

addEventListener('pageshow', (event) => {
  for (const form of all('form[aria-busy]')) form.removeAttribute('aria-busy')
  // Out of the browser's memory by the back button: ask again, the person may have signed out since.
  if (event.persisted && 'private' in document.documentElement.dataset) location.reload()
})

/** Remembers the fields for this tab, without what is secret or belongs to the form itself. */
function keep(form: HTMLFormElement): void {
  const fields: Record<string, string> = {}
  for (const field of typed(form)) fields[field.name] = field.value
  try {
    if (Object.keys(fields).length > 0) sessionStorage.setItem(kept + location.pathname, JSON.stringify(fields))
  } catch {
    // Nothing is kept then.
  }
}

function typed(form: HTMLFormElement): HTMLInputElement[] {
  return all<HTMLInputElement>('input[type="text"], input[type="email"]', form).filter(
    (field) => !field.readOnly && field.autocomplete !== 'one-time-code' && field.autocomplete !== 'off',
  )
}

/** Gives back what was kept for this page. */
function giveBack(): void {
  const text = sessionStorage.getItem(kept + location.pathname)
  const fields = text === null ? {} : (JSON.parse(text) as Record<string, unknown>)
  for (const field of all<HTMLFormElement>('form[method="post"]').flatMap(typed)) {
    const value = fields[field.name]
    if (typeof value === 'string') field.value = value
  }
}

try {
  // "This page was open too long" (419): the next page is the form again.
  if (document.querySelector('[data-keeps-forms]')) {
    sessionStorage.setItem(again, 'true')
  } else {
    if (sessionStorage.getItem(again) !== null) giveBack()
    // On every other way here the form has arrived: what was kept for it goes.
    for (const key of Object.keys(sessionStorage)) {
      if (key === again || key.startsWith(kept)) sessionStorage.removeItem(key)
    }
  }
} catch {
  // A browser that keeps nothing has nothing to give back.
}
