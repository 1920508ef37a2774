interface Waiting {
  readonly id: string
  readonly user: string
  /** Whether its person had nothing else waiting when it was asked. */
  readonly single: boolean
  readonly overtakenBy: Map<string, number>
}

/** Who waits, as an outside observer writes it down, and whom they had to let pass. */
export class Ledger {
  readonly waiting = new Map<string, Waiting>()
  /** Most starts of one other person that a single request had to let pass. */
  longestOvertaking = 0
  readonly #started = new Set<string>()

  asked(id: string, user: string): void {
    const single = ![...this.waiting.values()].some((other) => other.user === user)
    this.waiting.set(id, { id, user, single, overtakenBy: new Map() })
  }

  /** A job was granted. One that was put back before does not count again. */
  started(id: string, user: string): void {
    this.waiting.delete(id)
    if (this.#started.has(id)) return
    this.#started.add(id)
    for (const other of this.waiting.values()) {
      if (!other.single || other.user === user) continue
      const count = (other.overtakenBy.get(user) ?? 0) + 1
      other.overtakenBy.set(user, count)
      this.longestOvertaking = Math.max(this.longestOvertaking, count)
    }
  }
}
