import { isObject, type Json, stringIn } from "../../kit/json.ts"
import { CannotRender } from "./cannot-render.tsx"

export function Cell({ cell }: { cell: Json | undefined }) {
  if (!isObject(cell)) return null
  if (cell.type === "raw_text" || cell.type === "raw_number") return <>{stringIn(cell, "text")}</>
  return <CannotRender what={stringIn(cell, "type") ?? ""} />
}

/** Rows of cells; anything else in their place is left out. */
export function rowsOf(rows: Json | undefined): Json[][] {
  return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : []
}

/** What a cell is sorted by: its number, else its words. */
export function sortKey(cell: Json | undefined): number | string {
  if (!isObject(cell)) return ""
  if (cell.type === "raw_number") return Number(cell.value)
  return stringIn(cell, "text") ?? ""
}

export function isNumber(cell: Json | undefined): boolean {
  return isObject(cell) && cell.type === "raw_number"
}
