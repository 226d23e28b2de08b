// A mark in this browser while somebody is signed in. A session that has ended is forgotten by the server with the first request
// that brings it, which is the one for the document: the page that comes instead tells from the mark why it is shown.

const key = 'signed-in'

export function rememberMember(): void {
  try {
    localStorage.setItem(key, 'yes')
  } catch {
    // A browser that keeps nothing: the sign-in page gives no reason.
  }
}

/** Who signs out knows it. */
export function forgetMember(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // There is no mark to forget.
  }
}

export function wasMemberHere(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
