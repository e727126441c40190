import type { HookRunner } from '../../hooks/hook-runner.ts'
import type { FilteredEvent } from '../../plugin/write-event.ts'
import { type Check, refusal } from './check.ts'

/** The checks that plugins add to writes. They come first, so that the error of a check replaces all mistakes. */
export const pluginChecks = (events: readonly FilteredEvent[], hooks: HookRunner): readonly Check[] =>
  events.flatMap((event) => {
    const readsEntry = event.id !== undefined
    const added = hooks.collect('entry:checks', event).flat()
    return added.map(({ lock, finds, refusal: error }) => {
      return { lock, lists: [{ rows: finds, count: 0 }], readsEntry, report: refusal(error) }
    })
  })
