import type { z } from "zod"

type Reviver = (key: string, value: unknown) => unknown

/** Parses JSON. Returns undefined for other text, and for JSON too deep for the reviver. */
export function parseJson(text: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    return undefined
  }
}

/** Parses JSON of this shape. Returns undefined for any other text, and for none. */
export function parseAs<T>(shape: z.ZodType<T>, text: string | null | undefined): T | undefined {
  return shape.safeParse(parseJson(text ?? "")).data
}

/** Writes a value as JSON. Returns undefined for one that is too deep. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/**
 * Replaces every string in parsed JSON, but no name. Works in place and without recursion: a reviver
 * takes 20 times as long for a long list, and overflows the stack for a deep one.
 */
export function mapStrings(json: unknown, replace: (text: string) => string): unknown {
  const root = [json]
  const open: object[] = [root]
  const visit = (node: Record<string, unknown> | unknown[], key: never) => {
    const value = node[key]
    if (typeof value === "string") node[key] = replace(value) as never
    else if (typeof value === "object" && value !== null) open.push(value)
  }
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) for (let n = 0; n < node.length; n += 1) visit(node, n as never)
    else for (const name of Object.keys(node)) visit(node as Record<string, unknown>, name as never)
  }
  return root[0]
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

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
type Maybe<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }

/** Drops undefined fields, which comparisons, query strings and Redis would not take for absent. */
export function defined<T extends object>(fields: T): Given<T> & Maybe<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Given<T> & Maybe<T>
}
