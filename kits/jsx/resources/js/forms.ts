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
  const fields: Record<string, string | boolean> = {}
  for (const field of typed(form)) fields[field.name] = isBox(field) ? field.checked : field.value
  try {
    if (Object.keys(fields).length > 0) sessionStorage.setItem(kept + nameOf(form), JSON.stringify(fields))
  } catch {
    // Nothing is kept then.
  }
}

/** What people fill in. Passwords are not among it, shown or not, nor are codes: the next one is another. */
function typed(form: HTMLFormElement): Field[] {
  const inputs = 'input[type="text"], input[type="email"], input[type="checkbox"], textarea, select'
  const isSecret = (field: Field): boolean => field.name === 'code' || field.name.includes('password')
  return all<Field>(inputs, form).filter((field) => !field.hasAttribute('readonly') && !isSecret(field))
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function isBox(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox'
}

/** Tells the forms of a page apart, and those of other pages. */
function nameOf(form: HTMLFormElement): string {
  const method = form.querySelector<HTMLInputElement>('input[name="_method"]')?.value ?? ''
  return `${location.pathname} ${method} ${form.getAttribute('action') ?? ''}`
}

/** Gives back what was kept for the forms of this page. */
function giveBack(): void {
  for (const form of all<HTMLFormElement>('form[method="post"]')) {
    const text = sessionStorage.getItem(kept + nameOf(form))
    const fields = text === null ? {} : (JSON.parse(text) as Record<string, unknown>)
    for (const field of typed(form)) {
      const value = fields[field.name]
      if (typeof value === 'string') field.value = value
      if (typeof value === 'boolean' && isBox(field)) field.checked = value
    }
    if (text !== null) form.closest('details')?.setAttribute('open', '')
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
