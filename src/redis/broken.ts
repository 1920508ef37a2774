import { RecordError } from "./record.ts"

/** Called with the key of a record that cannot be read, and the reason. */
export type OnBroken = (key: string, error: unknown) => void

/** For records that are overwritten soon anyway: nobody has to be told. */
export const ignoreBroken: OnBroken = () => {}

/** What was read, or undefined: one broken record must not stop the others beside it. */
export function readable<T>(key: string, read: () => T, onBroken: OnBroken): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    onBroken(key, error)
    return undefined
  }
}

/** What a key holds; undefined when it is another type of value than the bot writes there. */
export async function typed<T>(
  key: string,
  read: Promise<T>,
  onBroken: OnBroken,
): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (!isWrongType(error)) throw error
    onBroken(key, error)
    return undefined
  }
}

function isWrongType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("WRONGTYPE")
}

/** How many reported keys are remembered, so that a flood of them costs no memory. */
const MOST_KEYS = 1000

/** Reports each key once per process, as a broken record comes back with every lease. */
export function onceByKey(tell: OnBroken): OnBroken {
  const told = new Set<string>()
  return (key, error) => {
    if (told.has(key)) return
    if (told.size >= MOST_KEYS) told.clear()
    told.add(key)
    tell(key, error)
  }
}
