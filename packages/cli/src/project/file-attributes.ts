import { type AttributeDefinition, definePlugin, type Plugin } from '@octavo/core'

const fileUid = 'plugin::upload.file'

/** A plugin that adds a project's own attributes to the files of `upload`; those that a file has already stay as they are. */
export const fileAttributes = (added: Readonly<Record<string, AttributeDefinition>>): Plugin =>
  definePlugin({
    name: 'project-files',
    after: ['upload'],
    setup(host) {
      host.hook('definitions:extend', (definitions) => ({
        ...definitions,
        contentTypes: definitions.contentTypes.map((type) =>
          type.uid === fileUid ? { ...type, attributes: { ...added, ...type.attributes } } : type,
        ),
      }))
    },
  })
