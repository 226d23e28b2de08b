// A device that keeps passkeys, inside the browser: WebAuthn without a finger.

/**
 * Gives the page a device. It says yes at once, and its keys can be chosen from the e-mail field.
 *
 * @param {import('playwright-core').Page} page
 */
export async function addAuthenticator(page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** How many keys it holds. */
    count: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    /**
     * Whether its owner says yes. While it is `false`, a ceremony waits as it does for a person.
     * @param {boolean} enabled
     */
    answer: (enabled) =>
      client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /**
     * Whether the finger is the right one.
     * @param {boolean} isUserVerified
     */
    recognise: (isUserVerified) => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    remove: () => client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}
