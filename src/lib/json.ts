type Reviver = (key: string, value: unknown) => unknown

/** Parses JSON. Returns undefined for other text, and for JSON too deep for the reviver. */
export function parseJson(text: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    return undefined
  }
}

/**
 * Parses JSON without any `null`: Slack's fields "may not be present at all, may be null, or may
 * contain an empty string", and the bot treats the first two alike.
 */
export function parseWithoutNulls(text: string): unknown {
  return parseJson(text, dropNull)
}

/** Copies JSON that a library has already parsed, without any `null`. */
export function withoutNulls<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), dropNull)
}

function dropNull(_: string, value: unknown): unknown {
  return value === null ? undefined : value
}
