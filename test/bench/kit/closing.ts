/** Closes parties that a test would close by itself. */
export function closing(...parties: { close(): Promise<void> }[]): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(parties.map((party) => party.close()))
    },
  }
}
