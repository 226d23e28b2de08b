// What the pages of guests know about providers, in one file that is loaded only where there are any.

export { default as SocialButtons } from './SocialButtons.vue'
export { default as SocialRefusal } from './SocialRefusal.vue'
