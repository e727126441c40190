import type { IncomingMessage } from 'node:http'
import { isOperator } from '@octavo/server'
import type { PagesOptions } from './options.ts'

/** The part of Koa's context that the audience depends on. */
export interface Visit {
  readonly req: IncomingMessage
}

/** Whether the options show pages and explanations to this request. */
export const isAudience = ({ req }: Visit, { development, audience }: Required<PagesOptions>): boolean =>
  development && (audience === 'everybody' || isOperator(req))
