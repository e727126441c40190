/** Numbers of skipped items, by their description in the warning. */
export type LeftOut = Map<string, number>

export function leaveOut(leftOut: LeftOut, description: string, count = 1): void {
  leftOut.set(description, (leftOut.get(description) ?? 0) + count)
}
