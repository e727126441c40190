import type { ParamPath } from './raw.ts'

/** A whole parameter, e.g. `filters`. Only this function and {@link child} create paths. */
export const parameter = (name: string): ParamPath => name as ParamPath

/** The path of a nested key: `child('filters', 'author')` → `filters[author]`. */
export const child = (at: ParamPath, key: string | number): ParamPath => `${at}[${key}]` as ParamPath
