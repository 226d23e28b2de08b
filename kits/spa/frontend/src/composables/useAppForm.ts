import { useForm, type Form } from '@housekey/client/vue'
import { goTo } from '@/lib/navigate'
import type { Done } from '@/types/done'

/**
 * A form of this app. Its actions answer where to go and what to say there; `onDone` sees the answer first, and may take
 * the answer as it is by returning `false`. A form with files is packed by `formData`.
 */
export function useAppForm<Data extends object>(
  initial: Data,
  onDone?: (answer: Done) => unknown,
  transform?: (data: Data) => FormData,
): Form<Data, Done> {
  let said: string | undefined
  let stay = false
  return useForm<Data, Done>(initial, {
    transform,
    async onSuccess(answer) {
      said = answer.status
      stay = (await onDone?.(answer)) === false
    },
    onRedirect: (to) => (stay ? undefined : goTo(to, said)),
  })
}
