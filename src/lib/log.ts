import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino"
import { createSecretFilter, parseCleaned } from "./secrets.ts"

export type Log = Logger

/**
 * Writes one JSON line per event to standard output.
 * @param hide every secret of the configuration, to replace wherever it appears in a line
 */
export function createLog(level: string, hide: readonly string[], destination?: DestinationStream) {
  const secrets = createSecretFilter(hide)
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
      hooks: {
        // Cleans the parsed values instead of the line, so that it stays valid JSON.
        streamWrite: (line) =>
          secrets.holds(line) ? `${JSON.stringify(parseCleaned(secrets, line))}\n` : line,
      },
    },
    // Writes synchronously, because buffered lines come out of order when a process ends, and get
    // lost when it crashes.
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
}

/** Keeps only safe fields, because libraries' errors may contain request headers and so tokens. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, command } = error as { code?: unknown; command?: { args?: unknown[] } }
  // The first argument of a command that Redis refused is its key; a script's is a hash.
  const [key] = command?.args ?? []
  return {
    name: error.name,
    ...(typeof code === "string" ? { code } : {}),
    ...(String(key).startsWith("{da}:") ? { key } : {}),
    message: error.message,
    // The stack of a server's answer says nothing that its words don't.
    ...(error.name === "ReplyError" ? {} : { stack: error.stack }),
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  }
}
