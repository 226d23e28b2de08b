/** A task that many requests may need at once and only one of them starts. */
export interface Shared<T> {
  /** Counts the runs that have ended. A request notes it when it sets out. */
  readonly ended: number
  /** Joins the run that is under way; else takes the outcome of one that ended since then; else starts one. */
  join(since: number): Promise<T>
}

/** Makes a task one that is shared. */
export function shared<T>(task: () => Promise<T>): Shared<T> {
  let running = false
  let last: Promise<T>
  const it = {
    ended: 0,
    join(since: number) {
      if (!running && since == it.ended) {
        running = true
        last = task().finally(() => {
          running = false
          it.ended++
        })
      }
      return last
    },
  }
  return it
}
