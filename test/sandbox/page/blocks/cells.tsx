import { isObject, type Json, stringIn } from "../../kit/json.ts"
import { CannotRender } from "./cannot-render.tsx"

export function Cell({ cell }: { cell: Json | undefined }) {
  if (!isObject(cell)) return null
  if (cell.type === "raw_text" || cell.type === "raw_number") return <>{stringIn(cell, "text")}</>
  return <CannotRender what={stringIn(cell, "type") ?? ""} />
}

/** Returns the rows of cells, without values that aren't arrays. */
export function rowsOf(rows: Json | undefined): Json[][] {
  return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : []
}

/** Returns a cell's sort key: its number or, without one, its text. */
export function sortKey(cell: Json | undefined): number | string {
  if (!isObject(cell)) return ""
  if (cell.type === "raw_number") return Number(cell.value)
  return stringIn(cell, "text") ?? ""
}

export function isNumber(cell: Json | undefined): boolean {
  return isObject(cell) && cell.type === "raw_number"
}
