/** What a text says as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The same without any `null`: Slack's fields "may not be present at all, may be null, or may contain an
 * empty string", and nothing here tells the first two apart. Undefined also where it is nested too deep.
 */
export function parseWithoutNulls(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (value === null ? undefined : value))
  } catch {
    return undefined
  }
}
