import { recognisable } from './recognisable.ts'

/** Invalid configuration at start, such as a database URL that cannot be parsed or a directory in use. */
export class ConfigurationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConfigurationError'
  }
}

recognisable(ConfigurationError, 'ConfigurationError')
