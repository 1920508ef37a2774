interface Waiting {
  readonly id: string
  readonly user: string
  /** True if the person had nothing else waiting at the time of the request. */
  readonly single: boolean
  readonly overtakenBy: Map<string, number>
}

/** Records waiting requests and how often others overtake them, from observed events alone. */
export class Ledger {
  readonly waiting = new Map<string, Waiting>()
  /** Maximum number of starts by one other person ahead of a single request. */
  longestOvertaking = 0
  readonly #started = new Set<string>()

  asked(id: string, user: string): void {
    const single = ![...this.waiting.values()].some((other) => other.user === user)
    this.waiting.set(id, { id, user, single, overtakenBy: new Map() })
  }

  /** Records that a job was granted; ignores grants after the job's first. */
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
