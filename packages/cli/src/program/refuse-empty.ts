import type { Command } from 'commander'

/** The options whose value may be an empty text: that of `octavo migrate fill`. */
const mayBeEmpty: ReadonlySet<string> = new Set(['value'])

/** Ends a command that was given an empty text, which a script does for a variable without a value: `octavo export "$BACKUP"`. */
export function refuseEmpty(command: Command): void {
  const options = command.options
    .filter((option) => !mayBeEmpty.has(option.attributeName()))
    .map((option) => [option.long, command.getOptionValue(option.attributeName())] as const)
  const given = command.registeredArguments.map(
    (argument, i) => [`<${argument.name()}>`, command.processedArgs[i]] as const,
  )
  const [name] = [...options, ...given].find(([, value]) => isEmpty(value)) ?? []
  if (name !== undefined)
    command.error(`error: ${name} is empty; a variable of the shell may be without a value`)
}

const isEmpty = (value: unknown): boolean => (Array.isArray(value) ? value.some(isEmpty) : value === '')
