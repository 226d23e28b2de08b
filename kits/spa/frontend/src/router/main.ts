// The pages of members. Each is loaded when it is first asked for.

import { createRouter, createWebHistory } from 'vue-router'
import { toast } from '@/lib/toasts'
import { announcePages, isOffered } from './guards'

export const router = createRouter({
  history: createWebHistory('/'),
  scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  routes: [
    { path: '/dashboard', component: () => import('@/pages/Dashboard.vue'), meta: { title: 'Dashboard' } },
    { path: '/verify-email', component: () => import('@/pages/VerifyEmail.vue'), meta: { title: 'Confirm your address' } },
    {
      path: '/settings',
      redirect: '/settings/profile',
      component: () => import('@/layouts/SettingsLayout.vue'),
      children: [
        { path: 'profile', component: () => import('@/pages/settings/Profile.vue'), meta: { title: 'Profile' } },
        { path: 'password', component: () => import('@/pages/settings/Password.vue'), meta: { title: 'Password', offers: 'password' } },
        { path: 'two-factor', component: () => import('@/pages/settings/TwoFactor.vue'), meta: { title: 'Two-factor', offers: 'two-factor' } },
        { path: 'passkeys', component: () => import('@/pages/settings/Passkeys.vue'), meta: { title: 'Passkeys', offers: 'passkeys' } },
        { path: 'sessions', component: () => import('@/pages/settings/Sessions.vue'), meta: { title: 'Sessions' } },
        { path: 'account', component: () => import('@/pages/settings/Account.vue'), meta: { title: 'Account' } },
      ],
    },
    { path: '/:path(.*)*', name: 'nowhere', component: () => import('@/pages/NotFound.vue'), meta: { title: 'Not found' } },
  ],
})

// What is not offered has no page: at its own address there is nothing.
router.beforeEach((to) => isOffered(to) || { name: 'nowhere', params: { path: to.path.slice(1).split('/') } })

// The file of a page did not come. Either the app was deployed anew and it is gone: then the document that names the new ones
// has to be loaded. Or there is no network: then this page is better than none.
router.onError((error, to) => {
  if (!(error instanceof TypeError && /import|fetch/i.test(error.message))) return
  if (navigator.onLine) location.assign(to.fullPath)
  else toast('We cannot be reached. Check your connection and try again.', 'danger')
})

announcePages(router)
