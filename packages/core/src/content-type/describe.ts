import type { Model } from './model.ts'

/** The name of a model in messages: `article`, or `shared.seo` for a component. */
export const describe = (model: Model): string =>
  model.kind === 'component' ? model.uid : model.singularName
