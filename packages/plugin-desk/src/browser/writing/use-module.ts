import { useEffect, useState } from 'react'

/**
 * A module that is loaded when a field needs it: editors of texts are large.
 *
 * @param load Imports the module. Each call needs one function object.
 * @returns `undefined` while it is loaded, `'failed'` when it cannot be
 */
export function useModule<T>(load: () => Promise<T>): T | 'failed' | undefined {
  const [module, setModule] = useState<T | 'failed'>()
  useEffect(() => {
    let isLeft = false
    load().then(
      (loaded) => {
        if (!isLeft) setModule(loaded)
      },
      () => {
        if (!isLeft) setModule('failed')
      },
    )
    return () => {
      isLeft = true
    }
  }, [load])
  return module
}
