import type { Model } from './model.ts'

/** What a model is called in messages: `article`, or `shared.seo` for a component. */
export const describe = (model: Model): string =>
  model.kind === 'component' ? model.uid : model.singularName
