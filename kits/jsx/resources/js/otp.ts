// The field for a code: what is pasted loses its spaces, and the last digit sends the form.

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
