/** The query that loads every part of an entry that a form can show. */
import { type FormModel, fieldsOf, fileUid, schemaOf } from '../form/index.ts'

export interface PopulateOptions {
  /** The attributes that label the entries of a relation, by its target, the uid of its owner and its name. Default: the first text that is not long. */
  readonly labels?: (target: string, owner: string, name: string) => readonly string[]
  /** The attribute with the picture of linked entries, by their type. Default: none. */
  readonly picture?: (target: string) => string | undefined
  /** The locale of a single type, which has no id. Default: the default locale. */
  readonly locale?: string | undefined
}

/** Components may have components of the same kind; deeper ones are not loaded, and remain as they are. */
const deepest = 8

/** The attributes of a file that a small picture is made of. */
const pictureFields: readonly string[] = ['url', 'mime', 'formats']

const labelTypes: ReadonlySet<string> = new Set(['string', 'uid', 'email'])

/** The parameters of a GET and a PUT of one entry: drafts as well, and every relation, file, component and zone, as `name=value` pairs. */
export function entryQuery(model: FormModel, uid: string, options: PopulateOptions = {}): string {
  const pairs: [string, string][] = [['publicationState', 'preview']]
  if (options.locale !== undefined) pairs.push(['locale', options.locale])
  addPlaces(model, uid, 'populate', options, pairs, 0)
  addAbout(model, uid, pairs)
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
}

const creators: readonly string[] = ['createdBy', 'updatedBy']

/** Adds the places that a page shows about an entry: its other locales, and who made and changed it. */
function addAbout(model: FormModel, uid: string, pairs: [string, string][]): void {
  const { attributes } = schemaOf(model, uid)
  const add = (name: string, fields: readonly string[]): void =>
    fields.forEach((field, i) => void pairs.push([`populate[${name}][fields][${i}]`, field]))
  if (attributes.localizations)
    add('localizations', attributes.publishedAt ? ['locale', 'publishedAt'] : ['locale'])
  for (const name of creators) if (attributes[name]) add(name, ['firstname', 'lastname'])
}

function addPlaces(
  model: FormModel,
  uid: string,
  at: string,
  options: PopulateOptions,
  pairs: [string, string][],
  depth: number,
): void {
  for (const { name, shape } of fieldsOf(schemaOf(model, uid))) {
    const place = `${at}[${name}]`
    if (shape.kind === 'relation') {
      // Files and entries that the editor may not read are no part of the form.
      if (!model.contentTypes[shape.target]) continue
      if (shape.target === fileUid) pairs.push([place, 'true'])
      else {
        const labels = labelsOf(model, shape.target, options.labels?.(shape.target, uid, name))
        for (const [i, label] of labels.entries()) pairs.push([`${place}[fields][${i}]`, label])
        const picture = options.picture?.(shape.target)
        if (picture !== undefined)
          for (const [i, field] of pictureFields.entries())
            pairs.push([`${place}[populate][${picture}][fields][${i}]`, field])
      }
    } else if (shape.kind === 'components' && depth < deepest)
      for (const component of shape.uids) {
        if (!model.components[component]) continue
        const here = shape.zone ? `${place}[on][${component}]` : place
        pairs.push([`${here}[fields]`, '*'])
        addPlaces(model, component, `${here}[populate]`, options, pairs, depth + 1)
      }
  }
}

/** The attributes by which a list of linked entries shows them: the label, the state and the locale. */
function labelsOf(model: FormModel, uid: string, labels: readonly string[] = []): readonly string[] {
  const attributes = model.contentTypes[uid]?.attributes ?? {}
  const first = Object.keys(attributes).find(
    (name) =>
      labelTypes.has(attributes[name]?.type ?? '') &&
      attributes[name]?.private !== true &&
      attributes[name]?.readOnly !== true,
  )
  const given = labels.filter((name) => attributes[name])
  const shown = given.length > 0 ? given : first === undefined ? ['id'] : [first]
  return [...shown, ...['publishedAt', 'locale'].filter((name) => attributes[name])]
}
