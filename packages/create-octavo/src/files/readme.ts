import type { Choices } from '../choices.ts'
import { isArchive } from '../import-archive.ts'
import { commandsOf, npm } from '../package-manager.ts'

const commandTable = ({ packageManager = npm }: Choices): string => {
  const { exec, run, start, test } = commandsOf(packageManager)
  return `| to | run |
|---|---|
| start the server on http://localhost:1337 | \`${start}\` |
| start it again after each change of the content-types or the configuration | \`${run} dev\` |
| run the tests | \`${test}\` |
| check the content-types | \`${run} check\` |
| write the types of the content-types to \`octavo-types.d.ts\` | \`${run} types\` |
| add a content-type | \`${exec} octavo generate type book title:string author:relation:author\` |
| add a plugin of your own | \`${exec} octavo generate plugin audit\` |`
}

const production = ({ database, packageManager = npm }: Choices): string => `## In production

\`docker compose up --build\` runs the server in a container${database === 'postgres' ? ', with PostgreSQL' : ''}. Commit \`${commandsOf(packageManager).lockFile}\` first: the image is
built from it. \`.env\` contains the secret that signs tokens and is not part of the repository. \`DATABASE_URL\` names the
database: \`postgres://…\`, or \`file:./dir\` for the embedded database, which only one process can open at a time.
`

const databaseNote = ({ database, packageManager = npm }: Choices): string =>
  database === 'postgres'
    ? `\n\`${commandsOf(packageManager).start}\` needs a PostgreSQL server: set \`DATABASE_URL\`, or run \`docker compose up database\`. The tests need none.\n`
    : ''

const deskNote = ({ plugins }: Choices): string =>
  plugins.includes('desk')
    ? '\nThe first start prints a link that creates the first editor. Editors sign in at <http://localhost:1337/desk>.\n'
    : ''

/** The README of a new project. */
export const readme = (name: string, choices: Choices): string => `# ${name}

A content API with [Octavo](https://github.com/octavo/octavo).

${commandTable(choices)}
${databaseNote(choices)}
\`content/content-types\` has a file for each content-type, \`octavo.config.ts\` lists the plugins${choices.plugins.includes('users-permissions') ? ' and the permissions of roles' : ''}, and
\`data.json\` contains the first entries.
${deskNote(choices)}
\`\`\`sh
curl -g 'http://localhost:1337/api/articles?populate=author&sort=title'
\`\`\`

${production(choices)}`

/** The README of a project from Strapi 4. */
export const importedReadme = (name: string, choices: Choices): string => `# ${name}

A content API with [Octavo](https://github.com/octavo/octavo), from a Strapi 4 project.

${commandTable(choices)}
${databaseNote(choices)}
${
  isArchive(choices.from ?? '')
    ? `The archive was imported: content-types to \`content\`, files to \`public/uploads\`, settings to \`octavo.config.ts\`, which reads
\`JWT_SECRET\` of the old project, and entries to the database. API tokens are not in an archive: \`${commandsOf(choices.packageManager ?? npm).exec} octavo token create\` makes new ones.`
    : `\`src\` and \`config\` are copied from the Strapi 4 project. Octavo reads the content-types and settings; \`${commandsOf(choices.packageManager ?? npm).run} check\` lists the code
that does not run, file by file. The entries are still in the old database:

\`\`\`sh
${commandsOf(choices.packageManager ?? npm).exec} octavo import strapi postgres://localhost/old --uploads public/uploads --content .
\`\`\``
}

${production(choices)}`
