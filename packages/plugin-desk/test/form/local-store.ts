import type { DraftStorage } from '../../src/form/draft.ts'

/** A storage of local copies, like that of a browser. */
export const localStore = (): DraftStorage => {
  const texts = new Map<string, string>()
  return {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => void texts.delete(key),
    keys: async (prefix) => [...texts.keys()].filter((key) => key.startsWith(prefix)),
  }
}
