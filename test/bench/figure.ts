import { cpus, totalmem } from "node:os"

/** Size of a measurement. */
interface Extent {
  /** Factor for the number of repetitions, 1 in a real run. */
  readonly share: number
}

export interface Figure {
  readonly what: string
  readonly unit: "ms" | "MB" | "/s" | ""
  readonly value: number
  /** Value for a minimal app in the same run. */
  readonly reference?: number
  readonly atMost?: number
  /** Goal for the value as a ratio of the reference. */
  readonly atLeastRatio?: number
}

export interface Bench {
  readonly title: string
  readonly run: (extent: Extent) => Promise<readonly Figure[]>
}

/**
 * Returns true if a figure meets its goal; a value that could not be measured doesn't.
 * @param factor by which it may exceed the goal
 */
export function isMet(figure: Figure, factor = 1): boolean {
  const { value, reference = Number.NaN, atMost, atLeastRatio } = figure
  if (atLeastRatio !== undefined) return value / reference >= atLeastRatio / factor
  return atMost === undefined || value <= atMost * factor
}

export function table(title: string, figures: readonly Figure[]): string {
  const rows = [["", "reference", "ours", "ratio", "goal"], ...figures.map(cellsOf)]
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const line = ([what = "", ...rest]: readonly string[]) =>
    [what.padEnd(width(0)), ...rest.map((cell, i) => cell.padStart(width(i + 1)))].join("  ")
  return [title, ...rows.map((row) => line(row).trimEnd())].join("\n")
}

function cellsOf(figure: Figure): string[] {
  const { what, unit, value, reference } = figure
  return [
    `  ${what}`,
    reference === undefined ? "" : said(reference, unit),
    said(value, unit),
    reference === undefined ? "" : (value / reference).toFixed(2),
    goalOf(figure),
  ]
}

function goalOf(figure: Figure): string {
  const { unit, atMost, atLeastRatio } = figure
  const verdict = isMet(figure) ? "met" : "MISSED"
  if (atLeastRatio !== undefined) return `ratio ≥ ${atLeastRatio} ${verdict}`
  return atMost === undefined ? "" : `≤ ${said(atMost, unit)} ${verdict}`
}

function said(value: number, unit: Figure["unit"]): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 1
  const text = value.toLocaleString("en", { maximumFractionDigits: digits })
  return unit === "ms" || unit === "MB" ? `${text} ${unit}` : `${text}${unit}`
}

/** Describes the machine, without which figures mean nothing. */
export function machine(): string {
  const [first] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return `${first?.model ?? "unknown"}, ${cpus().length} cores, ${memory}; node ${process.versions.node}`
}

/** Returns the value below which this share of the list lies; NaN for an empty list. */
export function quantile(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median<Item>(list: readonly Item[], of: (item: Item) => number): number {
  return quantile(list.map(of), 0.5)
}
