import { Archive } from './archive.ts'
import type { Source } from './source.ts'

export interface SourceOptions {
  /** The passphrase of an encrypted archive. */
  readonly key?: string
}

/** Opens an export archive. @throws SourceError */
export async function openSource(source: string, { key }: SourceOptions = {}): Promise<Source> {
  return Archive.open(source, key)
}
