import type { ParamPath } from './raw.ts'

/** A whole parameter, e.g. `filters`. Only here and in {@link child} is a text made a path. */
export const parameter = (name: string): ParamPath => name as ParamPath

/** A place inside another: `child('filters', 'author')` → `filters[author]`. */
export const child = (at: ParamPath, key: string | number): ParamPath => `${at}[${key}]` as ParamPath
