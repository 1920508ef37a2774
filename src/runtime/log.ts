import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino"
import { cleanJson, createSecretFilter, type SecretFilter } from "../text/secret-filter.ts"

export type Log = Logger

/**
 * One JSON line per event on standard output. Errors are reduced to name, code, message and stack:
 * library errors carry request options with headers in them, and those hold tokens.
 * @param hide every secret of the configuration, to replace wherever it appears in a line
 */
export function createLog(
  level: string,
  hide: readonly string[],
  destination?: DestinationStream,
): Log {
  const secrets = createSecretFilter(hide)
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
      hooks: { streamWrite: (line) => withoutSecrets(line, secrets) },
    },
    // Writes synchronously, because buffered lines come out of order when a process ends, and get
    // lost when it crashes.
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
}

/** Picks the facts of an error that are safe to print. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code } = error as { code?: unknown }
  return {
    name: error.name,
    ...(typeof code === "string" ? { code } : {}),
    message: error.message,
    stack: error.stack,
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  }
}

/** Removes secrets from a log line and keeps it valid JSON. */
function withoutSecrets(line: string, secrets: SecretFilter): string {
  return secrets.holds(line) ? `${JSON.stringify(cleanJson(secrets, JSON.parse(line)))}\n` : line
}
