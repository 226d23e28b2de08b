import { ref } from 'vue'

/** Puts text into the clipboard, and says for two seconds that it did. */
export function useCopy() {
  const isCopied = ref(false)

  async function copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Not allowed here (http, or a refusal): the text can still be marked by hand.
      return
    }
    isCopied.value = true
    setTimeout(() => (isCopied.value = false), 2000)
  }

  return { copy, isCopied }
}
