/** The routes of plugins for people who manage the server: API tokens, webhooks, settings. */
import type { JsonSchema, ManagedRequest, ManagedRoute } from '@octavo/server'
import { requireCovered } from '../accounts/changes.ts'
import { rightsToGive } from '../rights/own-actions.ts'
import { type Right, uncovered } from '../rights/right.ts'
import type { Desk, SignedIn } from './desk.ts'
import { bodyOf, refuseOthers, send } from './request.ts'

/** Adds the routes that plugins have registered with `server:manage`. */
export function addManagedRoutes(desk: Desk, routes: readonly ManagedRoute[]): void {
  for (const { method, path, right, operation, handler } of routes) {
    const [status = 200] = Object.keys(operation.responses).map(Number)
    const read = fieldsOf(operation.body?.content['application/json']?.schema)
    const shown = fieldsOf(operation.responses[status]?.schema)
    desk.add(
      method,
      path,
      async (request) => {
        if (read.length > 0) refuseOthers(bodyOf(request.context), read, shown)
        send(request.context, await handler(managedRequest(request)), status)
      },
      right,
    )
  }
}

const fieldsOf = (schema: JsonSchema = {}): readonly string[] => Object.keys(Object(schema.properties))

function managedRequest({ context, service, session }: SignedIn): ManagedRequest {
  const own = session.grants.rights
  const wanted = (actions: readonly string[] | 'everything'): readonly Right[] =>
    actions === 'everything'
      ? [{ action: 'everything' }]
      : actions.flatMap((name) => rightsToGive(name, service.octavo.registry))
  return {
    context,
    fields: bodyOf(context),
    caller: `editor ${session.editor.id}`,
    owns: (actions) => uncovered(own, wanted(actions)) === undefined,
    requireOwn: (actions) => requireCovered(own, wanted(actions)),
  }
}
