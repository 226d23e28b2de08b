// Short messages in a corner. They go by themselves, unless something went wrong.

import { reactive } from 'vue'

export interface Toast {
  id: number
  kind: 'success' | 'danger'
  text: string
}

export const toasts = reactive<Toast[]>([])

/** Long enough to be read twice. */
const LIFE = 6000
let last = 0

export function toast(text: string, kind: Toast['kind'] = 'success'): void {
  const id = ++last
  // Said again, it is one message, and the newest.
  const same = toasts.find((toast) => toast.text === text && toast.kind === kind)
  if (same) dismiss(same.id)
  // Three at most: an old one has been read or never will be.
  if (toasts.push({ id, kind, text }) > 3) toasts.shift()
  if (kind === 'success') setTimeout(() => dismiss(id), LIFE)
}

export function dismiss(id: number): void {
  const at = toasts.findIndex((toast) => toast.id === id)
  if (at >= 0) toasts.splice(at, 1)
}
