import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino"

export type Log = Logger

/**
 * One JSON line per event on standard output. Errors are reduced to name, code, message and stack:
 * library errors carry request options with headers in them, and those hold tokens.
 * @param hide every secret of the configuration; wherever one turns up in a line it is blotted out.
 */
export function createLog(
  level: string,
  hide: readonly string[],
  destination?: DestinationStream,
): Log {
  const blot = blotter(hide)
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
      hooks: { streamWrite: blot },
    },
    ...(destination ? [destination] : []),
  )
}

/** The facts of an error that are safe to print. */
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

/** Replaces every secret, as written and as JSON or a URL would write it. */
export function blotter(secrets: readonly string[]): (text: string) => string {
  const needles = secrets
    .filter((secret) => secret.length > 0)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  return (text) =>
    needles.reduce(
      (clean, needle) => (clean.includes(needle) ? clean.replaceAll(needle, "[secret]") : clean),
      text,
    )
}
