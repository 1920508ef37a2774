import { isObject, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"

/**
 * Returns the option with this value or, failing that, this text.
 * @throws Error with all options.
 */
export function chooseOption(element: JsonObject, wanted: string): JsonObject {
  const options = objectsIn(element.options)
  const found =
    options.find((option) => option.value === wanted) ??
    options.find((option) => textOf(option) === wanted)
  if (found !== undefined) return found
  const known = options
    .map((option) => `"${textOf(option)}" (${stringIn(option, "value") ?? ""})`)
    .join(", ")
  throw new Error(`There is no option "${wanted}". Choose from ${known || "none"}`)
}

function textOf(option: JsonObject): string {
  return isObject(option.text) ? (stringIn(option.text, "text") ?? "") : ""
}
