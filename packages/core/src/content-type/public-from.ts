import type { ContentType, ScalarAttribute } from './model.ts'

/** The attribute with the time from which an entry is public; `undefined` where no entry of the type has to wait for one. */
export const publicFromOf = ({ attributes }: ContentType): ScalarAttribute | undefined =>
  [...attributes.values()].find(
    (attribute): attribute is ScalarAttribute =>
      attribute.kind === 'scalar' && attribute.definition.publicFrom === true,
  )
