import { z } from "zod"
import { parseJson } from "../text/json.ts"
import { harmless } from "../text/plain-text.ts"

const record = z.looseObject({
  level: z.string(),
  time: z.string(),
  msg: z.string().default(""),
  error: z.looseObject({ message: z.string(), stack: z.string().optional() }).optional(),
})

/**
 * One JSON log line as a person at a terminal reads it: time, level, words, facts; a stack below.
 * Pure. Not pino-pretty: it prints escape sequences, line breaks and bidi overrides in messages and
 * stacks as they are, and brings eighteen packages more into production.
 */
export function readableLine(line: string): string {
  const parsed = record.safeParse(parseJson(line))
  if (!parsed.success) return line
  const { level, time, msg, error, ...facts } = parsed.data
  const words = Object.entries(facts).map(([name, value]) => `${name}=${printed(value)}`)
  const clock = time.slice(11, 23)
  const first = [clock, level.toUpperCase().padEnd(5), msg, ...words].join(" ")
  const fault = error ? (error.stack ?? error.message).split("\n") : []
  return `${[first, ...fault.map((row) => `  ${row}`)].map(harmless).join("\n")}\n`
}

function printed(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
