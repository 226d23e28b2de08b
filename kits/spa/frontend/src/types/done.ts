/** What an action answers: where it leads, and what it has to say. */
export interface Done {
  redirect?: string
  status?: string
  /** Fresh recovery codes, this once. */
  recovery_codes?: string[]
}
