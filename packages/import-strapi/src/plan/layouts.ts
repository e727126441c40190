/** The layouts of Strapi's content manager, in the form of `@octavo/plugin-editors`. */
import type { Component, ContentType, Registry } from '@octavo/core/plugin'
import { automaticAttributes } from '../model/automatic.ts'
import { editorUid } from '../model/uids.ts'
import type { StoreItem } from '../records.ts'

type Values = Readonly<Record<string, unknown>>

const prefixes = [
  'plugin_content_manager_configuration_content_types::',
  'plugin_content_manager_configuration_components::',
] as const

/** The items of the section `layouts` of a data file; none when the server has no editors. */
export function planLayouts(settings: readonly StoreItem[], registry: Registry): readonly object[] {
  if (!registry.contentTypes.has(editorUid)) return []
  // Old databases have settings twice.
  const layouts = new Map<string, object>()
  for (const { key, value } of settings) {
    const prefix = prefixes.find((one) => key.startsWith(one))
    if (prefix === undefined) continue
    const uid = key.slice(prefix.length)
    const model = registry.contentTypes.get(uid) ?? registry.components.get(uid)
    if (model && (uid.startsWith('api::') || registry.components.has(uid) || uid === 'plugin::upload.file'))
      layouts.set(uid, { uid, layout: layoutOf(model, objectOf(value)) })
  }
  return [...layouts.values()]
}

const objectOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function layoutOf(model: ContentType | Component, value: Values): object {
  const [settings, metadatas, layouts] = [value.settings, value.metadatas, value.layouts].map(objectOf)
  const has = (name: unknown): name is string =>
    typeof name === 'string' && (name === 'id' || model.attributes.has(name))
  const isShown = (name: unknown): name is string =>
    has(name) && model.attributes.get(name)?.definition.type !== 'password'
  // Strapi's forms have rows for them, and none here has.
  const ofServer = automaticAttributes({
    ...model.definition,
    modelType: model.kind === 'component' ? 'component' : 'contentType',
  })
  const mainField = isShown(settings?.mainField) ? settings.mainField : 'id'
  const columns = listOf(layouts?.list).filter(isShown)
  const sorted = isShown(settings?.defaultSortBy) ? settings.defaultSortBy : mainField
  const pageSize = Number(settings?.pageSize)
  return {
    mainField,
    list: {
      columns: columns.length > 0 ? [...new Set(columns)] : [mainField],
      pageSize: Number.isInteger(pageSize) && pageSize >= 1 ? Math.min(pageSize, 100) : 25,
      sort: `${sorted}:${String(settings?.defaultSortOrder).toLowerCase() === 'desc' ? 'desc' : 'asc'}`,
      search: settings?.searchable !== false,
      filters: settings?.filterable !== false,
      select: settings?.bulkable !== false,
    },
    form: formOf(listOf(layouts?.edit), (name) => has(name) && name !== 'id' && !ofServer.has(name)),
    fields: Object.fromEntries(
      Object.entries(metadatas ?? {}).flatMap(([name, field]) =>
        has(name) ? [[name, fieldOf(name, objectOf(field))]] : [],
      ),
    ),
  }
}

function formOf(rows: readonly unknown[], isField: (name: unknown) => boolean): readonly object[] {
  const seen = new Set<unknown>()
  return rows
    .map((row) =>
      listOf(row).flatMap((place): readonly object[] => {
        const { name, size } = objectOf(place)
        if (!isField(name) || seen.has(name)) return []
        seen.add(name)
        const width = Math.round(Number(size))
        return [{ name, size: width >= 1 && width <= 12 ? width : 12 }]
      }),
    )
    .filter((row) => row.length > 0)
}

/** Texts are shortened to what a layout takes. */
const longest = 1_000

/** Without the characters that no database here stores: a label is no reason to refuse a project. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value.replaceAll('\0', '').slice(0, longest).toWellFormed()
    : undefined

function fieldOf(name: string, metadata: Values): object {
  const [edit, list] = [objectOf(metadata.edit), objectOf(metadata.list)]
  const column = textOf(list.label)
  const label = textOf(edit.label) ?? column ?? name
  const [description, placeholder, mainField] = [edit.description, edit.placeholder, edit.mainField].map(
    textOf,
  )
  return {
    label,
    ...(description !== undefined && { description }),
    ...(placeholder !== undefined && { placeholder }),
    ...(edit.editable === false && { readOnly: true }),
    ...(column !== undefined && column !== label && { column }),
    ...(typeof list.sortable === 'boolean' && { sortable: list.sortable }),
    ...(mainField !== undefined && { mainField }),
  }
}
