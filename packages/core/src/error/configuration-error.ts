import { recognisable } from './recognisable.ts'

/** What the server was started with cannot be: an address of a database that is none, a folder that is in use. */
export class ConfigurationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConfigurationError'
  }
}

recognisable(ConfigurationError, 'ConfigurationError')
