import { describe, expect, it, vi } from 'vitest'
import { InvalidValue } from '../for-plugins.ts'
import * as own from '../index.ts'

describe('errors of another copy of core', () => {
  it('are recognised by their classes, and by no other', async () => {
    vi.resetModules()
    const other = await import('../index.ts')
    const forPlugins = await import('../for-plugins.ts')
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
