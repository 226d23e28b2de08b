/** Whether passkeys can be used here: the browser knows them, and the page came over https or from localhost. */
export function supported(): boolean {
  return typeof PublicKeyCredential == 'function' && isSecureContext
}

/** Whether passkeys can be offered in the autofill of a field. */
export async function autofillSupported(): Promise<boolean> {
  // Older browsers have the one without the other.
  return supported() && !!(await PublicKeyCredential.isConditionalMediationAvailable?.())
}
