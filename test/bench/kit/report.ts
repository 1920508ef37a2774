import { type Figures, isMet, type Row, type Unit } from "./bench.ts"
import type { Machine } from "./machine.ts"

export interface Report extends Figures {
  name: string
  title: string
  seconds: number
}

/** What `--json` prints. */
export interface Result {
  at: string
  quick: boolean
  machine: Machine
  reports: Report[]
}

export function heading({ cpu, cores, memoryGb, versions }: Machine): string {
  const parts = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${cpu}, ${cores} cores, ${memoryGb} GB\n${parts.join(", ")}\n`
}

/** A benchmark as a table for a terminal. */
export function table({ name, title, rows, notes, seconds }: Report): string {
  const cells = [["", "reference", "ours", "ratio", "min – max", "goal"], ...rows.map(cellsOf)]
  const widths = cells[0]?.map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? "").length)),
  )
  const lines = cells.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths?.[i] ?? 0) : cell.padStart(widths?.[i] ?? 0)))
      .join("  ")
      .trimEnd(),
  )
  return [`${name}: ${title} (${Math.round(seconds)} s)`, ...lines, ...notes.map((n) => `  ${n}`)]
    .join("\n")
    .concat("\n")
}

/** What it is, reference, ours, ratio, spread and goal. */
export function cellsOf(row: Row): string[] {
  const { ratio, goal } = row
  return [
    `  ${row.what}`,
    row.reference === undefined ? "" : figure(row.reference, row.unit),
    figure(row.ours, row.unit),
    ratio ? share(ratio.median) : "",
    ratio ? `${share(ratio.min)} – ${share(ratio.max)}` : "",
    goal ? `${goalOf(row)} ${isMet(row) ? "met" : "MISSED"}` : "",
  ]
}

function share(value: number | null): string {
  return value?.toFixed(2) ?? "not measured"
}

function goalOf({ goal, ratio, unit }: Row): string {
  if (!goal) return ""
  const [sign, value] = "atLeast" in goal ? ["≥", goal.atLeast] : ["≤", goal.atMost]
  return `${sign} ${ratio ? value : figure(value, unit)}`
}

/** JSON has no word for what is not a number, and one such figure must not cost all the others. */
function figure(value: number | null, unit: Unit): string {
  if (value === null || Number.isNaN(value)) return "not measured"
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  const text = value.toLocaleString("en", {
    minimumFractionDigits: Number.isInteger(value) ? 0 : digits,
    maximumFractionDigits: digits,
  })
  const gap = unit === "/s" || unit === "%" || unit === "" ? "" : " "
  return `${text}${gap}${unit}`
}
