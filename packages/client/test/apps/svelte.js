// The form of the adapter tests, in Svelte.

import { mount, unmount } from 'svelte'
import Profile from './Profile.svelte'

const app = mount(Profile, { target: document.getElementById('app') })
Object.assign(globalThis, { unmount: () => unmount(app) })
