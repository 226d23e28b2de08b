// The pages that the server draws: their styles, and what the page before left to say.

import './styles/app.css'
import { take } from './lib/left-notice'

const place = document.querySelector<HTMLElement>('[data-notice]')
const text = take()
if (place && text) {
  place.textContent = text
  place.hidden = false
}
