// What script adds to the pages. Each file is about one thing and does nothing where the page has no use for it; all but
// passkeys and the choice of theme work without any of this.

import './codes'
import './confirm'
import './countdown'
import './forms'
import './menus'
import './otp'
import './reveal'
import './theme'

// Most pages have nothing to do with passkeys and do not load the code for them.
if (document.querySelector('[data-passkey]')) {
  void import('./passkeys').then(({ startPasskeys }) => startPasskeys())
}
