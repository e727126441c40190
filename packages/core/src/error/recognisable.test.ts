import module from 'node:module'
import { describe, expect, it } from 'vitest'
import { InvalidValue } from '../for-plugins.ts'
import * as own from '../index.ts'

/** Loads the sources a second time, as another version of the package beside this one is: all modules that a module of the copy imports. */
async function otherCopy() {
  const mark = '?copy'
  const hook = module.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isOfCopy = context.parentURL?.endsWith(mark) && found.url.startsWith('file:')
      return isOfCopy ? { ...found, url: found.url + mark } : found
    },
  })
  try {
    const [index, plugins] = [`../index.ts${mark}`, `../for-plugins.ts${mark}`]
    const other: typeof own = await import(index)
    const forPlugins: typeof import('../for-plugins.ts') = await import(plugins)
    return { other, forPlugins }
  } finally {
    hook.deregister()
  }
}

describe('errors of another copy of core', () => {
  it('are recognised by their classes, and by no other', async () => {
    const { other, forPlugins } = await otherCopy()
    const refused = new other.ForbiddenError('entry/forbidden', 'Forbidden')
    expect(other.ForbiddenError).not.toBe(own.ForbiddenError)
    expect(refused).toBeInstanceOf(own.OctavoError)
    expect(refused).toBeInstanceOf(own.ForbiddenError)
    expect(refused).not.toBeInstanceOf(own.ValidationError)
    expect(refused).not.toBeInstanceOf(own.PluginError)
    expect(new forPlugins.InvalidValue('a number')).toBeInstanceOf(InvalidValue)
    expect(new other.NotEmptyError(['x'])).toBeInstanceOf(own.ImportError)
    expect(new other.ImportError(['x'])).not.toBeInstanceOf(own.NotEmptyError)
    expect(new other.DefinitionError([])).toBeInstanceOf(own.DefinitionError)
    expect(new other.ConfigurationError('x')).toBeInstanceOf(own.ConfigurationError)
  })

  it('do not count as instances of the classes that a program derives', () => {
    class Own extends own.ForbiddenError {}
    expect(new own.ForbiddenError('entry/forbidden', 'Forbidden')).not.toBeInstanceOf(Own)
    expect(new Own('entry/forbidden', 'Forbidden')).toBeInstanceOf(own.ForbiddenError)
    expect(null).not.toBeInstanceOf(own.OctavoError)
  })
})
