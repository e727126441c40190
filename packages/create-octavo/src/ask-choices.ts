import { cancel, intro, isCancel, multiselect, select, text } from '@clack/prompts'
import {
  type Choices,
  type Database,
  defaultPlugins,
  hintOf,
  pluginNames,
  projectName,
  strapiPlugins,
  withNeeded,
} from './choices.ts'
import { refuseFolder } from './create-project.ts'
import { UsageError } from './usage-error.ts'

/** Prompts for the missing choices. Ctrl+C ends the process with exit code 1. */
export async function askChoices(known: Partial<Choices>): Promise<Choices> {
  intro('A new Octavo project')
  const folder = known.folder ?? (await askFolder())
  return {
    folder,
    plugins: known.plugins ?? (known.from === undefined ? withNeeded(await askPlugins()) : strapiPlugins),
    database: known.database ?? (await askDatabase()),
    ...(known.from !== undefined && { from: known.from }),
  }
}

async function askFolder(): Promise<string> {
  const folder = answered(
    await text({
      message: 'Name of the project, which is also its folder',
      placeholder: 'my-api',
      defaultValue: 'my-api',
      validate: (value) => {
        try {
          projectName(value || 'my-api')
          return undefined
        } catch (error) {
          if (error instanceof UsageError) return error.message
          throw error
        }
      },
    }),
  )
  await refuseFolder(folder)
  return folder
}

const askPlugins = async () =>
  answered(
    await multiselect({
      message: 'Plugins (space selects, enter continues)',
      options: pluginNames.map((name) => ({ value: name, label: name, hint: hintOf(name) })),
      initialValues: [...defaultPlugins],
      required: false,
    }),
  )

const askDatabase = async () =>
  answered(
    await select<Database>({
      message: 'Database',
      options: [
        {
          value: 'embedded',
          label: 'embedded',
          hint: 'PostgreSQL in the process, in a folder of the project',
        },
        { value: 'postgres', label: 'postgres', hint: 'a PostgreSQL server, named by DATABASE_URL' },
      ],
    }),
  )

function answered<A>(answer: A): Exclude<A, symbol> {
  if (isCancel(answer)) {
    cancel('Nothing was created.')
    process.exit(1)
  }
  return answer as Exclude<A, symbol> // the only symbol is that of Ctrl+C
}
