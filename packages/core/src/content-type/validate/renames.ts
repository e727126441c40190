import type { Draft } from '../draft/drafts.ts'
import { show } from '../draft/names.ts'

/** Reports attributes that are renamed from each other: a start would move the values of neither, since both names are there. */
export function checkRenames({ attributes, report }: Pick<Draft, 'attributes' | 'report'>): void {
  const reported = new Set<string>()
  for (const first of attributes.keys()) {
    const names: string[] = []
    for (
      let name: unknown = first;
      typeof name === 'string' && attributes.has(name) && !reported.has(name) && !names.includes(name);
      name = attributes.get(name)?.renamedFrom
    )
      names.push(name)
    const last = names.at(-1)
    if (names.length < 2 || attributes.get(last ?? '')?.renamedFrom !== first) continue
    for (const name of names) reported.add(name)
    report(
      ['attributes', first, 'renamedFrom'],
      `the names ${names.map(show).join(' and ')} are exchanged, which moves no values in one start; take three, by way of a name that is not used yet: first rename ${show(last)} to it, then the other, then the first one again`,
    )
  }
}
