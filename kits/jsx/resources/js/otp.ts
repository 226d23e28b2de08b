// The fields for a code: what is pasted loses its spaces, the last digit sends the form, and a form that is folded away
// begins in its field when it is opened.

import { all } from './dom'

for (const field of all<HTMLInputElement>('input[data-otp]')) {
  const length = Number(field.dataset['otp'])
  // A browser may fill in the field again when it goes back to the page; the old code is worth nothing.
  field.value = ''
  field.addEventListener('input', () => {
    const digits = field.value.replace(/\D/g, '').slice(0, length)
    if (digits !== field.value) field.value = digits
    if (digits.length === length) field.form?.requestSubmit()
  })
}

for (const folded of all<HTMLDetailsElement>('details[data-begins-in]')) {
  const field = document.getElementById(folded.dataset['beginsIn'] ?? '')
  folded.addEventListener('toggle', () => {
    if (folded.open) field?.focus()
  })
}
