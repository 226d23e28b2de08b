import { shallowRef } from 'vue'
import { take } from './left-notice'

export interface Notice {
  text: string
  kind: 'success' | 'warning'
}

const left = take()

/** What the last action left to say: "Your password is changed." */
export const notice = shallowRef<Notice | undefined>(left ? { text: left, kind: 'success' } : undefined)
