/** An API token, as `GET tokens` has it. */
export interface Token {
  readonly id: number
  readonly name: string
  readonly access: 'read-only' | 'full' | readonly string[]
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  /** `editor 2`; null for the command line. */
  readonly createdBy: string | null
}
