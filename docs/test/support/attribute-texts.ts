/** The types that are not values in a column. @param options Prints the options that an interface declares. */
export const structuredTypes = (options: (name: string) => string): string => `## relation

A relation to entries of another content-type, or of the same one. The answer has related entries where \`populate\` names the relation.

\`\`\`json
{ "type": "relation", "relation": "manyToOne", "target": "api::author.author", "inversedBy": "articles" }
\`\`\`

${options('PlainRelationOptions')}\
| relation | one-way | with \`inversedBy\` and \`mappedBy\` |
|---|---|---|
| \`oneToOne\` | a foreign key | a foreign key on the side with \`inversedBy\` |
| \`manyToOne\` | a foreign key | a foreign key; the other side is \`oneToMany\` with \`mappedBy\` |
| \`oneToMany\` | a join table | no column; the key is on the other side |
| \`manyToMany\` | a join table | a join table, which belongs to the side with \`inversedBy\` |

Every foreign key and join table has its indexes. Lists keep the order in which entries were connected.
Bodies take an id, a list of ids, or \`connect\`, \`disconnect\` and \`set\` ([writing](writing.md#relations)); filters and sorts go through relations.

A polymorphic relation leads to entries of any content-type. The side with \`morphToOne\` or \`morphToMany\` is written, and the sides
with \`morphOne\` or \`morphMany\` are read:

\`\`\`json
{ "type": "relation", "relation": "morphToMany" }
\`\`\`

\`\`\`json
{ "type": "relation", "relation": "morphMany", "target": "api::comment.comment", "morphBy": "subject" }
\`\`\`

${options('MorphByOptions')}\
## component

A group of attributes that several content-types share, from a file in \`components/<category>/<name>.json\`. It is stored in a table of its own and deleted with
its entry. In answers it has an \`id\` and its attributes, without \`data\` and \`attributes\` around them.

\`\`\`json
{ "type": "component", "component": "shared.seo" }
\`\`\`

${options('ComponentOptions')}\
Filters and sorts go through components as through relations: \`filters[seo][metaTitle][$null]=true\`.

## dynamiczone

A list of components of several kinds. Each item has its kind in \`__component\`.

\`\`\`json
{ "type": "dynamiczone", "components": ["page.text", "page.quote"] }
\`\`\`

${options('ZoneOptions')}\
A body with a component that is not in the list is a 400. A zone with an empty list is left out, with a warning. Zones cannot be filtered by.

## media

A file, or a list of files, of the plugin \`@octavo/plugin-upload\` ([media](media.md)). Without the plugin these attributes are left out, with a warning.

\`\`\`json
{ "type": "media", "multiple": true, "allowedTypes": ["images"] }
\`\`\`

| option | type | default | |
|---|---|---|---|
| \`multiple\` | \`boolean\` | false | A list of files. |
| \`allowedTypes\` | list of \`images\`, \`videos\`, \`audios\`, \`files\` | all | The kinds of files that may be uploaded for the attribute, and that the desk offers for it. A file that it has may be replaced by one of another kind, except in the desk. |

Media are populated like relations and cannot be filtered by.

## customField

A custom field of Strapi is read as its base type. The base types of common packages are built in; any other is text, with a warning at start, unless \`type\` names
another base type.

${options('CustomFieldOptions')}\
## Attributes of every entry

| attribute | type | |
|---|---|---|
| \`id\` | \`integer\` | beside \`attributes\` in answers |
| \`createdAt\`, \`updatedAt\` | \`datetime\` | set by the server; ignored in bodies |
| \`publishedAt\` | \`datetime\` | with \`draftAndPublish\`: null for a draft ([drafts](drafts.md)) |
| \`locale\`, \`localizations\` | \`string\`, relation | of localized content-types ([locales](locales.md)) |

A plugin can add attribute types: see [plugins](plugins.md).
`
