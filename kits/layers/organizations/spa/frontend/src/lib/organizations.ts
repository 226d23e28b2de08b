// The organizations of who is signed in, and the one they work in: asked for before the first page is shown, and again after
// every change.

import { http } from '@housekey/client'
import { computed, ref } from 'vue'
import type { OrganizationsAnswer } from '@/types/api.gen'

const known = ref<OrganizationsAnswer>()

/** All of them, by name. */
export const organizations = computed(() => known.value?.organizations ?? [])

/** The one that pages are about now. */
export const active = computed(() => organizations.value.find(({ id }) => id === known.value?.active))

/** What others have invited this person to. */
export const invitations = computed(() => known.value?.invitations ?? [])

export async function loadOrganizations(): Promise<void> {
  known.value = await http.get('/organizations')
}

/** The address of a form about an organization: it names it, so that the server can tell when somebody has gone to another since. */
export function actionIn(organization: string, action: string): string {
  return `${action}?organization=${encodeURIComponent(organization)}`
}

/** Looks again whenever somebody comes back to this tab: in another one they may have gone to another organization. */
export function followOrganization(): void {
  document.addEventListener('visibilitychange', () => {
    // Without an answer everything stays as it is: the next page that is opened says what is wrong.
    if (document.visibilityState === 'visible') loadOrganizations().catch(() => undefined)
  })
}
