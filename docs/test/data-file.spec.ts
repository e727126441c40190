import { type DataFile, exportData } from '@octavo/core'
import { createClient } from '@octavo/testing'
import { describe, expect, it } from 'vitest'
import { exchange } from './support/exchange.ts'
import { startMagazine } from './support/magazine.ts'
import { pageFile } from './support/pages.ts'
import { printJson, withExamples } from './support/print-json.ts'

/** The sections that Octavo's plugins handle. */
const sections: Readonly<Record<string, readonly [plugin: string, text: string]>> = {
  locales: ['i18n', 'The locales. They replace the stored ones; `isDefault` marks the default locale.'],
  folders: [
    'upload',
    'The folders of files, each with the id of the folder that it is in. `folderPath` of files has the ids from the root.',
  ],
  files: [
    'upload',
    'The records of uploaded files. The files themselves are copied separately, from the folder or the bucket of the provider.',
  ],
  roles: [
    'users-permissions',
    'The roles with their permissions in the database. Permissions of the configuration are not part of it.',
  ],
  users: [
    'users-permissions',
    'The users. A password is the hash of an export, or plain text, which the import hashes. A user from Strapi without a name or an email has null.',
  ],
  apiTokens: ['users-permissions', 'The tokens for servers, as hashes.'],
}

async function exported(): Promise<DataFile> {
  const magazine = await startMagazine()
  try {
    // A folder and a file, for their sections.
    await magazine.octavo.store.query(
      `insert into "octavo_upload_folders" ("name", "path", "created_at", "updated_at") values ('Pictures', '/1', now(), now())`,
    )
    await exchange(
      'POST /api/upload\nAuthorization: Bearer $TOKEN\nContent-Type: multipart/form-data\n\nfiles=@lighthouse.png',
      magazine,
    )
    await createClient(magazine.url).put('/api/articles/1', {
      token: magazine.secrets.TOKEN,
      body: { data: { cover: 1 } },
    })
    let text = ''
    await exportData(magazine.octavo, (part) => {
      text += part
    })
    return JSON.parse(text) as DataFile
  } finally {
    await magazine.close()
  }
}

/** The first element of a list, with examples for what differs from run to run. */
function firstOf(list: unknown): string {
  const [first] = Array.isArray(list) ? list : []
  return printJson([withExamples(first)])
    .replace(/"\$2[aby]\$[^"]+"/g, '"$2b$10$…"')
    .replace(/"(hash|accessKey)": "[\w+/=-]{40,}"/g, '"$1": "…"')
}

describe('docs/data-file.md', () => {
  /** `pnpm vitest run docs/test/data-file.spec.ts -u` writes it. */
  it('is printed from an export', async () => {
    const data = await exported()
    const { entries = {}, ...others } = data
    expect(Object.keys(others)).toEqual(expect.arrayContaining(Object.keys(sections)))
    expect(Object.keys(sections)).toEqual(expect.arrayContaining(Object.keys(others)))
    const page = `# Data file

This page describes the format of data files: \`octavo export\` writes all content to one JSON file, and \`octavo import\`, \`--seed\` and \`seedWhenEmpty\` read it.

\`\`\`sh
octavo export backup.json
octavo import backup.json --database postgres://localhost/copy
octavo export - | gzip > backup.json.gz
\`\`\`

The file is an object with \`entries\` and the sections of plugins. All of them may be absent:

\`\`\`json
{ "entries": { "api::author.author": [{ "id": 1, "name": "Ada Byron" }] } }
\`\`\`

## entries

\`entries\` has a list of entries for each uid of a content-type. This is an article of [the magazine](querying.md), as it was exported:

\`\`\`json
${firstOf(entries['api::article.article'])}
\`\`\`

| value | in the file |
|---|---|
| scalar | as in answers; a \`biginteger\` and a \`timestamp\` may be numbers or digits, and a \`decimal\` from 10^13 is text, with all of its digits |
| \`id\` | required and preserved; new entries get higher ids |
| relation | an id, or a list of ids in their order. One side is enough; if both sides are present, they must agree. Two entries cannot have the same target of a one-to-one relation, in the file or in the database |
| polymorphic relation | \`{ "id", "type" }\`, or a list of them, unless an attribute with \`morphBy\` has the relation |
| component, repeatable component, zone | an object or a list, with the \`id\` of each; items of a zone have \`__component\` |
| media | ids of \`files\` |
| \`localizations\` | ids of the entries in other locales; each entry of a group is in a locale of its own |
| \`createdAt\`, \`updatedAt\`, \`publishedAt\` | preserved; if they are absent, the time of the import |

${Object.entries(sections)
  .map(
    ([name, [plugin, text]]) =>
      `## ${name}\n\n${text} This section belongs to the plugin ${plugin}.\n\n\`\`\`json\n${firstOf(data[name])}\n\`\`\`\n`,
  )
  .join('\n')}
## Rules

- An import is one transaction. After a mistake, nothing is imported, and the message names the file and the entry.
- A file is in UTF-8. Values must fit their types. \`required\`, \`min\` and similar rules are not checked, because data may be older than a rule.
- Two items of a section with the same id, and two sections or lists with the same key, are mistakes, because one of the two would be lost. Sections may be in any order.
- Sections and attributes that no plugin handles are skipped, with one warning that counts them.
- \`--seed\` and \`seedWhenEmpty\` need a database without entries; \`octavo import\` adds to existing entries, and an existing id is a mistake, and so is a second entry of a single type. A user, file, token or editor that already exists
  with the same id is replaced by the one in the file. An id that belongs to another user, file, token or editor is a mistake. The same applies to webhooks, folders and roles of editors.
- An export is one snapshot of the database, even while others write. It contains the hashes of passwords: protect it like a password file. Only its
  owner can read a new file; a file that is replaced keeps its mode. A signal stops an export, and the former file remains unchanged.
`
    await expect(page).toMatchFileSnapshot(pageFile('data-file.md'))
  })
})
