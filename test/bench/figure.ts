/** Figure of a benchmark, with its goal. */
interface Figure {
  readonly what: string
  readonly unit: "ms" | "MB" | "/s"
  readonly atMost?: number
  /** Goal for the value as a ratio of the reference. */
  readonly atLeastRatio?: number
}

export interface Bench {
  readonly title: string
  /** Program with which the bot is compared. */
  readonly reference: string
  readonly figures: readonly Figure[]
  /**
   * Resolves to the values of the figures, in their order.
   * @param share factor for the number of repetitions, 1 in a real run
   * @param main program to measure; absent: the built bot
   */
  readonly measure: (share: number, main?: string) => Promise<readonly number[]>
}

/** Figure with its value, and that of the reference in the same run. */
export type Measured = Figure & { readonly value: number; readonly reference: number }

export async function run(bench: Bench, share: number): Promise<Measured[]> {
  const references = await bench.measure(share, bench.reference)
  const values = await bench.measure(share)
  return bench.figures.map((figure, n) => {
    const [value = Number.NaN, reference = Number.NaN] = [values[n], references[n]]
    return { ...figure, value, reference }
  })
}

/**
 * Returns true if a figure meets its goal; a value that could not be measured doesn't.
 * @param factor by which it may exceed the goal
 */
export function isMet({ value, reference, atMost, atLeastRatio }: Measured, factor = 1): boolean {
  if (atLeastRatio !== undefined) return value / reference >= atLeastRatio / factor
  return atMost === undefined || value <= atMost * factor
}

export function table(title: string, figures: readonly Measured[]): string {
  const rows = [["", "reference", "ours", "ratio", "goal"], ...figures.map(cellsOf)]
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const line = ([what = "", ...rest]: readonly string[]) =>
    [what.padEnd(width(0)), ...rest.map((cell, i) => cell.padStart(width(i + 1)))].join("  ")
  return [title, ...rows.map((row) => line(row).trimEnd())].join("\n")
}

function cellsOf(figure: Measured): string[] {
  const { what, unit, value, reference, atMost, atLeastRatio } = figure
  const verdict = isMet(figure) ? "met" : "MISSED"
  const most = atMost === undefined ? "" : `≤ ${said(atMost, unit)} ${verdict}`
  const goal = atLeastRatio === undefined ? most : `ratio ≥ ${atLeastRatio} ${verdict}`
  const ratio = (value / reference).toFixed(2)
  return [`  ${what}`, said(reference, unit), said(value, unit), ratio, goal]
}

function said(value: number, unit: Figure["unit"]): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 1
  const text = value.toLocaleString("en", { maximumFractionDigits: digits })
  return unit === "/s" ? `${text}${unit}` : `${text} ${unit}`
}

/** Returns the value below which this share of the list lies; NaN for an empty list. */
export function quantile(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (list: readonly number[]) => quantile(list, 0.5)
