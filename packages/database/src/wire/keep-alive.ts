/**
 * pg's options with which the system asks a silent server whether it is still there: after 10 s, then each second, and the connection breaks
 * after ten questions without an answer. Without the delay Linux asks after two hours for the first time; until then nothing tells a connection
 * whose server or whose way to it is gone from a quiet one.
 */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
