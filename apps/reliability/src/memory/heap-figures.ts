/** The memory of V8 in a process, in bytes. */
export interface HeapFigures {
  readonly arrayBuffers: number
  readonly spaces: readonly {
    readonly name: string
    /** Resident. */
    readonly size: number
    readonly used: number
  }[]
}

/** The resident memory of a process by who has it, in bytes. */
export interface Kept {
  readonly resident: number
  /** Pages of files: the program of Node.js and its libraries, which processes of one machine share. */
  readonly program: number
  readonly young: number
  /** Of V8's other spaces: in use, and garbage or not yet used. */
  readonly used: number
  readonly unused: number
  /** Compiled code and its data, a part of the two before. */
  readonly code: number
  readonly arrayBuffers: number
  /** Everything else: what libraries allocate, stacks of threads. */
  readonly rest: number
}

const isYoung = (name: string): boolean => name.startsWith('new_')
const isCode = (name: string): boolean => name.startsWith('code_') || name.startsWith('trusted_')

/** @param fileBacked Resident bytes of mapped files. */
export function keptBy(resident: number, fileBacked: number, { arrayBuffers, spaces }: HeapFigures): Kept {
  const sum = (of: HeapFigures['spaces'], what: 'size' | 'used'): number =>
    of.reduce((total, space) => total + space[what], 0)
  // Read-only objects are a part of the program.
  const young = spaces.filter(({ name }) => isYoung(name))
  const old = spaces.filter(({ name }) => !isYoung(name) && name !== 'read_only_space')
  const [size, used] = [sum(old, 'size'), sum(old, 'used')]
  const known = fileBacked + sum(young, 'size') + size + arrayBuffers
  return {
    resident,
    program: fileBacked,
    young: sum(young, 'size'),
    used,
    unused: Math.max(0, size - used),
    code: sum(
      old.filter(({ name }) => isCode(name)),
      'size',
    ),
    arrayBuffers,
    rest: Math.max(0, resident - known),
  }
}
