/**
 * Remembers what the service's answers have shown of its settings while this process ran. One
 * answer proves little: a gateway may reject a request's words, and a job may be gone.
 */
export class Evidence {
  /** Projects for which `DOCS_JOB_PATH` has found a job. */
  readonly #rightPaths = new Set<string>()
  /** Job by project that could not be read last. */
  readonly #refusedReads = new Map<string, string>()
  /** Job by queue whose creation got a 403, until another one is answered otherwise. */
  readonly #forbidden = new Map<string, string>()

  foundJob(project: string): void {
    this.#rightPaths.add(project)
  }

  hasFoundJob(project: string): boolean {
    return this.#rightPaths.has(project)
  }

  /** Notes a refused read. Returns whether no other job of the project was refused before it. */
  readRefused(project: string, job: string): boolean {
    const isAlone = (this.#refusedReads.get(project) ?? job) === job
    this.#refusedReads.set(project, job)
    return isAlone
  }

  readAccepted(project: string): void {
    this.#refusedReads.delete(project)
  }

  lastRefusedRead(project: string): string | undefined {
    return this.#refusedReads.get(project)
  }

  /**
   * Notes a 403. Returns whether only this request is suspect: a gateway may reject its words. If
   * two different requests are refused in a row, the key is at fault.
   */
  requestForbidden(queue: string, job: string): boolean {
    const isAlone = (this.#forbidden.get(queue) ?? job) === job
    if (isAlone) this.#forbidden.set(queue, job)
    else this.#forbidden.delete(queue)
    return isAlone
  }

  requestAnswered(queue: string): void {
    this.#forbidden.delete(queue)
  }
}
