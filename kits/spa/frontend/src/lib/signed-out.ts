import { ref } from 'vue'

/**
 * What the server said when it did not know who is there any more, while a page with somebody's half-filled form is open; else
 * empty.
 */
export const signedOut = ref('')
