/**
 * The part of an `AbortSignal` that tells a read that its clients have gone. A server implements it on the
 * response: an `AbortController` for each request would cost a fifth of a small read.
 */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
