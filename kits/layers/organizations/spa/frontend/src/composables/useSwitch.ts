import { computed } from 'vue'
import { active, loadOrganizations } from '@/lib/organizations'
import { toast } from '@/lib/toasts'
import { useAppForm } from './useAppForm'
import { useAttempt } from './useAttempt'

/** Goes from one organization to another. */
export function useSwitch() {
  const form = useAppForm({ organization: '' }, loadOrganizations)
  const { attempt, failure } = useAttempt()

  async function switchTo(organization: { id: string }): Promise<void> {
    if (form.processing || organization.id === active.value?.id) return
    form.data.organization = organization.id
    await attempt(() => form.submit('post', '/organizations/switch', { prefix: '' }))
    const text = failure.value || Object.values(form.errors).find(Boolean)
    if (!text) return
    toast(text, 'danger')
    // Perhaps it is not one of theirs any more.
    await loadOrganizations().catch(() => undefined)
  }

  return { switchTo, isSwitching: computed(() => form.processing) }
}
