/** Where the pages are that people reach without being signed in, and from their mails. */
export const places = {
  signIn: '/sign-in',
  signUp: '/sign-up',
  challenge: '/two-factor-challenge',
  resetPassword: '/reset-password',
  confirmAddress: '/verify-email/confirm',
  changeAddress: '/change-email/confirm',
  linkSent: '/sign-in/link',
  emailCode: '/sign-in/code',
  magicLink: '/magic-link',
}
