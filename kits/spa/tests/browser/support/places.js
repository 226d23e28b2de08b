/** Where the pages are that people reach without being signed in, and from their mails. */
export const places = {
  signIn: '/auth/sign-in',
  signUp: '/auth/sign-up',
  challenge: '/auth/two-factor-challenge',
  resetPassword: '/auth/reset-password',
  confirmAddress: '/auth/verify-email',
  changeAddress: '/auth/change-email',
  linkSent: '/auth/link-sent',
  emailCode: '/auth/code',
  magicLink: '/auth/magic-link',
}
