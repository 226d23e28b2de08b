// The password, asked for again. The client calls `askPassword` when the server answers 423 and sends the refused request
// once more when the answer is yes; requests that are refused together share one question.

import { shallowRef } from 'vue'

/** The question that is open, if one is: called with whether the person confirmed. */
export const question = shallowRef<(confirmed: boolean) => void>()

/** Opens the dialog. */
export function askPassword(): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = (confirmed) => {
      question.value = undefined
      resolve(confirmed)
    }
  })
}
