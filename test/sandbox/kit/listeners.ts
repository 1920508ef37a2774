/** Listeners, called synchronously one after another. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>()

  emit(event: Event): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Calls the listener on every event. @returns a function that unsubscribes. */
  subscribe(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}

/** Adds an entry to a log of at most `limit`, so that long runs don't grow without end. */
export function remember<T>(log: T[], entry: T, limit: number): void {
  log.push(entry)
  if (log.length > limit) log.shift()
}
