// The question before something serious. Without script the form goes straight to the server, which asks for the
// password.

import { all, onAction } from './dom'

for (const place of all('[data-confirm]')) {
  const form = place.querySelector<HTMLFormElement>('form[method="post"]')
  const dialog = place.querySelector('dialog')
  if (!form || !dialog) continue
  // In the capturing phase: before forms.ts takes it for sent.
  form.addEventListener('submit', (event) => {
    if (dialog.returnValue === 'confirmed') {
      dialog.returnValue = ''
      return
    }
    event.preventDefault()
    dialog.showModal()
  }, { capture: true })
  // A press on the backdrop is one on the dialog itself.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
}

onAction('confirm', (button) => {
  const dialog = button.closest('dialog')
  dialog?.close('confirmed')
  dialog?.closest('[data-confirm]')?.querySelector<HTMLFormElement>('form[method="post"]')?.requestSubmit()
})
