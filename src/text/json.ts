/** Parses a text as JSON; undefined if it is not. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Parses JSON without any `null`: Slack's fields "may not be present at all, may be null, or may
 * contain an empty string", and nothing here tells the first two apart. Undefined also where it is
 * nested too deep.
 */
export function parseWithoutNulls(text: string): unknown {
  try {
    return JSON.parse(text, dropNull)
  } catch {
    return undefined
  }
}

/** Copies a JSON value without any `null`. */
export function withoutNulls<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), dropNull)
}

function dropNull(_: string, value: unknown): unknown {
  return value === null ? undefined : value
}
