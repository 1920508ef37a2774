/** What happens when: simulated time moves from one event to the next. */
export class Timeline {
  #now: number
  /** A binary heap, the earliest on top; of equal times the one set first. */
  readonly #heap: { at: number; turn: number; run: () => Promise<void> | void }[] = []
  #turn = 0

  /** @param start ms */
  constructor(start: number) {
    this.#now = start
  }

  readonly now = (): number => this.#now

  at(at: number, run: () => Promise<void> | void): void {
    this.#turn += 1
    this.#heap.push({ at: Math.max(at, this.#now), turn: this.#turn, run })
    this.#up(this.#heap.length - 1)
  }

  after(ms: number, run: () => Promise<void> | void): void {
    this.at(this.#now + ms, run)
  }

  /** Runs events in their order until `done` says so, or nothing is left. */
  async run(done: () => boolean): Promise<void> {
    while (!done()) {
      const event = this.#pop()
      if (!event) return
      this.#now = event.at
      await event.run()
    }
  }

  #pop() {
    const top = this.#heap[0]
    const last = this.#heap.pop()
    if (top && last && top !== last) {
      this.#heap[0] = last
      this.#down(0)
    }
    return top
  }

  #up(i: number): void {
    const parent = (i - 1) >> 1
    if (i > 0 && this.#before(i, parent)) {
      this.#swap(i, parent)
      this.#up(parent)
    }
  }

  #down(i: number): void {
    const [left, right] = [2 * i + 1, 2 * i + 2]
    const first = this.#before(right, left) ? right : left
    if (this.#before(first, i)) {
      this.#swap(i, first)
      this.#down(first)
    }
  }

  #before(a: number, b: number): boolean {
    const [x, y] = [this.#heap[a], this.#heap[b]]
    if (!x || !y) return x !== undefined
    return x.at < y.at || (x.at === y.at && x.turn < y.turn)
  }

  #swap(a: number, b: number): void {
    const [x, y] = [this.#heap[a], this.#heap[b]]
    if (x && y) [this.#heap[a], this.#heap[b]] = [y, x]
  }
}
