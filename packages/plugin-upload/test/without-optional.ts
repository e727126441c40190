/** Preloaded by a test: the optional packages cannot be found, as if they were not installed. */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'sharp' && !specifier.startsWith('@aws-sdk/')) return next(specifier, context)
    const error = new Error(`Cannot find package '${specifier}'`)
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' })
  },
})
