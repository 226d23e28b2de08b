// The pages of guests. Those at the door are in one file with the entry: each is small, and nobody waits there. Where mails lead,
// the second step, and what most apps do without, is loaded when it is asked for.

import { createRouter, createWebHistory } from 'vue-router'
import { loadSession } from '@/lib/session'
import ForgotPassword from '@/pages/auth/ForgotPassword.vue'
import NotFound from '@/pages/auth/NotFound.vue'
import SignIn from '@/pages/auth/SignIn.vue'
import SignUp from '@/pages/auth/SignUp.vue'
import { announcePages } from './guards'

const VerifyEmail = () => import('@/pages/VerifyEmail.vue')

/** Without a sign-in under way there is nothing to answer. When that cannot be found out, the page itself will say so. */
async function expectChallenge(): Promise<true | string> {
  const challenged = await loadSession().then((session) => session.challenged, () => true)
  return challenged || '/auth/sign-in'
}

/** The same for a code in a mail. */
async function expectCode(): Promise<true | string> {
  const awaits = await loadSession().then((session) => !!session.awaitsCode, () => true)
  return awaits || '/auth/sign-in'
}

export const router = createRouter({
  history: createWebHistory('/'),
  scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  routes: [
    { path: '/auth', redirect: '/auth/sign-in' },
    { path: '/auth/sign-in', component: SignIn, meta: { title: 'Sign in' } },
    { path: '/auth/sign-up', component: SignUp, meta: { title: 'Sign up' } },
    { path: '/auth/forgot-password', component: ForgotPassword, meta: { title: 'Forgot password' } },
    {
      path: '/auth/reset-password',
      component: () => import('@/pages/auth/ResetPassword.vue'),
      meta: { title: 'Choose a new password' },
      beforeEnter: (to) => (to.query['token'] ? true : '/auth/sign-in'),
    },
    {
      path: '/auth/two-factor-challenge',
      component: () => import('@/pages/auth/TwoFactorChallenge.vue'),
      meta: { title: 'Two-factor sign-in' },
      beforeEnter: expectChallenge,
    },
    { path: '/auth/link-sent', component: () => import('@/pages/by-mail/LinkSent.vue'), meta: { title: 'Look into your mail' } },
    { path: '/auth/code', component: () => import('@/pages/by-mail/EmailCode.vue'), meta: { title: 'Sign in with a code' }, beforeEnter: expectCode },
    {
      path: '/auth/magic-link',
      component: () => import('@/pages/by-mail/MagicLink.vue'),
      meta: { title: 'Sign in' },
      beforeEnter: (to) => (to.query['token'] ? true : '/auth/sign-in'),
    },
    { path: '/auth/check-mail', component: VerifyEmail, props: { sent: true }, meta: { title: 'Look into your mail' } },
    {
      path: '/auth/verify-email',
      component: VerifyEmail,
      props: { link: 'verify' },
      meta: { title: 'Confirm your address' },
      beforeEnter: (to) => (to.query['token'] ? true : '/auth/sign-in'),
    },
    {
      path: '/auth/change-email',
      component: VerifyEmail,
      props: { link: 'change' },
      meta: { title: 'Move your account?' },
      beforeEnter: (to) => (to.query['token'] ? true : '/auth/sign-in'),
    },
    { path: '/:path(.*)*', component: NotFound, meta: { title: 'Nobody lives at this address' } },
  ],
})

// The file of a page did not come, because the app was deployed anew: the document that names the new ones has to be loaded.
router.onError((error, to) => {
  const isHere = router.currentRoute.value.matched.length > 0
  if (isHere && error instanceof TypeError && /import|fetch/i.test(error.message)) location.assign(to.fullPath)
})

announcePages(router)
