// A sentence for the document that is loaded next: "You are signed out."

const key = 'notice'

/** Leaves it. */
export function leave(text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // A browser that keeps nothing: the next page says nothing.
  }
}

/** What the document before this one left, once. */
export function take(): string {
  try {
    const text = sessionStorage.getItem(key) ?? ''
    sessionStorage.removeItem(key)
    return text
  } catch {
    return ''
  }
}
