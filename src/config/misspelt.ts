import { settings } from "./settings.ts"

type Env = Readonly<Record<string, string | undefined>>

/** A variable that nothing reads, and the setting that it is most like. */
interface Misspelt {
  name: string
  meant: string
}

/** Two letters swapped are two edits; more of them is another word. */
const MOST_EDITS = 2
/** Of shorter names two edits make other words. */
const SHORTEST = 8

/**
 * Variables that resemble a setting which is not set. Only those: a machine's environment holds much
 * that is none of the bot's business. Pure.
 */
export function misspelt(env: Env): Misspelt[] {
  const names = Object.keys(settings.shape)
  const unset = names.filter((name) => !env[name] && name.length >= SHORTEST)
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name)) return []
    const meant = unset.find((other) => isNear(name.toUpperCase(), other))
    return meant ? { name, meant } : []
  })
}

export function misspeltWords({ name, meant }: Misspelt): string {
  return `${name} isn't a setting. Did you mean ${meant}?`
}

function isNear(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= MOST_EDITS && edits(one, other) <= MOST_EDITS
}

/** Letters to add, to leave out or to change. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (const [i, letter] of Array.from(one).entries()) {
    const next = [i + 1]
    for (const [j, wanted] of Array.from(other).entries())
      next.push(
        Math.min(
          (row[j] ?? 0) + (letter === wanted ? 0 : 1),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
