import type { Octavo } from '@octavo/core'
import type { DataStream, StreamedEntry, StreamedLink } from '@octavo/core/internal'
import type { ContentType, Model, Registry } from '@octavo/core/plugin'
import { isEntryType } from '../model/uids.ts'
import { planEditors } from '../plan/editors.ts'
import { entryValues } from '../plan/entry-values.ts'
import { planLayouts } from '../plan/layouts.ts'
import { keyOf } from '../plan/links.ts'
import { defaultLocale, type Scan } from '../plan/scan.ts'
import { planWebhooks, webhooksName } from '../plan/webhooks.ts'
import type { Data } from '../records.ts'
import type { Scratch } from '../scratch/scratch.ts'
import type { Outline, Source } from '../source/source.ts'
import { apiTokensSection, localesSection, rolesSection } from './sections.ts'

/** The entries of a source, with their relations, as an import takes them. */
export function dataStream(
  source: Source,
  outline: Outline,
  { registry, sections }: Pick<Octavo, 'registry' | 'sections'>,
  scan: Scan,
): DataStream {
  const links = new LinkLists(scan.scratch, registry)
  return {
    sections: {
      locales: localesSection(scan.small.locales, defaultLocale(outline)),
      roles: rolesSection(scan.small, scan.links.roles),
      apiTokens: apiTokensSection(outline.apiTokens),
      ...(scan.folders.count > 0 && { folders: scan.folders.section() }),
      ...editorSections(outline, registry),
      ...layoutSections(outline, registry),
      ...(sections.has(webhooksName) && { webhooks: planWebhooks(outline.webhooks).items }),
    },
    pastId: (uid) => (scan.componentIds.get(uid) ?? 0) + 1,
    async *entries() {
      const isRepeat = scan.skipped.repeats()
      for await (const batch of source.entities()) {
        const entries: StreamedEntry[] = []
        for (const { type: uid, id, data } of batch) {
          const type = registry.contentTypes.get(uid)
          if (!type || !isEntryType(uid) || scan.skipped.isInvalid(uid, id)) continue
          if (isRepeat(uid, id)) continue
          const values = entryValues(type, id, data, scan.values)
          links.add(type, id, values)
          entries.push({ type: uid, values })
        }
        yield entries
      }
    },
  }
}

/** Before the entries, which refer to them. */
function editorSections(outline: Outline, registry: Registry): DataStream['sections'] {
  const { roles, people } = planEditors(outline.editors, registry)
  return people.length === 0 ? {} : { editorRoles: roles, editors: people }
}

function layoutSections(outline: Outline, registry: Registry): DataStream['sections'] {
  const layouts = planLayouts(outline.settings, registry)
  return layouts.length === 0 ? {} : { layouts }
}

/** Puts the relations of entries and components into their values. */
class LinkLists {
  readonly #scratch: Scratch
  readonly #registry: Registry

  constructor(scratch: Scratch, registry: Registry) {
    this.#scratch = scratch
    this.#registry = registry
  }

  add(type: ContentType, id: number, values: Record<string, unknown>): void {
    this.#fill(type, id, values)
  }

  #fill(model: Model, id: number, values: Record<string, unknown>): void {
    for (const attribute of model.attributes.values()) {
      const value = values[attribute.name]
      if (attribute.kind === 'relation') {
        const list =
          attribute.storage.kind === 'siblings'
            ? this.#group(model.uid, id)
            : this.#list(keyOf(model.uid, attribute.name), id)
        if (list.length > 0) values[attribute.name] = list
      } else if (attribute.kind !== 'scalar' && value) {
        for (const item of (Array.isArray(value) ? value : [value]) as Record<string, unknown>[]) {
          const uid = attribute.kind === 'component' ? attribute.component : String(item.__component)
          if (typeof item.id === 'number') this.#fill(this.#registry.component(uid), item.id, item)
        }
      }
    }
    for (const morph of model.morphs.values()) {
      const items = this.#rows(keyOf(model.uid, morph.name), id).map(({ target_type, target }) => ({
        type: this.#scratch.name(target_type),
        id: Number(target),
      }))
      if (items.length > 0) values[morph.name] = items
    }
  }

  #list(key: string, owner: number): readonly StreamedLink[] {
    return this.#rows(key, owner).map(({ target, inv }) => ({ id: Number(target), position: Number(inv) }))
  }

  #rows(key: string, owner: number): readonly Data[] {
    return this.#scratch.all(
      `select target_type, target, inv from related r where attr = ? and owner = ?
         and not exists (select 1 from skipped s where s.type = r.target_type and s.id = r.target) order by rank`,
      this.#scratch.number(key),
      owner,
    )
  }

  #group(uid: string, id: number): readonly StreamedLink[] {
    const [row] = this.#scratch.all(
      'select key from sibling where type = ? and id = ?',
      this.#scratch.number(uid),
      id,
    )
    return row ? [{ id: Number(row.key), position: null }] : []
  }
}
