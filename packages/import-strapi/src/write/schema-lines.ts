import type { Component, ContentType, Registry } from '@octavo/core/plugin'
import { automaticAttributes, hasDrafts } from '../model/automatic.ts'
import { fileUid, isOfEditors, userUid, withoutCounterpart } from '../model/uids.ts'
import type { Schema } from '../records.ts'

const creator = {
  type: 'relation',
  relation: 'oneToOne',
  target: 'admin::user',
  configurable: false,
  writable: false,
  visible: false,
  useJoinTable: false,
  private: true,
} as const

/**
 * The schemas of the project's content-types and components, and of users and files with their added attributes. The schemas of
 * other types of Strapi are unknown here; `strapi import --force` ignores the difference.
 */
export function* schemaLines(registry: Registry): Generator<Schema> {
  for (const type of registry.contentTypes.values())
    if (
      type.uid.startsWith('api::') ||
      type.uid === userUid ||
      type.uid === fileUid ||
      isThirdParty(type.uid)
    )
      yield contentTypeLine(type)
  for (const component of registry.components.values()) yield componentLine(component)
}

const isThirdParty = (uid: string): boolean =>
  uid.startsWith('plugin::') && !isOfEditors(uid) && !/^plugin::(users-permissions|upload|i18n)\./.test(uid)

function contentTypeLine({ uid, kind, table, definition, attributes, singularName }: ContentType): Schema {
  const localized = attributes.get('localizations')?.kind === 'relation'
  const { info, options, pluginOptions } = definition
  return {
    ...{ collectionName: table, info, options: options ?? {}, pluginOptions: pluginOptions ?? {} },
    attributes: {
      ...written(uid, definition, 'contentType'),
      createdAt: { type: 'datetime' },
      updatedAt: { type: 'datetime' },
      ...(hasDrafts(definition) &&
        attributes.has('publishedAt') && {
          publishedAt: { type: 'datetime', configurable: false, writable: true, visible: false },
        }),
      createdBy: creator,
      updatedBy: creator,
      ...(localized && {
        localizations: {
          type: 'relation',
          relation: 'oneToMany',
          target: uid,
          writable: true,
          private: false,
          configurable: false,
          visible: false,
          unique: false,
        },
        locale: { type: 'string', writable: true, private: false, configurable: false, visible: false },
      }),
    },
    kind,
    modelType: 'contentType',
    ...{ modelName: singularName, globalId: pascal(singularName) },
    uid,
  }
}

function componentLine({ uid, table, category, name, definition }: Component): Schema {
  return {
    ...{ collectionName: table, info: definition.info ?? {}, options: definition.options ?? {} },
    attributes: written(uid, definition, 'component'),
    modelType: 'component',
    ...{ modelName: name, globalId: `Component${pascal(category)}${pascal(name)}` },
    uid,
  }
}

/** The attributes as defined, without those that Octavo's plugins add. */
function written(
  uid: string,
  { attributes, options, pluginOptions }: ContentType['definition'] | Component['definition'],
  modelType: Schema['modelType'],
): Schema['attributes'] {
  const automatic = automaticAttributes({ modelType, options, pluginOptions })
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => !automatic.has(name) && !withoutCounterpart(uid).includes(name))
      .map(([name, { uniqueWithin: _, ...attribute }]) => [name, attribute]),
  ) as Schema['attributes'] // each has its type
}

const pascal = (name: string): string =>
  name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
