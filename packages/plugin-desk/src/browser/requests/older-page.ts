/** Files of the pages that do not come. */
import { ApiError } from './api.ts'

/** Thrown for a file that the server has no more: it has another version of the pages than the one that is open. */
export class OlderPage extends Error {}

/** Whether the document that the server has now names another script than the open one. */
async function isOlder(): Promise<boolean> {
  const own = document.querySelector('script[type=module]')?.getAttribute('src')
  const answer = await fetch('/desk', { cache: 'no-store' })
  const text = await answer.text()
  // A page of a proxy names no file of the desk.
  return answer.ok && text.includes('/desk/assets/') && !text.includes(own ?? '')
}

/**
 * Loads a file of the pages.
 *
 * @param load Imports it.
 * @throws OlderPage when the server has another version of the pages; ApiError when it cannot be reached
 */
export async function fileOf<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const older = await isOlder().catch(() => undefined)
    if (older === undefined) throw new ApiError(0, 'The server cannot be reached.', 'desk/offline')
    throw older ? new OlderPage() : error
  }
}
