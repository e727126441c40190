import type { Logger } from '@octavo/core'
import { pino } from 'pino'

/** JSON lines on stderr, so that stdout is the command's. `LOG_LEVEL` says from which level on. Default `info`. */
export const createLogger = (): Logger =>
  pino({ level: process.env.LOG_LEVEL ?? 'info', base: null }, pino.destination(2))
