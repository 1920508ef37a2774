import { cellsOf, heading, type Report, type Result } from "./report.ts"

/** All tables as the README has them, with their date and machine. */
export function markdown({ at, machine, reports }: Result): string {
  const [where = "", versions = ""] = heading(machine).split("\n")
  const measured = `Measured on ${at.slice(0, 10)}: ${where}; ${versions}.`
  return `${[measured, ...reports.map(section)].join("\n\n")}\n`
}

function section({ name, title, rows, notes }: Report): string {
  const lines = rows.map((row) => `| ${cellsOf(row).map(escaped).join(" | ")} |`)
  const head = "| | reference | ours | ratio | min – max | goal |\n|---|--:|--:|--:|--:|--:|"
  return `**\`${name}\`** ${title}\n\n${head}\n${lines.join("\n")}\n\n${notes.join(" ")}`
}

function escaped(cell: string): string {
  return cell.trim().replaceAll("|", "\\|")
}
