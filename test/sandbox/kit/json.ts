/** JSON value exchanged between Slack and an app. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

export function compact(members: { [key: string]: Json | undefined }): JsonObject {
  const kept: JsonObject = {}
  for (const [key, value] of Object.entries(members)) if (value !== undefined) kept[key] = value
  return kept
}

export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function stringIn(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === "string" ? value : undefined
}

/** Returns the `type` of a block, element or payload; empty if it has none. */
export function typeOf(object: JsonObject): string {
  return stringIn(object, "type") ?? ""
}

/** Returns the parsed JSON, or undefined if the text is invalid. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
