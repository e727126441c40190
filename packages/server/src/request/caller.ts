import type { Context } from 'koa'
import { networkOf } from '../socket/network.ts'

/** The text by which the callers without a user or a token are known: their network. */
export const senderOf = (ip: string): string => `address ${networkOf(ip)}`

/** The caller of a request, for fairness: `user 7`, or its address as long as nobody is known. */
export const callerOf = ({ state, ip }: Context): string => state.octavo?.caller ?? senderOf(ip)
