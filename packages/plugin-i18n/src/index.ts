/** The public surface of @octavo/plugin-i18n. */

import '@octavo/core/engine'
import './typed-locales.ts'

export { i18n } from './i18n.ts'
export type { I18nOptions } from './options.ts'
export { problem as i18nProblem } from './problems.ts'
