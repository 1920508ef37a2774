/** Keeps the bot's log until somebody takes it: on the terminal it would bury the address. */
export interface LogTap {
  write(line: string): void
  /** Hands over what was kept, and every line from now on. */
  pourInto(sink: (line: string) => void): void
}

export function createLogTap(): LogTap {
  const kept: string[] = []
  let sink = (line: string) => {
    kept.push(line)
  }
  return {
    write: (line) => sink(line),
    pourInto(taker) {
      kept.forEach(taker)
      sink = taker
    },
  }
}
