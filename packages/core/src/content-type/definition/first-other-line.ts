import { isUtf8 } from 'node:buffer'

/** The number of the first line that is not in UTF-8, from 1. */
export function firstLineOfOtherText(bytes: Uint8Array): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(10, start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
}
